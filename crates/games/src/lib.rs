//! The games, one module each. A module reads from top to bottom like the rules of its game.
//!
//! Adding a game is one module, its [`About`] in [`ALL`], and its line in [`make`].

use fogtree_core::{About, BadSpec, Game, Params, Spec};

pub mod connect_four;
pub mod goofspiel;
pub mod grid;
pub mod kuhn_poker;
pub mod liars_coins;
pub mod liars_dice;
pub mod lotr_confrontation;
pub mod matrix;
pub mod mnk;
pub mod nim;
pub mod othello;
pub mod phantom_mnk;
pub mod poker;
pub mod reward;
pub mod stratego;
pub mod tree;

/// What exists.
pub const ALL: &[&About] = &[
    &connect_four::ABOUT,
    &goofspiel::ABOUT,
    &kuhn_poker::ABOUT,
    &liars_coins::ABOUT,
    &liars_dice::ABOUT,
    &lotr_confrontation::ABOUT,
    &matrix::ABOUT,
    &mnk::ABOUT,
    &nim::ABOUT,
    &othello::ABOUT,
    &phantom_mnk::ABOUT,
    &poker::ABOUT,
    &stratego::ABOUT,
    &tree::ABOUT,
];

/// Whoever takes a game of any type, such as the table, which hides the type.
pub trait Receiver {
    /// What becomes of the game.
    type Out;

    /// Takes the game.
    fn game<G: Game>(&mut self, game: G) -> Self::Out;
}

/// Makes the game that a specification names and hands it over.
pub fn build<R: Receiver>(spec: &Spec, to: &mut R) -> Result<R::Out, BadSpec> {
    let (about, spec) = About::find(ALL.iter().copied(), "game", spec)?;
    make(about.name, &about.params(&spec)?, to)
}

/// Makes the game of this name in [`ALL`] and hands it over.
///
/// # Panics
/// If there is no such game.
pub fn make<R: Receiver>(name: &str, params: &Params, to: &mut R) -> Result<R::Out, BadSpec> {
    Ok(match name {
        "connect-four" => to.game(connect_four::ConnectFour::from_params(params)?),
        "goofspiel" => to.game(goofspiel::Goofspiel::from_params(params)?),
        "kuhn-poker" => to.game(kuhn_poker::KuhnPoker::from_params(params)?),
        "liars-coins" => to.game(liars_coins::from_params(params)?),
        "liars-dice" => to.game(liars_dice::LiarsDice::from_params(params)?),
        "lotr-confrontation" => to.game(lotr_confrontation::Confrontation::from_params(params)?),
        "matrix" => to.game(matrix::Matrix::from_params(params)?),
        "mnk" if mnk::is_small(params)? => to.game(mnk::SmallMnk::from_params(params)?),
        "mnk" => to.game(mnk::LargeMnk::from_params(params)?),
        "nim" => to.game(nim::Nim::from_params(params)?),
        "othello" => to.game(othello::Othello::from_params(params)?),
        "phantom-mnk" if phantom_mnk::is_announced(params)? => {
            to.game(phantom_mnk::PhantomMnk::<phantom_mnk::Announced>::from_params(params)?)
        }
        "phantom-mnk" => to.game(phantom_mnk::PhantomMnk::<phantom_mnk::Hidden>::from_params(params)?),
        "poker" => to.game(poker::Poker::from_params(params)?),
        "stratego" => to.game(stratego::Stratego::from_params(params)?),
        "tree" => to.game(tree::Tree::from_params(params)?),
        name => panic!("there is no game {name}"),
    })
}
