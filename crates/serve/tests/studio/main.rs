//! The studio over HTTP.

mod browser;
mod fair;
mod inside;
mod load;
mod security;
mod tables;
