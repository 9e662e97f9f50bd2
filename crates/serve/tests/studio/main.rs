//! The studio over HTTP.

mod browser;
mod fair;
mod load;
mod security;
mod tables;
