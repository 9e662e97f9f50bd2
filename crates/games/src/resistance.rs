//! The Resistance: a few spies hide among those who would send teams without them on missions.
//!
//! Spies are dealt in secret and know one another; the others, the resistance, know nothing. The leader
//! proposes a team; all vote at the same time, openly, and a strict majority sends it. A rejected team passes
//! the lead on. On a mission every spy of the team secretly plays success or sabotage, all others must play
//! success; only the number of sabotages is shown. One sabotage makes a mission fail, a mission marked `*`
//! takes two. The side that gets most of the missions wins, and each of its members gets 1.
//!
//! Rules: Whitehouse 2014, §4.2.11 and Alg. 1, after D. Eskridge's game of 2009, from which the numbers of
//! spies and the sizes of teams are. It is the game of the experiments on inference and bluffing (ch. 7): what
//! is hidden is small, and all that matters. The thesis sends the fifth team of a mission without a vote; in
//! the printed rules a fifth rejection wins the game for the spies (`last=vote`).

use fogtree_core::{
    About, BadSpec, Chance, Domain, Episodes, Extras, Facts, FastPlay, Metrics, Notation, Observation,
    Observer, Param, Params, Player, Players, Rewards, Rng, Rules, Scene, Scratch, Step, Turn, Utility,
};
use serde::{Deserialize, Serialize};

mod known;
mod scene;
mod seen;
mod tensors;
mod text;

pub use known::{Info, Sampler};
use scene::View;
use seen::Event;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "resistance",
    summary: "Hidden spies, open votes on teams, and missions of which only the number of sabotages is shown",
    source: "Whitehouse 2014, section 4.2.11; D. Eskridge's game of 2009",
    params: &[
        Param::new(
            "players",
            "5",
            Domain::Integer(2, MOST_PLAYERS as i128),
            "2 to 10; below 5 give spies and teams too",
        ),
        Param::new(
            "spies",
            "table",
            Domain::Or("table", &Domain::Integer(1, MOST_PLAYERS as i128 - 1)),
            "how many, or the table of the printed rules",
        ),
        Param::new(
            "teams",
            "table",
            Domain::Or("table", &Domain::List),
            "the size of each mission's team, an odd number of missions up to 5, * where it takes two \
                    sabotages, such as [2,3,3,4*,4]; or the table of the printed rules",
        ),
        Param::new("proposals", "5", Domain::Integer(1, 9), "teams proposed for a mission at most, 1 to 9"),
        Param::new(
            "last",
            "automatic",
            Domain::Choice(&["automatic", "vote"]),
            "the last proposal: automatic goes without a vote, vote makes its rejection win for the spies",
        ),
        Param::new(
            "leader",
            "random",
            Domain::Or("random", &Domain::Integer(0, MOST_PLAYERS as i128 - 1)),
            "the first leader: random, or a seat from 0",
        ),
    ],
    presets: &[],
    tiny: "players=3,spies=1,teams=[1,2,1],proposals=1,last=vote,leader=0",
};

const MOST_PLAYERS: usize = 10;
const MOST_MISSIONS: usize = 5;

/// Spies, and teams by mission, for 5 to 10 players.
const TABLE: [(u32, &str); 6] = [
    (2, "2,3,2,3,3"),
    (2, "2,3,4,3,4"),
    (3, "2,3,3,4*,4"),
    (3, "3,4,4,5*,5"),
    (3, "3,4,4,5*,5"),
    (4, "3,4,4,5*,5"),
];

/// What is counted: games in which the first mission's team was the last that could be proposed,
pub const FIRST_BY_DEFAULT: &str = "first-by-default";
/// and games that lasted to the last mission.
pub const LAST_MISSION: &str = "last-mission";

/// A set of players, one bit per seat.
type Set = u16;

/// The rules of one instance, with all teams and all sets of spies listed.
#[derive(Clone, Debug)]
pub struct Resistance {
    players: usize,
    missions: Vec<Mission>,
    proposals: u8,
    last: Last,
    first_leader: Option<Player>,
    /// All sets of spies, in rising order.
    configurations: Vec<Set>,
    /// The place of a set of spies in the list; meaningless for other sets.
    places: Vec<u16>,
}

/// What a mission takes.
#[derive(Clone, Debug)]
struct Mission {
    /// All teams of the right size, in rising order.
    teams: Vec<Set>,
    size: u32,
    /// So many sabotages make it fail.
    fatal: u8,
}

/// What becomes of the last team that may be proposed for a mission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Automatic,
    Vote,
}

impl Resistance {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Resistance, BadSpec> {
        let players: usize = params.number("players")?;
        let row = players.checked_sub(5).and_then(|row| TABLE.get(row));
        let tabled = |key: &str| params.text(key) == "table";
        let no_table = |key| params.bad(key, "a value of its own, because the table begins at 5 players");
        let spies = match row {
            Some((spies, _)) if tabled("spies") => *spies,
            None if tabled("spies") => return Err(no_table("spies")),
            _ => params.number_within("spies", 1..=players as u32 - 1)?,
        };
        let sizes: Vec<String> = match row {
            Some((_, sizes)) if tabled("teams") => sizes.split(',').map(str::to_string).collect(),
            None if tabled("teams") => return Err(no_table("teams")),
            _ => params.list("teams")?,
        };
        if sizes.len().is_multiple_of(2) || sizes.len() > MOST_MISSIONS {
            return Err(params.bad("teams", "1, 3 or 5 missions, so that one side gets most of them"));
        }
        let mission = |text: &String| {
            let (digits, fatal) = text.strip_suffix('*').map_or((text.as_str(), 1), |digits| (digits, 2));
            let size = digits.parse().ok().filter(|size| (fatal..=players as u32).contains(size));
            size.map(|size| Mission { teams: sets(players, size), size, fatal: fatal as u8 })
        };
        let missions: Option<Vec<Mission>> = sizes.iter().map(mission).collect();
        let expected = || format!("sizes from 1 to {players}, and from 2 where there is a *");
        let first_leader =
            match params.text("leader") {
                "random" => None,
                _ => Some(Player(params.number_within("leader", 0..=players as u8 - 1).map_err(|_| {
                    params.bad("leader", format!("random or a seat from 0 to {}", players - 1))
                })?)),
            };
        let configurations = sets(players, spies);
        let mut places = vec![0; 1 << players];
        for (place, &set) in configurations.iter().enumerate() {
            places[set as usize] = place as u16;
        }
        Ok(Resistance {
            players,
            missions: missions.ok_or_else(|| params.bad("teams", expected()))?,
            proposals: params.number("proposals")?,
            last: params.choice("last", &[Last::Automatic, Last::Vote])?,
            first_leader,
            configurations,
            places,
        })
    }
}

/// All sets of so many players, in rising order.
fn sets(players: usize, size: u32) -> Vec<Set> {
    (0..1 << players).filter(|set: &Set| set.count_ones() == size).collect()
}

/// What a player may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Vote against the team.
    Reject,
    /// Vote for the team.
    Approve,
    /// Let the mission succeed, as far as this card goes.
    Success,
    /// Sabotage the mission.
    Sabotage,
    /// Propose a team, one bit per seat.
    Team(u16),
}

/// What chance draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// Who the spies are, one bit per seat.
    Spies(u16),
    /// Who leads first.
    Leader(Player),
}

/// Everything: who the spies are, which missions were undertaken, and where the next one stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    /// Nobody before they are dealt, and in what a player knows who does not know them.
    spies: Set,
    /// The team proposed, from its proposal to the end of the mission.
    team: Set,
    teams: [Set; MOST_MISSIONS],
    sabotages: [u8; MOST_MISSIONS],
    undertaken: u8,
    failed: u8,
    rejected: u8,
    leader: Player,
    phase: Phase,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Phase {
    Deal,
    Lead,
    Propose,
    Vote,
    Mission,
    Won(Side),
}

/// The codes of teams begin here.
const TEAMS: u64 = 4;

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Side {
    Resistance,
    Spies,
}

impl State {
    #[inline]
    fn is_spy(&self, who: Player) -> bool {
        self.spies >> who.0 & 1 == 1
    }

    /// The missions undertaken: team and sabotages.
    fn record(&self) -> impl Iterator<Item = (Set, u8)> {
        self.teams.into_iter().zip(self.sabotages).take(self.undertaken as usize)
    }

    /// Whether these could be the spies, for all that everybody has seen.
    fn may_be(&self, spies: Set) -> bool {
        self.record().all(|(team, sabotages)| (team & spies).count_ones() >= u32::from(sabotages))
    }
}

impl Resistance {
    #[inline]
    fn everybody(&self) -> Set {
        (1 << self.players) - 1
    }

    #[inline]
    fn mission(&self, s: &State) -> &Mission {
        &self.missions[s.undertaken as usize]
    }

    #[inline]
    fn deal(&self, s: &mut State, spies: Set) {
        s.spies = spies;
        match self.first_leader {
            Some(leader) => self.lead(s, leader),
            None => s.phase = Phase::Lead,
        }
    }

    #[inline]
    fn lead(&self, s: &mut State, leader: Player) {
        s.leader = leader;
        s.phase = Phase::Propose;
    }

    #[inline]
    fn pass_the_lead(&self, s: &mut State) {
        s.team = 0;
        let next = s.leader.0 + 1;
        self.lead(s, Player(if usize::from(next) < self.players { next } else { 0 }));
    }

    #[inline]
    fn propose(&self, s: &mut State, team: Set) {
        s.team = team;
        let is_last = s.rejected + 1 == self.proposals;
        s.phase = if is_last && self.last == Last::Automatic { Phase::Mission } else { Phase::Vote };
    }

    #[inline]
    fn vote(&self, s: &mut State, approvals: Set) {
        if 2 * approvals.count_ones() > self.players as u32 {
            s.phase = Phase::Mission;
            return;
        }
        s.rejected += 1;
        if s.rejected == self.proposals {
            s.phase = Phase::Won(Side::Spies);
        } else {
            self.pass_the_lead(s);
        }
    }

    #[inline]
    fn undertake(&self, s: &mut State, sabotages: u8) {
        let done = s.undertaken as usize;
        s.failed += u8::from(sabotages >= self.mission(s).fatal);
        (s.teams[done], s.sabotages[done]) = (s.team, sabotages);
        s.undertaken += 1;
        s.rejected = 0;
        let most = self.missions.len() as u8 / 2 + 1;
        if s.failed == most {
            s.phase = Phase::Won(Side::Spies);
        } else if s.undertaken - s.failed == most {
            s.phase = Phase::Won(Side::Resistance);
        } else {
            self.pass_the_lead(s);
        }
    }
}

/// The players of a step who approve.
#[inline]
fn approvals(moves: &[(Player, Action)]) -> Set {
    moves.iter().fold(0, |set, m| set | Set::from(matches!(m.1, Action::Approve)) << m.0.0)
}

/// How many of the players of a step sabotage the mission.
#[inline]
fn sabotages(moves: &[(Player, Action)]) -> u8 {
    moves.iter().map(|m| u8::from(matches!(m.1, Action::Sabotage))).sum()
}

impl Rules for Resistance {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn facts(&self) -> Facts {
        let votes = match self.last {
            Last::Automatic => self.proposals - 1,
            Last::Vote => self.proposals,
        };
        let steps = u32::from(self.proposals) + u32::from(votes) + 1;
        Facts {
            hidden: self.configurations[0].count_ones() as usize + 1 < self.players,
            chance: Chance::Listed,
            simultaneous: true,
            utility: Utility::General,
            ..Facts::open(
                self.players,
                1 + u32::from(self.first_leader.is_none()) + self.missions.len() as u32 * steps,
            )
        }
    }

    fn start(&self) -> State {
        State {
            spies: 0,
            team: 0,
            teams: [0; MOST_MISSIONS],
            sabotages: [0; MOST_MISSIONS],
            undertaken: 0,
            failed: 0,
            rejected: 0,
            leader: Player(0),
            phase: Phase::Deal,
        }
    }

    #[inline]
    fn turn(&self, s: &State) -> Turn {
        match s.phase {
            Phase::Deal | Phase::Lead => Turn::Chance,
            Phase::Propose => Turn::Player(s.leader),
            Phase::Vote => Turn::Simultaneous(Players::first(self.players)),
            Phase::Mission => Turn::Simultaneous(Players::from_bits(s.team)),
            Phase::Won(_) => Turn::Terminal,
        }
    }

    fn actions(&self, s: &State, who: Player, out: &mut Vec<Action>) {
        match s.phase {
            Phase::Propose => out.extend(self.mission(s).teams.iter().map(|&team| Action::Team(team))),
            Phase::Vote => out.extend([Action::Reject, Action::Approve]),
            Phase::Mission => {
                out.push(Action::Success);
                out.extend(s.is_spy(who).then_some(Action::Sabotage));
            }
            Phase::Deal | Phase::Lead | Phase::Won(_) => {}
        }
    }

    fn chance(&self, s: &State, out: &mut Vec<(Outcome, f64)>) {
        match s.phase {
            Phase::Deal => {
                let share = 1.0 / self.configurations.len() as f64;
                out.extend(self.configurations.iter().map(|&set| (Outcome::Spies(set), share)));
            }
            Phase::Lead => {
                let share = 1.0 / self.players as f64;
                out.extend(Player::all(self.players).map(|p| (Outcome::Leader(p), share)));
            }
            _ => {}
        }
    }

    #[inline]
    fn sample_chance(&self, s: &State, rng: &mut Rng) -> Outcome {
        match s.phase {
            Phase::Lead => Outcome::Leader(Player(rng.below(self.players as u32) as u8)),
            _ => Outcome::Spies(*rng.pick(&self.configurations)),
        }
    }

    #[inline]
    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        match (step, s.phase) {
            (Step::Chance(&Outcome::Spies(spies)), _) => self.deal(s, spies),
            (Step::Chance(&Outcome::Leader(leader)), _) => self.lead(s, leader),
            (Step::Moves(&[(_, Action::Team(team)), ..]), _) => self.propose(s, team),
            (Step::Moves(moves), Phase::Vote) => self.vote(s, approvals(moves)),
            (Step::Moves(moves), _) => self.undertake(s, sabotages(moves)),
        }
    }

    #[inline]
    fn rewards(&self, s: &State) -> Rewards {
        let spies_won = s.phase == Phase::Won(Side::Spies);
        Rewards::from_fn(self.players, |p| if s.is_spy(p) == spies_won { 1.0 } else { 0.0 })
    }

    #[inline]
    fn observe(&self, before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let event = match (step, before.phase) {
            (Step::Chance(&Outcome::Spies(spies)), _) => {
                let is_spy = by.seat().is_some_and(|p| spies >> p.0 & 1 == 1);
                Event::Dealt(if is_spy { spies } else { 0 })
            }
            (Step::Chance(&Outcome::Leader(leader)), _) => Event::Leader(leader),
            (Step::Moves(&[(leader, Action::Team(team)), ..]), _) => {
                if by.is(leader) {
                    return None;
                }
                Event::Team(team)
            }
            (Step::Moves(moves), Phase::Vote) => Event::Approvals(approvals(moves)),
            (Step::Moves(moves), _) => Event::Sabotages(sabotages(moves)),
        };
        Some(event.seen())
    }

    #[inline]
    fn code(&self, action: Action) -> u64 {
        if let Action::Team(team) = action {
            return TEAMS + u64::from(team);
        }
        match action {
            Action::Reject => 0,
            Action::Approve => 1,
            Action::Success => 2,
            _ => 3,
        }
    }

    fn extras(&self) -> Extras<'_, Self> {
        Extras { episodes: Some(self), metrics: Some(self), ..Extras::NONE }
    }
}

impl Notation for Resistance {
    fn action_name(&self, action: Action) -> String {
        match action {
            Action::Reject => "reject".to_string(),
            Action::Approve => "approve".to_string(),
            Action::Success => "success".to_string(),
            Action::Sabotage => "sabotage".to_string(),
            Action::Team(team) => format!("team-{}", text::joined(team, "-")),
        }
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        let plain = [Action::Reject, Action::Approve, Action::Success, Action::Sabotage];
        let team = name.strip_prefix("team-").and_then(|seats| self.parse_set(seats)).map(Action::Team);
        plain.into_iter().find(|&action| self.action_name(action) == name).or(team)
    }

    fn outcome_name(&self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Spies(spies) => format!("spies-{}", text::joined(*spies, "-")),
            Outcome::Leader(leader) => format!("leader-{leader}"),
        }
    }

    fn parse_outcome(&self, name: &str) -> Option<Outcome> {
        let spies = name.strip_prefix("spies-").and_then(|seats| self.parse_set(seats));
        let all = Player::all(self.players).map(Outcome::Leader);
        let leader = all.into_iter().find(|leader| self.outcome_name(leader) == name);
        spies.map(Outcome::Spies).or(leader)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.explain_event(Event::of(seen), by)
    }

    fn recall(&self, events: &[fogtree_core::Event]) -> Option<String> {
        self.votes(events)
    }

    fn scene_of(&self, s: &State) -> Scene {
        let spies = (s.phase != Phase::Deal).then_some(s.spies);
        self.draw(&View { by: Observer::Public, state: s, spies })
    }

    fn role(&self, s: &State, seat: Player) -> String {
        match s.phase {
            Phase::Deal => "undealt",
            _ if s.is_spy(seat) => "spies",
            _ => "resistance",
        }
        .to_string()
    }
}

impl FastPlay for Resistance {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Action {
        match code {
            0 => Action::Reject,
            1 => Action::Approve,
            2 => Action::Success,
            3 => Action::Sabotage,
            _ => Action::Team((code - TEAMS) as u16),
        }
    }

    #[inline]
    fn random_action(&self, s: &State, who: Player, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Action {
        match s.phase {
            Phase::Propose => Action::Team(*rng.pick(&self.mission(s).teams)),
            Phase::Mission if s.is_spy(who) && rng.below(2) == 1 => Action::Sabotage,
            Phase::Mission => Action::Success,
            _ if rng.below(2) == 1 => Action::Approve,
            _ => Action::Reject,
        }
    }

    #[inline]
    fn playout(&self, s: &mut State, rng: &mut Rng, _scratch: &mut Scratch<Self>) -> Rewards {
        loop {
            match s.phase {
                Phase::Won(_) => return self.rewards(s),
                Phase::Deal => self.deal(s, *rng.pick(&self.configurations)),
                Phase::Lead => self.lead(s, Player(rng.below(self.players as u32) as u8)),
                Phase::Propose => self.propose(s, *rng.pick(&self.mission(s).teams)),
                Phase::Vote => self.vote(s, rng.bits() as Set & self.everybody()),
                Phase::Mission => {
                    let played = rng.bits() as Set & s.team & s.spies;
                    self.undertake(s, played.count_ones() as u8);
                }
            }
        }
    }

    /// All but the deal. (A mission of one player shows this player the result too, hence not by this.)
    #[inline]
    fn seen_by_all(&self, before: &State, step: Step<'_, Self>) -> Option<Observation> {
        match (step, before.phase) {
            (Step::Chance(_), _) | (Step::Moves([_]), Phase::Mission) => None,
            (Step::Moves(_), _) => self.observe(before, step, Observer::Public),
        }
    }

    fn codes(&self) -> Option<usize> {
        Some(TEAMS as usize + (1 << self.players))
    }
}

impl Episodes<Resistance> for Resistance {
    /// Every mission is an episode: from its first team on.
    fn episode(&self, s: &State) -> Option<u32> {
        (s.phase == Phase::Propose && s.rejected == 0).then(|| u32::from(s.undertaken) + 1)
    }
}

impl Metrics<Resistance> for Resistance {
    /// In how many games nobody but the last leader could send a team on the first mission, and how many were settled by
    /// no mission but the last (Whitehouse 2014, §7.5.4).
    fn metrics(&self, before: &State, step: Step<'_, Self>, out: &mut Vec<(Player, &'static str, f64)>) {
        let mut after = *before;
        self.apply(&mut after, step);
        let over = matches!(after.phase, Phase::Won(_));
        let by_default = after.undertaken == 1
            && before.undertaken == 0
            && usize::from(before.rejected) + 1 == usize::from(self.proposals);
        let whole = over && usize::from(after.undertaken) == self.missions.len();
        for p in Player::all(self.players) {
            if over || by_default {
                out.push((p, FIRST_BY_DEFAULT, f64::from(u8::from(by_default))));
            }
            if over {
                out.push((p, LAST_MISSION, f64::from(u8::from(whole))));
            }
        }
    }
}

/// The seats of a set.
#[inline]
fn members(set: Set) -> impl Iterator<Item = Player> {
    (0..MOST_PLAYERS as u8).filter(move |p| set >> p & 1 == 1).map(Player)
}

#[cfg(test)]
mod tests;
