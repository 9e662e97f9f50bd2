//! A network with everything worked out that its evaluators need: the order of bits, programs, and who feeds whom.

use crate::propnet::gates::Wire;
use crate::propnet::network::Network;
use crate::propnet::program::{Program, cone};
use crate::propnet::wiring::Wiring;
use crate::term::Terms;

/// Where things are in the words of a state: the bits of fluents, the terminal bit, then legal moves by role.
#[derive(Debug)]
pub(super) struct Layout {
    /// How many fluents change.
    pub(super) fluents: usize,
    /// Words of fluents and the terminal bit.
    pub(super) fluent_words: usize,
    /// The first word of each role's legal moves, and the end of all words.
    pub(super) legal: Vec<usize>,
    /// The node of each role's first move, and the one after all moves.
    pub(super) first_moves: Vec<usize>,
}

impl Layout {
    fn new(network: &Network) -> Layout {
        let fluents = network.fluents.len();
        let fluent_words = fluents / 64 + 1;
        let mut at = fluent_words;
        let mut legal = vec![at];
        legal.extend(network.moves.iter().map(|m| {
            at += m.len().div_ceil(64);
            at
        }));
        Layout { fluents, fluent_words, legal, first_moves: network.first_moves() }
    }

    /// How many words a state has.
    pub(super) fn words(&self) -> usize {
        self.legal[self.legal.len() - 1]
    }

    pub(super) fn roles(&self) -> usize {
        self.legal.len() - 1
    }

    /// Whether the words say that the match is over.
    #[inline]
    pub(super) fn is_terminal(&self, words: &[u64]) -> bool {
        words[self.fluents / 64] >> (self.fluents % 64) & 1 == 1
    }
}

/// Ready to be run.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) network: Network,
    pub(super) layout: Layout,
    /// Legal moves and the end of the match, from the state.
    pub(super) settle: Program,
    /// The next state, from the state and the moves, after `settle`.
    pub(super) step: Program,
    /// Percepts, from the state and the moves, after `settle`.
    pub(super) perceive: Program,
    /// Goals, from the state, after `settle`.
    pub(super) score: Program,
    /// The nodes of `settle` and `step`.
    pub(super) live: Vec<bool>,
    /// For each role, the wires of its goals with their values if these are whole numbers from 0 to 100.
    pub(super) values: Vec<Vec<(Option<u8>, Wire)>>,
    /// Who feeds whom there, if differential evaluation is possible.
    pub(super) wiring: Option<Wiring>,
}

impl Compiled {
    /// `None` if legality, goals or the end depend on moves.
    pub(super) fn new(network: Network, terms: &Terms) -> Option<Compiled> {
        let settled = cone(&network, network.legal.iter().flatten().copied().chain([network.terminal]));
        let answers = |all: &[Vec<(_, Wire)>]| cone(&network, all.iter().flatten().map(|a| a.1));
        let (stepped, seen) = (cone(&network, network.next.iter().copied()), answers(&network.sees));
        let scored = answers(&network.goals);
        let layout = Layout::new(&network);
        let moves = layout.first_moves[0]..network.first_gate();
        if moves.into_iter().any(|m| settled[m] || scored[m]) {
            return None;
        }
        let beyond = |marked: &[bool]| -> Vec<bool> {
            marked.iter().zip(&settled).map(|(&marked, &settled)| marked && !settled).collect()
        };
        let value = |term| terms.number(term).filter(|n| *n <= 100).map(|n| n as u8);
        let mut compiled = Compiled {
            values: network.goals.iter().map(|g| g.iter().map(|&(t, w)| (value(t), w)).collect()).collect(),
            settle: Program::new(&network, &settled),
            step: Program::new(&network, &beyond(&stepped)),
            perceive: Program::new(&network, &beyond(&seen)),
            score: Program::new(&network, &beyond(&scored)),
            live: settled.iter().zip(&stepped).map(|(&a, &b)| a || b).collect(),
            layout,
            network,
            wiring: None,
        };
        compiled.wiring = Wiring::new(&compiled);
        Some(compiled)
    }

    /// Whether the parts that every step needs have facts that depend on themselves.
    pub(super) fn is_circular(&self) -> bool {
        self.network.circles.iter().flat_map(|c| &c.latches).any(|&(latch, _)| self.live[latch])
    }

    /// The words of the initial state, without its legal moves and terminal bit.
    pub(super) fn initial(&self) -> Vec<u64> {
        let mut words = vec![0; self.layout.fluent_words];
        for (at, _) in self.network.initial.iter().enumerate().filter(|(_, holds)| **holds) {
            words[at / 64] |= 1 << (at % 64);
        }
        words
    }
}
