//! x
pub mod http;
pub mod message;
