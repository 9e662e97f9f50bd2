//! From what is asked for to pieces that learn.

use fogtree_core::{Model};
use fogtree_core::Game;

use super::super::enhance::{Component, Mix};
use super::super::epic::EpisodePiece;
use super::super::guide::{AmafPiece, Opinions};
use super::super::reply::ReplyPiece;
use super::super::sight::Sight;
use super::super::values::ValuePiece;
use super::team::{Member, Team};
use super::{ANYWHERE, Piece};

/// What stands for the game's opinions, whoever asks for them.
pub(super) const OPINIONS: Component = Component::Bias { weight: 0.0 };

/// Pieces being put together: equal components are one piece.
pub(super) struct Crew<'a> {
    pub(super) pieces: Vec<Piece>,
    pub(super) made_of: Vec<Component>,
    pub(super) sight: &'a Sight,
    pub(super) memory: usize,
}

impl Crew<'_> {
    pub(super) fn piece(&mut self, game: &dyn Model, of: Component) -> usize {
        if let Some(i) = self.made_of.iter().position(|&made| made == of) {
            return i;
        }
        let piece = match of {
            Component::Values(values) => {
                Piece::Values(ValuePiece::new(game, values, self.sight, self.memory))
            }
            Component::Reply(reply) => Piece::Reply(ReplyPiece::new(game, reply, self.sight, self.memory)),
            Component::Episodes(episodes) => {
                Piece::Episodes(EpisodePiece::new(episodes, game.moves(), self.memory))
            }
            Component::Amaf(amaf) => Piece::Amaf(AmafPiece::new(amaf, self.memory)),
            _ => Piece::Opinions(Opinions::new(self.memory)),
        };
        self.pieces.push(piece);
        self.made_of.push(of);
        self.pieces.len() - 1
    }

    fn member(&mut self, game: &dyn Model, component: Component) -> Member {
        match component {
            Component::Base => Member::Base,
            Component::Auto(auto) => {
                auto.candidates().into_iter().for_each(|candidate| _ = self.piece(game, candidate));
                Member::Base
            }
            Component::Rave { k, amaf } => Member::Rave { k, amaf: self.piece(game, Component::Amaf(amaf)) },
            Component::Bias { weight } => {
                Member::Bias { weight: weight as f32, opinions: self.piece(game, OPINIONS) }
            }
            Component::Unprune(_) => Member::Base,
            Component::History { weight } => {
                let values = self.piece(game, Component::Values(ANYWHERE));
                Member::History { weight: weight as f32, values }
            }
            Component::Fuzzy(fuzzy) => {
                let grams = self.piece(game, Component::Values(fuzzy.grams()));
                Member::Fuzzy { k: fuzzy.k, grams }
            }
            _ => Member::Piece(self.piece(game, component)),
        }
    }

    pub(super) fn team(&mut self, game: &dyn Model, mix: &Mix) -> Team {
        let members: Vec<_> =
            mix.terms().iter().map(|t| (t.weight, self.member(game, t.component))).collect();
        let members = members.into_iter().filter(|(weight, _)| *weight > 0.0).collect();
        Team { operator: mix.operator, members }
    }
}
