//! Belief-state MCTS by name.

use fogtree_core::{About, AgentEntry, Asked, Domain, Made, Param};

use super::{BsMcts, Guess, Keys, Order, Play, Predict, Prior, Settings, Variant, View};
use crate::kit::params::{
    C, CUTOFF, EVALUATION, INFER, ITERATIONS, MEMORY, MILLION, PLAYOUT, TIME, budget, memory, simulation,
};

/// Belief-state MCTS, by name.
pub static ENTRY: AgentEntry = AgentEntry::new(
    &About::new(
        "bs-mcts",
        "Belief-state MCTS: nodes are sets of states whose probabilities are learned on the way",
        "Wang, Zhu, Li, Hsueh and Wu 2015; Pipan 2021, 3.5; tubstap 2.6",
        &[
            ITERATIONS,
            TIME,
            Param::new(
                "variant",
                "corrected",
                Domain::Choice(&["corrected", "original", "literal"]),
                "corrected, original (the formulas as published) or literal (Pipan's listing, defects and all)",
            ),
            C,
            Param::new(
                "worlds",
                "64",
                MILLION,
                "worlds drawn per decision, among which the playouts are divided",
            ),
            Param::new(
                "order",
                "auto",
                Domain::Choice(&["auto", "one-by-one", "in-turn"]),
                "how worlds are searched: in-turn (auto if corrected) or one-by-one, as published",
            ),
            Param::new(
                "keys",
                "auto",
                Domain::Choice(&["auto", "action", "observation", "observer"]),
                "what names a node: observation (all the searcher sees; auto if corrected), action (all moves, seen \
                 or not, as published) or observer (what its player knows)",
            ),
            Param::new(
                "guess",
                "1",
                Domain::Real(-500.0, 500.0),
                "opponent guessing: how far worlds are likelier that are good for the searcher; below 0 less likely",
            ),
            Param::new(
                "prior",
                "auto",
                Domain::Choice(&["auto", "exponent", "factor"]),
                "the prior of a world in guessing: factor (auto if corrected) or exponent, as published",
            ),
            Param::new(
                "predict",
                "1",
                Domain::Or("bound", &Domain::Real(0.0, 1e6)),
                "opponent predicting: how strongly others prefer good moves (0 = at random), or bound (as the searcher)",
            ),
            Param::new(
                "opponent",
                "own",
                Domain::Choice(&["own", "searcher"]),
                "whose reward the others seek: own, or searcher, an error to be studied",
            ),
            PLAYOUT,
            CUTOFF,
            EVALUATION,
            Param::new(
                "play",
                "value",
                Domain::Choice(&["value", "visits"]),
                "which move is played: value (the greatest utility) or visits (the most visited)",
            ),
            MEMORY,
            INFER,
        ],
    ),
    &make,
);

/// What is `auto` is as usual for the variant.
fn make(asked: &Asked<'_>) -> Made {
    let params = asked.params;
    let variants = [Variant::Corrected, Variant::Original, Variant::Literal];
    let usual = Settings::of(params.choice("variant", &variants)?);
    let view = params.choice("opponent", &[View::Own, View::Searcher])?;
    let predict =
        params.number_unless("predict")?.map_or(Predict::Bound, |lambda| Predict::Softmax { lambda, view });
    if predict == Predict::Bound && view == View::Searcher {
        return Err(params.bad("opponent", "own, which predict=bound needs"));
    }
    let settings = Settings {
        c: params.number("c")?,
        worlds: params.number("worlds")?,
        keys: params.choice("keys", &[usual.keys, Keys::Action, Keys::Observation, Keys::Observer])?,
        order: params.choice("order", &[usual.order, Order::OneByOne, Order::InTurn])?,
        guess: Guess {
            lambda: params.number("guess")?,
            prior: params.choice("prior", &[usual.guess.prior, Prior::Exponent, Prior::Factor])?,
        },
        predict,
        simulation: simulation(asked)?,
        play: params.choice("play", &[Play::Value, Play::Visits])?,
        memory: memory(params)?,
        ..usual
    };
    Ok((Box::new(BsMcts::new(asked.game, settings)), budget(params)?))
}
