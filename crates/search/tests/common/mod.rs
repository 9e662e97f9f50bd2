//! Information sets by the words that lead to them, and whole games between two agents.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

use std::sync::Arc;

use fogtree_core::world::events_of;
use fogtree_core::{
    About, Agent, Budget, Decision, Erased, Event, Game, InfoSet, Key, Model, Move, Observer, Outcome,
    Params, Player, Purpose, Rng, Seed, TrueState, Turn, World, WorldStep,
};
use fogtree_games::tree::{self, Tree};
use fogtree_search::ismcts::{Config, Ismcts};
use fogtree_search::multi_tree::MtMoIsmcts;

/// The parameters of a game, as they are written.
pub fn params(about: &'static About, text: &str) -> Params {
    about.params(&format!("{}({text})", about.name).parse().unwrap()).unwrap()
}

/// A game as engines see it, where a test knows its type. Both have the same moves.
pub fn model<G: Game>(game: &Erased<G>) -> Arc<dyn Model> {
    Arc::new(game.clone())
}

/// A micro game.
pub fn micro(name: &str) -> Arc<dyn Model> {
    Erased::any(Tree::from_params(&params(&tree::ABOUT, &format!("name={name}"))).unwrap())
}

/// Three players, each for itself: `trust` is worth 9 to the first if the second takes its own 2.
pub fn trust_game() -> Arc<dyn Model> {
    let game = Tree::from_efg(
        "EFG 2 R \"three\" { \"one\" \"two\" \"three\" } \"\"
         p \"\" 1 1 \"\" { \"safe\" \"trust\" } 0
         t \"\" 1 \"\" { 5, 5, 5 }
         p \"\" 2 1 \"\" { \"spite\" \"share\" } 0
         t \"\" 2 \"\" { 0, 1, 9 }
         p \"\" 3 1 \"\" { \"left\" \"right\" } 0
         t \"\" 3 \"\" { 9, 2, 1 }
         t \"\" 4 \"\" { 0, 9, 0 }",
    );
    Erased::any(game.unwrap())
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
        InfoSet {
            game: Arc::clone(&self.game),
            seat,
            known: self.world.info(Observer::Seat(seat)),
            legal: legal(&*self.world, seat),
            events: self.events[seat.index()].clone(),
            key: self.keys[seat.index()],
            belief: None,
            truth: None,
        }
    }

    /// What a seat has been through, with the true state for those who cheat.
    pub fn cheating(&self, seat: Player) -> InfoSet {
        InfoSet { truth: Some(Arc::new(TrueState::new(self.world.clone()))), ..self.infoset(seat) }
    }
}

/// What a seat has been through after these words.
pub fn infoset(game: &Arc<dyn Model>, words: &str, seat: Player) -> InfoSet {
    Table::after(game, words).infoset(seat)
}

/// What a new search of the ISMCTS family decides.
pub fn decide_by_ismcts(
    game: &Arc<dyn Model>,
    config: Config,
    info: &InfoSet,
    n: u64,
    seed: u64,
) -> Decision {
    let mut agent = Ismcts::new(game, config);
    agent.start(info.seat, Seed(seed));
    agent.act(info, &Budget::iterations(n)).unwrap()
}

/// Plays one game; returns the first agent's reward.
pub fn play(
    game: &Arc<dyn Model>,
    agents: [&mut dyn Agent; 2],
    seat_of_first: Player,
    seed: Seed,
    n: u64,
) -> f64 {
    let [first, second] = agents;
    first.start(seat_of_first, seed.number(0));
    second.start(seat_of_first.other(), seed.number(1));
    let mut chance = seed.stream(Purpose::Deal);
    let mut table = Table::start(game);
    loop {
        table.draw(&mut chance);
        let turn = table.world.turn();
        if turn == Turn::Terminal {
            return table.world.rewards()[seat_of_first];
        }
        let mut moves = Vec::new();
        for p in turn.players().iter() {
            let agent = if p == seat_of_first { &mut *first } else { &mut *second };
            moves.push((p, agent.act(&table.infoset(p), &Budget::iterations(n)).unwrap().action));
        }
        for &(p, action) in &moves {
            assert!(legal(&*table.world, p).contains(&action), "{p:?}: {}", game.move_name(action));
        }
        table.play(WorldStep::Moves(&moves));
    }
}

/// Plays a game between searches that infer; shows every decision's information set, the world and the player to `with`.
pub fn play_inferring(
    game: &Arc<dyn Model>,
    agents: &mut [MtMoIsmcts],
    seed: Seed,
    iterations: &dyn Fn(&dyn World, Player) -> u64,
    mut with: impl FnMut(&dyn World, &InfoSet, &MtMoIsmcts),
) -> Box<dyn World> {
    let mut chance = seed.stream(Purpose::Deal);
    let mut table = Table::start(game);
    for (agent, p) in agents.iter_mut().zip(Player::all(game.facts().players)) {
        agent.start(p, seed.number(p.0.into()));
    }
    loop {
        table.draw(&mut chance);
        let turn = table.world.turn();
        if turn == Turn::Terminal {
            return table.world;
        }
        let mut moves = Vec::new();
        for p in turn.players().iter() {
            let (info, agent) = (table.infoset(p), &mut agents[p.index()]);
            let budget = Budget::iterations(iterations(&*table.world, p));
            moves.push((p, agent.act(&info, &budget).unwrap().action));
            with(&*table.world, &info, agent);
        }
        table.play(WorldStep::Moves(&moves));
    }
}
