//! The games, one module each. A module reads from top to bottom like the rules of its game.
//!
//! Adding a game is one module, its [`About`] in [`ALL`], and its line in [`build`].

use fogtree_core::{About, BadSpec, Game, Spec};

pub mod goofspiel;
pub mod kuhn_poker;
pub mod matrix;
pub mod nim;

/// What exists.
pub const ALL: &[&About] = &[&goofspiel::ABOUT, &kuhn_poker::ABOUT, &matrix::ABOUT, &nim::ABOUT];

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
    let params = about.params(&spec)?;
    Ok(match about.name {
        "goofspiel" => to.game(goofspiel::Goofspiel::from_params(&params)?),
        "kuhn-poker" => to.game(kuhn_poker::KuhnPoker::from_params(&params)?),
        "matrix" => to.game(matrix::Matrix::from_params(&params)?),
        "nim" => to.game(nim::Nim::from_params(&params)?),
        name => unreachable!("{name} is listed but cannot be built"),
    })
}
