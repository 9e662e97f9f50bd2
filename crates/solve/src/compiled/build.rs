//! Walking a game into flat arrays.

use fogtree_core::history::key_after;
use fogtree_core::{Chance, Deadline, Key, MAX_PLAYERS, Observer, Player, Rules, Step, Turn};

use crate::deep::{MAX_DEPTH, with_stack};

use super::{Compiled, Node, Payoffs, Treeplex, estimate};

/// How many nodes a game may have if nothing else is said: about a gigabyte.
pub const DEFAULT_LIMIT: usize = 10_000_000;

/// An estimate may be wrong by much; below so many times the limit the walk itself decides.
const DOUBT: f64 = 4.0;

/// Why a game cannot be compiled.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The tree is too large.
    #[error(
        "the game tree has about {estimated:.1e} nodes, and the limit is {limit}; raise the limit, choose a \
         smaller instance, or let an agent such as mo-ismcts search it while playing"
    )]
    TooLarge {
        /// About how many nodes there are.
        estimated: f64,
        /// How many there may be.
        limit: usize,
    },
    /// Chance has too many outcomes to list.
    #[error(
        "the game cannot list what chance may draw, so its tree cannot be walked; choose an instance with \
         fewer cards, or let an agent such as mo-ismcts search it while playing"
    )]
    SampledChance,
    /// The tree is too deep.
    #[error("the game tree is more than {MAX_DEPTH} levels deep; choose a smaller instance")]
    TooDeep,
    /// It was time to leave off.
    #[error("the game tree was not walked in time")]
    OutOfTime,
}

impl Compiled {
    /// Walks a game into flat arrays, if its tree has at most `limit` nodes.
    pub fn of<R: Rules>(game: &R, limit: usize) -> Result<Compiled, Refusal> {
        Compiled::in_time(game, limit, &Deadline::NEVER)
    }

    /// The same, in time or not at all.
    pub fn in_time<R: Rules>(game: &R, limit: usize, until: &Deadline) -> Result<Compiled, Refusal> {
        let facts = game.facts();
        if facts.chance == Chance::Sampled {
            return Err(Refusal::SampledChance);
        }
        let estimated = estimate(game);
        let limit = limit.min(u32::MAX as usize);
        if estimated > DOUBT * limit as f64 {
            return Err(Refusal::TooLarge { estimated, limit });
        }
        let mut builder = Builder::new(game, facts.players, limit, estimated, until);
        let mut here = Here {
            keys: std::array::from_fn(|i| Key::root(Observer::Seat(Player(i as u8)))),
            sequences: [0; MAX_PLAYERS],
            chance: 1.0,
            depth: 0,
        };
        let levels = (facts.max_length as usize).saturating_mul(facts.players);
        with_stack(levels.min(limit), || {
            builder.expand(0, &game.start(), &mut here).map(|()| builder.finish())
        })
    }
}

/// What goes with a node on the way down.
#[derive(Clone)]
struct Here {
    keys: [Key; MAX_PLAYERS],
    /// The last sequence of every player.
    sequences: [u32; MAX_PLAYERS],
    chance: f64,
    depth: usize,
}

struct Builder<'a, R: Rules> {
    game: &'a R,
    players: usize,
    limit: usize,
    estimated: f64,
    until: &'a Deadline,
    out: Compiled,
}

impl<'a, R: Rules> Builder<'a, R> {
    fn new(game: &'a R, players: usize, limit: usize, estimated: f64, until: &'a Deadline) -> Self {
        let out = Compiled {
            utility: game.facts().utility,
            nodes: vec![Node::Leaf { number: 0 }],
            chances: Vec::new(),
            treeplexes: (0..players).map(|_| Treeplex::new()).collect(),
            rewards: Vec::new(),
            sequences: Vec::new(),
            chance_of_leaf: Vec::new(),
            depth: 0,
            payoffs: Vec::new(),
        };
        Builder { game, players, limit, estimated, until, out }
    }

    /// Reserves places for children that lie together.
    fn children(&mut self, count: usize) -> Result<u32, Refusal> {
        let child = self.out.nodes.len();
        if child + count > self.limit {
            let estimated = self.estimated.max((child + count) as f64);
            return Err(Refusal::TooLarge { estimated, limit: self.limit });
        }
        self.out.nodes.resize(child + count, Node::Leaf { number: 0 });
        Ok(child as u32)
    }

    fn expand(&mut self, node: usize, state: &R::State, here: &mut Here) -> Result<(), Refusal> {
        if here.depth > MAX_DEPTH {
            return Err(Refusal::TooDeep);
        }
        if self.until.has_passed() {
            return Err(Refusal::OutOfTime);
        }
        self.out.depth = self.out.depth.max(here.depth);
        match self.game.turn(state) {
            Turn::Terminal => {
                self.out.nodes[node] = Node::Leaf { number: self.out.chance_of_leaf.len() as u32 };
                self.out.rewards.extend(self.game.rewards(state).iter());
                self.out.sequences.extend(&here.sequences[..self.players]);
                self.out.chance_of_leaf.push(here.chance);
                Ok(())
            }
            Turn::Chance => self.expand_chance(node, state, here),
            Turn::Player(p) => self.expand_choice(node, state, &[p], &mut Vec::new(), here),
            Turn::Simultaneous(players) => {
                let players: Vec<Player> = players.iter().collect();
                self.expand_choice(node, state, &players, &mut Vec::new(), here)
            }
        }
    }

    fn expand_chance(&mut self, node: usize, state: &R::State, here: &mut Here) -> Result<(), Refusal> {
        let mut outcomes = Vec::new();
        self.game.chance(state, &mut outcomes);
        outcomes.retain(|(_, p)| *p > 0.0);
        let child = self.children(outcomes.len())?;
        let chances = self.out.chances.len() as u32;
        self.out.nodes[node] = Node::Chance { child, chances, count: outcomes.len() as u32 };
        self.out.chances.extend(outcomes.iter().map(|(_, p)| p));
        for (i, (outcome, p)) in outcomes.iter().enumerate() {
            self.step(child as usize + i, state, Step::Chance(outcome), *p, here)?;
        }
        Ok(())
    }

    /// The choice of the next of the players who move together; the others have chosen already.
    fn expand_choice(
        &mut self,
        node: usize,
        state: &R::State,
        players: &[Player],
        chosen: &mut Vec<(Player, R::Action)>,
        here: &mut Here,
    ) -> Result<(), Refusal> {
        let who = players[chosen.len()];
        let mut legal = Vec::new();
        self.game.actions(state, who, &mut legal);
        let key = here.keys[who.index()];
        let before = here.sequences[who.index()];
        let treeplex = &mut self.out.treeplexes[who.index()];
        let set = match treeplex.places.get(&key) {
            Some(&set) => set,
            None => treeplex.add(key, before, legal.iter().map(|&a| self.game.code(a))),
        };
        let actions = treeplex.actions(set as usize);
        debug_assert_eq!((treeplex.parent[set as usize], actions.len()), (before, legal.len()));
        let child = self.children(legal.len())?;
        self.out.nodes[node] = Node::Decision { player: who, child, set };
        for (i, &action) in legal.iter().enumerate() {
            here.sequences[who.index()] = (actions.start + i) as u32;
            chosen.push((who, action));
            let child = child as usize + i;
            if chosen.len() < players.len() {
                self.expand_choice(child, state, players, chosen, here)?;
            } else {
                self.step(child, state, Step::Moves(chosen), 1.0, here)?;
            }
            chosen.pop();
        }
        here.sequences[who.index()] = before;
        Ok(())
    }

    fn step(
        &mut self,
        child: usize,
        state: &R::State,
        step: Step<'_, R>,
        chance: f64,
        here: &Here,
    ) -> Result<(), Refusal> {
        let mut next = state.clone();
        let mut there = here.clone();
        there.chance *= chance;
        there.depth += if step.moves().is_empty() { 1 } else { step.moves().len() };
        for p in Player::all(self.players) {
            let key = &mut there.keys[p.index()];
            *key = key_after(self.game, *key, state, step, Observer::Seat(p));
        }
        self.game.apply(&mut next, step);
        self.expand(child, &next, &mut there)
    }

    fn finish(self) -> Compiled {
        let mut out = self.out;
        let n = self.players;
        let weights = |who: usize| -> Vec<f64> {
            let rewards = out.rewards.iter().skip(who).step_by(n);
            rewards.zip(&out.chance_of_leaf).map(|(reward, chance)| reward * chance).collect()
        };
        out.payoffs = (0..n).map(|who| Payoffs::new(n, who, &out.sequences, &weights(who))).collect();
        out
    }
}
