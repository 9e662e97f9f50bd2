//! General game playing over HTTP.
//!
//! A player of general games is told the rules when a match begins and then, step by step, what happened; it answers
//! with moves. Players are HTTP servers, a game manager is their client, and what they say is a few words of KIF.
//!
//! * [`http`] reads and writes as much HTTP as that takes, with a deadline for everything and a limit on everything.
//! * [`message`] is what is said: INFO, PREVIEW, START, PLAY, STOP and ABORT, in plain GDL and two dialects of GDL-II.
//! * A [`host::Host`] takes part in matches: it keeps them apart and lets a [`player::Player`] answer. [`legal`]
//!   has players of any legal move, [`agent`] makes players of the framework's agents; both [`follow`] their matches.
//! * [`manager::Match`] conducts a match between players that it reaches by [`contact`], at an address or in the same
//!   program; of what happened it makes a [`record::Record`] that can be checked against the rules.
//!
//! A match between a player behind HTTP and one in the same program:
//!
//! ```
//! use std::sync::Arc;
//!
//! use fogtree_core::Seed;
//! use fogtree_serve::contact::{Local, Remote};
//! use fogtree_serve::host::{self, Host};
//! use fogtree_serve::http::{Limits, server::Server};
//! use fogtree_serve::legal::{Choice, LegalMoves};
//! use fogtree_serve::manager::{Match, Options, Participant, rules};
//! use fogtree_serve::message::Dialect;
//!
//! let pennies = b"(role even) (role odd) (side heads) (side tails) (init begin)
//!     (<= (legal ?p ?s) (role ?p) (side ?s))
//!     (<= (next (shows ?p ?s)) (does ?p ?s))
//!     (<= terminal (true (shows even ?s)))
//!     (<= same (true (shows even ?s)) (true (shows odd ?s)))
//!     (<= (goal even 100) same) (<= (goal odd 100) (not same))
//!     (<= (goal even 0) (not same)) (<= (goal odd 0) same)";
//! let sheet = rules(pennies).unwrap();
//!
//! let host = |choice| Arc::new(Host::new(Box::new(LegalMoves::new(choice, Seed(1))), host::Options::default()));
//! let server = Server::start("127.0.0.1:0", Limits::default(), host(Choice::Random)).unwrap();
//! let remote = Remote::at("somebody", server.address());
//! let players = vec![
//!     Participant { contact: Box::new(remote), dialect: Dialect::Gdl },
//!     Participant { contact: Box::new(Local(host(Choice::First))), dialect: Dialect::B },
//! ];
//! let record = Match::new(&sheet, players, Options::default()).unwrap().play(|step| println!("{:?}", step.moves));
//! assert_eq!(record.steps[0].moves[1], "heads");
//! assert_eq!(record.goals.iter().map(|goal| goal.unwrap()).sum::<u8>(), 100);
//! record.replay(&sheet).unwrap();
//! ```
//!
//! # Trust
//!
//! Nothing that comes over a wire is trusted. Whoever talks to a player can send anything, at any speed: bodies, heads,
//! connections and rules have limits, reading has deadlines, rules that derive without end are given up, and players
//! that fail are contained. Whoever plays can answer anything: a manager takes what is a legal move and comes in time,
//! and makes a move itself otherwise. There is no encryption and nobody proves who it is, so servers listen at the
//! loopback interface unless told otherwise.

pub mod agent;
pub mod contact;
pub mod follow;
pub mod host;
pub mod http;
pub mod legal;
pub mod manager;
pub mod message;
pub mod player;
pub mod record;
pub mod studio;
