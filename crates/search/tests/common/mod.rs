//! Information sets by the words that lead to them, and whole games between two agents.
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

use std::sync::Arc;

use fogtree_core::history::events_of;
use fogtree_core::{
    About, Agent, Budget, Decision, Game, InfoSet, Key, Line, Observer, Params, Player, Purpose, Seed, Step,
    Turn,
};
use fogtree_games::tree::{self, Tree};
use fogtree_search::ismcts::{Config, Ismcts};
use fogtree_search::multi_tree::MtMoIsmcts;

/// The parameters of a game, as they are written.
pub fn params(about: &'static About, text: &str) -> Params {
    about.params(&format!("{}({text})", about.name).parse().unwrap()).unwrap()
}

/// A micro game.
pub fn micro(name: &str) -> Arc<Tree> {
    Arc::new(Tree::from_params(&params(&tree::ABOUT, &format!("name={name}"))).unwrap())
}

/// Three players, each for itself: `trust` is worth 9 to the first if the second takes its own 2.
pub fn trust_game() -> Arc<Tree> {
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
    Arc::new(game.unwrap())
}

/// What a seat has been through after these words.
pub fn infoset<G: Game>(game: &G, words: &str, seat: Player) -> InfoSet<G> {
    let by = Observer::Seat(seat);
    let mut line = Line::start(game);
    line.play_words(game, words.split_whitespace()).unwrap();
    let mut state = game.start();
    let mut events = Vec::new();
    for ply in line.plies() {
        events.extend(events_of(game, &state, ply.step(), by));
        game.apply(&mut state, ply.step());
    }
    let mut legal = Vec::new();
    game.actions(&state, seat, &mut legal);
    InfoSet { seat, known: game.info(&state, by), legal, events, key: line.key(by), belief: None }
}

/// What a new search of the ISMCTS family decides.
pub fn decide_by_ismcts<G: Game>(
    game: &Arc<G>,
    config: Config,
    info: &InfoSet<G>,
    n: u64,
    seed: u64,
) -> Decision<G::Action> {
    let mut agent = Ismcts::new(game, config);
    agent.start(info.seat, Seed(seed));
    agent.act(info, &Budget::iterations(n))
}

/// Plays one game; returns the first agent's reward.
pub fn play<G: Game>(
    game: &G,
    agents: [&mut dyn Agent<G>; 2],
    seat_of_first: Player,
    seed: Seed,
    n: u64,
) -> f64 {
    let [first, second] = agents;
    first.start(seat_of_first, seed.number(0));
    second.start(seat_of_first.other(), seed.number(1));
    let mut chance = seed.stream(Purpose::Deal);
    let mut line = Line::start(game);
    loop {
        let state = line.state().clone();
        match game.turn(&state) {
            Turn::Terminal => return game.rewards(&state)[seat_of_first],
            Turn::Chance => {
                let outcome = game.sample_chance(&state, &mut chance);
                line.play_words(game, [game.outcome_name(&outcome).as_str()]).unwrap();
            }
            turn => {
                let mut words = Vec::new();
                for p in turn.players().iter() {
                    let so_far: Vec<String> = line.plies().iter().flat_map(|ply| ply.names(game)).collect();
                    let info = infoset(game, &so_far.join(" "), p);
                    let agent = if p == seat_of_first { &mut *first } else { &mut *second };
                    words.push(game.action_name(agent.act(&info, &Budget::iterations(n)).action));
                }
                line.play_words(game, words.iter().map(String::as_str)).unwrap();
            }
        }
    }
}

/// Plays a game between searches that infer; shows every decision's information set, the state and the player to `with`.
pub fn play_inferring<G: Game>(
    game: &G,
    agents: &mut [MtMoIsmcts<G>],
    seed: Seed,
    iterations: &dyn Fn(&G::State, Player) -> u64,
    mut with: impl FnMut(&G::State, &InfoSet<G>, &MtMoIsmcts<G>),
) -> G::State {
    let mut chance = seed.stream(Purpose::Deal);
    let mut state = game.start();
    let seats: Vec<Player> = Player::all(agents.len()).collect();
    let mut events = vec![Vec::new(); agents.len()];
    let mut keys: Vec<Key> = seats.iter().map(|&p| Key::root(Observer::Seat(p))).collect();
    for (agent, &p) in agents.iter_mut().zip(&seats) {
        agent.start(p, seed.number(p.0.into()));
    }
    loop {
        let turn = game.turn(&state);
        if turn == Turn::Terminal {
            return state;
        }
        let outcome = (turn == Turn::Chance).then(|| game.sample_chance(&state, &mut chance));
        let mut moves = Vec::new();
        for p in turn.players().iter() {
            let mut legal = Vec::new();
            game.actions(&state, p, &mut legal);
            let (i, known) = (p.index(), game.info(&state, Observer::Seat(p)));
            let info =
                InfoSet { seat: p, known, legal, events: events[i].clone(), key: keys[i], belief: None };
            let budget = Budget::iterations(iterations(&state, p));
            moves.push((p, agents[i].act(&info, &budget).action));
            with(&state, &info, &agents[i]);
        }
        let step = outcome.as_ref().map_or(Step::Moves(&moves), Step::Chance);
        for &p in &seats {
            for event in events_of(game, &state, step, Observer::Seat(p)) {
                keys[p.index()] = event.extend(keys[p.index()]);
                events[p.index()].push(event);
            }
        }
        game.apply(&mut state, step);
    }
}
