//! A table that is wound back stands where it stood before, to every observer.

use fogtree_core::{Event, Key, Notation, Observer, Player, Purpose, Seed, Turn};
use fogtree_table::{AnyGame, AnyTable, Registry};

/// All that can be asked of a table about its position.
#[derive(PartialEq, Debug)]
struct Position {
    turn: Turn,
    state: String,
    names: Vec<String>,
    keys: Vec<Key>,
    views: Vec<String>,
    events: Vec<Vec<Event>>,
    legal: Vec<Vec<String>>,
}

fn position(table: &dyn AnyTable, players: usize) -> Position {
    Position {
        turn: table.turn(),
        state: table.show(),
        names: table.names(),
        keys: Observer::all(players).map(|by| table.key(by)).collect(),
        views: Observer::all(players).map(|by| table.view(by)).collect(),
        events: Player::all(players).map(|p| table.events(p).to_vec()).collect(),
        legal: Player::all(players).map(|p| table.legal(p)).collect(),
    }
}

/// A random game and its positions, from the start to the end.
fn random_game(game: &dyn AnyGame, seed: Seed) -> (Box<dyn AnyTable>, Vec<Position>) {
    let players = game.facts().players;
    let mut rng = seed.stream(Purpose::Deal);
    let mut table = game.table();
    let mut passed = vec![position(&*table, players)];
    while table.turn() != Turn::Terminal {
        if table.turn() == Turn::Chance {
            table.draw(&mut rng);
        } else {
            let choices: Vec<_> =
                table.turn().players().iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
            table.choose(&choices).unwrap();
        }
        passed.push(position(&*table, players));
    }
    (table, passed)
}

#[test]
fn winding_back_is_the_same_as_replaying_what_is_left() {
    let registry = Registry::standard();
    for about in registry.games() {
        let spec = format!("{}({})", about.name, about.tiny);
        let game = registry.game(&spec).unwrap();
        let players = game.facts().players;
        let (table, passed) = random_game(&*game, Seed(5));
        for (steps, then) in passed.iter().enumerate() {
            let mut back = table.fork();
            back.wind_back(steps);
            assert_eq!(back.steps(), steps, "{spec}");
            assert_eq!(position(&*back, players), *then, "{spec}, wound back to step {steps}");
            let mut again = game.table();
            let words: Vec<&str> = then.names.iter().map(String::as_str).collect();
            again.play_words(&words).unwrap();
            assert_eq!(position(&*again, players), *then, "{spec}, played again to step {steps}");
        }
        let mut same = table.fork();
        same.wind_back(table.steps() + 1);
        assert_eq!(same.steps(), table.steps(), "{spec}: there is nothing ahead to wind to");
    }
}
