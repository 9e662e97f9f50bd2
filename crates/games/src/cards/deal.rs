//! A deal: the cards of every hand, as chance draws them.

use arrayvec::ArrayVec;
use fogtree_core::Rng;

use super::{Cards, Place};

/// The most hands a deal may have.
pub const MOST_HANDS: usize = 8;

/// The cards dealt to each hand. Which card came first does not matter and is not kept.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Deal(ArrayVec<Cards, MOST_HANDS>);

impl Deal {
    /// The deal with these hands.
    pub fn new(hands: impl IntoIterator<Item = Cards>) -> Deal {
        Deal(hands.into_iter().collect())
    }

    /// The hands in order.
    #[inline]
    pub fn hands(&self) -> &[Cards] {
        &self.0
    }

    /// Deals hands of these sizes from the cards, all deals equally likely. There must be enough cards.
    #[inline]
    pub fn random(cards: Cards, sizes: impl IntoIterator<Item = usize>, rng: &mut Rng) -> Deal {
        let mut left = cards;
        let hands = sizes.into_iter().map(|size| {
            let hand = left.random_subset(size, rng);
            left -= hand;
            hand
        });
        Deal(hands.collect())
    }

    /// Whether hands of these sizes may be dealt so from the cards.
    pub fn is_possible(&self, cards: Cards, sizes: impl IntoIterator<Item = usize>) -> bool {
        let mut left = cards;
        let fits = |hand: &Cards, size| {
            let fits = hand.within(left) && hand.len() == size;
            left -= *hand;
            fits
        };
        let sizes: ArrayVec<usize, MOST_HANDS> = sizes.into_iter().collect();
        let mut fits = fits;
        self.0.len() == sizes.len() && self.0.iter().zip(sizes).all(|(hand, size)| fits(hand, size))
    }

    /// The hands, joined by slashes: `2C3C/AH`.
    pub fn name(&self) -> String {
        self.0.iter().map(|hand| hand.name()).collect::<Vec<_>>().join("/")
    }

    /// The deal of this name.
    pub fn parse(name: &str) -> Option<Deal> {
        let mut hands = ArrayVec::new();
        for hand in name.split('/') {
            hands.try_push(Cards::parse(hand)?).ok()?;
        }
        Some(Deal(hands))
    }
}

/// In how many ways hands of these sizes can be dealt from so many cards.
pub fn number_of_deals(cards: usize, sizes: impl IntoIterator<Item = usize>) -> f64 {
    let mut left = cards;
    let ways = sizes.into_iter().map(|size| {
        let ways = super::dealer::choose(left, size);
        left -= size.min(left);
        ways
    });
    ways.product()
}

/// Shows every way to deal cards to these places, none of which gets what it is barred from.
pub fn each_deal(cards: Cards, places: &[Place], with: &mut dyn FnMut(Deal)) {
    fn go(left: Cards, places: &[Place], dealt: &Deal, with: &mut dyn FnMut(Deal)) {
        let Some((place, rest)) = places.split_first() else { return with(dealt.clone()) };
        for hand in (left - place.barred).subsets(place.size) {
            let mut dealt = dealt.clone();
            dealt.0.push(hand);
            go(left - hand, rest, &dealt, with);
        }
    }
    go(cards, places, &Deal::default(), with);
}

/// All deals of hands of these sizes, which are equally likely, with their probabilities.
pub fn list_deals(cards: Cards, sizes: impl Iterator<Item = usize> + Clone, out: &mut Vec<(Deal, f64)>) {
    let places: ArrayVec<Place, MOST_HANDS> = sizes.clone().map(Place::of).collect();
    let p = 1.0 / number_of_deals(cards.len(), sizes);
    each_deal(cards, &places, &mut |deal| out.push((deal, p)));
}
