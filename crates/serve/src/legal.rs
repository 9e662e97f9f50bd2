//! Players that play any legal move: the yardsticks, and enough to try out a manager.

use fogtree_core::{Budget, Purpose, Rng, Seed};
use fogtree_gdl::belief::{Belief, Standing, Tracking};
use fogtree_gdl::{Interpreter, Limits, Reasoner, TermId, Trouble};

use crate::player::{Learned, Own, Player, PlayerMaker, Refusal, Start};

/// Which legal move is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The first in the order of terms.
    First,
    /// Any, all equally likely.
    Random,
}

/// Makes players of legal moves.
#[derive(Clone, Copy, Debug)]
pub struct LegalMoves {
    /// Which of them.
    pub choice: Choice,
    /// Decides random choices, together with the names of match and role.
    pub seed: Seed,
    /// How much work one question to the rules may take.
    pub limits: Limits,
}

impl LegalMoves {
    /// Players of this choice.
    pub fn new(choice: Choice, seed: Seed) -> LegalMoves {
        LegalMoves { choice, seed, limits: Limits { steps: 100_000_000, atoms: 2_000_000 } }
    }
}

impl PlayerMaker for LegalMoves {
    fn name(&self) -> String {
        match self.choice {
            Choice::First => "first-legal".to_string(),
            Choice::Random => "random".to_string(),
        }
    }

    fn start(&self, start: &Start, _budget: &Budget) -> Result<Box<dyn Player>, Refusal> {
        let game = Interpreter::new(&start.sheet, self.limits).map_err(|wrong| Refusal(wrong.to_string()))?;
        let follower = Follower::new(&game, &start.role, self.seed)?;
        let rng = self.seed.named(&start.id).named(&start.role).stream(Purpose::Ties);
        Ok(Box::new(LegalPlayer { game, follower, choice: self.choice, rng }))
    }
}

struct LegalPlayer {
    game: Interpreter,
    follower: Follower<<Interpreter as Reasoner>::State>,
    choice: Choice,
    rng: Rng,
}

impl Player for LegalPlayer {
    fn play(&mut self, learned: &Learned, _budget: &Budget) -> Option<String> {
        self.follower.learn(&self.game, learned).ok()?;
        let legal = self.follower.legal(&self.game).ok()?;
        let chosen = match self.choice {
            Choice::First => *legal.first()?,
            Choice::Random if legal.is_empty() => return None,
            Choice::Random => *self.rng.pick(&legal),
        };
        Some(self.game.terms().show(chosen).to_string())
    }
}

/// Follows a match that somebody else conducts, from what one role learns.
#[derive(Debug)]
pub struct Follower<S> {
    role: usize,
    belief: Belief<S>,
    lost: bool,
}

/// Why nobody knows any longer where the match stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Lost {
    /// What was told cannot have happened.
    #[error("what was told does not agree with the rules")]
    Disagreement,
    /// The rules have no answer.
    #[error(transparent)]
    Trouble(#[from] Trouble),
}

impl<S: Clone + Eq + std::hash::Hash> Follower<S> {
    /// Where the match stands before it begins.
    pub fn new<R: Reasoner<State = S>>(game: &R, role: &str, seed: Seed) -> Result<Follower<S>, Refusal> {
        let role = role_named(game, role)?;
        // A few worlds do: what is legal is the same in all of them.
        let tracking =
            Tracking { worlds: 500, transitions: 5_000, search: 1_000, seed, ..Tracking::default() };
        let belief = Belief::new(game, role, tracking).map_err(|trouble| Refusal(trouble.to_string()))?;
        Ok(Follower { role, belief, lost: false })
    }

    /// The role, by its number in the sheet.
    pub fn role(&self) -> usize {
        self.role
    }

    /// A world that agrees with everything that was learned.
    pub fn world(&self) -> Option<&S> {
        if self.lost { None } else { self.belief.worlds().first().map(|w| &w.0) }
    }

    /// Goes on with what was learned before a move.
    pub fn learn<R: Reasoner<State = S>>(&mut self, game: &R, learned: &Learned) -> Result<Standing, Lost> {
        let standing = if self.lost { Err(Lost::Disagreement) } else { self.go_on(game, learned) };
        self.lost = !matches!(standing, Ok(s) if s != Standing::Lost);
        if self.lost && standing.is_ok() { Err(Lost::Disagreement) } else { standing }
    }

    fn go_on<R: Reasoner<State = S>>(&mut self, game: &R, learned: &Learned) -> Result<Standing, Lost> {
        let parse = |text: &String| game.terms().parse(text).ok_or(Lost::Disagreement);
        match learned {
            Learned::Nothing => Ok(Standing::Complete),
            Learned::Moves(moves) => {
                let joint = moves.iter().map(parse).collect::<Result<Vec<TermId>, _>>()?;
                if joint.len() != game.roles().len() {
                    return Err(Lost::Disagreement);
                }
                self.belief.follow(game, &joint)?;
                Ok(Standing::Complete)
            }
            Learned::Percepts { own, percepts } => {
                let percepts = percepts.iter().map(parse).collect::<Result<Vec<TermId>, _>>()?;
                match own {
                    Own::Told(text) | Own::Sent(text) => {
                        Ok(self.belief.update(game, parse(text)?, &percepts, false)?)
                    }
                    Own::Unknown => Ok(self.belief.update_replaced(game, &percepts, false)?),
                }
            }
        }
    }

    /// What the role may do.
    pub fn legal<R: Reasoner<State = S>>(&self, game: &R) -> Result<Vec<TermId>, Lost> {
        let mut legal = Vec::new();
        game.legal(self.world().ok_or(Lost::Disagreement)?, self.role, &mut legal)?;
        Ok(legal)
    }
}

/// The number of a role.
pub(crate) fn role_named<R: Reasoner>(game: &R, name: &str) -> Result<usize, Refusal> {
    let term = game.terms().parse(name);
    let role = game.roles().iter().position(|&role| Some(role) == term);
    let short: String = name.chars().take(60).collect();
    role.ok_or_else(|| Refusal(format!("the rules have no role '{short}'")))
}
