//! The studio over HTTP.

mod browser;
mod tables;
