//! Compiled games by their specifications.

use fogtree_core::{Playable, Spec};
use fogtree_games::Receiver;
use fogtree_solve::{Compiled, Refusal};

struct Compile(usize);

impl Receiver for Compile {
    type Out = Result<Compiled, Refusal>;

    fn game<G: Playable>(&mut self, game: G) -> Self::Out {
        Compiled::of(&game, self.0)
    }
}

/// The game with this specification, if it has at most this many nodes.
pub(crate) fn try_compiled(spec: &str, limit: usize) -> Result<Compiled, Refusal> {
    let spec: Spec = spec.parse().expect("the specification is well formed");
    fogtree_games::build(&spec, &mut Compile(limit)).expect("the specification names a game")
}

/// The game with this specification.
pub(crate) fn compiled(spec: &str) -> Compiled {
    try_compiled(spec, 3_000_000).expect("the game fits")
}
