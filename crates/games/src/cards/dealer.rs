//! Determinizations of card games: the unseen cards, dealt anew over the places they may be in.
//!
//! What an observer has seen leaves a set of unseen cards and places for them: other hands, a stock. Each
//! place takes a certain number of cards and may be closed to some of them: a player who did not follow suit
//! holds no card of that suit. The source shuffles until a deal contradicts nothing (Whitehouse 2014,
//! §4.1.3), which may take very long late in a round. [`Dealer`] counts instead.
//!
//! # How, and why it is uniform
//!
//! Places open to all unseen cards are *free*; the others are filled first, one after the other. Cards that
//! the same of these places are open to form a *class*: they are interchangeable. What matters while filling
//! is only how many cards `r = (r₁, r₂, ...)` of each class are left. Let `W(i, r)` be the number of ways to
//! fill the places from the `i`-th on:
//!
//! `W(i, r) = Σ_a Π_c C(r_c, a_c) · W(i+1, r − a)`
//!
//! over all ways `a` to take as many cards as place `i` holds from the classes it is open to; `W = 1` after
//! the last. These numbers are found once per decision. A deal is drawn by taking `a` with probability `Π
//! C(r_c, a_c) · W(i+1, r − a) / W(i, r)` and then, for each class, `a_c` of its `r_c` cards at random. A
//! certain deal takes one certain `a` and one certain choice of cards at each place, so its probability is
//! the product over the places of
//!
//! `Π C(r_c, a_c) · W(i+1, r − a) / W(i, r) · Π 1 / C(r_c, a_c) = W(i+1, r − a) / W(i, r)`,
//!
//! which telescopes to `1 / W(1, r)`, the same for all deals. What is left goes to the free places at
//! random. There are few classes where cards are barred by suit, at most five in Hearts, so that the numbers
//! are found in microseconds; for places each barred from cards of its own choice they may be many. The
//! numbers are doubles: uniform means up to a relative error of about 10⁻¹⁵, but what is impossible has the
//! weight 0 and is never drawn.

use std::collections::HashMap;

use fogtree_core::Rng;
use smallvec::SmallVec;

use super::{Card, Cards};

/// A place for unseen cards: somebody's hand, a stock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// How many unseen cards are there.
    pub size: usize,
    /// Cards that are not there.
    pub barred: Cards,
}

impl Place {
    /// A place for any cards.
    pub const fn of(size: usize) -> Place {
        Place { size, barred: Cards::NONE }
    }
}

/// Deals unseen cards over places, uniformly over all deals in which no place holds what it is barred from.
#[derive(Clone, Debug)]
pub struct Dealer {
    /// The places that are not open to all cards, in the order in which they are filled.
    bound: SmallVec<[usize; 4]>,
    /// The places that are, with their sizes.
    free: SmallVec<[(usize, usize); 4]>,
    classes: SmallVec<[Cards; 8]>,
    /// `nodes[0]` is where dealing begins.
    nodes: Vec<Node>,
    /// Of all nodes, one after the other.
    choices: Vec<Choice>,
    /// For each choice how many cards of each class are taken.
    taken: Vec<u8>,
    ways: f64,
}

/// A place to fill with so many cards of each class left: the choices there.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    end: u32,
    ways: f64,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    /// The ways of this choice and of those before it at the same node.
    until: f64,
    next: u32,
}

/// How many cards of each class are left.
type Left = SmallVec<[u8; 8]>;

impl Dealer {
    /// Prepares to deal the cards over the places. `None` if there is no way to do it.
    pub fn new(cards: Cards, places: &[Place]) -> Option<Dealer> {
        if places.iter().map(|place| place.size).sum::<usize>() != cards.len() {
            return None;
        }
        let filled = || (0..places.len()).filter(|&i| places[i].size > 0);
        let is_free = |i: &usize| !places[*i].barred.meets(cards);
        let free = filled().filter(is_free).map(|i| (i, places[i].size)).collect();
        let mut bound: SmallVec<[usize; 4]> = filled().filter(|i| !is_free(i)).collect();
        bound.sort_by_key(|&i| (cards - places[i].barred).len());
        let mut classes: SmallVec<[(u64, Cards); 8]> = SmallVec::new();
        for card in cards.iter() {
            let open = |set, (at, &i): (usize, &usize)| {
                set | u64::from(!places[i].barred.contains(card)) << (at % 64)
            };
            let open_to = bound.iter().enumerate().fold(0, open);
            match classes.iter_mut().find(|class| class.0 == open_to) {
                Some(class) => class.1 |= card.alone(),
                None => classes.push((open_to, card.alone())),
            }
        }
        let classes: SmallVec<[Cards; 8]> = classes.into_iter().map(|class| class.1).collect();
        let mut dealer = Dealer {
            bound,
            free,
            classes,
            nodes: Vec::new(),
            choices: Vec::new(),
            taken: Vec::new(),
            ways: 0.0,
        };
        let left = dealer.classes.iter().map(|class| class.len() as u8).collect();
        let root = Builder { dealer: &mut dealer, places, known: HashMap::new() }.node(0, left);
        dealer.ways = root.map_or(0.0, |(_, ways)| ways);
        (dealer.ways > 0.0).then_some(dealer)
    }

    /// How many deals there are.
    pub fn deals(&self) -> f64 {
        let open = self.free.iter().map(|&(_, size)| size).sum();
        self.ways * super::number_of_deals(open, self.free.iter().map(|&(_, size)| size))
    }

    /// Deals: adds to each place, by its index, the cards it gets.
    #[inline]
    pub fn deal(&self, rng: &mut Rng, places: &mut [Cards]) {
        let mut left = self.classes.clone();
        let mut at = 0;
        for &place in &self.bound {
            let node = self.nodes[at as usize];
            let choices = &self.choices[node.first as usize..node.end as usize];
            let drawn = match choices.len() {
                1 => 0,
                many => {
                    let at = rng.unit() * node.ways;
                    choices.partition_point(|choice| choice.until <= at).min(many - 1)
                }
            };
            let stride = left.len();
            let taken = (node.first as usize + drawn) * stride;
            for (class, &count) in left.iter_mut().zip(&self.taken[taken..taken + stride]) {
                let cards = class.random_subset(usize::from(count), rng);
                places[place] |= cards;
                *class -= cards;
            }
            at = choices[drawn].next;
        }
        let mut rest = left.iter().fold(Cards::NONE, |rest, &class| rest | class);
        for &(place, size) in &self.free {
            let cards = rest.random_subset(size, rng);
            places[place] |= cards;
            rest -= cards;
        }
    }
}

/// Finds the nodes that can be reached.
struct Builder<'a> {
    dealer: &'a mut Dealer,
    places: &'a [Place],
    known: HashMap<(usize, Left), Option<(u32, f64)>>,
}

impl Builder<'_> {
    /// The node at which the bound places from the given one on are filled with what is left, and in how
    /// many ways this can be done; `None` if in no way.
    fn node(&mut self, level: usize, left: Left) -> Option<(u32, f64)> {
        let Some(&place) = self.dealer.bound.get(level) else { return Some((0, 1.0)) };
        if let Some(known) = self.known.get(&(level, left.clone())) {
            return *known;
        }
        let at = self.dealer.nodes.len();
        self.dealer.nodes.push(Node { first: 0, end: 0, ways: 0.0 });
        let Place { size, barred } = self.places[place];
        let open: SmallVec<[bool; 8]> =
            self.dealer.classes.iter().map(|class| !class.meets(barred)).collect();
        let mut found: Vec<(Left, f64, u32)> = Vec::new();
        let mut taken = Left::from_elem(0, left.len());
        self.choices(level, &left, &open, (0, size), 1.0, &mut taken, &mut found);
        let first = self.dealer.choices.len() as u32;
        let mut until = 0.0;
        for (taken, ways, next) in found {
            until += ways;
            self.dealer.choices.push(Choice { until, next });
            self.dealer.taken.extend_from_slice(&taken);
        }
        self.dealer.nodes[at] = Node { first, end: self.dealer.choices.len() as u32, ways: until };
        let answer = (until > 0.0).then_some((at as u32, until));
        self.known.insert((level, left), answer);
        answer
    }

    /// Lists the ways to take `still` more cards from the class `class` on and from later ones.
    #[expect(clippy::too_many_arguments, reason = "the state of a depth-first search")]
    fn choices(
        &mut self,
        level: usize,
        left: &Left,
        open: &[bool],
        (class, still): (usize, usize),
        ways: f64,
        taken: &mut Left,
        found: &mut Vec<(Left, f64, u32)>,
    ) {
        if class == left.len() {
            if still == 0 {
                let rest = left.iter().zip(&*taken).map(|(left, taken)| left - taken).collect();
                if let Some((next, more)) = self.node(level + 1, rest) {
                    found.push((taken.clone(), ways * more, next));
                }
            }
            return;
        }
        let most = |class: usize| if open[class] { usize::from(left[class]) } else { 0 };
        let later: usize = (class + 1..left.len()).map(most).sum();
        for count in still.saturating_sub(later)..=most(class).min(still) {
            taken[class] = count as u8;
            let ways = ways * choose(usize::from(left[class]), count);
            self.choices(level, left, open, (class + 1, still - count), ways, taken, found);
        }
        taken[class] = 0;
    }
}

/// The number of subsets of a size; exact, as all are below 2⁵³.
#[inline]
pub(super) fn choose(of: usize, size: usize) -> f64 {
    CHOOSE[of.min(Card::COUNT)][size.min(Card::COUNT)]
}

static CHOOSE: [[f64; Card::COUNT + 1]; Card::COUNT + 1] = {
    let mut table = [[0.0; Card::COUNT + 1]; Card::COUNT + 1];
    let mut n = 0;
    while n <= Card::COUNT {
        table[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};
