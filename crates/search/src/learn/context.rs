//! What each player has seen since the root: the moves that n-grams are made of, and the way through an episode.
//!
//! Where no move is hidden, everybody sees every action, and an action stands for the move; what else a step
//! may reveal is left out. Elsewhere, and for chance, a move is what the player saw of it.

use arrayvec::ArrayVec;
use fogtree_core::{Eyes, MAX_PLAYERS, Model, Move, Player, World, WorldStep};

use super::enhance::LONGEST;
use super::records::Address;
use fogtree_core::SearchKey;

const BEFORE: usize = LONGEST as usize - 1;

/// What players have seen on the way down.
#[derive(Clone, Debug)]
pub(crate) struct PlayContext {
    players: usize,
    /// How many players' sight matters: all, or none.
    watching: usize,
    /// Whether all see all actions, and the number of their codes if that is small.
    open: bool,
    codes: Option<usize>,
    /// How many moves back are remembered, and whether episodes are.
    depth: usize,
    episodes: bool,
    /// The last moves as each player saw them, the latest first, and how many there are. A move that has a
    /// number is a row, others are hashes.
    last: [[u64; BEFORE]; MAX_PLAYERS],
    count: [u8; MAX_PLAYERS],
    /// Whether all have seen the same since the root, so that the first of these stands for all.
    same: bool,
    /// The label of the present episode.
    label: u64,
    /// The way through the episode: what all saw, and what each saw besides.
    common: SearchKey,
    own: [SearchKey; MAX_PLAYERS],
    /// Whether features are wanted of states in which players decide, and of those they have moved to.
    deciding: bool,
    moved: bool,
    looks: bool,
    /// The features of the present state, by player to decide.
    features: Vec<u32>,
    spans: [(u32, u32); MAX_PLAYERS],
    /// Who makes the present step.
    movers: ArrayVec<Player, MAX_PLAYERS>,
    /// The states that players have moved to since the root.
    reached: Reached,
}

/// The features of states that players moved to, one after another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    features: Vec<u32>,
    /// Who moved there, and where its features end.
    ends: Vec<(Player, u32)>,
}

impl Reached {
    fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
    }

    /// Adds a state, unless it has no features.
    pub(crate) fn push(&mut self, who: Player, tell: impl FnOnce(&mut Vec<u32>)) {
        let from = self.features.len();
        tell(&mut self.features);
        if self.features.len() > from {
            self.ends.push((who, self.features.len() as u32));
        }
    }

    /// The states, the last first.
    pub(crate) fn backwards(&self) -> impl Iterator<Item = (Player, &[u32])> {
        (0..self.ends.len()).rev().map(|i| {
            let from = if i == 0 { 0 } else { self.ends[i - 1].1 };
            let (who, to) = self.ends[i];
            (who, &self.features[from as usize..to as usize])
        })
    }
}

/// Labels of episodes that the game does not begin: the one under way at the root (`icarus/AMB-20`).
const START: u64 = u64::MAX;

impl PlayContext {
    /// Remembers so many moves, and episodes if they are wanted.
    pub(crate) fn new(game: &dyn Model, depth: usize, episodes: bool) -> PlayContext {
        let facts = game.facts();
        let open = !facts.hidden_moves;
        PlayContext {
            players: facts.players,
            watching: facts.players,
            open,
            codes: game.moves().filter(|_| open),
            depth: depth.min(BEFORE),
            episodes,
            last: [[0; BEFORE]; MAX_PLAYERS],
            count: [0; MAX_PLAYERS],
            same: open,
            label: START,
            common: SearchKey::root(START),
            own: [SearchKey::root(0); MAX_PLAYERS],
            deciding: false,
            moved: false,
            looks: false,
            features: Vec::new(),
            spans: [(0, 0); MAX_PLAYERS],
            movers: ArrayVec::new(),
            reached: Reached::default(),
        }
    }

    /// The same that keeps what the players saw only if that is wanted.
    pub(crate) fn watching(self, wanted: bool) -> PlayContext {
        PlayContext { watching: if wanted { self.players } else { 0 }, ..self }
    }

    /// The same that also looks at features: of states in which players decide, and of those they have moved to.
    pub(crate) fn with_features(self, deciding: bool, moved: bool) -> PlayContext {
        PlayContext { deciding, moved, looks: deciding || moved, ..self }
    }

    /// The number of moves that have a number, if some have.
    pub(crate) fn numbered(&self) -> Option<usize> {
        self.codes.map(|codes| self.players * codes)
    }

    /// Back to the root.
    #[inline]
    pub(crate) fn restart(&mut self, world: &dyn World) {
        self.count = [0; MAX_PLAYERS];
        self.same = self.open;
        if self.episodes {
            self.begin(world.episode().map_or(START, u64::from));
        }
        if self.looks {
            self.movers.clear();
            self.reached.clear();
            self.look(world);
        }
    }

    #[inline(never)]
    fn look(&mut self, world: &dyn World) {
        if self.moved {
            for &p in &self.movers {
                self.reached.push(p, |out| world.features(p, out));
            }
        }
        if self.deciding {
            self.features.clear();
            for p in world.turn().players().iter() {
                let from = self.features.len() as u32;
                world.features(p, &mut self.features);
                self.spans[p.index()] = (from, self.features.len() as u32);
            }
        }
    }

    /// The features of the present state for a player who is to decide.
    #[inline]
    pub(crate) fn features(&self, who: Player) -> &[u32] {
        let (from, to) = self.spans[who.index()];
        &self.features[from as usize..to as usize]
    }

    /// Lets these features hold for a player.
    #[cfg(test)]
    pub(crate) fn hold(&mut self, who: Player, features: &[u32]) {
        self.features = features.to_vec();
        self.spans[who.index()] = (0, features.len() as u32);
    }

    /// The states that players have moved to since the root.
    pub(crate) fn reached(&self) -> &Reached {
        &self.reached
    }

    fn begin(&mut self, label: u64) {
        self.label = label;
        self.common = SearchKey::root(label);
        self.own = [SearchKey::root(0); MAX_PLAYERS];
    }

    #[inline]
    fn push(&mut self, p: usize, word: u64) {
        let last = &mut self.last[p];
        for i in (1..self.depth).rev() {
            last[i] = last[i - 1];
        }
        last[0] = word;
        let count = &mut self.count[p];
        *count = (*count + 1).min(BEFORE as u8);
    }

    /// A step is about to be made.
    #[inline(always)]
    pub(crate) fn step(&mut self, game: &dyn Model, before: &dyn World, step: WorldStep<'_>) {
        if let (&[(who, action)], Some(codes), false) = (step.moves(), self.codes, self.looks) {
            return self.absorb(Address::row(who.index() * codes + action as usize).bits());
        }
        self.any_step(game, before, step);
    }

    #[inline(never)]
    fn any_step(&mut self, game: &dyn Model, before: &dyn World, step: WorldStep<'_>) {
        if self.looks {
            self.movers.clear();
            self.movers.extend(step.moves().iter().map(|m| m.0));
        }
        if self.depth == 0 && !self.episodes {
            return;
        }
        if let (WorldStep::Moves(moves), true) = (step, self.open) {
            return self.open_step(game, moves);
        }
        self.closed_step(before, step);
    }

    #[inline(never)]
    fn closed_step(&mut self, before: &dyn World, step: WorldStep<'_>) {
        if std::mem::take(&mut self.same) {
            self.last = [self.last[0]; MAX_PLAYERS];
            self.count = [self.count[0]; MAX_PLAYERS];
        }
        if self.open {
            self.common = self.common.own(u64::MAX);
        }
        if self.watching == 0 {
            return;
        }
        if self.depth > 0 {
            let mut keys = [SearchKey::root(5); MAX_PLAYERS];
            before.look(step, Eyes::All(&mut keys[..self.watching]));
            for (p, key) in keys[..self.watching].iter().enumerate() {
                if *key != SearchKey::root(5) {
                    self.push(p, Address::key(key.0).bits());
                }
            }
        }
        before.look(step, Eyes::All(&mut self.own[..self.watching]));
    }

    fn open_step(&mut self, game: &dyn Model, moves: &[(Player, Move)]) {
        let word = match (moves, self.codes) {
            (&[(who, action)], Some(codes)) => Address::row(who.index() * codes + action as usize).bits(),
            _ => joint_word(game, moves),
        };
        self.absorb(word);
    }

    /// All see a move.
    #[inline]
    fn absorb(&mut self, word: u64) {
        if self.depth > 0 {
            if self.same {
                self.push(0, word);
            } else {
                for p in 0..self.watching {
                    self.push(p, word);
                }
            }
        }
        if self.episodes {
            self.common = self.common.own(word);
        }
    }

    /// A state was reached.
    #[inline]
    pub(crate) fn enter(&mut self, world: &dyn World) {
        if self.episodes
            && let Some(label) = world.episode()
        {
            self.begin(label.into());
        }
        if self.looks {
            self.look(world);
        }
    }

    /// The label of the present episode.
    #[inline]
    pub(crate) fn label(&self) -> u64 {
        self.label
    }

    /// The position in the episode of a player who is to decide, as it sees it (`icarus/2.8`).
    #[inline]
    pub(crate) fn position(&self, who: Player) -> u64 {
        self.common.with(self.own[who.index()].0 ^ u64::from(who.0)).0
    }

    /// The context of an n-gram's last action: the n - 1 moves before, as its player saw them.
    /// `None` if there were not so many. `rows` says whether a player and a numbered move have a row.
    #[inline]
    pub(crate) fn gram(&self, who: Player, n: usize, rows: bool) -> Option<Address> {
        let of = if self.same { 0 } else { who.index() };
        if usize::from(self.count[of]) < n - 1 {
            return None;
        }
        let last = &self.last[of][..n - 1];
        if let ([word], true, Some(codes)) = (last, rows, self.codes)
            && let Some(number) = Address::of(*word).as_row()
        {
            return Some(Address::row(who.index() * self.players * codes + number));
        }
        Some(hashed_gram(who, last))
    }
}

#[inline(never)]
fn hashed_gram(who: Player, last: &[u64]) -> Address {
    let key = last.iter().fold(SearchKey::root(last.len() as u64), |key, &word| key.own(word));
    Address::key(key.with(u64::from(who.0)).0)
}

/// What stands for several moves at once, or for one without a number.
#[inline(never)]
fn joint_word(game: &dyn Model, moves: &[(Player, Move)]) -> u64 {
    let absorb = |key: SearchKey, m: &(Player, Move)| key.own(game.code(m.1) ^ u64::from(m.0.0) << 56);
    Address::key(moves.iter().fold(SearchKey::root(6), absorb).0).bits()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use fogtree_core::Event;
    use fogtree_core::world::events_of;
    use fogtree_core::{Erased, Observer, Purpose, Rng, Seed, Turn, WorldStep};
    use fogtree_games::dou_di_zhu::{self, DouDiZhu};
    use fogtree_games::lotr_confrontation::{self, Confrontation};
    use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};

    use super::super::enhance::{Capture, Context, Learning, Policy, Values};
    use super::super::values::ValuePart;
    use super::*;
    use crate::testing::params;

    /// Plays at random; shows every decision with its position in the episode, and what the player to move should
    /// take for it: the label and the moves since, as it saw them.
    fn each_position(game: &dyn Model, rng: &mut Rng, mut show: impl FnMut(u64, (u64, u8, Vec<Event>))) {
        let mut state = game.start();
        while state.turn() == Turn::Chance {
            state.random_step(rng);
        }
        let mut sight = PlayContext::new(game, 2, true);
        sight.restart(&*state);
        let mut label = state.episode().map_or(START, u64::from);
        let mut seen: Vec<Vec<Event>> = vec![Vec::new(); game.facts().players];
        loop {
            let mut moves = Vec::new();
            let turn = state.turn();
            if turn == Turn::Terminal {
                return;
            }
            let outcome = (turn == Turn::Chance).then(|| state.sample_chance(rng));
            for p in turn.players().iter() {
                show(sight.position(p), (label, p.0, seen[p.index()].clone()));
                moves.push((p, state.random_move(p, rng)));
            }
            let step = outcome.as_ref().map_or(WorldStep::Moves(&moves), WorldStep::Chance);
            for (p, seen) in Player::all(game.facts().players).zip(&mut seen) {
                seen.extend(events_of(game, &*state, step, Observer::Seat(p)));
            }
            sight.step(game, &*state, step);
            state.apply(step);
            sight.enter(&*state);
            if let Some(next) = state.episode() {
                label = next.into();
                seen.iter_mut().for_each(Vec::clear);
            }
        }
    }

    /// `icarus/ORACLE-7`: two positions are the same if and only if label, player and moves since the label, as the
    /// player saw them, are; in whatever part of whatever game they come up. The label is that of the state in which the
    /// decision is made (`icarus/AMB-19`), and there is one before the first (`icarus/AMB-20`).
    fn positions_are_told_apart(game: &dyn Model, games: u32, least_shared: usize) {
        let mut rng = Seed(2).stream(Purpose::Playout);
        let mut by_key: HashMap<u64, (u64, u8, Vec<Event>)> = HashMap::new();
        let mut by_position: HashMap<(u64, u8, Vec<Event>), (u64, usize)> = HashMap::new();
        for _ in 0..games {
            each_position(game, &mut rng, |key, position| {
                assert_eq!(by_key.entry(key).or_insert_with(|| position.clone()), &position);
                let met = by_position.entry(position).or_insert((key, 0));
                assert_eq!(met.0, key);
                met.1 += 1;
            });
        }
        let shared = by_position.values().filter(|met| met.1 > 1).count();
        assert!(
            shared >= least_shared && by_position.len() > 2 * shared,
            "{shared} of {}",
            by_position.len()
        );
    }

    #[test]
    fn positions_in_episodes_of_open_moves() {
        let game = DouDiZhu::from_params(&params(&dou_di_zhu::ABOUT, "ranks=6,hand=6")).unwrap();
        let game = Erased::new(game);
        positions_are_told_apart(&game, 300, 100);
    }

    #[test]
    fn positions_in_episodes_of_hidden_moves() {
        let game = Confrontation::from_params(&params(&lotr_confrontation::ABOUT, "")).unwrap();
        let game = Erased::new(game);
        positions_are_told_apart(&game, 200, 20);
    }

    /// An n-gram has as many moves before its last as it should, or there is none; players who saw the same have the
    /// same context, but each its own records.
    #[test]
    fn grams_need_enough_moves() {
        let game = DouDiZhu::from_params(&params(&dou_di_zhu::ABOUT, "ranks=6,hand=6")).unwrap();
        let game = Erased::new(game);
        let mut rng = Seed(5).stream(Purpose::Playout);
        let mut state = game.start();
        state.random_step(&mut rng);
        let mut sight = PlayContext::new(&game, 3, false);
        sight.restart(&*state);
        let mut contexts = HashSet::new();
        for made in 0..6 {
            for n in 2..=4 {
                let all = Player::all(3).map(|p| sight.gram(p, n, n == 2));
                for at in all {
                    assert_eq!(at.is_some(), made >= n - 1, "{n} after {made}");
                    assert!(
                        at.is_none_or(|at| contexts.insert((made, at.bits()))),
                        "each player has its own"
                    );
                }
            }
            let Turn::Player(p) = state.turn() else { break };
            let action = state.random_move(p, &mut rng);
            sight.step(&game, &*state, WorldStep::Moves(&[(p, action)]));
            state.apply(WorldStep::Moves(&[(p, action)]));
        }
    }

    /// Two lines of Phantom Tic-Tac-Toe, which differ in hidden moves only: a mark, and an attempt that
    /// fails.
    const HIDDEN: [[&str; 6]; 2] =
        [["a1", "a1", "b2", "b2", "c3", "c1"], ["a2", "a2", "b2", "b2", "c3", "c1"]];

    /// What each decision on those lines looks like to `look`.
    fn on_hidden_lines<T>(
        mut look: impl FnMut(&dyn Model, &PlayContext, Player, Option<Move>) -> Option<T>,
    ) -> Vec<T> {
        let game = PhantomMnk::<Hidden>::from_params(&params(&phantom_mnk::ABOUT, "")).unwrap();
        let game = Erased::new(game);
        let mut seen = PlayContext::new(&game, 1, true);
        let mut looks = Vec::new();
        for line in HIDDEN {
            let mut state = game.start();
            seen.restart(&*state);
            for cell in line {
                let Turn::Player(who) = state.turn() else { panic!("nobody has won") };
                let cell = game.parse_move(cell).unwrap();
                looks.extend(look(&game, &seen, who, Some(cell)));
                let step = WorldStep::Moves(&[(who, cell)]);
                seen.step(&game, &*state, step);
                state.apply(step);
                seen.enter(&*state);
            }
            looks.extend(look(&game, &seen, Player(0), None));
        }
        looks
    }

    /// On either line X makes a mark (a1 or a2); O tries the same cell, fails and
    /// makes one on b2; X tries b2, fails and makes one on c3; O makes one on c1. Of an attempt that fails
    /// the other player sees nothing, of a mark it sees that it is made.
    ///
    /// Pairs of moves as the mover saw them: X's first action has nothing before it; then O's a1 after a
    /// mark, b2 after its own failure on a1, X's b2 after a mark, c3 after its own failure on b2, O's c1
    /// after a mark: 5 records. The other line has 2 more, O's a2 and its b2 after another failure.
    #[test]
    fn records_are_parted_by_what_the_mover_saw() {
        let values = Values {
            context: Context::Grams { n: 2, backoff: 0 },
            policy: Policy::Ucb1 { c: 0.7 },
            learning: Learning::Mean,
            capture: Capture::Playout,
            untried: 1.0,
            keep: false,
        };
        let mut part = None;
        on_hidden_lines(|game, seen, who, cell| {
            let part = part.get_or_insert_with(|| ValuePart::new(game, values, seen, 1 << 20));
            match cell {
                Some(cell) => {
                    part.arrive(game, seen, who);
                    part.made(game, who, cell, false);
                }
                None => {
                    part.learn(&[0.5; MAX_PLAYERS]);
                    part.restart();
                }
            }
            None::<()>
        });
        assert_eq!(part.unwrap().tally(), (7, 10));
    }

    /// The same lines as one episode. The mover tells 10 positions apart: X's first and O's first on both
    /// lines, and each of the four later ones on either.
    #[test]
    fn positions_are_parted_by_what_the_mover_saw() {
        let all = on_hidden_lines(|_, seen, who, cell| cell.map(|_| seen.position(who)));
        let different: HashSet<u64> = all.iter().copied().collect();
        assert_eq!((all.len(), different.len()), (12, 10));
    }
}
