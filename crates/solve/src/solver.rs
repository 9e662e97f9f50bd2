//! The solvers by name: what `--with` takes.

use fogtree_core::{About, BadSpec, Domain, Param, Params, Spec};

use crate::backward::Method;
use crate::cfr::{Sampling, Updates, Variant};

/// A way to solve a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Solver {
    /// Counterfactual regret minimisation over the whole game.
    Cfr(Variant, Updates),
    /// The same by sampling.
    Sampling(Sampling),
    /// Fictitious play.
    FictitiousPlay,
    /// One linear programme for the whole game.
    SequenceLp,
    /// Backward induction.
    Backward(Method),
}

const UPDATES: Param = Param::new(
    "updates",
    "alternating",
    Domain::Choice(&["alternating", "simultaneous"]),
    "alternating = players learn in turn from the newest strategies, simultaneous = all at once",
);

const fn about(
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    params: &'static [Param],
) -> About {
    About { name, summary, source, params, presets: &[], tiny: "" }
}

/// What exists.
pub static ALL: &[&About] =
    &[&CFR, &CFR_PLUS, &LINEAR, &DCFR, &PCFR, &ES, &OS, &FICTITIOUS, &LP, &BI, &BI_AB, &DO];

static CFR: About = about(
    "cfr",
    "Counterfactual regret minimisation",
    "Zinkevich and others 2007; equilibrium 2.2",
    &[UPDATES],
);
static CFR_PLUS: About = about(
    "cfr+",
    "Counterfactual regret minimisation with regrets kept from falling below 0 and later strategies counting more",
    "Tammelin 2014",
    &[UPDATES],
);
static LINEAR: About = about(
    "linear-cfr",
    "Counterfactual regret minimisation in which iteration t counts t times",
    "Brown and Sandholm 2019",
    &[UPDATES],
);
static DCFR: About = about(
    "dcfr",
    "Counterfactual regret minimisation that discounts old regrets and strategies",
    "Brown and Sandholm 2019",
    &[
        UPDATES,
        Param::new("alpha", "1.5", Domain::Real(-10.0, 10.0), "of positive regrets, -10 to 10"),
        Param::new("beta", "0", Domain::Real(-10.0, 10.0), "of negative regrets, -10 to 10"),
        Param::new("gamma", "2", Domain::Real(0.0, 10.0), "of the average, 0 to 10"),
    ],
);
static PCFR: About = about(
    "pcfr+",
    "Counterfactual regret minimisation that takes the last regrets for a prediction of the next",
    "Farina, Kroer and Sandholm 2021",
    &[UPDATES],
);
static ES: About = about(
    "es-mccfr",
    "Regret minimisation by external sampling",
    "Lanctot and others 2009; equilibrium 2.2",
    &[],
);
static OS: About = about(
    "os-mccfr",
    "Regret minimisation by outcome sampling",
    "Lanctot and others 2009; equilibrium 2.2, 2.5",
    &[Param::new(
        "exploration",
        "0.6",
        Domain::Real(0.01, 1.0),
        "how likely a random action is tried, 0.01 to 1",
    )],
);
static FICTITIOUS: About = about(
    "fictitious-play",
    "Everybody answers best to the average of the others' play so far",
    "Brown 1951; equilibrium 2.1",
    &[],
);
static LP: About = about(
    "sequence-lp",
    "One linear programme in sequence form, for two players of whom one wins what the other loses",
    "von Stengel 1996; equilibrium 2.7",
    &[],
);
static BI: About = about(
    "backward-induction",
    "A matrix game for every state, for two players where only simultaneous choices are hidden",
    "equilibrium 2.7",
    &[],
);
static BI_AB: About = about(
    "bi-alpha-beta",
    "Backward induction that leaves out states whose serialised bounds agree",
    "Bošanský and others 2013; equilibrium 2.7",
    &[],
);
static DO: About = about(
    "double-oracle",
    "Backward induction that adds rows and columns as best responses need them",
    "Bošanský and others 2013; equilibrium 2.7",
    &[],
);

impl Solver {
    /// The solver that a specification names.
    pub fn from_spec(spec: &Spec) -> Result<Solver, BadSpec> {
        let (about, spec) = About::find(ALL.iter().copied(), "solver", spec)?;
        let about = ALL.iter().find(|a| a.name == about.name).expect("what was found is listed");
        let params = about.params(&spec)?;
        Ok(match about.name {
            "cfr" => Solver::Cfr(Variant::Vanilla, updates(&params)?),
            "cfr+" => Solver::Cfr(Variant::Plus, updates(&params)?),
            "linear-cfr" => Solver::Cfr(Variant::Linear, updates(&params)?),
            "dcfr" => {
                let alpha = params.number("alpha")?;
                let beta = params.number("beta")?;
                let gamma = params.number("gamma")?;
                Solver::Cfr(Variant::Discounted { alpha, beta, gamma }, updates(&params)?)
            }
            "pcfr+" => Solver::Cfr(Variant::PredictivePlus, updates(&params)?),
            "es-mccfr" => Solver::Sampling(Sampling::External),
            "os-mccfr" => {
                let exploration = params.number("exploration")?;
                Solver::Sampling(Sampling::Outcome { exploration })
            }
            "fictitious-play" => Solver::FictitiousPlay,
            "sequence-lp" => Solver::SequenceLp,
            "backward-induction" => Solver::Backward(Method::Plain),
            "bi-alpha-beta" => Solver::Backward(Method::AlphaBeta),
            "double-oracle" => Solver::Backward(Method::DoubleOracle),
            name => unreachable!("{name} is listed but not made"),
        })
    }
}

fn updates(params: &Params) -> Result<Updates, BadSpec> {
    let choices = [Updates::Alternating, Updates::Simultaneous];
    params.choice("updates", &choices)
}
