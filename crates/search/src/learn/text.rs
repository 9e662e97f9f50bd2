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

use fogtree_core::{About, Domain, Param, Params, Preset, Spec};

use super::enhance::{
    Amaf, Auto, Capture, Component, Context, Enhance, Episodes, Explore, Fuzzy, LONGEST, Learning,
    MOST_TERMS, Mix, Operator, Policy, Reply, Term, Unprune, Values,
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
const POLICIES: Domain = Domain::Choice(&["ucb1", "gibbs", "greedy", "roulette"]);
const KEEP: Param = Param::new("keep", "no", Domain::Flag, "keep records from move to move: yes or no");
const C: Param = Param::new("c", "0.7", Domain::Real(0.0, 1000.0), "exploration constant of ucb1");
const TAU: Param = Param::new("tau", "1", Domain::Real(1e-6, 1e6), "temperature of gibbs");
const EPSILON: Param =
    Param::new("epsilon", "0.2", Domain::Real(0.0, 1.0), "probability of exploring of greedy");
const EXPLORE: Param = Param::new(
    "explore",
    "others",
    Domain::Choice(&["others", "all"]),
    "among which actions greedy explores: others (than the best) or all",
);
const UNTRIED: Param =
    Param::new("untried", "1", Domain::Real(0.0, 1.0), "what untried actions are worth, but to ucb1");
const CAPTURE: Param = Param::new(
    "capture",
    "playout",
    Domain::Choice(&["playout", "tree"]),
    "moves learnt from: playout (all) or tree",
);
const GIBBS: Param = Param::new("policy", "gibbs", POLICIES, POLICY);
const UCB1: Param = Param::new("policy", "ucb1", POLICIES, POLICY);

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
static NAST: About = About::new(
    "nast",
    "Values of actions after the moves before them",
    "Whitehouse 2014, Spec. 5; icarus 2.4, 3.2",
    &[
        Param::new("n", "2", Domain::Integer(1, LONGEST as i128), "length of the n-grams, 1 to 8"),
        Param::new(
            "backoff",
            "0",
            Domain::Integer(0, u32::MAX as i128),
            "trials without which shorter n-grams are asked; 0 = never",
        ),
        UCB1,
        C,
        TAU,
        EPSILON,
        EXPLORE,
        UNTRIED,
        CAPTURE,
        KEEP,
    ],
);
static PAST: About = About::new(
    "past",
    "Values of actions by what holds in the state: the game's features, or else the label of the episode",
    "Finnsson and Björnsson 2010; icarus 2.4",
    &[
        Param::new(
            "least",
            "3",
            Domain::Integer(0, 1_000_000),
            "trials of an action with a feature beyond which these count",
        ),
        GIBBS,
        C,
        TAU,
        EPSILON,
        EXPLORE,
        UNTRIED,
        CAPTURE,
        KEEP,
    ],
);
static FAST: About = About::new(
    "fast",
    "Values of the game's features, or else of actions, learnt by temporal differences",
    "Finnsson and Björnsson 2010; icarus 2.4",
    &[
        Param::new("lambda", "0.8", Domain::Real(0.0, 1.0), "how far rewards reach back, 0 to 1"),
        Param::new("step", "0.01", Domain::Real(0.0, 1.0), "least step size, 0 to 1"),
        GIBBS,
        C,
        TAU,
        EPSILON,
        EXPLORE,
        UNTRIED,
        KEEP,
    ],
);
static TILES: About = About::new(
    "tiles",
    "Values of pairs of actions of one player in a playout, in any order",
    "icarus 2.4",
    &[UCB1, C, TAU, EPSILON, EXPLORE, UNTRIED, KEEP],
);
static LGR: About = About {
    name: "lgr",
    summary: "The last good reply to a move",
    source: "Whitehouse 2014, Spec. 4; icarus 2.4",
    params: &[
        Param::new(
            "good",
            "0.5",
            Domain::Real(0.0, 1.0),
            "a reward above this is good, on the scale from 0 to 1",
        ),
        Param::new("forget", "no", Domain::Flag, "whether a reply that failed is forgotten: yes or no"),
        KEEP,
    ],
    presets: &[Preset { name: "lgrf", params: "forget=yes", about: "with forgetting" }],
    tiny: "",
};
static EPIC: About = About::new(
    "epic",
    "Trees of the game's episodes, wherever these take place",
    "Whitehouse 2014, Spec. 7; icarus 2.8",
    &[C, KEEP],
);
const PLAYED: Param =
    Param::new("played", "yes", Domain::Flag, "whether the move played counts too: yes or no");
static AMAF: About = About::new(
    "amaf",
    "All moves as first, in the tree",
    "Whitehouse 2014, Spec. 2; icarus 2.4",
    &[C, PLAYED],
);
static RAVE: About = About::new(
    "rave",
    "All moves as first, less and less as a node is visited, in the tree",
    "Whitehouse 2014, eqs. 8.2, 8.3; icarus 2.4",
    &[
        Param::new("k", "250", Domain::Real(0.0, 1e9), "visits at which both values count the same"),
        C,
        PLAYED,
    ],
);
static BIAS: About = About::new(
    "bias",
    "Progressive bias by the game's own evaluation, in the tree",
    "icarus 2.4",
    &[Param::new("w", "1", Domain::Real(0.0, 1e6), "weight of the evaluation")],
);
static UNPRUNE: About = About::new(
    "unprune",
    "Progressive unpruning: the moves that the game's own evaluation finds best come first, in the tree",
    "Chaslot and others 2008; icarus 2.4",
    &[
        Param::new("first", "5", Domain::Integer(1, 1000), "moves considered from the beginning, 1 to 1000"),
        Param::new(
            "after",
            "50",
            Domain::Real(1.0, 1e9),
            "visits after which there is one more whenever ...",
        ),
        Param::new(
            "factor",
            "1.3",
            Domain::Real(1.01, 100.0),
            "... they have grown by this factor, 1.01 to 100",
        ),
    ],
);
static HISTORY: About = About::new(
    "history",
    "Progressive history: a bias by the values of actions anywhere, in the tree",
    "Nijssen and Winands 2011; icarus 2.4",
    &[Param::new("w", "3", Domain::Real(0.0, 1e6), "weight of the history")],
);

static FUZZY: About = About::new(
    "fuzzy",
    "Means that narrow from n-grams of growing length to the node as trials come in, in the tree",
    "Powley and others 2013, section VI; icarus 3.5",
    &[
        Param::new("n", "2", Domain::Integer(1, LONGEST as i128), "length of the longest n-grams, 1 to 8"),
        Param::new(
            "k",
            "30",
            Domain::Real(0.01, 1_000_000.0),
            "trials that a wider context counts as, 0.01 to 1000000",
        ),
    ],
);
static AUTO: About = About::new(
    "auto",
    "Whichever of mast, nast and epic is found to foretell rewards best while searching, or nothing",
    "icarus 4.2.11, 2.5",
    &[
        Param::new(
            "watch",
            "0.3",
            Domain::Real(0.0, 0.9),
            "largest share of the iterations before anything is used, to 0.9",
        ),
        Param::new(
            "least",
            "0.06",
            Domain::Real(0.0, 1.0),
            "correlation of records and rewards in playouts without which nothing is used",
        ),
        KEEP,
    ],
);

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
    let c = || p.number("c");
    let capture = || p.choice("capture", &[Capture::Playout, Capture::Tree]);
    let amaf = || Ok(Amaf { c: c()?, played: p.flag("played")? });
    Ok(match name {
        "mast" => values(p, Context::Nothing, Learning::Mean, capture()?)?,
        "nast" => {
            let n = p.number("n")?;
            let context = Context::Grams { n, backoff: p.number("backoff")? };
            values(p, context, Learning::Mean, capture()?)?
        }
        "past" => {
            let context = Context::Predicates { least: p.number("least")? };
            values(p, context, Learning::Mean, capture()?)?
        }
        "fast" => {
            let (lambda, step) = (p.number("lambda")?, p.number("step")?);
            values(p, Context::Nothing, Learning::Td { lambda, step }, Capture::Playout)?
        }
        "tiles" => values(p, Context::Own, Learning::Mean, Capture::Playout)?,
        "lgr" => {
            let good = p.number("good")?;
            let (forget, keep) = (p.flag("forget")?, p.flag("keep")?);
            Component::Reply(Reply { forget, good, keep })
        }
        "epic" => Component::Episodes(Episodes { c: c()?, keep: p.flag("keep")? }),
        "amaf" => Component::Amaf(amaf()?),
        "rave" => Component::Rave { k: p.number("k")?, amaf: amaf()? },
        "bias" => Component::Bias { weight: p.number("w")? },
        "unprune" => Component::Unprune(Unprune {
            first: p.number("first")?,
            after: p.number("after")?,
            factor: p.number("factor")?,
        }),
        "history" => Component::History { weight: p.number("w")? },
        "fuzzy" => Component::Fuzzy(Fuzzy { n: p.number("n")?, k: p.number("k")? }),
        "auto" => {
            let (watch, least) = (p.number("watch")?, p.number("least")?);
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
    let explore = p.choice("explore", &[Explore::Others, Explore::All])?;
    let policies = [
        Policy::Ucb1 { c: p.number("c")? },
        Policy::Gibbs { tau: p.number("tau")? },
        Policy::Greedy { epsilon: p.number("epsilon")?, explore },
        Policy::Roulette,
    ];
    Ok(Component::Values(Values {
        context,
        policy: p.choice("policy", &policies)?,
        learning,
        capture,
        untried: p.number("untried")?,
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
