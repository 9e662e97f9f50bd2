//! The studio over HTTP.

mod browser;
#[path = "../common/mod.rs"]
mod common;
mod docs;
mod experiments;
mod fair;
mod inside;
mod load;
mod records;
mod security;
mod tables;
