//! The studio over HTTP.

mod browser;
mod fair;
mod security;
mod tables;
