//! Who sees what in Saboteur, and worlds that agree with it.
//!
//! A player who holds two equal cards plays one of them in one way only. So the cards somebody played say
//! something about the rest of his hand: it was the less likely to hold the same card again, the more of its
//! cards he could have drawn by then. [`Sampler`] counts this in, see there.

use arrayvec::ArrayVec;
use fogtree_core::{Game, HiddenPart, InfoExtras, Observation, Observer, Player, Rng, Rules, Scene, Step};
use serde::{Deserialize, Serialize};

use super::cards::{Hand, KINDS, Kind, MOST_CARDS, UNSEEN};
use super::{
    Action, FACE_DOWN, MOST_PLAYERS, NO_GOAL, Outcome, Prior, Saboteur, State, Table, notation, scene,
};

/// The first word of an observation.
pub(super) mod seen {
    /// Your role follows: 1 for a saboteur.
    pub(crate) const ROLE: u64 = 0;
    /// Roles are dealt.
    pub(crate) const ROLES: u64 = 1;
    /// The goals are laid out.
    pub(crate) const GOALS: u64 = 2;
    /// Your card follows.
    pub(crate) const CARD: u64 = 3;
    /// Another player, who follows, draws a card.
    pub(crate) const DRAWS: u64 = 4;
    /// A player puts a card away.
    pub(crate) const DISCARDS: u64 = 5;
    /// What lies at the goal you look at follows.
    pub(crate) const LOOK: u64 = 6;
    /// Your card has turned up goals: they follow, as after [`PLAYS`].
    pub(crate) const TURNED: u64 = 7;
    /// From here on: a player, the code of his action above, and then the goals turned up.
    pub(crate) const PLAYS: u64 = 8;
}

/// What an observer sees of a step.
pub(super) fn observe(
    game: &Saboteur,
    s: &State,
    step: Step<'_, Saboteur>,
    by: Observer,
) -> Option<Observation> {
    let (who, action) = match step {
        Step::Chance(&Outcome::Roles(set)) => {
            return Some(match by.seat() {
                Some(p) => Observation::words(&[seen::ROLE, u64::from(set >> p.index() & 1)]),
                None => Observation::word(seen::ROLES),
            });
        }
        Step::Chance(Outcome::Goals(_)) => return Some(Observation::word(seen::GOALS)),
        Step::Chance(&Outcome::Card(card)) => {
            let drawer = game.drawer(s.table.drawn.into(), s.used.len())?;
            return Some(if by.is(drawer) {
                Observation::words(&[seen::CARD, u64::from(card)])
            } else {
                Observation::words(&[seen::DRAWS, u64::from(drawer.0)])
            });
        }
        Step::Moves(moves) => *moves.first()?,
    };
    let own = by.is(who);
    match action {
        Action::Discard { .. } if own => None,
        Action::Discard { .. } => Some(Observation::words(&[seen::DISCARDS, u64::from(who.0)])),
        Action::Look { goal } if own => {
            Some(Observation::words(&[seen::LOOK, u64::from(s.goals[goal as usize])]))
        }
        Action::Lay { card, turned, at } => {
            let mut board = s.table.board;
            board.lay(at, super::cards::openings(card, turned), super::cards::is_dead_end(card));
            game.turn_goals(&mut board, &s.goals);
            let goals = game.goals.iter().zip(s.goals).enumerate();
            let new = goals.filter(|(_, (at, _))| board.cards.has(**at) && !s.table.board.cards.has(**at));
            let turned = new.fold(0, |word, (i, (_, card))| word | (1 + u64::from(card)) << (4 * i));
            match (own, turned) {
                (true, 0) => None,
                (true, _) => Some(Observation::words(&[seen::TURNED, turned])),
                (false, _) => Some(Observation::words(&[plays(who, action), turned])),
            }
        }
        _ if own => None,
        _ => Some(Observation::words(&[plays(who, action), 0])),
    }
}

fn plays(who: Player, action: Action) -> u64 {
    seen::PLAYS + u64::from(who.0) + (notation::code(action) << 8)
}

/// What an observer knows: the table, its own role, hand and looks, and the cards used, apart from those that
/// others put away.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    pub(super) by: Observer,
    pub(super) table: Table,
    /// Whether roles are dealt.
    pub(super) dealt: bool,
    /// Whether the goals are laid out.
    pub(super) laid: bool,
    /// Whether the observer is a saboteur.
    pub(super) saboteur: Option<bool>,
    pub(super) goals: [u8; 3],
    pub(super) hand: Option<Hand>,
    pub(super) used: ArrayVec<u8, MOST_CARDS>,
}

/// The most ways in which the hand of one player is tried.
const MOST_TRIES: usize = 8;

/// Draws roles, goals and cards.
///
/// Roles and goals are drawn evenly from those possible. Cards are dealt to one player after another: what lies
/// unseen is dealt evenly to the cards of his that nobody saw, and when he drew each of his cards is drawn evenly
/// too. This makes one sequence of draws once for every equal card that he could have used in place of the one
/// he used, so each of his turns divides the weight by the number of such cards then in his hand. To even
/// the weights out several deals are tried for each player, one of them is taken in proportion to its weight, and
/// counts as their average.
#[derive(Clone, Debug)]
pub struct Sampler {
    base: State,
    roles: Vec<u16>,
    goals: Vec<[u8; 3]>,
    unseen: ArrayVec<Kind, MOST_CARDS>,
    others: ArrayVec<Other, MOST_PLAYERS>,
    /// The greatest weight met when worlds are drawn without weights.
    heaviest: f64,
}

/// A player whose cards are to be drawn.
#[derive(Clone, Debug)]
struct Other {
    seat: usize,
    turns: ArrayVec<OwnTurn, MOST_CARDS>,
    /// How many cards he put away.
    put_away: usize,
    /// How many of his cards nobody saw: those put away, and those in his hand.
    hidden: usize,
}

/// What is seen of a turn of another player.
#[derive(Clone, Copy, Debug)]
struct OwnTurn {
    /// The card used, [`UNSEEN`] if it was put away.
    used: Kind,
    /// Whether he drew a card afterwards.
    drew: bool,
}

impl Saboteur {
    /// The sets of saboteurs that agree with what is known.
    fn possible_roles<'a>(&'a self, k: &'a Info) -> impl Iterator<Item = u16> + 'a {
        let own = move |set: u16| match (k.by, k.saboteur) {
            (Observer::Seat(p), Some(saboteur)) => (set >> p.index() & 1 == 1) == saboteur,
            _ => true,
        };
        self.roles.iter().copied().filter(move |&set| own(set))
    }

    /// The weight of dealing these cards to a player: first those he put away, then his hand. Goes back through his
    /// turns: any card of his hand may be the one he drew last, and without it, but with the card he used, it
    /// is the hand he chose from.
    fn weigh(&self, other: &Other, cards: &[Kind], rng: &mut Rng) -> f64 {
        let (mut put_away, in_hand) = cards.split_at(other.put_away);
        let mut hand: ArrayVec<Kind, { Hand::MOST }> = in_hand.iter().copied().collect();
        let mut weight = 1.0;
        for turn in other.turns.iter().rev() {
            if turn.drew {
                hand.swap_remove(rng.below(hand.len() as u32) as usize);
            }
            let kind = match turn.used {
                UNSEEN => {
                    let (&last, rest) = put_away.split_last().expect("as many cards as were put away");
                    put_away = rest;
                    last
                }
                seen => seen,
            };
            hand.push(kind);
            weight /= hand.iter().filter(|&&held| held == kind).count() as f64;
        }
        weight
    }

    fn draw_cards(&self, from: &Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        let mut unseen = from.unseen.clone();
        let (mut pool, mut whole) = (&mut unseen[..], 1.0);
        for other in &from.others {
            let tries = (1 + other.turns.len()).min(MOST_TRIES);
            let (mut sum, mut kept) = (0.0, [UNSEEN; MOST_CARDS]);
            let size = pool.len();
            for _ in 0..tries {
                for i in 0..other.hidden {
                    pool.swap(i, i + rng.below((size - i) as u32) as usize);
                }
                let weight = self.weigh(other, &pool[..other.hidden], rng);
                sum += weight;
                if rng.unit() * sum < weight {
                    kept[..size].copy_from_slice(pool);
                }
            }
            whole *= sum / tries as f64;
            pool.copy_from_slice(&kept[..size]);
            let (dealt, rest) = pool.split_at_mut(other.hidden);
            pool = rest;

            let mut cards = dealt.iter().copied();
            for turn in (other.seat..into.used.len()).step_by(self.players) {
                if into.used[turn] & FACE_DOWN != 0 {
                    into.used[turn] = FACE_DOWN | cards.next().unwrap_or(0);
                }
            }
            cards.for_each(|card| into.hands[other.seat].insert(card));
        }
        into.stock = [0; KINDS];
        for &card in pool.iter() {
            into.stock[card as usize] += 1;
        }
        whole
    }

    fn draw_world(&self, from: &Sampler, saboteurs: Option<u16>, rng: &mut Rng, into: &mut State) -> f64 {
        into.clone_from(&from.base);
        into.saboteurs = saboteurs;
        if !from.goals.is_empty() {
            into.goals = *rng.pick(&from.goals);
        }
        self.draw_cards(from, rng, into)
    }
}

impl Game for Saboteur {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        let mut used = s.used.clone();
        for (turn, card) in used.iter_mut().enumerate() {
            if *card & FACE_DOWN != 0 && !by.is(Player((turn % self.players) as u8)) {
                *card = FACE_DOWN | UNSEEN;
            }
        }
        let seat = by.seat().map(Player::index);
        Info {
            by,
            table: s.table,
            dealt: s.saboteurs.is_some(),
            laid: s.goals[0] != NO_GOAL,
            saboteur: seat.zip(s.saboteurs).map(|(p, set)| set >> p & 1 == 1),
            goals: self.goals_seen(s, by),
            hand: seat.map(|p| s.hands[p]),
            used,
        }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let mut base = self.start();
        base.table = k.table;
        base.used = k.used.clone();
        let mut stock = self.deck.0;
        let mut take = |card: Kind| stock[card as usize] = stock[card as usize].saturating_sub(1);
        k.used.iter().filter(|&&card| card != FACE_DOWN | UNSEEN).for_each(|card| take(card & !FACE_DOWN));
        if let (Observer::Seat(p), Some(hand)) = (k.by, k.hand) {
            base.hands[p.index()] = hand;
            hand.iter().for_each(take);
        }
        let unseen = (0..KINDS).flat_map(|kind| std::iter::repeat_n(kind as Kind, stock[kind].into()));
        let agrees =
            |goals: &[u8; 3]| k.goals.iter().zip(goals).all(|(seen, g)| seen == g || *seen == NO_GOAL);
        Sampler {
            roles: if k.dealt { self.possible_roles(k).collect() } else { Vec::new() },
            goals: if k.laid { self.layouts().filter(agrees).collect() } else { Vec::new() },
            unseen: unseen.take(MOST_CARDS).collect(),
            others: Player::all(self.players).filter(|&p| !k.by.is(p)).map(|p| self.other(k, p)).collect(),
            base,
            heaviest: 0.0,
        }
    }

    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        let saboteurs = if from.roles.is_empty() { None } else { Some(*rng.pick(&from.roles)) };
        self.draw_world(from, saboteurs, rng, into)
    }

    fn scene(&self, k: &Info) -> Scene {
        scene::known(self, k)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        scene::touched(self, k, action)
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { hidden_part: Some(self), ..InfoExtras::NONE }
    }
}

impl Saboteur {
    /// What is known of another player's cards.
    fn other(&self, k: &Info, who: Player) -> Other {
        let (seat, drawn) = (who.index(), usize::from(k.table.drawn));
        let dealt = (self.players * self.hand).min(drawn);
        let turn = |turn: usize| OwnTurn {
            used: if k.used[turn] & FACE_DOWN != 0 { UNSEEN } else { k.used[turn] },
            drew: dealt + turn < drawn,
        };
        let turns: ArrayVec<OwnTurn, MOST_CARDS> =
            (seat..k.used.len()).step_by(self.players).map(turn).collect();
        let first = (seat..dealt).step_by(self.players).count();
        let put_away = turns.iter().filter(|turn| turn.used == UNSEEN).count();
        let played = turns.len() - put_away;
        let later = turns.iter().filter(|turn| turn.drew).count();
        Other { seat, put_away, hidden: first + later - played, turns }
    }
}

/// Who the saboteurs are.
impl HiddenPart<Saboteur> for Saboteur {
    fn values(&self) -> usize {
        self.roles.len()
    }

    fn name(&self, value: usize) -> String {
        notation::outcome_name(&Outcome::Roles(self.roles[value]))
    }

    fn value(&self, s: &State) -> Option<usize> {
        s.saboteurs.and_then(|set| self.roles.binary_search(&set).ok())
    }

    fn private(&self, value: usize, seat: Player) -> u64 {
        u64::from(self.roles[value] >> seat.index() & 1)
    }

    fn prior(&self, k: &Info, belief: &mut [f64]) {
        belief.fill(0.0);
        if !k.dealt {
            return;
        }
        let most = self.roles.iter().map(|set| set.count_ones()).max();
        for set in self.possible_roles(k) {
            let full = Some(set.count_ones()) == most;
            let value = self.roles.partition_point(|&other| other < set);
            belief[value] = if self.prior == Prior::Thesis && full { 2.0 } else { 1.0 };
        }
        scale(belief);
    }

    fn propagate(&self, belief: &mut [f64], _before: &Info, after: &Info) {
        let possible: Vec<u16> = self.possible_roles(after).collect();
        for (share, set) in belief.iter_mut().zip(&self.roles) {
            if possible.binary_search(set).is_err() {
                *share = 0.0;
            }
        }
        if !scale(belief) {
            self.prior(after, belief);
        }
    }

    fn sample(&self, from: &mut Sampler, value: usize, rng: &mut Rng, into: &mut State) -> bool {
        let Some(&set) = self.roles.get(value).filter(|set| from.roles.contains(set)) else { return false };
        loop {
            let weight = self.draw_world(from, Some(set), rng, into);
            from.heaviest = from.heaviest.max(weight);
            if rng.unit() * from.heaviest < weight {
                return true;
            }
        }
    }

    fn put(&self, state: &mut State, value: usize) -> bool {
        state.saboteurs = Some(self.roles[value]);
        true
    }
}

/// Scales a belief to sum to 1; answers whether there was anything to scale.
fn scale(belief: &mut [f64]) -> bool {
    let whole: f64 = belief.iter().sum();
    if whole > 0.0 {
        belief.iter_mut().for_each(|share| *share /= whole);
    }
    whole > 0.0
}
