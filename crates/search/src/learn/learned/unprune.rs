//! Progressive unpruning: which moves are considered at a node.

use fogtree_core::{Model, Move, Rng};

use super::super::Place;
use super::super::enhance::Unprune;
use super::super::guide::Arm;
use super::{Learned, Part};
use fogtree_core::SearchKey;

/// Moves that are considered, with what the tree knows about them, and how all of them are ranked.
#[derive(Clone, Debug, Default)]
pub(super) struct Considered {
    moves: Vec<Move>,
    arms: Vec<Arm>,
    ranks: Vec<Rank>,
}

/// What is thought of a move, a number of its own by which equals are told apart, and its place.
type Rank = (f32, u64, u32);

/// Leaves the best of them, as many as are to be considered, in the order of their places; all if there is nothing to
/// choose between them.
fn keep_best(ranks: &mut Vec<Rank>, width: usize) {
    if ranks.windows(2).all(|w| w[0].0 == w[1].0) {
        return;
    }
    ranks.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranks.truncate(width);
    ranks.sort_unstable_by_key(|rank| rank.2);
}

impl Learned {
    /// Which move is made in the tree if only some are considered. Equals are always considered in the same order at a
    /// node, and in another one elsewhere.
    pub(super) fn select_unpruned(
        &mut self,
        (unprune, opinions): (Unprune, usize),
        game: &dyn Model,
        at: Place<'_>,
        (legal, arms): (&[Move], &[Arm]),
        rng: &mut Rng,
    ) -> usize {
        let width = unprune.width(at.visits);
        if width >= legal.len() {
            return self.select_among(game, at, legal, arms, rng);
        }
        if let Part::Opinions(opinions) = &mut self.parts[opinions] {
            opinions.ask(at.world, (at.key, at.who), legal, self.scale, &mut self.tools.infos);
        }
        let mut considered = std::mem::take(&mut self.considered);
        let Considered { moves, arms: shown, ranks } = &mut considered;
        let infos = self.tools.infos.iter().zip(legal).zip(0..);
        ranks.clear();
        ranks
            .extend(infos.map(|((info, &action), i)| {
                (info.mean, SearchKey::root(at.key).own(game.code(action)).0, i)
            }));
        keep_best(ranks, width);
        moves.clear();
        moves.extend(ranks.iter().map(|rank| legal[rank.2 as usize]));
        shown.clear();
        shown.extend(ranks.iter().map(|rank| arms[rank.2 as usize]));
        let place = self.select_among(game, at, moves, shown, rng);
        let place = ranks[place].2 as usize;
        self.considered = considered;
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chaslot and others 2008, with their numbers Move = 50, B = 1.3 and five moves at first: the sixth is due after
    /// 50 * 1.3 = 65 visits, the next ones after 84.5, 109.85 and 142.8.
    #[test]
    fn widths_follow_the_formula() {
        let unprune = Unprune { first: 5, after: 50.0, factor: 1.3 };
        let widths = [1, 50, 64, 66, 84, 85, 109, 110, 142, 143].map(|visits| unprune.width(visits));
        assert_eq!(widths, [5, 5, 5, 6, 6, 7, 7, 8, 8, 9]);
        assert_eq!(Unprune { first: 1, ..unprune }.width(66), 2);
    }

    #[test]
    fn the_best_are_kept_in_order() {
        let ranks: Vec<Rank> = vec![(0.1, 4, 0), (0.7, 3, 1), (0.5, 2, 2), (0.7, 1, 3), (0.5, 0, 4)];
        let kept = |width| {
            let mut ranks = ranks.clone();
            keep_best(&mut ranks, width);
            ranks.iter().map(|rank| rank.2).collect::<Vec<_>>()
        };
        assert_eq!([kept(1), kept(2), kept(3)], [vec![3], vec![1, 3], vec![1, 3, 4]]);
        let mut same: Vec<Rank> = vec![(0.5, 1, 0), (0.5, 0, 1), (0.5, 2, 2)];
        keep_best(&mut same, 1);
        assert_eq!(same.len(), 3, "nothing speaks for any of them");
    }
}
