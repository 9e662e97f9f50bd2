//! Who knows what in Hearts: the views of the seats and the public, and worlds drawn from them.

use fogtree_core::{Game, InfoExtras, Observation, Observer, Player, Players, Rng, Scene, Witnessed};
use serde::{Deserialize, Serialize};

use super::{Action, Hearts, MOST_LISTED, Phase, SEATS, State, points, seen};
use crate::cards::{Card, Cards, Dealer, number_of_deals};
use crate::words::{counted, does, joined};

/// What an observer knows: the state without the cards it has not seen. Cards it has passed it knows to be
/// where they went; of all passed cards it knows those it gave and those it was given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Info {
    pub(super) by: Observer,
    pub(super) seen: State,
}

/// Deals the unseen cards, and draws which of them were passed.
#[derive(Clone, Debug)]
pub struct Sampler {
    known: Info,
    dealer: Option<Dealer>,
}

impl Game for Hearts {
    type Info = Info;
    type Sampler = Sampler;

    fn info(&self, s: &State, by: Observer) -> Info {
        let mut seen = *s;
        seen.round = s.round.seen_by(by);
        seen.passed = match (by.seat(), s.phase) {
            (None, _) => Cards::NONE,
            (Some(p), Phase::Play) => {
                let to = self.receiver(s.rounds, p);
                let given = s.passed & s.round.held[to];
                seen.round.held[to] |= given;
                given | s.passed & s.round.held[p]
            }
            (Some(p), _) => s.passed & s.round.held[p],
        };
        Info { by, seen }
    }

    fn sampler(&self, k: &Info) -> Sampler {
        let dealt = matches!(k.seen.phase, Phase::Pass(_) | Phase::Play);
        Sampler {
            known: *k,
            dealer: dealt.then(|| {
                let dealer = k.seen.round.dealer(self.deck, self.players, self.hand);
                dealer.expect("what is known happened in some world")
            }),
        }
    }

    /// All worlds are equally likely: what was passed unseen is a certain number of certain players' cards,
    /// however the cards lie.
    #[inline]
    fn sample(&self, from: &mut Sampler, rng: &mut Rng, into: &mut State) -> f64 {
        *into = from.known.seen;
        let Some(dealer) = &from.dealer else { return 1.0 };
        into.round.complete(self.players, dealer, rng);
        let (whose, count) = self.hidden_passes(&from.known);
        for p in whose.iter() {
            into.passed |= into.round.held[p].random_subset(count, rng);
        }
        1.0
    }

    fn enumerate(&self, k: &Info, out: &mut Vec<(State, f64)>) -> bool {
        let Some(dealer) = self.sampler(k).dealer else {
            out.push((k.seen, 1.0));
            return true;
        };
        let (whose, count) = self.hidden_passes(k);
        let passes = number_of_deals(self.hand, [count]).powi(whose.len() as i32);
        let few = dealer.deals() * passes <= MOST_LISTED;
        if few {
            k.seen.round.each_completion(self.deck, self.players, self.hand, |round| {
                let mut worlds = vec![State { round, ..k.seen }];
                for p in whose.iter() {
                    let mut more = Vec::new();
                    for world in &worlds {
                        for cards in round.held[p].subsets(count) {
                            more.push(State { passed: world.passed | cards, ..*world });
                        }
                    }
                    worlds = more;
                }
                out.extend(worlds.into_iter().map(|s| (s, 1.0)));
            });
        }
        few
    }

    fn scene(&self, k: &Info) -> Scene {
        self.drawn(&k.seen, k.by, false)
    }

    fn spots(&self, k: &Info, _: Player, action: Action) -> Vec<String> {
        self.touched(k.by, action)
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        let (before, after) = (&step.before.seen, &step.after.seen);
        let card = match (step.own, step.seen.map(Observation::first)) {
            (Some(Action::Play(card)), _) => Some(card),
            (None, Some(word)) if word >= seen::PLAY => Card::numbered(word % seen::PLAY),
            _ => None,
        };
        let trick = card.and_then(|card| self.tricks.taken(&before.round, card, Cards::NONE));
        let taken = trick.map(|(by, trick)| {
            let points = match points(trick) {
                0 => String::new(),
                points => format!(" with {}", counted(points, "point")),
            };
            format!("{} the trick{points}", does(by, step.by, "takes"))
        });
        let over = (after.rounds > before.rounds)
            .then(|| format!("the round is over, points {}", self.listed(&after.scores)));
        joined([step.words, taken, over])
    }

    fn info_extras(&self) -> InfoExtras<'_, Self> {
        InfoExtras { tensors: Some(self), ..InfoExtras::NONE }
    }
}

impl Hearts {
    /// The players who hold cards that were chosen or passed out of the observer's sight, and how many each.
    #[inline]
    fn hidden_passes(&self, k: &Info) -> (Players, usize) {
        let rounds = k.seen.rounds;
        match k.seen.phase {
            Phase::Pass(chosen) => (self.seats().filter(|&p| !k.by.is(p)).collect(), usize::from(chosen)),
            Phase::Play if self.distance(rounds) > 0 => {
                let unseen =
                    self.seats().filter(|&from| !k.by.is(from) && !k.by.is(self.receiver(rounds, from)));
                (unseen.map(|from| self.receiver(rounds, from)).collect(), self.pass)
            }
            _ => (Players::default(), 0),
        }
    }

    /// The points of every player.
    fn listed(&self, points: &[u8; SEATS]) -> String {
        points[..self.players].iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
    }
}
