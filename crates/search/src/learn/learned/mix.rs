//! Who decides together, and whose turn it is.

use fogtree_core::Rng;

use super::super::enhance::Operator;

/// Something that decides, by the place of what it has learnt.
#[derive(Clone, Copy, Debug)]
pub(super) enum MixTerm {
    Base,
    Part(usize),
    Rave { k: f64, amaf: usize },
    Bias { weight: f32, opinions: usize },
    History { weight: f32, values: usize },
    Fuzzy { k: f32, grams: usize },
}

/// Members that decide together; those of no weight are left out.
pub(super) struct Mixture {
    pub(super) operator: Operator,
    pub(super) members: Vec<(f32, MixTerm)>,
}

impl Mixture {
    /// One of the members, drawn by weight.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> MixTerm {
        if let [(_, only)] = self.members[..] {
            return only;
        }
        let mut left = rng.unit() as f32;
        for &(weight, member) in &self.members {
            if left < weight {
                return member;
            }
            left -= weight;
        }
        self.members.last().expect("somebody decides").1
    }

    pub(super) fn is_base(&self) -> bool {
        self.operator == Operator::Linear
            && self.members.iter().all(|(_, member)| matches!(member, MixTerm::Base))
    }
}
