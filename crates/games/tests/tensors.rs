//! Which games have tensors, of which shape, and two of them number by number.

use fogtree_core::{Erased, Model, Playable, Player, Spec, Turn, World};
use fogtree_games::{ALL, Receiver, build};

/// Makes a game of any type a model.
struct Models;

impl Receiver for Models {
    type Out = std::sync::Arc<dyn Model>;

    fn game<G: Playable>(&mut self, game: G) -> Self::Out {
        Erased::any(game)
    }
}

fn model(spec: &str) -> std::sync::Arc<dyn Model> {
    build(&spec.parse::<Spec>().unwrap(), &mut Models).unwrap()
}

/// The world after moves and outcomes by name.
fn after(game: &dyn Model, plies: &str) -> Box<dyn World> {
    let mut world = game.start();
    for name in plies.split_whitespace() {
        match world.turn() {
            Turn::Player(who) => {
                let mv = game.parse_move(name).unwrap();
                world.play(&[(who, mv)], fogtree_core::Eyes::Closed);
            }
            _ => {
                let drawn = world.parse_outcome(name).unwrap();
                world.apply(fogtree_core::WorldStep::Chance(&drawn));
            }
        }
    }
    world
}

/// What a seat knows, as numbers, by way of the world and of what is known: the same, whatever stood there
/// before.
fn tensor(game: &dyn Model, world: &dyn World, seat: Player) -> Vec<f32> {
    let length = game.tensor_shape().unwrap().iter().product();
    let [mut numbers, mut again] = [vec![0.5; length], vec![0.25; length]];
    world.tensor(seat, &mut numbers);
    game.tensor(&world.info(fogtree_core::Observer::Seat(seat)), seat, &mut again);
    assert_eq!(numbers, again);
    numbers
}

#[test]
fn kuhn_poker_number_by_number() {
    let game = model("kuhn-poker");
    let numbers = |plies: &str, seat| tensor(&*game, &*after(&*game, plies), Player(seat));
    // Seat; jack, queen, king; open, checked, bet by 0, by 1, showdown for 1, for 2, folded by 0, by 1.
    assert_eq!(numbers("", 1), [0., 1., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(numbers("Q K", 0), [1., 0., 0., 1., 0., 1., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(numbers("Q K check", 1), [0., 1., 0., 0., 1., 0., 1., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(numbers("Q J check bet", 0), [1., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0.]);
    assert_eq!(numbers("Q J bet call", 1), [0., 1., 1., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0.]);
}

#[test]
fn connect_four_number_by_number() {
    let game = model("connect-four(columns=4,rows=3,connect=3)");
    let world = after(&*game, "1 1 4");
    assert_eq!(game.tensor_shape(), Some(vec![3, 3, 4]));
    let first = [0., 0., 0., 0., 0., 0., 0., 0., 1., 0., 0., 1.];
    let second = [0., 0., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0.];
    assert_eq!(tensor(&*game, &*world, Player(0)), [first, second, [0.; 12]].concat());
    assert_eq!(tensor(&*game, &*world, Player(1)), [second, first, [1.; 12]].concat());
}

#[test]
fn games_without_tensors_give_zeros() {
    let game = model("random-game");
    assert_eq!(game.tensor_shape(), None);
    let mut numbers = [0.5; 3];
    game.start().tensor(Player(0), &mut numbers);
    assert_eq!(numbers, [0.0; 3]);
}

/// The shapes of the default instances, and of some others.
#[test]
fn shapes() {
    let names = ALL.iter().map(|about| about.name).chain([
        "leduc-poker",
        "gomoku",
        "phantom-mnk(failed=announced)",
        "phantom-mnk(turn=abrupt)",
    ]);
    let line = |name: &str| match model(name).tensor_shape() {
        Some(shape) => format!("{name} {shape:?}\n"),
        None => format!("{name} none\n"),
    };
    let lines: String = names.map(line).collect();
    assert_eq!(lines, include_str!("tensors/shapes.txt"), "\n{lines}");
}
