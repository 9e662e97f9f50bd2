//! What strangers may ask for by name: nothing that reads files or runs programs, and nothing that takes more memory
//! or threads than a server has to give.

use fogtree_core::spec::shortened;
use fogtree_core::{About, BadSpec, Domain, Param, Spec};
use serde_json::Number;

use crate::wire;

/// Longer specifications are refused.
const LONGEST: usize = 32 << 10;

/// Specifications within specifications are refused below this depth.
const DEEPEST: usize = 8;

/// MiB that a search may have for its trees.
pub(crate) const MEMORY: u32 = 128;

/// The greatest number of a parameter.
struct Bound {
    /// Of this game or agent; of all agents if empty.
    of: &'static str,
    param: &'static str,
    most: i128,
}

const fn bound(of: &'static str, param: &'static str, most: i128) -> Bound {
    Bound { of, param, most }
}

/// Numbers that are too large for a server, though a person at the own machine may want them.
const BOUNDS: &[Bound] = &[
    bound("", "threads", 1),
    bound("", "memory", MEMORY as i128),
    bound("", "nodes", 300_000),
    bound("", "candidates", 100_000),
    bound("", "samples", 10_000),
    bound("", "worlds", 10_000),
    bound("rhea", "population", 10_000),
    bound("tbets", "initial", 10_000),
    bound("pimc", "iterations", 100_000),
    bound("cheating-ensemble", "iterations", 100_000),
    bound("tiigr", "most", 100_000),
    bound("ggp", "solve", 50_000),
    bound("ggp", "sweeps", 10_000),
    bound("gdl", "states", 20_000),
    bound("gdl", "worlds", 20_000),
    bound("tubstap", "particles", 10_000),
];

/// What a specification names, whether it is an agent, and the specification without other names for it.
pub(crate) type Known = (&'static About, bool, Spec);

/// What is refused, and what was left out for it.
#[derive(Clone, Debug)]
pub(crate) struct Sandbox {
    pub(crate) left_out: Vec<&'static About>,
}

/// How a parameter reaches outside the process, in words.
fn outside(domain: &Domain) -> Option<&'static str> {
    match domain {
        Domain::File => Some("it reads files"),
        Domain::Command => Some("it runs other programs"),
        Domain::Or(_, values) => outside(values),
        _ => None,
    }
}

/// The whole numbers that a parameter may be, least and most.
fn range(of: &About, is_agent: bool, param: &Param) -> Option<(i128, i128)> {
    let mut domain = &param.domain;
    while let Domain::Or(_, values) = domain {
        domain = values;
    }
    let Domain::Integer(least, most) = *domain else { return None };
    let holds = |b: &&Bound| b.param == param.name && (b.of == of.name || is_agent && b.of.is_empty());
    Some((least, BOUNDS.iter().filter(holds).map(|b| b.most).fold(most, i128::min)))
}

impl Sandbox {
    /// Whether agents that have these parameters are of use.
    pub(crate) fn keeps(about: &About) -> bool {
        about.params.iter().all(|param| outside(&param.domain).is_none())
    }

    /// Refuses texts that are too long to be looked into.
    pub(crate) fn measure(text: &str) -> Result<(), BadSpec> {
        let what = "it is too long".to_string();
        if text.len() > LONGEST { Err(BadSpec::Syntax { text: shortened(text), what }) } else { Ok(()) }
    }

    /// Refuses what was left out.
    pub(crate) fn knows(&self, spec: &Spec) -> Result<(), BadSpec> {
        let named = |about: &&&'static About| about.name == spec.name;
        let Some(about) = self.left_out.iter().find(named) else { return Ok(()) };
        let why = about.params.iter().find_map(|param| outside(&param.domain)).unwrap_or("it was left out");
        Err(BadSpec::Refused { of: spec.name.clone(), why: why.to_string() })
    }

    /// The specification with all bounds kept, if what it asks for may be had. `find` finds games and agents.
    pub(crate) fn admit(
        &self,
        (about, is_agent, spec): Known,
        find: &dyn Fn(&Spec) -> Option<Known>,
        depth: usize,
    ) -> Result<Spec, BadSpec> {
        let refused = |of: String, why: &str| BadSpec::Refused { of, why: why.to_string() };
        if depth > DEEPEST {
            return Err(refused(shortened(&spec.to_string()), "it is nested too deeply"));
        }
        let mut admitted = spec.clone();
        for (key, value) in &mut admitted.params {
            let Some(param) = about.param(key) else { continue };
            if let Some(why) = outside(&param.domain) {
                return Err(refused(format!("{}({key}=...)", about.name), why));
            }
            if let (Domain::Text, Ok(inner)) = (param.domain, value.parse::<Spec>()) {
                self.knows(&inner)?;
                if let Some(known) = find(&inner) {
                    let plain = known.2.clone();
                    let kept = self.admit(known, find, depth + 1)?;
                    if kept != plain {
                        *value = kept.to_string();
                    }
                }
            }
        }
        for param in about.params {
            let Some((least, most)) = range(about, is_agent, param) else { continue };
            let given = admitted.params.iter().find(|(key, _)| param.is(key));
            let number = given.map_or(param.default, |(_, value)| value).parse::<i128>();
            match (given, number) {
                (_, Err(_)) => {}
                (_, Ok(number)) if number <= most => {}
                (None, _) => admitted.params.push((param.name.to_string(), most.to_string())),
                (Some(_), _) => {
                    let expected = format!("a number from {least} to {most}");
                    return Err(about.params(&spec)?.bad(param.name, expected));
                }
            }
        }
        Ok(admitted)
    }

    /// What is told of a game or an agent: the parameters that may be given, with the values that they may have.
    pub(crate) fn offer(about: &'static About, is_agent: bool) -> wire::About {
        let mut offered = wire::About::from(about);
        let allowed = about.params.iter().filter(|param| outside(&param.domain).is_none());
        let narrowed = allowed.map(|param| {
            let mut told = wire::Param::from(param);
            if let (Some((_, bound)), wire::Values::Integer { most, .. }) =
                (range(about, is_agent, param), &mut told.domain.values)
            {
                *most = Number::from_i128(bound).expect("bounds fit into 64 bits");
                if param.default.parse::<i128>().is_ok_and(|default| default > bound) {
                    told.default = bound.to_string();
                }
            }
            told
        });
        offered.params = narrowed.collect();
        offered
    }
}
