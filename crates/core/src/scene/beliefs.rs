//! What stands where in worlds that agree with what an observer knows.

use serde::{Deserialize, Serialize};

use super::{Content, Scene, Token};

/// What stands where in how many of the worlds that were drawn, where they differ.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beliefs {
    /// How many worlds were drawn.
    pub worlds: usize,
    /// Spots of boards and graphs on which not the same stands in all worlds.
    pub spots: Vec<Shares>,
    /// Zones of cards in which not the same lies in all worlds, in whatever order.
    pub zones: Vec<Shares>,
}

/// What stands on a spot or lies in a zone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shares {
    /// The spot or the zone.
    pub spot: String,
    /// What stands there, the likeliest first; in the rest of the worlds nothing does.
    pub shares: Vec<Share>,
}

/// A token and how likely it is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Share {
    /// What stands there.
    #[serde(flatten)]
    pub token: Token,
    /// In which part of the weight of all worlds.
    pub share: f64,
}

/// Tokens with the weight of the worlds they were met in.
#[derive(Default)]
struct Count(Vec<(Token, f64)>);

impl Count {
    fn add(&mut self, token: &Token, weight: f64) {
        match self.0.iter_mut().find(|(met, _)| met == token) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((token.clone(), weight)),
        }
    }

    /// The shares, unless the same tokens were met in all worlds.
    fn shares(self, spot: String, total: f64) -> Option<Shares> {
        let mut shares: Vec<Share> =
            self.0.into_iter().map(|(token, sum)| Share { token, share: (sum / total).min(1.0) }).collect();
        shares.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.token.label.cmp(&b.token.label)));
        let uncertain = shares.iter().any(|s| s.share < 1.0 - 1e-9);
        uncertain.then_some(Shares { spot, shares })
    }
}

impl Beliefs {
    /// Counts what stands where in worlds, given by the scenes of their true states and their weights.
    pub fn count(worlds: &[(Scene, f64)]) -> Beliefs {
        let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
        let mut beliefs = Beliefs { worlds: worlds.len(), ..Beliefs::default() };
        let Some((first, _)) = worlds.first().filter(|_| total > 0.0) else { return beliefs };
        for zone in &first.zones {
            let same = || {
                worlds.iter().filter_map(|(s, w)| Some((s.zones.iter().find(|z| z.name == zone.name)?, *w)))
            };
            match &zone.content {
                Content::Board(_) | Content::Graph(_) => {
                    let worlds: Vec<_> = same().map(|(other, w)| (other.content.places(), w)).collect();
                    for (i, (place, _)) in zone.content.places().into_iter().enumerate() {
                        let mut count = Count::default();
                        for (places, weight) in &worlds {
                            let here = places.get(i).filter(|other| other.0 == place);
                            here.iter().flat_map(|other| other.1).for_each(|token| count.add(token, *weight));
                        }
                        beliefs.spots.extend(count.shares(format!("{}/{place}", zone.name), total));
                    }
                }
                Content::Cards(_) => {
                    let mut count = Count::default();
                    for (other, weight) in same() {
                        let mut met: Vec<&Token> = Vec::new();
                        for token in other.content.places().into_iter().flat_map(|(_, tokens)| tokens) {
                            if !met.contains(&token) {
                                met.push(token);
                            }
                        }
                        met.into_iter().for_each(|token| count.add(token, weight));
                    }
                    beliefs.zones.extend(count.shares(zone.name.clone(), total));
                }
                Content::Table(_) | Content::Text { .. } => {}
            }
        }
        beliefs
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Cards, Zone};
    use super::*;
    use crate::Player;

    #[test]
    fn what_differs_between_worlds_is_counted_by_weight() {
        let world = |x: usize, card: &str| {
            let mut board = Board::lettered(2, 1);
            board.cell(x, 0).put(Token::cross(Player(0)));
            let hand = Cards::hand([("0".to_string(), Token::card(card, None))]);
            Scene::default().with(Zone::board("board", board)).with(Zone::cards("hand", hand))
        };
        let beliefs = Beliefs::count(&[(world(0, "K"), 1.0), (world(1, "K"), 3.0)]);
        let spots: Vec<_> = beliefs.spots.iter().map(|s| (&*s.spot, s.shares[0].share)).collect();
        assert_eq!(spots, [("board/a1", 0.25), ("board/b1", 0.75)]);
        assert_eq!((beliefs.worlds, beliefs.zones.len()), (2, 0), "the card is the same");
    }
}
