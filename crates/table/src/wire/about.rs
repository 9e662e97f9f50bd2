//! What games, agents and solvers are.

use fogtree_core::{Facts, spec};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::driver::roles;
use crate::erased::AnyGame;

/// What an agent or a solver is.
///
/// Printed by `fogtree agents --json` and `fogtree solve --list --json`, one line each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct About {
    /// The name in specification strings.
    pub name: String,
    /// One sentence.
    pub summary: String,
    /// Where its rules or its formula come from.
    pub source: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Other names for certain parameters.
    pub presets: Vec<Preset>,
}

/// What a game is.
///
/// Printed by `fogtree games --json`, one line each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameAbout {
    /// What every entry has.
    #[serde(flatten)]
    pub about: About,
    /// What can be said of it without playing; null if it needs parameters.
    pub facts: Option<Facts>,
    /// The roles that `fogtree match --roles` takes; only told of a single game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// What else there is to say of it; only told of a single game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// A parameter.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Param {
    /// The key.
    pub name: String,
    /// Other keys that are read as this one.
    pub aliases: Vec<String>,
    /// The value when none is given.
    pub default: String,
    /// What values it has.
    pub domain: Domain,
    /// What it means.
    pub about: String,
}

/// What values a parameter has.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Domain {
    /// The values.
    #[serde(flatten)]
    pub values: Values,
    /// A word that may stand in their place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub or: Option<String>,
}

/// Values of one kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Values {
    /// A text with a grammar of its own.
    Text,
    /// A whole number.
    Integer {
        /// The smallest.
        least: Number,
        /// The largest.
        most: Number,
    },
    /// A real number.
    Real {
        /// The smallest; null if there is none.
        least: Option<f64>,
        /// The largest; null if there is none.
        most: Option<f64>,
    },
    /// One of some words.
    Choice {
        /// The words.
        words: Vec<String>,
    },
    /// `yes` or `no`.
    Flag,
    /// A time such as `500ms`, or `none`.
    Time,
    /// A list `[a,b,...]`.
    List,
    /// The path of a file.
    File,
    /// A program with arguments.
    Command,
}

/// A name of its own for certain parameters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preset {
    /// The name.
    pub name: String,
    /// The parameters it stands for, as `key=value,...`.
    pub params: String,
    /// What it is.
    pub about: String,
}

impl GameAbout {
    /// What is told of one game among many.
    pub fn in_list(about: &spec::About, game: Option<&dyn AnyGame>) -> GameAbout {
        let facts = game.map(|game| game.facts().clone());
        GameAbout { about: about.into(), facts, roles: Vec::new(), remark: None }
    }

    /// All that is told of a game.
    pub fn in_full(about: &spec::About, game: &dyn AnyGame) -> GameAbout {
        GameAbout { roles: roles(game), remark: game.remark(), ..GameAbout::in_list(about, Some(game)) }
    }
}

impl From<&spec::About> for About {
    fn from(about: &spec::About) -> About {
        About {
            name: about.name.to_string(),
            summary: about.summary.to_string(),
            source: about.source.to_string(),
            params: about.params.iter().map(Param::from).collect(),
            presets: about.presets.iter().map(Preset::from).collect(),
        }
    }
}

impl From<&spec::Param> for Param {
    fn from(param: &spec::Param) -> Param {
        Param {
            name: param.name.to_string(),
            aliases: owned(param.aliases),
            default: param.default.to_string(),
            domain: Domain::from(&param.domain),
            about: param.about.to_string(),
        }
    }
}

impl From<&spec::Preset> for Preset {
    fn from(preset: &spec::Preset) -> Preset {
        let [name, params, about] = [preset.name, preset.params, preset.about].map(str::to_string);
        Preset { name, params, about }
    }
}

impl From<&spec::Domain> for Domain {
    fn from(domain: &spec::Domain) -> Domain {
        let whole = |n: i128| Number::from_i128(n).expect("bounds fit into 64 bits");
        let bound = |x: f64| Some(x).filter(|x| x.is_finite());
        let values = match *domain {
            spec::Domain::Text => Values::Text,
            spec::Domain::Integer(least, most) => Values::Integer { least: whole(least), most: whole(most) },
            spec::Domain::Real(least, most) => Values::Real { least: bound(least), most: bound(most) },
            spec::Domain::Choice(words) => Values::Choice { words: owned(words) },
            spec::Domain::Flag => Values::Flag,
            spec::Domain::Time => Values::Time,
            spec::Domain::List => Values::List,
            spec::Domain::File => Values::File,
            spec::Domain::Command => Values::Command,
            spec::Domain::Or(word, other) => {
                return Domain { or: Some(word.to_string()), ..Domain::from(other) };
            }
        };
        Domain { values, or: None }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}
