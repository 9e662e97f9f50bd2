//! Games as they are played, and information sets by the words that lead to them. Tests inside the crate use it, too.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

use std::sync::Arc;

use fogtree_core::world::events_of;
use fogtree_core::{
    About, Erased, Event, InfoSet, Key, Model, Move, Observer, Outcome, Params, Playable, Player, Rng,
    TrueState, Turn, World, WorldStep,
};

/// The parameters of a game, as they are written.
pub fn params(about: &'static About, text: &str) -> Params {
    about.params(&format!("{}({text})", about.name).parse().unwrap()).unwrap()
}

/// The parameters of a game or of one of its presets.
pub fn preset(about: &'static About, spec: &str) -> Params {
    let (about, spec) = About::find([about].into_iter(), "game", &spec.parse().unwrap()).unwrap();
    about.params(&spec).unwrap()
}

/// A game as engines see it, where a test knows its type. Both have the same moves.
pub fn model<G: Playable>(game: &Erased<G>) -> Arc<dyn Model> {
    Arc::new(game.clone())
}

/// The legal moves of a player to move.
pub fn legal(world: &dyn World, who: Player) -> Vec<Move> {
    let mut legal = Vec::new();
    world.legal(who, &mut legal);
    legal
}

/// One complete step.
pub enum Played {
    Chance(Outcome),
    Moves(Vec<(Player, Move)>),
}

impl Played {
    pub fn step(&self) -> WorldStep<'_> {
        match self {
            Played::Chance(outcome) => WorldStep::Chance(outcome),
            Played::Moves(moves) => WorldStep::Moves(moves),
        }
    }
}

/// A game being played: the world, and what every seat did and saw.
#[derive(Clone)]
pub struct Table {
    pub game: Arc<dyn Model>,
    pub world: Box<dyn World>,
    events: Vec<Vec<Event>>,
    keys: Vec<Key>,
}

impl Table {
    pub fn start(game: &Arc<dyn Model>) -> Table {
        let players = game.facts().players;
        Table {
            game: Arc::clone(game),
            world: game.start(),
            events: vec![Vec::new(); players],
            keys: Player::all(players).map(|p| Key::root(Observer::Seat(p))).collect(),
        }
    }

    /// The game after these words.
    pub fn after(game: &Arc<dyn Model>, words: &str) -> Table {
        let mut table = Table::start(game);
        table.play_words(words);
        table
    }

    /// Makes a legal step.
    pub fn play(&mut self, step: WorldStep<'_>) {
        for (i, (events, key)) in self.events.iter_mut().zip(&mut self.keys).enumerate() {
            for event in events_of(&*self.game, &*self.world, step, Observer::Seat(Player(i as u8))) {
                *key = event.extend(*key);
                events.push(event);
            }
        }
        self.world.apply(step);
    }

    /// Reads and makes steps: one word for chance or a single player, one per player for a simultaneous turn.
    pub fn play_words(&mut self, words: &str) {
        let mut words = words.split_whitespace().peekable();
        while let Some(word) = words.peek().copied() {
            let turn = self.world.turn();
            let played = if turn == Turn::Chance {
                words.next();
                Played::Chance(self.world.parse_outcome(word).unwrap_or_else(|| panic!("chance: {word}")))
            } else {
                let mut read = |p: Player| {
                    let word = words.next().expect("a word for every player to move");
                    let action = self.game.parse_move(word).filter(|a| legal(&*self.world, p).contains(a));
                    (p, action.unwrap_or_else(|| panic!("{p:?}: {word}")))
                };
                let moves: Vec<_> = turn.players().iter().map(&mut read).collect();
                assert!(!moves.is_empty(), "{word} after the end");
                Played::Moves(moves)
            };
            self.play(played.step());
        }
    }

    /// Lets chance draw as long as it is its turn.
    pub fn draw(&mut self, rng: &mut Rng) {
        while self.world.turn() == Turn::Chance {
            let outcome = self.world.sample_chance(rng);
            self.play(WorldStep::Chance(&outcome));
        }
    }

    /// What a seat has been through.
    pub fn infoset(&self, seat: Player) -> InfoSet {
        let (events, key) = (self.events[seat.index()].clone(), self.keys[seat.index()]);
        InfoSet { events, key, ..known_in(&self.game, &*self.world, seat) }
    }

    /// What a seat has been through, with the true state for those who cheat.
    pub fn cheating(&self, seat: Player) -> InfoSet {
        InfoSet { truth: Some(Arc::new(TrueState::new(self.world.clone()))), ..self.infoset(seat) }
    }
}

/// What a seat knows in a world, if nobody says how it came there.
pub fn known_in(game: &Arc<dyn Model>, world: &dyn World, seat: Player) -> InfoSet {
    let by = Observer::Seat(seat);
    InfoSet {
        game: Arc::clone(game),
        seat,
        known: world.info(by),
        legal: legal(world, seat),
        events: Vec::new(),
        key: Key::root(by),
        belief: None,
        truth: None,
    }
}

/// What a seat has been through after these words.
pub fn infoset(game: &Arc<dyn Model>, words: &str, seat: Player) -> InfoSet {
    Table::after(game, words).infoset(seat)
}
