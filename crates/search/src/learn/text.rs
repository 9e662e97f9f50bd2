//! Enhancements as text.
//!
//! A component is written as games and agents are, `mast(policy=ucb1,c=0.7)`; operators combine them, the first
//! binding tightest:
//!
//! | | |
//! |---|---|
//! | `0.3*a` | with this weight; without any, all have the same |
//! | `a^b` | maxilinear: weighted values are added up, the greatest decides |
//! | `a+b` | linear: one of them, drawn by weight, decides |
//! | `a\|b` | majority: each votes, by weight, for what it finds best |
//! | `a>b` | sequential: `a` in the tree, `b` in the simulation |
//! | `a>b>c` | `a` where all moves have been tried, `b` among the untried, `c` in the simulation |
//!
//! Without `>`, components that work only in the tree (`rave`, `amaf`, `bias`, `unprune`, `history`, `fuzzy`) go there, the others into
//! the simulation: `rave+mast+lgrf` is `rave > mast+lgrf`. An expression with `base` in it and without `>` holds
//! for whole playouts. `auto`, which finds out what to use, stands alone. The names of Whitehouse 2014, Table 8.1
//! (`-`, `E`, `RML`, ...) stand for themselves.

use std::str::FromStr;

use fogtree_core::{About, Param, Params, Preset, Spec};

use super::enhance::{
    Amaf, Auto, Capture, Component, Context, Enhance, Episodes, Explore, Fuzzy, LONGEST, Learning,
    MOST_TERMS, Mix, Operator, Policy, Reply, SeenBy, Term, Unprune, Values,
};
use crate::EXPLORATION;

/// A text that is no enhancement, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadEnhance(String);

fn bad<T>(why: impl Into<String>) -> Result<T, BadEnhance> {
    Err(BadEnhance(why.into()))
}

const POLICY: &str = "ucb1, gibbs, greedy or roulette";
const KEEP: Param = Param { name: "keep", default: "no", about: "keep records from move to move: yes or no" };
const C: Param = Param { name: "c", default: "0.7", about: "exploration constant of ucb1" };
const TAU: Param = Param { name: "tau", default: "1", about: "temperature of gibbs" };
const EPSILON: Param = Param { name: "epsilon", default: "0.2", about: "probability of exploring of greedy" };
const EXPLORE: Param = Param {
    name: "explore",
    default: "others",
    about: "among which actions greedy explores: others (than the best) or all",
};
const UNTRIED: Param =
    Param { name: "untried", default: "1", about: "what untried actions are worth, but to ucb1" };
const CAPTURE: Param =
    Param { name: "capture", default: "playout", about: "moves learnt from: playout (all) or tree" };
const SIGHT: Param = Param {
    name: "sight",
    default: "mover",
    about: "moves before count as seen by: mover (who acts) or public (records are shared between states that only \
            their player can tell apart)",
};
const GIBBS: Param = Param { name: "policy", default: "gibbs", about: POLICY };
const UCB1: Param = Param { name: "policy", default: "ucb1", about: POLICY };

static BASE: About = About {
    name: "base",
    summary: "Upper confidence bounds in the tree, uniformly random below it",
    source: "icarus 2.3",
    params: &[],
    presets: &[Preset { name: "uniform", params: "", about: "the same, said of a simulation" }],
    tiny: "",
};
static MAST: About = About {
    name: "mast",
    summary: "Values of actions wherever they are played",
    source: "Whitehouse 2014, Spec. 3; icarus 2.4, 3.2",
    params: &[GIBBS, C, TAU, EPSILON, EXPLORE, UNTRIED, CAPTURE, KEEP],
    presets: &[Preset { name: "to-mast", params: "capture=tree", about: "learns from moves in the tree" }],
    tiny: "",
};
static NAST: About = About {
    name: "nast",
    summary: "Values of actions after the moves before them",
    source: "Whitehouse 2014, Spec. 5; icarus 2.4, 3.2",
    params: &[
        Param { name: "n", default: "2", about: "length of the n-grams, 1 to 8" },
        Param {
            name: "backoff",
            default: "0",
            about: "trials without which shorter n-grams are asked; 0 = never",
        },
        SIGHT,
        UCB1,
        C,
        TAU,
        EPSILON,
        EXPLORE,
        UNTRIED,
        CAPTURE,
        KEEP,
    ],
    presets: &[],
    tiny: "",
};
static PAST: About = About {
    name: "past",
    summary: "Values of actions by what holds in the state: the game's features, or else the label of the episode",
    source: "Finnsson and Björnsson 2010; icarus 2.4",
    params: &[
        Param {
            name: "least",
            default: "3",
            about: "trials of an action with a feature beyond which these count",
        },
        GIBBS,
        C,
        TAU,
        EPSILON,
        EXPLORE,
        UNTRIED,
        CAPTURE,
        KEEP,
    ],
    presets: &[],
    tiny: "",
};
static FAST: About = About {
    name: "fast",
    summary: "Values of the game's features, or else of actions, learnt by temporal differences",
    source: "Finnsson and Björnsson 2010; icarus 2.4",
    params: &[
        Param { name: "lambda", default: "0.8", about: "how far rewards reach back, 0 to 1" },
        Param { name: "step", default: "0.01", about: "least step size, 0 to 1" },
        GIBBS,
        C,
        TAU,
        EPSILON,
        EXPLORE,
        UNTRIED,
        KEEP,
    ],
    presets: &[],
    tiny: "",
};
static TILES: About = About {
    name: "tiles",
    summary: "Values of pairs of actions of one player in a playout, in any order",
    source: "icarus 2.4",
    params: &[UCB1, C, TAU, EPSILON, EXPLORE, UNTRIED, KEEP],
    presets: &[],
    tiny: "",
};
static LGR: About = About {
    name: "lgr",
    summary: "The last good reply to a move",
    source: "Whitehouse 2014, Spec. 4; icarus 2.4",
    params: &[
        Param {
            name: "good",
            default: "0.5",
            about: "a reward above this is good, on the scale from 0 to 1",
        },
        Param { name: "forget", default: "no", about: "whether a reply that failed is forgotten: yes or no" },
        SIGHT,
        KEEP,
    ],
    presets: &[Preset { name: "lgrf", params: "forget=yes", about: "with forgetting" }],
    tiny: "",
};
static EPIC: About = About {
    name: "epic",
    summary: "Trees of the game's episodes, wherever these take place",
    source: "Whitehouse 2014, Spec. 7; icarus 2.8",
    params: &[C, SIGHT, KEEP],
    presets: &[],
    tiny: "",
};
const PLAYED: Param =
    Param { name: "played", default: "yes", about: "whether the move played counts too: yes or no" };
static AMAF: About = About {
    name: "amaf",
    summary: "All moves as first, in the tree",
    source: "Whitehouse 2014, Spec. 2; icarus 2.4",
    params: &[C, PLAYED],
    presets: &[],
    tiny: "",
};
static RAVE: About = About {
    name: "rave",
    summary: "All moves as first, less and less as a node is visited, in the tree",
    source: "Whitehouse 2014, eqs. 8.2, 8.3; icarus 2.4",
    params: &[
        Param { name: "k", default: "250", about: "visits at which both values count the same" },
        C,
        PLAYED,
    ],
    presets: &[],
    tiny: "",
};
static BIAS: About = About {
    name: "bias",
    summary: "Progressive bias by the game's own evaluation, in the tree",
    source: "icarus 2.4",
    params: &[Param { name: "w", default: "1", about: "weight of the evaluation" }],
    presets: &[],
    tiny: "",
};
static UNPRUNE: About = About {
    name: "unprune",
    summary: "Progressive unpruning: the moves that the game's own evaluation finds best come first, in the tree",
    source: "Chaslot and others 2008; icarus 2.4",
    params: &[
        Param { name: "first", default: "5", about: "moves considered from the beginning, 1 to 1000" },
        Param { name: "after", default: "50", about: "visits after which there is one more whenever ..." },
        Param { name: "factor", default: "1.3", about: "... they have grown by this factor, 1.01 to 100" },
    ],
    presets: &[],
    tiny: "",
};
static HISTORY: About = About {
    name: "history",
    summary: "Progressive history: a bias by the values of actions anywhere, in the tree",
    source: "Nijssen and Winands 2011; icarus 2.4",
    params: &[Param { name: "w", default: "3", about: "weight of the history" }],
    presets: &[],
    tiny: "",
};

static FUZZY: About = About {
    name: "fuzzy",
    summary: "Means that narrow from n-grams of growing length to the node as trials come in, in the tree",
    source: "Powley and others 2013, section VI; icarus 3.5",
    params: &[
        Param { name: "n", default: "2", about: "length of the longest n-grams, 1 to 8" },
        Param { name: "k", default: "30", about: "trials that a wider context counts as, 0.01 to 1000000" },
    ],
    presets: &[],
    tiny: "",
};
static AUTO: About = About {
    name: "auto",
    summary: "Whichever of mast, nast and epic is found to foretell rewards best while searching, or nothing",
    source: "icarus 4.2.11, 2.5",
    params: &[
        Param {
            name: "watch",
            default: "0.3",
            about: "largest share of the iterations before anything is used, to 0.9",
        },
        Param {
            name: "least",
            default: "0.06",
            about: "correlation of records and rewards in playouts without which nothing is used",
        },
        Param { name: "keep", default: "no", about: "keep records from move to move: yes or no" },
    ],
    presets: &[],
    tiny: "",
};

/// The components that exist.
pub const COMPONENTS: &[&About] = &[
    &BASE, &MAST, &NAST, &PAST, &FAST, &TILES, &LGR, &EPIC, &AMAF, &RAVE, &BIAS, &UNPRUNE, &HISTORY, &FUZZY,
    &AUTO,
];

impl FromStr for Component {
    type Err = BadEnhance;

    fn from_str(text: &str) -> Result<Component, BadEnhance> {
        let read = || {
            let spec: Spec = text.parse()?;
            let (about, spec) = About::find(COMPONENTS.iter().copied(), "enhancement", &spec)?;
            component(about.name, &about.params(&spec)?)
        };
        read().map_err(|e| BadEnhance(e.to_string()))
    }
}

fn component(name: &str, p: &Params) -> Result<Component, fogtree_core::BadSpec> {
    let c = || p.number("c", 0.0..=1000.0);
    let capture = || p.choice("capture", &[("playout", Capture::Playout), ("tree", Capture::Tree)]);
    let sight = || p.choice("sight", &[("mover", SeenBy::Mover), ("public", SeenBy::Public)]);
    let amaf = || Ok(Amaf { c: c()?, played: p.flag("played")? });
    Ok(match name {
        "mast" => values(p, Context::Nothing, Learning::Mean, capture()?)?,
        "nast" => {
            let n = p.number("n", 1..=LONGEST)?;
            let context = Context::Grams { n, backoff: p.number("backoff", 0..=u32::MAX)?, sight: sight()? };
            values(p, context, Learning::Mean, capture()?)?
        }
        "past" => {
            let context = Context::Predicates { least: p.number("least", 0..=1_000_000)? };
            values(p, context, Learning::Mean, capture()?)?
        }
        "fast" => {
            let (lambda, step) = (p.number("lambda", 0.0..=1.0)?, p.number("step", 0.0..=1.0)?);
            values(p, Context::Nothing, Learning::Td { lambda, step }, Capture::Playout)?
        }
        "tiles" => values(p, Context::Own, Learning::Mean, Capture::Playout)?,
        "lgr" => {
            let good = p.number("good", 0.0..=1.0)?;
            let (forget, keep) = (p.flag("forget")?, p.flag("keep")?);
            Component::Reply(Reply { forget, good, sight: sight()?, keep })
        }
        "epic" => Component::Episodes(Episodes { c: c()?, sight: sight()?, keep: p.flag("keep")? }),
        "amaf" => Component::Amaf(amaf()?),
        "rave" => Component::Rave { k: p.number("k", 0.0..=1e9)?, amaf: amaf()? },
        "bias" => Component::Bias { weight: p.number("w", 0.0..=1e6)? },
        "unprune" => Component::Unprune(Unprune {
            first: p.number("first", 1..=1000)?,
            after: p.number("after", 1.0..=1e9)?,
            factor: p.number("factor", 1.01..=100.0)?,
        }),
        "history" => Component::History { weight: p.number("w", 0.0..=1e6)? },
        "fuzzy" => {
            Component::Fuzzy(Fuzzy { n: p.number("n", 1..=LONGEST)?, k: p.number("k", 0.01..=1_000_000.0)? })
        }
        "auto" => {
            let (watch, least) = (p.number("watch", 0.0..=0.9)?, p.number("least", 0.0..=1.0)?);
            Component::Auto(Auto { watch, least, keep: p.flag("keep")? })
        }
        _ => Component::Base,
    })
}

fn values(
    p: &Params,
    context: Context,
    learning: Learning,
    capture: Capture,
) -> Result<Component, fogtree_core::BadSpec> {
    let explore = p.choice("explore", &[("others", Explore::Others), ("all", Explore::All)])?;
    let policies = [
        ("ucb1", Policy::Ucb1 { c: p.number("c", 0.0..=1000.0)? }),
        ("gibbs", Policy::Gibbs { tau: p.number("tau", 1e-6..=1e6)? }),
        ("greedy", Policy::Greedy { epsilon: p.number("epsilon", 0.0..=1.0)?, explore }),
        ("roulette", Policy::Roulette),
    ];
    Ok(Component::Values(Values {
        context,
        policy: p.choice("policy", &policies)?,
        learning,
        capture,
        untried: p.number("untried", 0.0..=1.0)?,
        keep: p.flag("keep")?,
    }))
}

/// The parts between those signs that stand outside all brackets.
fn split(text: &str, sign: char) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if c == sign && depth == 0 => {
                parts.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}

fn term(text: &str) -> Result<(Option<f64>, Component), BadEnhance> {
    if text.is_empty() {
        return bad("a component is missing beside '+', '^', '|' or '>'");
    }
    match split(text, '*')[..] {
        [one] => Ok((None, one.parse()?)),
        [weight, one] => match weight.parse::<f64>() {
            Ok(w) if w >= 0.0 && w.is_finite() => Ok((Some(w), one.parse()?)),
            _ => bad(format!("'{weight}' is not a weight, which is a number from 0 up")),
        },
        _ => bad(format!("'{text}' has more than one weight")),
    }
}

/// Terms with their weights; all are given or none.
fn weighed(operator: Operator, terms: &[(Option<f64>, Component)]) -> Result<Mix, BadEnhance> {
    if terms.len() > MOST_TERMS {
        return bad(format!("there are more than {MOST_TERMS} components"));
    }
    let given = terms.iter().filter(|t| t.0.is_some()).count();
    if given != 0 && given != terms.len() {
        return bad("either all components have weights or none");
    }
    if terms.len() > 1 && terms.iter().any(|t| matches!(t.1, Component::Auto(_))) {
        return bad(AUTO_ALONE);
    }
    if let (Operator::Maxilinear, Some(t)) = (operator, terms.iter().find(|t| !t.1.has_values())) {
        return bad(format!("'{}' has no values to add to others with '^'; with policy=ucb1 it may", t.1));
    }
    let terms: Vec<(f64, Component)> = terms.iter().map(|t| (t.0.unwrap_or(1.0), t.1)).collect();
    Mix::new(operator, &terms).ok_or_else(|| BadEnhance("some weight must be above 0".to_string()))
}

fn mix(text: &str) -> Result<Mix, BadEnhance> {
    let signs = [(Operator::Linear, '+'), (Operator::Maxilinear, '^'), (Operator::Majority, '|')];
    let used: Vec<_> = signs.into_iter().filter(|(_, sign)| split(text, *sign).len() > 1).collect();
    let (operator, sign) = match used[..] {
        [] => signs[0],
        [one] => one,
        _ => return bad("'+', '^' and '|' cannot be mixed"),
    };
    let terms: Result<Vec<_>, _> = split(text, sign).into_iter().map(term).collect();
    weighed(operator, &terms?)
}

/// What is written for the simulation must be able to decide there.
fn below_tree(mix: Mix) -> Result<Mix, BadEnhance> {
    if let Some(t) = mix.terms().iter().find(|t| t.component.is_for_tree()) {
        return bad(format!("'{}' works only in the tree, before '>'", t.component));
    }
    if mix.operator != Operator::Linear && mix.terms().iter().any(|t| t.component == Component::Base) {
        return bad("'base' has no values in the simulation");
    }
    Ok(mix)
}

/// An expression without `>`.
fn bare(text: &str) -> Result<Enhance, BadEnhance> {
    let whole = mix(text)?;
    let terms = whole.terms();
    if terms.iter().any(|t| t.component == Component::Base) {
        // Where there is no tree all that works in it is uniform.
        let below = |c: Component| if c.is_for_tree() { Component::Base } else { c };
        let terms: Vec<_> = terms.iter().map(|t| (f64::from(t.weight), below(t.component))).collect();
        let simulate = match whole.operator {
            Operator::Linear => Mix::new(Operator::Linear, &terms).expect("the weights are the same"),
            Operator::Maxilinear => return bad("say what the simulation does: 'a^b > c'"),
            Operator::Majority => return bad("say what the simulation does: 'a|b > c'"),
        };
        return Ok(Enhance { select: whole, expand: Mix::BASE, simulate });
    }
    let part = |tree: bool| -> Mix {
        let some = terms.iter().filter(|t| t.component.is_for_tree() == tree);
        let some: Vec<_> = some.map(|t| (f64::from(t.weight), t.component)).collect();
        Mix::new(whole.operator, &some).unwrap_or(Mix::BASE)
    };
    Ok(Enhance { select: part(true), expand: Mix::BASE, simulate: part(false) })
}

const AUTO_ALONE: &str = "'auto' finds out by itself what to use, and stands alone";

/// Who finds out what to use is not to be told what else to use.
fn alone_if_auto(enhance: Enhance) -> Result<Enhance, BadEnhance> {
    let auto = |t: &&Term| matches!(t.component, Component::Auto(_));
    let Some(term) = enhance.mixes().flat_map(|mix| mix.terms()).find(auto) else { return Ok(enhance) };
    match enhance == (Enhance { simulate: Mix::of(term.component), ..Enhance::BASE }) {
        true => Ok(enhance),
        false => bad(AUTO_ALONE),
    }
}

/// A name of Table 8.1: letters for what is combined.
fn table(text: &str) -> Option<Enhance> {
    if !text.chars().all(|c| "ERML".contains(c)) || text.is_empty() || text.len() > 4 {
        return None;
    }
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters.dedup();
    if letters.len() != text.len() {
        return None;
    }
    let named = |names: &[(char, &str)]| -> Vec<Component> {
        let used = names.iter().filter(|(letter, _)| letters.contains(letter));
        used.map(|(_, name)| name.parse().expect("they exist")).collect()
    };
    Some(Enhance {
        select: Mix::even(&named(&[('R', "rave")])).unwrap_or(Mix::BASE),
        expand: Mix::BASE,
        simulate: Mix::even(&named(&[('M', "mast"), ('L', "lgrf"), ('E', "epic")])).unwrap_or(Mix::BASE),
    })
}

impl FromStr for Enhance {
    type Err = BadEnhance;

    fn from_str(text: &str) -> Result<Enhance, BadEnhance> {
        let text = text.trim();
        if ["-", "none", ""].contains(&text) {
            return Ok(Enhance::BASE);
        }
        if let Some(named) = table(text) {
            return Ok(named);
        }
        let read = match split(text, '>')[..] {
            [all] => bare(all),
            [tree, simulation] => {
                Ok(Enhance { select: mix(tree)?, expand: Mix::BASE, simulate: below_tree(mix(simulation)?)? })
            }
            [select, expand, simulation] => Ok(Enhance {
                select: mix(select)?,
                expand: below_tree(mix(expand)?)?,
                simulate: below_tree(mix(simulation)?)?,
            }),
            _ => bad("there are at most two '>': selection > expansion > simulation"),
        };
        read.and_then(alone_if_auto)
    }
}

const _: () = assert!(EXPLORATION == 0.7, "the defaults above are the constant of the tree");

#[cfg(test)]
mod tests;
