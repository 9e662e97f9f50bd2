//! From what is asked for to parts that learn.

use fogtree_core::Model;

use super::super::context::PlayContext;
use super::super::enhance::{Component, Mix};
use super::super::epic::EpisodePart;
use super::super::guide::{AmafPart, Opinions};
use super::super::reply::ReplyPart;
use super::super::values::ValuePart;
use super::mix::{MixTerm, Mixture};
use super::{ANYWHERE, Part};

/// What stands for the game's opinions, whoever asks for them.
pub(super) const OPINIONS: Component = Component::Bias { weight: 0.0 };

/// Pieces being put together: equal components are one part.
pub(super) struct Builder<'a> {
    pub(super) parts: Vec<Part>,
    pub(super) made_of: Vec<Component>,
    pub(super) sight: &'a PlayContext,
    pub(super) memory: usize,
}

impl Builder<'_> {
    pub(super) fn part(&mut self, game: &dyn Model, of: Component) -> usize {
        if let Some(i) = self.made_of.iter().position(|&made| made == of) {
            return i;
        }
        let part = match of {
            Component::Values(values) => Part::Values(ValuePart::new(game, values, self.sight, self.memory)),
            Component::Reply(reply) => Part::Reply(ReplyPart::new(game, reply, self.sight, self.memory)),
            Component::Episodes(episodes) => {
                Part::Episodes(EpisodePart::new(episodes, game.moves(), self.memory))
            }
            Component::Amaf(amaf) => Part::Amaf(AmafPart::new(amaf, self.memory)),
            _ => Part::Opinions(Opinions::new(self.memory)),
        };
        self.parts.push(part);
        self.made_of.push(of);
        self.parts.len() - 1
    }

    fn member(&mut self, game: &dyn Model, component: Component) -> MixTerm {
        match component {
            Component::Base => MixTerm::Base,
            Component::Auto(auto) => {
                auto.candidates().into_iter().for_each(|candidate| _ = self.part(game, candidate));
                MixTerm::Base
            }
            Component::Rave { k, amaf } => MixTerm::Rave { k, amaf: self.part(game, Component::Amaf(amaf)) },
            Component::Bias { weight } => {
                MixTerm::Bias { weight: weight as f32, opinions: self.part(game, OPINIONS) }
            }
            Component::Unprune(_) => MixTerm::Base,
            Component::History { weight } => {
                let values = self.part(game, Component::Values(ANYWHERE));
                MixTerm::History { weight: weight as f32, values }
            }
            Component::Fuzzy(fuzzy) => {
                let grams = self.part(game, Component::Values(fuzzy.grams()));
                MixTerm::Fuzzy { k: fuzzy.k, grams }
            }
            _ => MixTerm::Part(self.part(game, component)),
        }
    }

    pub(super) fn team(&mut self, game: &dyn Model, mix: &Mix) -> Mixture {
        let members: Vec<_> =
            mix.terms().iter().map(|t| (t.weight, self.member(game, t.component))).collect();
        let members = members.into_iter().filter(|(weight, _)| *weight > 0.0).collect();
        Mixture { operator: mix.operator, members }
    }
}
