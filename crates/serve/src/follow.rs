//! Follows a match that somebody else conducts, from what one role learns.

use fogtree_core::{Budget, Seed};
use fogtree_gdl::any_reasoner::State;
use fogtree_gdl::belief::{Belief, Standing, Step, Tracking};
use fogtree_gdl::{AnyReasoner, Reasoner, TermId};

use crate::player::{Learned, Own, Refusal};

/// All that a player knows of a match: what it did and perceived, and what follows from that.
#[derive(Debug)]
pub struct Follower {
    role: usize,
    belief: Belief<State>,
    /// Where the match may stand; nobody knows any longer after something has disagreed with the rules.
    world: Option<State>,
}

/// The most states looked at to find out what was done for the role, if that is not known.
const SEARCH: u64 = 1_000;

impl Follower {
    /// Where the match stands before it begins.
    pub fn new(reasoner: &AnyReasoner, role: &str, seed: Seed) -> Result<Follower, Refusal> {
        let term = reasoner.terms().parse(role);
        let short: String = role.chars().take(60).collect();
        let role = reasoner.roles().iter().position(|&role| Some(role) == term);
        let role = role.ok_or_else(|| Refusal(format!("the rules have no role '{short}'")))?;
        // A few worlds do: what is legal is the same in all of them.
        let tracking =
            Tracking { worlds: 500, transitions: 5_000, search: 1_000, seed, ..Tracking::default() };
        let belief = Belief::new(reasoner, role, tracking).map_err(|why| Refusal(why.to_string()))?;
        let world = belief.worlds().first().map(|w| w.0.clone());
        Ok(Follower { role, belief, world })
    }

    /// The role, by its number in the sheet.
    pub fn role(&self) -> usize {
        self.role
    }

    /// What happened so far.
    pub fn history(&self) -> &[Step] {
        self.belief.history()
    }

    /// States of the sheet that agree with everything that was learned, so many at most.
    pub fn worlds(&self, most: usize) -> impl Iterator<Item = &State> {
        let all = self.belief.worlds();
        all.iter().step_by(all.len().div_ceil(most).max(1)).map(|w| &w.0)
    }

    /// A state of the sheet that agrees with everything that was learned.
    pub fn world(&self) -> Option<&State> {
        self.world.as_ref()
    }

    /// Goes on with what was learned before a move. `None` if nobody knows any longer where the match stands.
    pub fn learn(&mut self, reasoner: &AnyReasoner, learned: &Learned, budget: &Budget) -> Option<()> {
        self.world.take()?;
        self.belief.keep_to(budget.deadline().share(0.25));
        let parse = |text: &String| reasoner.terms().parse(text);
        match learned {
            Learned::Nothing => {}
            Learned::Moves(moves) => {
                let joint = moves.iter().map(parse).collect::<Option<Vec<TermId>>>()?;
                (joint.len() == reasoner.roles().len()).then_some(())?;
                self.belief.follow(reasoner, &joint).ok()?;
            }
            Learned::Percepts { own, percepts } => {
                let percepts = percepts.iter().map(parse).collect::<Option<Vec<TermId>>>()?;
                let standing = match own {
                    Own::Told(text) | Own::Sent(text) => {
                        self.belief.update(reasoner, parse(text)?, &percepts, false)
                    }
                    Own::Unknown => self.belief.update_replaced(reasoner, &percepts, false),
                };
                standing.ok().filter(|&standing| standing != Standing::Lost)?;
            }
        }
        let budget =
            Budget { iterations: Some(SEARCH), time: budget.time.map(|time| time / 4), ..budget.clone() };
        let settled = self.belief.settle(reasoner, &budget).ok()?;
        self.world = settled.or_else(|| self.belief.worlds().first().map(|w| w.0.clone()));
        Some(())
    }

    /// What the role may do; `None` if that is nothing, or nobody knows.
    pub fn legal(&self, reasoner: &AnyReasoner) -> Option<Vec<TermId>> {
        let mut legal = Vec::new();
        reasoner.legal(self.world()?, self.role, &mut legal).ok()?;
        (!legal.is_empty()).then_some(legal)
    }
}
