//! How a manager reaches its players: over HTTP, or in the same program.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::host::{Host, NoAnswer};
use crate::http::{Fault, Limits, client};
use crate::message::{Info, Message};

/// Why a player has not answered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoReply {
    /// Not in time: `TO`.
    #[error("no answer in time")]
    Late,
    /// Not at all, or not in a form that can be read: `CE`.
    #[error("{0}")]
    Connection(String),
}

impl From<Fault> for NoReply {
    fn from(fault: Fault) -> NoReply {
        match fault {
            Fault::Late => NoReply::Late,
            other => NoReply::Connection(other.to_string()),
        }
    }
}

/// A player as a manager sees it.
pub trait Contact: Send + Sync {
    /// What it is called in records.
    fn name(&self) -> String;

    /// Says something and waits for the answer, but not beyond the deadline.
    fn ask(&self, message: &Message, deadline: Instant) -> Result<String, NoReply>;
}

/// Asks a player who it is.
pub fn info(contact: &dyn Contact, time: Duration) -> Result<Info, NoReply> {
    let answer = contact.ask(&Message::Info, Instant::now() + time)?;
    let short: String = answer.trim().chars().take(60).collect();
    Info::parse(&answer).ok_or_else(|| NoReply::Connection(format!("'{short}' is no answer to INFO")))
}

/// A player at an address.
#[derive(Clone, Debug)]
pub struct Remote {
    name: String,
    /// All addresses of its name.
    addresses: Vec<SocketAddr>,
    /// How long connecting may take.
    pub connect: Duration,
    /// The largest answer, and the largest head.
    pub limits: Limits,
}

/// Customary where no port is named.
pub const PORT: u16 = 9147;

impl Remote {
    /// The player at `host:port`, or at the customary port of `host`.
    pub fn new(name: &str) -> Result<Remote, String> {
        let found = match name.to_socket_addrs() {
            Ok(found) => Ok(found),
            Err(why) => (name, PORT).to_socket_addrs().map_err(|_| why),
        };
        let addresses: Vec<SocketAddr> = found.map_err(|why| format!("{name}: {why}"))?.collect();
        if addresses.is_empty() {
            return Err(format!("{name}: there is no such address"));
        }
        Ok(Remote::at_any(name, addresses))
    }

    /// The player at an address.
    pub fn at(name: &str, address: SocketAddr) -> Remote {
        Remote::at_any(name, vec![address])
    }

    /// The player at the first of these addresses where somebody answers.
    pub fn at_any(name: &str, addresses: Vec<SocketAddr>) -> Remote {
        let limits = Limits { body: 64 << 10, ..Limits::default() };
        Remote { name: name.to_string(), addresses, connect: Duration::from_secs(5), limits }
    }
}

impl Contact for Remote {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn ask(&self, message: &Message, deadline: Instant) -> Result<String, NoReply> {
        let receiver: String = self.name.chars().filter(char::is_ascii_graphic).collect();
        let headers = [
            ("Accept", "text/delim"),
            ("Sender", "GAMESERVER"),
            ("Receiver", &*receiver),
            ("Content-Type", "text/acl"),
        ];
        let body = message.to_string();
        let answer =
            client::post(&self.addresses, &headers, body.as_bytes(), self.connect, &self.limits, deadline)?;
        String::from_utf8(answer).map_err(|_| NoReply::Connection("the answer is not UTF-8 text".to_string()))
    }
}

/// A player in the same program. Nobody can interrupt it, but an answer that comes too late is none.
#[derive(Clone, Debug)]
pub struct Local(pub Arc<Host>);

impl Contact for Local {
    fn name(&self) -> String {
        self.0.name()
    }

    fn ask(&self, message: &Message, deadline: Instant) -> Result<String, NoReply> {
        let answer = self.0.answer(message, Instant::now());
        if Instant::now() > deadline {
            return Err(NoReply::Late);
        }
        let say = |why: NoAnswer| NoReply::Connection(why.to_string());
        answer.map(|reply| reply.to_string()).map_err(say)
    }
}
