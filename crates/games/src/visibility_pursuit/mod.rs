//! Visibility-based pursuit and evasion: a team tries to keep an evader in sight, or at least to know about where it is.
//!
//! The evader (player 0) has one unit, the pursuers (player 1) a team of one to three. All units move at the same time,
//! each to a place linked to its own, or stay. Units see each other along lines of sight of limited length; who sees is
//! seen, and a team shares what its units see. Nobody is ever caught: after a number of steps the evader is paid for how
//! uncertain the pursuers were where it was, on average over the steps, counted in places (Lisý 2014, §5.2, after Raboin
//! and others 2010). A game of 100 steps in the maze has up to 10^180 lines of play, and an information set holds every
//! path that a unit may have taken unseen: this is what searches with beliefs, abstractions and evaluations are for.
//!
//! A state holds the paths of all units from the start, because what a player knows is what it did and saw on its way.
//! Whatever else there is to know follows from them.

use std::sync::Arc;

use fogtree_core::{
    About, BadSpec, Chance, Domain, Evaluations, Extras, Facts, FastPlay, Notation, Observation, Observer,
    Param, Params, Player, Players, Policies, Policy, Preset, Rewards, Rng, Rules, Scene, Scratch, Seed,
    Step, Turn, Utility,
};

mod evaluation;
mod generate;
mod known;
mod map;
mod map_file;
mod places;
mod policy;
mod scene;
mod setup;
mod tensors;
#[cfg(test)]
mod tests;
mod words;

pub use known::{Info, Sampler};
pub use map::Map;
use map::NOWHERE;
pub use map_file::BadMap;
pub use places::{MOST_PLACES, Places};

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "visibility-pursuit",
    summary: "A team of pursuers tries to know where an evader is that they see only along lines of sight",
    source: "equilibrium 3.9",
    params: &[
        Param::new(
            "map",
            "maze",
            Domain::Text,
            "maze or road, made at random, or the rows of a grid, as in ..#/... with # for walls",
        ),
        Param::new("file", "", Domain::File, "a file with a map instead (docs/games/visibility-pursuit.md)"),
        Param::new("width", "50", Domain::Integer(5, 64), "columns of a random maze, 5 to 64"),
        Param::new(
            "height",
            "49",
            Domain::Integer(5, 64),
            "rows of a random maze, 5 to 64, at most 2560 cells",
        ),
        Param::new(
            "places",
            "465",
            Domain::Integer(8, MOST_PLACES as i128),
            "places of random roads, 8 to 2560, 5 metres apart",
        ),
        Param::new("seed", "1", Domain::Integer(0, u64::MAX as i128), "which random map"),
        Param::new(
            "range",
            "usual",
            Domain::Or("usual", &Domain::Real(0.0, 1000.0)),
            "how far units see: usual is 10 cells on grids and 25 metres elsewhere",
        ),
        Param::new("wait", "yes", Domain::Flag, "yes or no: whether a unit may stay where it is"),
        Param::new("pursuers", "2", Domain::Integer(1, MOST_PURSUERS as i128), "units that pursue, 1 to 3"),
        Param::new("steps", "100", Domain::Integer(1, MOST_STEPS as i128), "steps of the game, 1 to 120"),
        Param::new(
            "start",
            "1",
            Domain::Text,
            "where the units start: [evader,pursuer,...], places by name; or a number, the seed of a random \
                    start at which the evader is seen from as far as possible",
        ),
        Param::new(
            "apart",
            "25",
            Domain::Integer(0, 10_000),
            "how many steps the pursuers of a random start are apart",
        ),
        Param::new(
            "unseen",
            "drawn",
            Domain::Choice(&["drawn", "known"]),
            "pursuers that the evader does not see at first: drawn, they start anywhere out of its sight; known, \
                    it knows where",
        ),
        Param::new(
            "objective",
            "mean-size",
            Domain::Choice(&["mean-size", "end-size", "unseen"]),
            "what is paid: mean-size or end-size, the number of places where the evader may be for all the \
                    pursuers know, on average over the steps or at the end; unseen, less a point whenever it is seen",
        ),
        Param::new(
            "reward",
            "plain",
            Domain::Choice(&["plain", "log"]),
            "plain, or log: the decimal logarithm of a size",
        ),
    ],
    presets: &[
        Preset { name: "road-pursuit", params: "map=road", about: "on the roads of a small town" },
        Preset {
            name: "small-visibility-pursuit",
            params: "map=...../.#.#./...../.#.#./.....,range=2,steps=6,pursuers=1,start=[1.1,3.1]",
            about: "round four pillars, with one pursuer and 6 steps",
        },
    ],
    tiny: "map=.../.#./...,range=1,steps=3,pursuers=1,start=[1.1,3.3]",
};

/// The most units that pursue.
pub const MOST_PURSUERS: usize = 3;
/// The most steps.
pub const MOST_STEPS: usize = 120;
const EVADER: Player = Player(0);
const PURSUERS: Player = Player(1);

/// What the evader is paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Objective {
    MeanSize,
    EndSize,
    Unseen,
}

/// The rules on one map.
#[derive(Clone, Debug)]
pub struct VisibilityPursuit {
    map: Arc<Map>,
    pursuers: usize,
    steps: u8,
    objective: Objective,
    log: bool,
    start: State,
    /// Where a pursuer may start that is placed by chance; the others have their places in the start.
    hideouts: Places,
    /// Ways are numbered below this.
    radix: u8,
}

impl VisibilityPursuit {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<VisibilityPursuit, BadSpec> {
        let map = setup::map_of(params)?;
        let pursuers: usize = params.number("pursuers")?;
        let steps = params.number("steps")?;
        let drawn = params.choice("unseen", &[true, false])?;
        let objectives = [Objective::MeanSize, Objective::EndSize, Objective::Unseen];
        let objective = params.choice("objective", &objectives)?;
        let log = params.choice("reward", &[false, true])?;
        if log && objective == Objective::Unseen {
            return Err(params.bad("reward", "plain, for an objective that is not a size"));
        }
        let apart = params.number("apart")?;
        if map.open().len() < 2 {
            return Err(params.bad("map", "a map with two places or more"));
        }
        let units = match params.text("start").parse() {
            Ok(seed) => setup::random_start(&map, pursuers, apart, Seed(seed)),
            Err(_) => setup::listed_start(&map, pursuers, params)?,
        };
        let ways = map.open().iter().flat_map(|place| map.ways(place)).map(|way| way.0).max();
        let radix = ways.map_or(1, |way| way + 1);
        let mut state = State {
            time: 0,
            sightings: 0,
            total: 0,
            tracks: [[NOWHERE; MOST_STEPS + 1]; 1 + MOST_PURSUERS],
            region: Places::only(units[0]),
        };
        state.tracks[0][0] = units[0];
        let in_sight = *map.sight(units[0]);
        let mut hideouts = map.open().without(&in_sight);
        for (track, &place) in state.tracks[1..].iter_mut().zip(&units[1..]) {
            let seen = in_sight.contains(place);
            if seen || !drawn {
                track[0] = place;
            }
            if seen {
                state.sightings = 1;
                let near = map.distances(place);
                hideouts = hideouts.iter().filter(|&place| near[usize::from(place)] >= apart).collect();
            }
        }
        if hideouts.is_empty() {
            // Nowhere to be drawn from: then they are where they are, and the evader knows.
            for (track, &place) in state.tracks[1..].iter_mut().zip(&units[1..]) {
                track[0] = place;
            }
        }
        Ok(VisibilityPursuit {
            map: Arc::new(map),
            pursuers,
            steps,
            objective,
            log,
            start: state,
            hideouts,
            radix,
        })
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The pursuers' tracks.
    #[inline]
    fn team<'a>(&self, tracks: &'a Tracks) -> &'a [Track] {
        &tracks[1..=self.pursuers]
    }

    /// The pursuer that chance is to place next.
    #[inline]
    fn unplaced(&self, s: &State) -> Option<usize> {
        self.team(&s.tracks).iter().position(|track| track[0] == NOWHERE)
    }

    /// All that the pursuers see when they are at these places of their tracks.
    #[inline]
    fn sight_of_team(&self, tracks: &Tracks, time: usize) -> Places {
        let seen = self.team(tracks).iter().map(|track| self.map.sight(track[time]));
        seen.fold(Places::NONE, |all, more| all.or(more))
    }

    /// Whether some pursuer sees the evader, by the tracks up to this time.
    #[inline]
    fn is_seen(&self, tracks: &Tracks, time: usize) -> bool {
        let sight = self.map.sight(tracks[0][time]);
        self.team(tracks).iter().any(|track| track[time] != NOWHERE && sight.contains(track[time]))
    }

    /// Counts a step that has been entered into the tracks: where the evader may be for all the pursuers know.
    #[inline]
    fn reckon(&self, s: &mut State) {
        s.time += 1;
        let time = usize::from(s.time);
        if self.is_seen(&s.tracks, time) {
            s.region = Places::only(s.tracks[0][time]);
            s.sightings += 1;
            s.total += 1;
        } else {
            let mut region = self.map.step(&s.region);
            for track in self.team(&s.tracks) {
                region = region.without(self.map.sight(track[time]));
            }
            s.region = region;
            s.total += region.len();
        }
    }

    /// What the evader is paid at the end.
    fn paid(&self, s: &State) -> f64 {
        self.scaled(match self.objective {
            Objective::MeanSize => f64::from(s.total) / f64::from(self.steps),
            Objective::EndSize => f64::from(s.region.len()),
            Objective::Unseen => -f64::from(s.sightings),
        })
    }

    #[inline]
    fn scaled(&self, size: f64) -> f64 {
        if self.log { size.max(1.0).log10() } else { size }
    }
}

/// What a player may do: the ways its units take, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// The evader goes.
    Evade(u8),
    /// The pursuers go; those beyond the team stay.
    Pursue([u8; MOST_PURSUERS]),
}

/// Where a unit was at each time.
type Track = [u16; MOST_STEPS + 1];
/// The evader's track and the pursuers'.
type Tracks = [Track; 1 + MOST_PURSUERS];

/// The paths of all units, and what the pursuers make of what they saw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    time: u8,
    /// At how many times the evader was seen.
    sightings: u8,
    /// The sizes of the region at all times but the first.
    total: u32,
    tracks: Tracks,
    /// Where the evader may be for all the pursuers know.
    region: Places,
}

impl State {
    /// The steps made.
    pub fn time(&self) -> usize {
        usize::from(self.time)
    }

    /// Where the evader is.
    pub fn evader(&self) -> u16 {
        self.tracks[0][self.time()]
    }

    /// Where a pursuer is, counted from 0.
    pub fn pursuer(&self, number: usize) -> u16 {
        self.tracks[1 + number][self.time()]
    }

    /// Where the evader may be for all the pursuers know.
    pub fn region(&self) -> &Places {
        &self.region
    }
}

impl Rules for VisibilityPursuit {
    type State = State;
    type Action = Action;
    type Outcome = u16;

    fn facts(&self) -> Facts {
        let size = self.scaled(f64::from(self.map.open().len()));
        let most = if self.objective == Objective::Unseen { f64::from(self.steps) + 1.0 } else { size };
        let draws = self.team(&self.start.tracks).iter().filter(|track| track[0] == NOWHERE).count();
        let hidden = self.map.open().iter().any(|place| *self.map.sight(place) != *self.map.open());
        Facts {
            players: 2,
            hidden,
            hidden_moves: hidden && self.steps > 1,
            chance: if draws > 0 { Chance::Listed } else { Chance::Never },
            simultaneous: true,
            utility: Utility::ZeroSum,
            utility_bounds: (-most, most),
            max_length: u32::from(self.steps) + draws as u32,
        }
    }

    fn start(&self) -> State {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        if s.time == self.steps {
            Turn::Terminal
        } else if s.time == 0 && self.unplaced(s).is_some() {
            Turn::Chance
        } else {
            Turn::Simultaneous(Players::first(2))
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        self.actions_at(&s.tracks, s.time(), who, out);
    }

    fn chance(&self, s: &State, out: &mut Vec<(u16, f64)>) {
        if s.time == 0 && self.unplaced(s).is_some() {
            let share = 1.0 / f64::from(self.hideouts.len());
            out.extend(self.hideouts.iter().map(|place| (place, share)));
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let next = s.time() + 1;
        match step {
            Step::Chance(&place) => {
                let pursuer = self.unplaced(s).expect("chance places pursuers that are nowhere");
                s.tracks[1 + pursuer][0] = place;
            }
            Step::Moves(moves) => {
                for &(_, action) in moves {
                    match action {
                        Action::Evade(way) => s.tracks[0][next] = self.map.along(s.evader(), way),
                        Action::Pursue(ways) => {
                            for (i, &way) in ways.iter().enumerate().take(self.pursuers) {
                                s.tracks[1 + i][next] = self.map.along(s.pursuer(i), way);
                            }
                        }
                    }
                }
                self.reckon(s);
            }
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        Rewards::zero_sum(self.paid(s))
    }

    /// The evader sees those pursuers that see it, the team what one of it sees. Who only looks on sees time pass.
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let moves = match step {
            Step::Chance(&place) => return by.is(PURSUERS).then(|| Observation::word(u64::from(place) + 1)),
            Step::Moves(moves) => moves,
        };
        let mut evader = NOWHERE;
        let mut team = [NOWHERE; MOST_PURSUERS];
        for &(_, action) in moves {
            match action {
                Action::Evade(way) => evader = self.map.along(before.evader(), way),
                Action::Pursue(ways) => {
                    for (i, &way) in ways.iter().enumerate().take(self.pursuers) {
                        team[i] = self.map.along(before.pursuer(i), way);
                    }
                }
            }
        }
        let sight = self.map.sight(evader);
        let seen = |place: u16| place != NOWHERE && sight.contains(place);
        let word = |place: u16, is: bool| if is { u64::from(place) + 1 } else { 0 };
        Some(match by {
            Observer::Seat(EVADER) => Observation::word(
                team.iter().rev().fold(0, |all, &place| all << 16 | word(place, seen(place))),
            ),
            Observer::Seat(_) => Observation::word(word(evader, team.iter().any(|&place| seen(place)))),
            Observer::Public => Observation::words(&[]),
        })
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        let radix = u64::from(self.radix);
        match action {
            Action::Evade(way) => u64::from(way),
            Action::Pursue(ways) => {
                let team = ways[..self.pursuers].iter();
                radix + team.fold(0, |code, &way| code * radix + u64::from(way))
            }
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { evaluations: Some(self), policies: Some(self), ..Extras::NONE }
    }
}

impl Notation for VisibilityPursuit {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Evade(way) => self.map.way_name(way),
            Action::Pursue(ways) => {
                let names: Vec<String> =
                    ways[..self.pursuers].iter().map(|&way| self.map.way_name(way)).collect();
                format!("team:{}", names.join("+"))
            }
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let way = |name: &str| self.map.parse_way(name).filter(|&way| way < self.radix);
        let Some(team) = name.strip_prefix("team:") else {
            return way(name).map(Action::Evade);
        };
        let mut ways = [0; MOST_PURSUERS];
        let mut names = team.split('+');
        for taken in &mut ways[..self.pursuers] {
            *taken = way(names.next()?)?;
        }
        names.next().is_none().then_some(Action::Pursue(ways))
    }

    fn outcome_name(&self, &place: &u16) -> String {
        self.map.name(place)
    }

    fn parse_outcome(&self, name: &str) -> Option<u16> {
        self.map.parse(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.tell(seen, by)
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.draw_state(s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat == EVADER { "evader" } else { "pursuers" }.to_string()
    }
}

impl FastPlay for VisibilityPursuit {
    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        let mut way = |place: u16| rng.pick(self.map.ways(place)).0;
        if who == EVADER {
            return Action::Evade(way(s.evader()));
        }
        let mut ways = [0; MOST_PURSUERS];
        for (i, taken) in ways.iter_mut().enumerate().take(self.pursuers) {
            *taken = way(s.pursuer(i));
        }
        Action::Pursue(ways)
    }

    fn codes(&self) -> Option<usize> {
        let radix = usize::from(self.radix);
        Some(radix + radix.pow(self.pursuers as u32))
    }
}

impl Evaluations<VisibilityPursuit> for VisibilityPursuit {
    /// What is paid if the region stays as it is to the end; the evader stays as often unseen as so far.
    fn evaluate(&self, _: Option<usize>, s: &State, who: Player) -> Option<f64> {
        let (left, time) = (f64::from(self.steps - s.time), f64::from(s.time));
        let size = f64::from(s.region.len());
        let value = match self.objective {
            Objective::MeanSize => self.scaled((f64::from(s.total) + left * size) / f64::from(self.steps)),
            Objective::EndSize => self.scaled(size),
            Objective::Unseen => -f64::from(s.sightings) * (1.0 + left / (1.0 + time)),
        };
        Some(if who == EVADER { value } else { -value })
    }
}

impl Policies<VisibilityPursuit> for VisibilityPursuit {
    fn policies(&self) -> &'static [Policy] {
        policy::ALL
    }

    fn policy_action(
        &self,
        policy: usize,
        s: &State,
        who: Player,
        rng: &mut Rng,
        _: &mut Scratch<Self>,
    ) -> Action {
        self.act_by(policy, s, who, rng)
    }
}

impl VisibilityPursuit {
    /// The legal actions of a player whose units are where these tracks end.
    fn actions_at(&self, tracks: &Tracks, time: usize, who: Player, out: &mut Vec<Action>) {
        if who == EVADER {
            out.extend(self.map.ways(tracks[0][time]).iter().map(|way| Action::Evade(way.0)));
            return;
        }
        const ONE: &[(u8, u16)] = &[(0, NOWHERE)];
        let ways = |i: usize| if i < self.pursuers { self.map.ways(tracks[1 + i][time]) } else { ONE };
        for &(a, _) in ways(0) {
            for &(b, _) in ways(1) {
                out.extend(ways(2).iter().map(|&(c, _)| Action::Pursue([a, b, c])));
            }
        }
    }
}
