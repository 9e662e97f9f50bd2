//! Agents of the framework as players in matches that somebody else conducts.
//!
//! A sheet becomes a game like any other, for which the registry has agents. What the player is told becomes the
//! history of its seat: an own move where it had a choice, then what it saw of the step, exactly as if the game were
//! played at a table here. From that follow the information set and everything the agent is given.
//!
//! Where the history is broken, because a manager replaced a move and did not say so, the agent is told of moves that
//! agree with the percepts. Where there are none, the player makes a random legal move; if the agent fails, it does so
//! for the rest of the match.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fogtree_core::{
    Budget, Erased, Event, InfoSet, Key, Method, Model, Observer, Player as Seat, Purpose, Rng, Rules, Seed,
    Spec, Tracked, TrackedInfo, TrackedState,
};
use fogtree_gdl::any_reasoner::State;
use fogtree_gdl::game::Options;
use fogtree_gdl::{AnyReasoner, GdlGame, Limits, Reasoner, TermId};
use fogtree_table::{Registry, SeatAgent, erase};

use crate::follow::Follower;
use crate::legal::{Choice, LegalMoves};
use crate::player::{Learned, Player, PlayerMaker, Refusal, Start};

/// Makes players of the agents of a registry.
pub struct Agents {
    registry: Registry,
    spec: String,
    seed: Seed,
    /// How sheets become games.
    pub options: Options,
}

/// How sheets become games when a clock runs: little is found out beforehand, and nothing that could be is held
/// against them.
pub fn fast_options() -> Options {
    let mut options = Options { knowable: None, matches: 5, histories: 2_000, ..Options::default() };
    options.limits = Limits { steps: 100_000_000, atoms: 2_000_000, until: None };
    options.budget = fogtree_gdl::explore::Budget { states: 2_000, transitions: 8_000 };
    options.level = fogtree_gdl::Level::Lenient;
    options.method = Method::Exact { limit: 500 };
    options
}

/// The options when there is this much time: a third of it is for compiling, and two thirds are for everything that is
/// found out about a sheet.
fn hurried(mut options: Options, time: Duration) -> Options {
    let until = Instant::now().checked_add(time * 2 / 3);
    options.limits.until = options.limits.until.into_iter().chain(until).min();
    options.compiling.time = options.compiling.time.min(time / 3);
    // To put together what was found takes its time, too.
    let facts = FACTS_PER_SECOND.saturating_mul(time.as_secs() as usize + 1);
    options.compiling.facts = options.compiling.facts.min(facts);
    options.compiling.instances = options.compiling.instances.min(facts.saturating_mul(2));
    options
}

/// As many facts can safely be compiled for each second before the match.
const FACTS_PER_SECOND: usize = 150_000;
/// The most worlds of the follower that an agent is offered.
const OFFERED: usize = 64;

impl Agents {
    /// Players with the agent of this specification, by which they are known.
    pub fn new(registry: Registry, spec: &str, seed: Seed) -> Agents {
        Agents { registry, spec: spec.to_string(), seed, options: fast_options() }
    }

    /// The agent for a game, which has this much time before the match, and whether its iterations are limited.
    fn agent(&self, game: &Erased<SheetGame>, start: &Budget) -> Result<(SeatAgent, bool), Refusal> {
        let refusal = |why: &dyn ToString| Refusal(why.to_string());
        let mut spec: Spec = self.spec.parse().map_err(|why| refusal(&why))?;
        let is_given = |key: &str| spec.params.iter().any(|(name, _)| name == key);
        let (limited, prepared) = (is_given("iterations"), is_given("start"));
        if spec.name == "ggp"
            && !prepared
            && let Some(time) = start.time
        {
            spec.params.push(("start".to_string(), format!("{}ms", (time / 2).as_millis().max(1))));
        }
        let agent = self.registry.agent(&spec.to_string(), &*erase(game.clone(), ""));
        match agent.map_err(|why| refusal(&why))? {
            agent if agent.cheats => {
                Err(Refusal(format!("{} needs the true state, which no manager shows", self.spec)))
            }
            agent => Ok((agent, limited)),
        }
    }
}

impl PlayerMaker for Agents {
    fn name(&self) -> String {
        self.spec.clone()
    }

    /// A sheet that makes no game is played at random.
    fn start(&self, start: &Start, budget: &Budget) -> Result<Box<dyn Player>, Refusal> {
        let began = Instant::now();
        let options = budget.time.map_or(self.options, |time| hurried(self.options, time));
        let Ok(game) = GdlGame::fastest(&start.sheet, &options) else {
            return LegalMoves::new(Choice::Random, self.seed)
                .start(start, &budget.after(0, began.elapsed()));
        };
        let game = Erased::new(game.tracked());
        let seed = self.seed.named(&start.id).named(&start.role);
        let rules = game.game().inner();
        let follower = Follower::new(rules.reasoner(), &start.role, seed)?;
        let seat = rules.roles_of_seats().iter().position(|&role| role == follower.role());
        let seat = seat.ok_or_else(|| Refusal("chance is nobody's to play".to_string()))?;
        let (agent, limited) = self.agent(&game, &budget.after(0, began.elapsed()))?;
        let (seat, rng) = (Seat(seat as u8), seed.stream(Purpose::Ties));
        let mut player =
            AgentPlayer { game, seat, seed, agent: Some(agent), limited, follower, told: Vec::new(), rng };
        player.with_agent(|agent| {
            agent.start(seat, seed);
            agent.prepare(&budget.after(0, began.elapsed()));
        });
        Ok(Box::new(player))
    }
}

/// The game of a sheet with information sets.
type SheetGame = Tracked<GdlGame<AnyReasoner>>;

/// An agent that plays a match.
struct AgentPlayer {
    game: Erased<SheetGame>,
    seat: Seat,
    seed: Seed,
    /// Nobody, after it failed.
    agent: Option<SeatAgent>,
    /// Whether the agent's own number of iterations counts, and not the clock alone.
    limited: bool,
    follower: Follower,
    /// What the agent was told of.
    told: Vec<Event>,
    rng: Rng,
}

impl AgentPlayer {
    fn rules(&self) -> &GdlGame<AnyReasoner> {
        self.game.game().inner()
    }

    /// Takes in what was learned; `None` if nobody knows any longer where the match stands.
    fn learn(&mut self, learned: &Learned, budget: &Budget) -> Option<()> {
        let reasoner = self.game.game().inner().reasoner();
        let expected = match learned {
            Learned::Nothing => true,
            Learned::Moves(_) => reasoner.is_open(),
            Learned::Percepts { .. } => !reasoner.is_open(),
        };
        // The agent cannot make anything of a match that is told in another way than the sheet says.
        self.agent.take_if(|_| !expected);
        self.follower.learn(reasoner, learned, budget)
    }

    /// Lets the agent do something; one that panics plays no more.
    fn with_agent<T>(&mut self, f: impl FnOnce(&mut SeatAgent) -> T) -> Option<T> {
        let mut agent = self.agent.take()?;
        let done = catch_unwind(AssertUnwindSafe(|| f(&mut agent))).ok()?;
        self.agent = Some(agent);
        Some(done)
    }

    /// Tells the agent what its seat did and saw since it was told last.
    fn tell(&mut self) -> Option<()> {
        let events = self.rules().events_of(self.follower.history())?;
        // Where the past has become another than the agent was told of, it begins again.
        let again = !events.starts_with(&self.told);
        let (seat, seed, told) = (self.seat, self.seed, if again { 0 } else { self.told.len() });
        self.with_agent(|agent| {
            if again {
                agent.start(seat, seed);
            }
            events[told..].iter().for_each(|event| agent.observe(event));
        })?;
        self.told = events;
        Some(())
    }

    /// Offers worlds that the follower has found, where something is hidden. What others remember in them is not known.
    fn offer(&self, known: &TrackedInfo, made: u32) {
        let (game, rules) = (self.game.game(), self.rules());
        let facts = rules.facts();
        if !facts.hidden {
            return;
        }
        let world = |fluents: &State| {
            let mut world =
                TrackedState::forgotten(rules.position_after(fluents.clone(), made), facts.players);
            world.remember(known.by, &known.events);
            world
        };
        let mine = |world: &TrackedState<_>| game.turn(world).players().contains(self.seat);
        game.offer(known, self.follower.worlds(OFFERED).map(world).filter(mine).collect());
    }

    /// What the agent chooses; `None` if it cannot.
    fn decide(&mut self, legal: &[TermId], budget: &Budget) -> Option<TermId> {
        let made = self.follower.history().len();
        if self.rules().step_limit().is_some_and(|most| made >= most as usize) {
            // The match goes on after the game has ended.
            return None;
        }
        self.tell()?;
        let by = Observer::Seat(self.seat);
        let parse = |&term: &TermId| Some((self.game.parse_move(&self.rules().name(term))?, term));
        let mut moves = legal.iter().map(parse).collect::<Option<Vec<_>>>()?;
        moves.sort_unstable_by_key(|&(mv, _)| mv);
        let known = TrackedInfo::new(by, self.told.clone());
        self.offer(&known, made as u32);
        let info = InfoSet {
            game: Arc::new(self.game.clone()),
            seat: self.seat,
            known: self.game.info(known),
            legal: moves.iter().map(|&(mv, _)| mv).collect(),
            events: self.told.clone(),
            key: self.told.iter().fold(Key::root(by), |key, event| event.extend(key)),
            belief: None,
            truth: None,
        };
        let limited = self.limited;
        let decision = self.with_agent(|agent| {
            let time = agent.budget.time.into_iter().chain(budget.time).min();
            let iterations = agent.budget.iterations.filter(|_| limited || time.is_none());
            agent.agent.act(&info, &Budget { iterations, time, ..budget.clone() })
        });
        let action = decision?.ok()?.action;
        moves.iter().find(|&&(mv, _)| mv == action).map(|&(_, term)| term)
    }
}

impl Player for AgentPlayer {
    fn play(&mut self, learned: &Learned, budget: &Budget) -> Option<String> {
        let began = Instant::now();
        self.learn(learned, budget)?;
        let legal = self.follower.legal(self.rules().reasoner())?;
        let chosen = match legal[..] {
            [only] => only,
            _ => {
                let decided = self.decide(&legal, &budget.after(0, began.elapsed()));
                decided.unwrap_or_else(|| *self.rng.pick(&legal))
            }
        };
        Some(self.rules().reasoner().terms().show(chosen).to_string())
    }

    fn stop(&mut self, learned: &Learned) {
        let Learned::Moves(_) = learned else { return };
        if self.learn(learned, &Budget::default()).is_some()
            && let Some(world) = self.follower.world()
            && self.rules().reasoner().terminal(world) == Ok(true)
        {
            let rewards = self.rules().rewards_in(world);
            self.tell();
            self.with_agent(|agent| agent.end(&rewards));
        }
    }
}
