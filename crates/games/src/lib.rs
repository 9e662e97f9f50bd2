//! The games, one module each. A module reads from top to bottom like the rules of its game.
//!
//! Adding a game is one module, its [`About`] in [`ALL`], and its line in [`make`].

use fogtree_core::{About, BadSpec, Params, Playable, Spec};

pub mod arimaa;
pub mod backgammon;
pub mod blob;
pub mod cards;
pub mod checkers;
pub mod connect_four;
pub mod dark;
pub mod dark_hex;
pub mod direction;
pub mod dou_di_zhu;
pub mod goofspiel;
pub mod grid;
pub mod hearts;
pub mod kuhn_poker;
pub mod liars_coins;
pub mod liars_dice;
pub mod lotr_confrontation;
pub mod matrix;
pub mod mini_dou_di_zhu;
pub mod mnk;
pub mod nannon;
pub mod nim;
pub mod oshi_zumo;
pub mod othello;
pub mod phantom_mnk;
pub mod poker;
pub mod pursuit_evasion;
pub mod random_game;
pub mod ranks;
pub mod resistance;
pub mod reward;
pub mod saboteur;
pub mod scotland_yard;
pub mod spades;
pub mod stratego;
mod tensors;
#[cfg(test)]
mod testing;
pub mod tree;
pub mod tron;
pub mod tubstap;
pub mod urban_rivals;
pub mod visibility_pursuit;
mod words;

/// What exists.
pub const ALL: &[&About] = &[
    &arimaa::ABOUT,
    &backgammon::ABOUT,
    &blob::ABOUT,
    &checkers::ABOUT,
    &connect_four::ABOUT,
    &dark_hex::ABOUT,
    &dou_di_zhu::ABOUT,
    &goofspiel::ABOUT,
    &hearts::ABOUT,
    &kuhn_poker::ABOUT,
    &liars_coins::ABOUT,
    &liars_dice::ABOUT,
    &lotr_confrontation::ABOUT,
    &matrix::ABOUT,
    &mini_dou_di_zhu::ABOUT,
    &mnk::ABOUT,
    &nannon::ABOUT,
    &nim::ABOUT,
    &oshi_zumo::ABOUT,
    &othello::ABOUT,
    &phantom_mnk::ABOUT,
    &poker::ABOUT,
    &pursuit_evasion::ABOUT,
    &random_game::ABOUT,
    &resistance::ABOUT,
    &saboteur::ABOUT,
    &scotland_yard::ABOUT,
    &spades::ABOUT,
    &stratego::ABOUT,
    &tree::ABOUT,
    &tron::ABOUT,
    &tubstap::ABOUT,
    &urban_rivals::ABOUT,
    &visibility_pursuit::ABOUT,
];

/// Whoever takes a game of any type, such as the table, which hides the type.
pub trait Receiver {
    /// What becomes of the game.
    type Out;

    /// Takes the game.
    fn game<G: Playable>(&mut self, game: G) -> Self::Out;
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
        "arimaa" => to.game(arimaa::Arimaa::from_params(params)?),
        "backgammon" => to.game(backgammon::Backgammon::from_params(params)?),
        "blob" => to.game(blob::Blob::from_params(params)?),
        "checkers" => to.game(checkers::Checkers::from_params(params)?),
        "connect-four" => to.game(connect_four::ConnectFour::from_params(params)?),
        "dark-hex" => to.game(dark_hex::from_params(params)?),
        "dou-di-zhu" => to.game(dou_di_zhu::DouDiZhu::from_params(params)?),
        "goofspiel" => to.game(goofspiel::Goofspiel::from_params(params)?),
        "hearts" => to.game(hearts::Hearts::from_params(params)?),
        "kuhn-poker" => to.game(kuhn_poker::KuhnPoker::from_params(params)?),
        "liars-coins" => to.game(liars_coins::from_params(params)?),
        "liars-dice" => to.game(liars_dice::LiarsDice::from_params(params)?),
        "lotr-confrontation" => to.game(lotr_confrontation::Confrontation::from_params(params)?),
        "matrix" => to.game(matrix::Matrix::from_params(params)?),
        "mini-dou-di-zhu" => to.game(mini_dou_di_zhu::MiniDouDiZhu::from_params(params)?),
        "mnk" if mnk::is_small(params)? => to.game(mnk::SmallMnk::from_params(params)?),
        "mnk" => to.game(mnk::LargeMnk::from_params(params)?),
        "nannon" => to.game(nannon::Nannon::from_params(params)?),
        "nim" => to.game(nim::Nim::from_params(params)?),
        "oshi-zumo" => to.game(oshi_zumo::OshiZumo::from_params(params)?),
        "othello" => to.game(othello::Othello::from_params(params)?),
        "phantom-mnk" if phantom_mnk::is_abrupt(params)? => to.game(phantom_mnk::abrupt(params)?),
        "phantom-mnk" if phantom_mnk::is_announced(params)? => {
            to.game(phantom_mnk::PhantomMnk::<phantom_mnk::Announced>::from_params(params)?)
        }
        "phantom-mnk" => to.game(phantom_mnk::PhantomMnk::<phantom_mnk::Hidden>::from_params(params)?),
        "poker" => to.game(poker::Poker::from_params(params)?),
        "pursuit-evasion" => to.game(pursuit_evasion::PursuitEvasion::from_params(params)?),
        "random-game" => to.game(random_game::RandomGame::from_params(params)?),
        "resistance" => to.game(resistance::Resistance::from_params(params)?),
        "saboteur" => to.game(saboteur::Saboteur::from_params(params)?),
        "scotland-yard" => to.game(scotland_yard::ScotlandYard::from_params(params)?),
        "spades" => to.game(spades::Spades::from_params(params)?),
        "stratego" => to.game(stratego::Stratego::from_params(params)?),
        "tree" => to.game(tree::Tree::from_params(params)?),
        "tron" => to.game(tron::Tron::from_params(params)?),
        "tubstap" => to.game(tubstap::Tubstap::from_params(params)?),
        "urban-rivals" => to.game(urban_rivals::UrbanRivals::from_params(params)?),
        "visibility-pursuit" => to.game(visibility_pursuit::VisibilityPursuit::from_params(params)?),
        name => panic!("there is no game {name}"),
    })
}
