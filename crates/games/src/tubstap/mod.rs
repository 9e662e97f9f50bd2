//! TUBSTAP: two armies on a small map, every unit acts once a turn, and in the fog each side sees only what is
//! near its own units. It is here as the game with the largest hidden state and the longest turns: a turn is a
//! chain of up to sixteen choices out of some two hundred, and what the enemy did meanwhile was mostly not seen.
//!
//! In its turn a side acts with each of its units, one after the other in any order. A unit moves, and may then
//! attack a neighbour; artillery shoots two or three cells far instead of moving. Damage depends on both kinds,
//! on the attacker's hit points and on the terrain under the defender, and never on luck; whoever survives
//! strikes back. A side without units has lost; after so many turns the one with more hit points has won. Rules,
//! numbers and the format of maps: the public TUBSTAP 1.08; fog: Pipan 2021, with his ranges of vision, and what
//! he leaves open by the switches of [`fog`].
//!
//! # Knowledge
//!
//! Where an unseen enemy may be depends on everything a side has seen, and seen to be empty, so this is what it
//! knows: all it did and saw ([`Info`]). A [`State`] is a position ([`Board`], plain data) with both sides'
//! history, which is shared between copies, as [`fogtree_core::Tracked`] does it; playouts leave history alone.
//! When the game ends the fog lifts: everybody sees the last position, and history is forgotten.
//!
//! Worlds are drawn by a choice of methods ([`Method`]). `exact` lists every way the enemy may have played; the
//! others place the unseen enemies so that everything a side sees agrees, by what is known of each of them.

use fogtree_core::files::read_bytes;
use fogtree_core::{
    About, BadSpec, Domain, Extras, Facts, FastPlay, Game, Method as TrackedMethod, Notation, Observation,
    Observer, Param, Params, Player, Preset, Rewards, Rng, Rules, Scene, Scratch, Step, Tracked,
    TrackedState, Turn, Witnessed,
};

use crate::reward::Reward;

mod actions;
mod battle;
mod board;
mod counts;
mod damage;
mod evaluate;
mod extras;
pub mod fog;
mod known;
mod map;
mod map_file;
mod movement;
mod muster;
mod particles;
mod policy;
mod random_map;
mod rules;
mod sampler;
mod scene;
mod seen;
mod select;
mod terrain;
#[cfg(test)]
mod tests;
mod track;
mod units;
mod words;

pub use actions::{Action, Side};
pub use battle::{Adjudication, Battle, Futile};
pub use board::{Board, Phase, Unit};
pub use damage::{Fighter, damage, exchange};
pub use evaluate::{EVALUATIONS, Evaluation};
pub use known::{Info, SeenUnit, View};
pub use map::{MAPS, MOST_CELLS, MOST_TURNS, MOST_UNITS, Map, Placed};
pub use map_file::MapError;
pub use muster::{Army, Muster};
pub use policy::{POLICIES, Tally};
pub use random_map::Draft;
pub use sampler::{Method, State, Worlds};
pub use terrain::Terrain;
pub use track::{Foe, Track};
pub use units::{Kind, MOST_HP};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "tubstap",
    summary: "TUBSTAP: armies of six kinds of units fight over a map, in the fog of war",
    source: "tubstap-fog 1",
    params: &[
        Param::new(
            "map",
            "fujiki",
            Domain::Text,
            "fujiki, map01, ford, ridge, pass, ambush, battery, or random:7 (drawn from this seed; random:7:8x6:5 \
                    for size and units)",
        ),
        Param::new("file", "", Domain::File, "a .tbsmap file with a map instead"),
        Param::new("fog", "on", Domain::Choice(&["on", "off"]), "on, or off: everybody sees everything"),
        Param::new(
            "metric",
            "manhattan",
            Domain::Choice(&["manhattan", "chebyshev", "euclid"]),
            "how far one sees (F1): manhattan, chebyshev or euclid",
        ),
        Param::new(
            "cover",
            "none",
            Domain::Choice(&["none", "woods", "rays"]),
            "what hides (F2): none; woods: who stands in them is seen by neighbours only; rays: woods and \
                    mountains hide what is behind them from the ground",
        ),
        Param::new(
            "enemy-hp",
            "shown",
            Domain::Choice(&["shown", "hidden"]),
            "hit points of enemies that are seen (F4): shown or hidden",
        ),
        Param::new(
            "memory",
            "none",
            Domain::Choice(&["none", "ghosts"]),
            "what the view shows of enemies out of sight (F5): none, or ghosts where they were last seen",
        ),
        Param::new(
            "collision",
            "ambush",
            Domain::Choice(&["ambush", "bounce", "teleport"]),
            "running into an unseen enemy (F6): ambush: stop before it, the action is spent; bounce: choose \
                    again; teleport: only an occupied destination fails",
        ),
        Param::new(
            "glimpse",
            "path",
            Domain::Choice(&["path", "destination"]),
            "from where a moving unit sees (F7): path (every cell of its way) or destination",
        ),
        Param::new(
            "shooter",
            "seen",
            Domain::Choice(&["seen", "revealed"]),
            "whether one is told who attacked from the fog (F9): seen (if seen) or revealed (always)",
        ),
        Param::new(
            "report",
            "each",
            Domain::Choice(&["each", "start"]),
            "when the enemy's actions are seen (F10): each, or start: only at the start of one's turn",
        ),
        Param::new(
            "numbers",
            "known",
            Domain::Choice(&["known", "unknown"]),
            "how many units the enemy has (F11): known; unknown: each but the first may be missing",
        ),
        Param::new(
            "army",
            "known",
            Domain::Choice(&["known", "drawn"]),
            "what the enemy's units are (F12): known, or drawn: any of the kinds",
        ),
        Param::new("kinds", "FAPURI", Domain::Text, "the kinds of which armies are drawn"),
        Param::new(
            "noise",
            "none",
            Domain::Choice(&["none", "cells", "hp", "both"]),
            "what chance changes at the start: none, cells, hp or both",
        ),
        Param::new(
            "limit",
            "map",
            Domain::Or("map", &Domain::Integer(1, MOST_TURNS as i128)),
            "turns of both sides together, or map: as the map says",
        ),
        Param::new(
            "threshold",
            "map",
            Domain::Or("map", &Domain::Integer(0, MOST_TURNS as i128)),
            "lead that is still a draw, or map: as the map says",
        ),
        Param::new(
            "adjudication",
            "hp",
            Domain::Choice(&["hp", "units"]),
            "what counts when the turns are over: hp, or units: how many are left",
        ),
        Param::new("end-turn", "no", Domain::Flag, "whether a side may end its turn early: yes or no"),
        Param::new(
            "surrender",
            "no",
            Domain::Flag,
            "whether a side may give up: yes or no; no policy does, but random play",
        ),
        Param::new(
            "futile",
            "playouts",
            Domain::Choice(&["never", "playouts", "allowed"]),
            "who may attack without doing damage: never, playouts (eager ones, as in the stock program), \
                    allowed",
        ),
        Param::new(
            "eagerness",
            "0.8",
            Domain::Real(0.0, 1.0),
            "how probably the policy 'attack' attacks if it can, 0 to 1",
        ),
        Param::new(
            "evaluation",
            "outcome",
            Domain::Choice(&["outcome", "weighted", "infantry", "values", "exchanges"]),
            "of unfinished games: outcome (if adjudicated now), weighted, infantry, values or exchanges",
        ),
        Param::new(
            "sampler",
            "tracked",
            Domain::Choice(&["uniform", "mirror", "last-seen", "tracked", "particles", "exact"]),
            "how worlds are drawn: uniform, mirror, last-seen, tracked, particles, or exact (small maps)",
        ),
        Param::new("particles", "200", Domain::Integer(1, 100_000), "hypotheses of the sampler of that name"),
        Reward::PARAM,
    ],
    presets: &[
        Preset { name: "open-tubstap", params: "fog=off", about: "TUBSTAP as published, without fog" },
        Preset {
            name: "tubstap-map01",
            params: "map=map01,collision=bounce,memory=ghosts",
            about: "Infantry, tanks and artillery on 6x6; whoever runs into the unseen may choose again",
        },
    ],
    tiny: "map=ambush,sampler=exact",
};

/// The most worlds that are listed.
const MOST_WORLDS: usize = 20_000;

/// TUBSTAP on one map.
#[derive(Clone, Debug)]
pub struct Tubstap {
    rules: Tracked<Battle>,
    method: Method,
}

impl Tubstap {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Tubstap, BadSpec> {
        let map = read_map(params)?;
        let fog = fog::Fog::from_params(params)?;
        let muster = Muster::from_params(params, &map)?;
        if fog.on && fog.report == fog::Report::Start && muster.may_miss() {
            return Err(params.bad("numbers", "known, if reports come at the start of turns"));
        }
        let mut battle = Battle::new(map, fog, muster);
        if params.text("limit") != "map" {
            battle.limit = params.number("limit")?;
        }
        if params.text("threshold") != "map" {
            battle.threshold = params.number("threshold")?;
        }
        battle.end_turn = params.flag("end-turn")?;
        battle.surrender = params.flag("surrender")?;
        battle.adjudication =
            params.choice("adjudication", &[Adjudication::HitPoints, Adjudication::Units])?;
        battle.futile = params.choice("futile", &[Futile::Never, Futile::Playouts, Futile::Allowed])?;
        battle.evaluation = Evaluation::from_params(params)?;
        battle.reward = Reward::from_params(params)?;
        battle.eagerness = params.number("eagerness")?;
        Ok(Tubstap {
            rules: Tracked::new(battle, TrackedMethod::Exact { limit: MOST_WORLDS }),
            method: Method::from_params(params)?,
        })
    }

    /// The rules without anybody's memory: for playouts and for agents that know the game.
    pub fn battle(&self) -> &Battle {
        self.rules.inner()
    }

    /// What a seat can tell of the enemy's units.
    pub fn track(&self, known: &Info) -> Option<Track> {
        known.by.seat().map(|who| Track::of(self.battle(), who, &known.events, None))
    }
}

/// One of the maps that come with the game, or a file.
fn read_map(params: &Params) -> Result<Map, BadSpec> {
    let (name, file) = (params.text("map"), params.text("file"));
    if !file.is_empty() {
        let expected = |why: String| params.bad("file", format!("a .tbsmap file ({why})"));
        let file = read_bytes(file, map_file::LARGEST_FILE).map_err(expected)?;
        return Map::read(&file).map_err(|why| expected(why.to_string()));
    }
    if let Some((_, file, _)) = MAPS.iter().find(|(known, _, _)| *known == name) {
        return Map::read(file.as_bytes()).map_err(|why| params.bad("map", format!("a map ({why})")));
    }
    let names = || MAPS.iter().map(|(name, _, _)| *name).collect::<Vec<_>>().join(", ");
    let draft =
        Draft::parse(name).ok_or_else(|| params.bad("map", format!("one of {}, random:7", names())))?;
    let why = |why| params.bad("map", format!("a random map such as random:7:8x6:5 ({why})"));
    draft.map(Draft::map).map_err(why)
}

/// The same step, of the rules that carry history along.
fn inside<'a>(step: Step<'a, Tubstap>) -> Step<'a, Tracked<Battle>> {
    match step {
        Step::Chance(army) => Step::Chance(army),
        Step::Moves(moves) => Step::Moves(moves),
    }
}

/// The same step, of the rules without history.
fn innermost<'a>(step: Step<'a, Tubstap>) -> Step<'a, Battle> {
    match step {
        Step::Chance(army) => Step::Chance(army),
        Step::Moves(moves) => Step::Moves(moves),
    }
}

impl Rules for Tubstap {
    type State = State;
    type Action = Action;
    type Outcome = Army;

    fn facts(&self) -> Facts {
        self.battle().facts()
    }

    fn start(&self) -> State {
        self.rules.start()
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        self.battle().turn(&s.inner)
    }

    fn actions(&self, s: &State, _who: Player, out: &mut Vec<Action>) {
        self.battle().list(&s.inner, out);
    }

    fn chance(&self, s: &State, out: &mut Vec<(Army, f64)>) {
        self.battle().chance(&s.inner, out);
    }

    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Army {
        self.battle().sample_chance(&s.inner, rng)
    }

    fn is_possible(&self, s: &State, army: &Army) -> bool {
        self.battle().is_possible(&s.inner, army)
    }

    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        if !self.battle().fog.on {
            return self.battle().apply(&mut s.inner, innermost(step));
        }
        self.rules.apply(s, inside(step));
        self.forget(s);
    }

    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        self.battle().observe(&before.inner, innermost(step), by)
    }

    fn rewards(&self, s: &State) -> Rewards {
        self.battle().rewards(&s.inner)
    }

    fn code(&self, action: Action) -> u64 {
        self.battle().code(action)
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras {
            evaluations: Some(self),
            policies: Some(self),
            selective_search: Some(self),
            perfect_info_variant: Some(self),
            episodes: Some(self),
            metrics: Some(self),
            ..Extras::NONE
        }
    }
}

impl Notation for Tubstap {
    fn action_name(&self, action: Action) -> String {
        self.battle().name_of(action)
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        self.battle().parse(name)
    }

    fn outcome_name(&self, army: &Army) -> String {
        self.battle().army_name(army)
    }

    fn parse_outcome(&self, name: &str) -> Option<Army> {
        self.battle().parse_army(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.battle().told(seen, by)
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.battle().scene_of_board(&s.inner, Observer::Public)
    }

    fn role(&self, s: &State, seat: Player) -> String {
        self.battle().role(&s.inner, seat)
    }
}

impl FastPlay for Tubstap {
    #[inline]
    fn random_action(&self, s: &State, _: Player, rng: &mut Rng, _: &mut Scratch<Self>) -> Action {
        self.battle().any_action(&s.inner, rng)
    }

    fn playout(&self, s: &mut State, rng: &mut Rng, _: &mut Scratch<Self>) -> Rewards {
        self.battle().play_uniformly(&mut s.inner, rng);
        self.forget(s);
        self.rewards(s)
    }

    fn codes(&self) -> Option<usize> {
        Some(self.battle().codes())
    }
}

impl Tubstap {
    /// When the game is over nobody needs to remember how it went.
    fn forget(&self, s: &mut State) {
        if let Phase::Over(_) = s.inner.phase() {
            *s = TrackedState::forgotten(s.inner, 2);
        }
    }
}

impl Game for Tubstap {
    type Info = Info;
    type Sampler = Worlds;

    fn info(&self, s: &State, by: Observer) -> Info {
        let lifted = !self.battle().fog.on || matches!(s.inner.phase(), Phase::Over(_));
        if lifted {
            return Info { by, events: Vec::new(), view: None, board: Some(s.inner) };
        }
        let view = by.seat().and_then(|who| self.battle().view_of(&s.inner, who));
        Info { by, events: s.events(by), view, board: None }
    }

    fn sampler(&self, known: &Info) -> Worlds {
        Worlds::of(&self.rules, self.method, known)
    }

    fn sample(&self, from: &mut Worlds, rng: &mut Rng, into: &mut State) -> f64 {
        from.draw(&self.rules, rng, into)
    }

    fn scene(&self, known: &Info) -> Scene {
        self.battle().scene_known(known)
    }

    fn spots(&self, known: &Info, _: Player, action: Action) -> Vec<String> {
        self.battle().touched(known, action)
    }

    fn tell(&self, step: Witnessed<'_, Action, Info>) -> Option<String> {
        self.battle().told_step(step)
    }
}
