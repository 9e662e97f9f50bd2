//! x
pub mod agent;
pub mod contact;
pub mod host;
pub mod http;
pub mod legal;
pub mod manager;
pub mod message;
pub mod player;
pub mod record;
