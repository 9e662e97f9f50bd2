//! Strategies: for every information set, how likely each action is.
//!
//! A [`Profile`] is the strategies of all players of a [`Compiled`] game as arrays. A [`StrategyFile`] is the
//! same by keys, names and words, for keeping and for playing.

use std::collections::HashMap;
use std::fmt::Write as _;

use fogtree_core::{Key, Playable, Player};
use serde::{Deserialize, Serialize};

use crate::compiled::{Compiled, Treeplex};

/// A behavioural strategy of every player.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// Of each player and sequence, how likely its last action is in its information set.
    behaviour: Vec<Vec<f64>>,
}

impl Profile {
    /// Every action is as likely as the others of its information set.
    pub fn uniform(game: &Compiled) -> Profile {
        let of = |treeplex: &Treeplex| behaviour_of(treeplex, &vec![0.0; treeplex.sequences()]);
        Profile { behaviour: game.treeplexes().iter().map(of).collect() }
    }

    /// Actions are as likely as their weights say, one per player and sequence; equally likely where all
    /// weights of an information set are 0. The plans of several strategies added up, each with its weight, so
    /// give their average.
    pub fn from_weights(game: &Compiled, weights: &[Vec<f64>]) -> Profile {
        let of = |(treeplex, weights): (&Treeplex, &Vec<f64>)| behaviour_of(treeplex, weights);
        Profile { behaviour: game.treeplexes().iter().zip(weights).map(of).collect() }
    }

    /// How likely a player's actions are, by sequence.
    pub fn of(&self, who: Player) -> &[f64] {
        &self.behaviour[who.index()]
    }

    /// How likely the actions of one information set are.
    pub fn at(&self, game: &Compiled, who: Player, set: usize) -> &[f64] {
        &self.of(who)[game.treeplex(who).actions(set)]
    }

    /// Sets how likely the actions of one information set are.
    ///
    /// # Panics
    /// If there are more or fewer probabilities than actions.
    pub fn set(&mut self, game: &Compiled, who: Player, set: usize, probabilities: &[f64]) {
        self.behaviour[who.index()][game.treeplex(who).actions(set)].copy_from_slice(probabilities);
    }

    /// The profile in which one player has the strategy it has in another profile.
    #[must_use]
    pub fn with(mut self, who: Player, other: &Profile) -> Profile {
        self.behaviour[who.index()].clone_from(&other.behaviour[who.index()]);
        self
    }

    /// Every player's plan: of each sequence, the product of the probabilities along it.
    pub fn plans(&self, game: &Compiled) -> Vec<Vec<f64>> {
        let plan = |(treeplex, behaviour): (&Treeplex, &Vec<f64>)| {
            let mut plan = vec![0.0; treeplex.sequences()];
            treeplex.plan_of(behaviour, &mut plan);
            plan
        };
        game.treeplexes().iter().zip(&self.behaviour).map(plan).collect()
    }

    /// The average of two profiles, which plays like one that draws one of them for the whole game.
    #[must_use]
    pub fn mixed(&self, other: &Profile, share: f64, game: &Compiled) -> Profile {
        let (ours, theirs) = (self.plans(game), other.plans(game));
        let mix = |(a, b): (Vec<f64>, Vec<f64>)| {
            a.iter().zip(b).map(|(a, b)| (1.0 - share) * a + share * b).collect()
        };
        Profile::from_weights(game, &ours.into_iter().zip(theirs).map(mix).collect::<Vec<_>>())
    }
}

fn behaviour_of(treeplex: &Treeplex, weights: &[f64]) -> Vec<f64> {
    let mut behaviour = vec![1.0; treeplex.sequences()];
    for (_, actions) in treeplex.iter() {
        let sum: f64 = weights[actions.clone()].iter().sum();
        let share = 1.0 / actions.len() as f64;
        for s in actions {
            behaviour[s] = if sum > 0.0 { weights[s] / sum } else { share };
        }
    }
    behaviour
}

/// Larger files of strategies are not read.
pub const LARGEST_FILE: u64 = 1 << 30;

/// Strategies as they are kept in files: JSON, one information set per line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyFile {
    /// Says what the file is.
    format: String,
    /// The specification of the game.
    pub game: String,
    /// How the strategies came about.
    pub solver: String,
    /// What to do where.
    pub infosets: Vec<Entry>,
}

/// What to do in one information set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its key.
    pub key: Key,
    /// Whose it is.
    pub seat: Player,
    /// What its player knows, for people.
    pub text: String,
    /// The names of the actions.
    pub actions: Vec<String>,
    /// How likely each is.
    pub probabilities: Vec<f64>,
}

/// Why a text is not a strategy file, or not one of this game.
#[derive(Debug, thiserror::Error)]
pub enum BadStrategy {
    /// It is not JSON of the right form.
    #[error("this is not a strategy file: {0}")]
    Json(#[from] serde_json::Error),
    /// It is JSON, but of something else.
    #[error("this is not a strategy file: its format is '{0}', not '{FORMAT}'")]
    Format(String),
    /// An information set has the wrong number of probabilities, or they do not add up to 1.
    #[error("the probabilities of information set {0} are not one for each action, not negative, in all 1")]
    Probabilities(Key),
    /// An information set has other actions in the game.
    #[error("information set {key} has the actions {expected} in this game, not {found}")]
    Actions {
        /// Its key.
        key: Key,
        /// The names in the game.
        expected: String,
        /// The names in the file.
        found: String,
    },
    /// Not one information set is known.
    #[error("none of the information sets of the file is one of this game")]
    AnotherGame,
}

const FORMAT: &str = "fogtree-strategy-1";

impl StrategyFile {
    /// The strategies of a profile, with the names of the game it was compiled from.
    pub fn new(
        game: &impl Playable,
        spec: &str,
        solver: &str,
        compiled: &Compiled,
        profile: &Profile,
    ) -> Self {
        let labels = compiled.labels(game);
        let entries = Player::all(compiled.players()).zip(labels).flat_map(|(seat, labels)| {
            let entry = move |(set, label): (usize, crate::compiled::Label)| Entry {
                key: compiled.treeplex(seat).key(set),
                seat,
                text: label.text,
                actions: label.actions,
                probabilities: profile.at(compiled, seat, set).to_vec(),
            };
            labels.into_iter().enumerate().map(entry)
        });
        StrategyFile::of_entries(spec, solver, entries.collect())
    }

    /// What to do where, in a game with this specification, and where it comes from.
    pub fn of_entries(spec: &str, solver: &str, infosets: Vec<Entry>) -> StrategyFile {
        StrategyFile {
            format: FORMAT.to_string(),
            game: spec.to_string(),
            solver: solver.to_string(),
            infosets,
        }
    }

    /// The text of the file.
    pub fn write(&self) -> String {
        let json = |text: &str| serde_json::Value::from(text).to_string();
        let (format, game, solver) = (json(&self.format), json(&self.game), json(&self.solver));
        let mut text =
            format!("{{\"format\": {format}, \"game\": {game}, \"solver\": {solver}, \"infosets\": [");
        for (i, entry) in self.infosets.iter().enumerate() {
            let entry = serde_json::to_string(entry).expect("an entry is plain data");
            write!(text, "{}\n{entry}", if i > 0 { "," } else { "" }).expect("text takes text");
        }
        text + "\n]}\n"
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<StrategyFile, BadStrategy> {
        let file: StrategyFile = serde_json::from_str(text)?;
        if file.format != FORMAT {
            return Err(BadStrategy::Format(file.format));
        }
        for entry in &file.infosets {
            let p = &entry.probabilities;
            let sum: f64 = p.iter().sum();
            if p.len() != entry.actions.len() || p.iter().any(|&p| p < 0.0) || (sum - 1.0).abs() > 1e-6 {
                return Err(BadStrategy::Probabilities(entry.key));
            }
        }
        Ok(file)
    }

    /// The strategies as a profile of the compiled game; where the file says nothing, all actions are equally
    /// likely. Also tells in how many information sets that is so.
    pub fn profile(
        &self,
        game: &impl Playable,
        compiled: &Compiled,
    ) -> Result<(Profile, usize), BadStrategy> {
        let labels = compiled.labels(game);
        let mut profile = Profile::uniform(compiled);
        let mut missing = compiled.sets();
        for entry in &self.infosets {
            let treeplex = compiled.treeplexes().get(entry.seat.index());
            let Some(set) = treeplex.and_then(|t| t.find(entry.key)) else { continue };
            let expected = &labels[entry.seat.index()][set].actions;
            if *expected != entry.actions {
                let (expected, found) = (expected.join(" "), entry.actions.join(" "));
                return Err(BadStrategy::Actions { key: entry.key, expected, found });
            }
            profile.set(compiled, entry.seat, set, &entry.probabilities);
            missing = missing.saturating_sub(1);
        }
        if missing == compiled.sets() && !self.infosets.is_empty() {
            return Err(BadStrategy::AnotherGame);
        }
        Ok((profile, missing))
    }

    /// The entries by key, for playing.
    pub fn by_key(&self) -> HashMap<Key, &Entry> {
        self.infosets.iter().map(|entry| (entry.key, entry)).collect()
    }
}
