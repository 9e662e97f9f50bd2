//! The last good reply: what was answered to a move when that went well (Whitehouse 2014, Spec. 4).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use fogtree_core::{MAX_PLAYERS, Model, Move, Player, Rng};

use super::context::PlayContext;
use super::enhance::Reply;
use super::learned::{Learner, Tools};
use super::records::{Address, dense};

/// A hasher of what is a hash already.
#[derive(Clone, Default, Debug)]
pub(crate) struct Same(u64);

impl Hasher for Same {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    #[inline]
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The replies to moves, by the player who replies.
#[derive(Clone, Debug)]
pub(crate) struct ReplyPart {
    reply: Reply,
    rows: Vec<Option<Move>>,
    table: HashMap<u64, Move, BuildHasherDefault<Same>>,
    /// The move to reply to.
    at: Option<Address>,
    taken: Vec<(Address, Move, Player)>,
    most: usize,
}

impl ReplyPart {
    pub(crate) fn new(game: &dyn Model, reply: Reply, sight: &PlayContext, memory: usize) -> ReplyPart {
        let players = game.facts().players;
        let rows = sight.numbered().filter(|_| dense(game.moves(), |_| players * players).is_some());
        ReplyPart {
            reply,
            rows: vec![None; rows.map_or(0, |moves| players * moves)],
            table: HashMap::default(),
            at: None,
            taken: Vec::new(),
            most: memory / (4 * size_of::<(u64, Move)>()),
        }
    }

    pub(crate) fn begin(&mut self) {
        if !self.reply.keep {
            self.forget();
        }
    }

    pub(crate) fn forget(&mut self) {
        self.rows.fill(None);
        self.table.clear();
    }

    pub(crate) fn restart(&mut self) {
        self.taken.clear();
    }

    #[inline]
    pub(crate) fn arrive(&mut self, sight: &PlayContext, who: Player) {
        self.at = sight.gram(who, 2, !self.rows.is_empty());
    }

    /// The reply to the last move, legal or not.
    #[inline]
    pub(crate) fn stored(&self) -> Option<Move> {
        self.reply_at(self.at?)
    }

    #[inline]
    fn reply_at(&self, at: Address) -> Option<Move> {
        match at.as_row() {
            Some(row) => self.rows[row],
            None => self.table.get(&at.bits()).copied(),
        }
    }

    /// The place of the reply among the legal actions, if it is one, or any.
    #[inline]
    pub(crate) fn pick(&self, legal: &[Move], rng: &mut Rng) -> usize {
        let stored = self.stored().and_then(|reply| legal.binary_search(&reply).ok());
        stored.unwrap_or_else(|| rng.below(legal.len() as u32) as usize)
    }

    #[inline]
    pub(crate) fn made(&mut self, who: Player, action: Move) {
        self.taken.extend(self.at.map(|at| (at, action, who)));
    }

    #[inline]
    pub(crate) fn learn(&mut self, rewards: &[f32; MAX_PLAYERS]) {
        for i in 0..self.taken.len() {
            let (at, action, who) = self.taken[i];
            let good = rewards[who.index()] > self.reply.good;
            if !good && !self.reply.forget {
                continue;
            }
            self.settle(at, action, good);
        }
    }

    /// A reply was good, or one that is to be forgotten was not.
    #[inline]
    fn settle(&mut self, at: Address, action: Move, good: bool) {
        match at.as_row() {
            Some(row) => {
                let stored = &mut self.rows[row];
                if good {
                    *stored = Some(action);
                } else if *stored == Some(action) {
                    *stored = None;
                }
            }
            None => {
                let key = at.bits();
                if good {
                    if self.table.len() < self.most || self.table.contains_key(&key) {
                        self.table.insert(key, action);
                    }
                } else if self.table.get(&key) == Some(&action) {
                    self.table.remove(&key);
                }
            }
        }
    }

    /// How many replies are remembered.
    pub(crate) fn len(&self) -> u64 {
        self.rows.iter().flatten().count() as u64 + self.table.len() as u64
    }

    pub(crate) fn bytes(&self) -> u64 {
        (self.rows.len() * size_of::<Option<Move>>() + self.table.capacity() * size_of::<(u64, Move)>())
            as u64
    }
}

impl Learner for ReplyPart {
    #[inline]
    fn arrive(&mut self, _game: &dyn Model, sight: &PlayContext, who: Player) {
        ReplyPart::arrive(self, sight, who);
    }

    #[inline]
    fn knows(&self) -> bool {
        self.stored().is_some()
    }

    #[inline]
    fn choose(&mut self, legal: &[Move], _tools: &mut Tools, rng: &mut Rng) -> usize {
        self.pick(legal, rng)
    }

    #[inline]
    fn made(&mut self, _game: &dyn Model, who: Player, action: Move) {
        ReplyPart::made(self, who, action);
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::Erased;
    use fogtree_games::kuhn_poker::KuhnPoker;

    use super::*;

    /// Whitehouse 2014, Spec. 4, step by step; `icarus/AMB-18` for what is good.
    #[test]
    fn replies_are_remembered_and_forgotten() {
        let game = Erased::any(KuhnPoker);
        let [a, b] = ["bet", "check"].map(|name| game.parse_move(name).unwrap());
        let sight = PlayContext::new(&*game, 1, false);
        for at in [Address::row(1), Address::key(77)] {
            for (forget, good) in [(false, 0.5), (true, 0.5), (true, 0.0)] {
                let mut part = ReplyPart::new(&*game, Reply { forget, good, keep: false }, &sight, 1 << 20);
                let mut after = |action, reward| {
                    let mut rewards = [0.0; MAX_PLAYERS];
                    rewards[1] = reward;
                    part.restart();
                    part.at = Some(at);
                    part.made(Player(1), action);
                    part.learn(&rewards);
                    part.stored()
                };
                assert_eq!(after(a, 0.0), None, "nothing to forget");
                assert_eq!(after(a, 1.0), Some(a));
                assert_eq!(after(b, 0.0), Some(a), "another reply that failed changes nothing");
                assert_eq!(after(b, 0.5), Some(if good < 0.5 { b } else { a }), "half is good if 0 is not");
                assert_eq!(after(b, 1.0), Some(b), "the last one counts");
                assert_eq!(after(b, 0.0), (!forget).then_some(b));
            }
        }
    }
}
