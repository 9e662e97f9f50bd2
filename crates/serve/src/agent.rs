//! Agents of the framework as players in matches that somebody else conducts.
//!
//! A sheet becomes a [`GdlGame`], and what the player is told becomes the history of its seat: an own move where it had
//! a choice, then what it saw of the step, exactly as if the game were played at a table here. From that follow the
//! information set and everything the agent is given.
//!
//! Where the history is broken, because a manager replaced a move and did not say so, the move is looked for that
//! agrees with the percepts. If there is none, or the agent fails, the rest of the match is played with random legal
//! moves.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use fogtree_core::{
    Agent, Budget, Erased, Event, Game, InfoSet, Key, Method, Notation, Observer, Player as Seat, Purpose,
    Rng, Rules, Seed, Step, Tracked, TrackedInfo, TrackedState, Turn,
};
use fogtree_gdl::belief::Standing;
use fogtree_gdl::game::{GdlState, Move, Options};
use fogtree_gdl::{GdlGame, Interpreter, Limits, Reasoner, Sheet, TermId};

use crate::legal::{Choice, Follower, LegalMoves, role_named};
use crate::player::{Learned, Own, Player, PlayerMaker, Refusal, Start};

/// The game of a sheet with information sets.
pub type SheetGame<R> = Tracked<GdlGame<R>>;

/// An agent for a seat of a game.
pub type SheetAgent = Box<dyn Agent>;

/// Makes players of agents.
pub struct Agents<R: Reasoner + 'static> {
    name: String,
    seed: Seed,
    load: Loader<R>,
    make: Maker<R>,
}

/// Makes the game of a sheet.
type Loader<R> = Box<dyn Fn(&Sheet) -> Result<GdlGame<R>, String> + Send + Sync>;
/// Makes an agent for a game within the time before the match.
type Maker<R> = Box<dyn Fn(&Erased<SheetGame<R>>, &Budget) -> Result<SheetAgent, String> + Send + Sync>;

/// How sheets become games when a clock runs: little is found out beforehand, and nothing that could be is held
/// against them.
pub fn hurried() -> Options {
    let mut options = Options { knowable: None, matches: 5, histories: 2_000, ..Options::default() };
    options.limits = Limits { steps: 100_000_000, atoms: 2_000_000 };
    options.budget = fogtree_gdl::explore::Budget { states: 2_000, transitions: 8_000 };
    options.level = fogtree_gdl::Level::Lenient;
    options.method = Method::Exact { limit: 500 };
    options
}

impl Agents<Interpreter> {
    /// Players that are known by this name, with agents that `make` makes for games that the interpreter plays.
    pub fn new(
        name: &str,
        seed: Seed,
        make: impl Fn(&Erased<SheetGame<Interpreter>>, &Budget) -> Result<SheetAgent, String>
        + Send
        + Sync
        + 'static,
    ) -> Agents<Interpreter> {
        let load = |sheet: &Sheet| {
            let options = hurried();
            let reasoner = Interpreter::new(sheet, options.limits).map_err(|why| why.to_string())?;
            GdlGame::new(sheet, reasoner, &options).map_err(|why| why.to_string())
        };
        Agents::with(name, seed, load, make)
    }
}

impl<R: Reasoner + 'static> Agents<R> {
    /// Likewise for games that `load` makes of sheets, with a reasoner of its choice.
    pub fn with(
        name: &str,
        seed: Seed,
        load: impl Fn(&Sheet) -> Result<GdlGame<R>, String> + Send + Sync + 'static,
        make: impl Fn(&Erased<SheetGame<R>>, &Budget) -> Result<SheetAgent, String> + Send + Sync + 'static,
    ) -> Agents<R> {
        Agents { name: name.to_string(), seed, load: Box::new(load), make: Box::new(make) }
    }
}

impl<R: Reasoner + 'static> PlayerMaker for Agents<R> {
    fn name(&self) -> String {
        self.name.clone()
    }

    /// A sheet that makes no game, or no game for this agent, is played at random.
    fn start(&self, start: &Start, budget: &Budget) -> Result<Box<dyn Player>, Refusal> {
        let game = match (self.load)(&start.sheet) {
            Ok(game) => Erased::new(game.tracked()),
            Err(_) => return LegalMoves::new(Choice::Random, self.seed).start(start, budget),
        };
        let role = role_named(game.game().inner().reasoner(), &start.role)?;
        let seat = game.game().inner().roles_of_seats().iter().position(|&r| r == role);
        let seat = seat.ok_or_else(|| Refusal("chance is nobody's to play".to_string()))?;
        let agent = (self.make)(&game, budget).map_err(Refusal)?;
        let seed = self.seed.named(&start.id).named(&start.role);
        let mut player = AgentPlayer::new(game, Seat(seat as u8), agent, seed, start.sheet.is_open())?;
        player.prepare(budget);
        Ok(Box::new(player))
    }
}

/// One step as the player knows it.
#[derive(Clone, Debug)]
struct Known {
    own: Option<TermId>,
    /// What it could have done.
    legal: Vec<TermId>,
    percepts: Vec<TermId>,
}

/// Where the match stands.
enum View<R: Reasoner + 'static> {
    /// Plain GDL: everybody knows. Joint moves in which nobody has a choice are part of the step before them, so
    /// this may be ahead of the match.
    Open(Box<TrackedState<GdlState<R::State>>>),
    /// GDL-II: what was done and perceived.
    Hidden(Vec<Known>),
}

/// An agent that plays a match.
pub struct AgentPlayer<R: Reasoner + 'static> {
    game: Arc<SheetGame<R>>,
    erased: Erased<SheetGame<R>>,
    seat: Seat,
    seed: Seed,
    /// Nobody, after it failed or lost its way.
    agent: Option<SheetAgent>,
    follower: Follower<R::State>,
    view: View<R>,
    /// What the agent was told of.
    events: Vec<Event>,
    /// What could be done when the last move was asked for.
    legal: Vec<TermId>,
    rng: Rng,
}

impl<R: Reasoner + 'static> AgentPlayer<R> {
    /// An agent in a seat of a game whose sheet is plain GDL or not.
    pub fn new(
        erased: Erased<SheetGame<R>>,
        seat: Seat,
        mut agent: SheetAgent,
        seed: Seed,
        open: bool,
    ) -> Result<AgentPlayer<R>, Refusal> {
        let game = Arc::clone(erased.game());
        let reasoner = game.inner().reasoner();
        let role = reasoner.roles()[game.inner().roles_of_seats()[seat.index()]];
        let follower = Follower::new(reasoner, &reasoner.terms().show(role).to_string(), seed)?;
        let view = if open { View::Open(Box::new(game.start())) } else { View::Hidden(Vec::new()) };
        agent.start(seat, seed);
        Ok(AgentPlayer {
            game,
            erased,
            seat,
            seed,
            agent: Some(agent),
            follower,
            view,
            events: Vec::new(),
            legal: Vec::new(),
            rng: seed.stream(Purpose::Ties),
        })
    }

    /// Thinks ahead before the match begins.
    fn prepare(&mut self, budget: &Budget) {
        self.with_agent(|agent| agent.prepare(budget));
    }

    /// Lets the agent do something; one that panics plays no more.
    fn with_agent<T>(&mut self, f: impl FnOnce(&mut SheetAgent) -> T) -> Option<T> {
        let mut agent = self.agent.take()?;
        let done = catch_unwind(AssertUnwindSafe(|| f(&mut agent))).ok()?;
        self.agent = Some(agent);
        Some(done)
    }

    fn reasoner(&self) -> &R {
        self.game.inner().reasoner()
    }

    fn action(&self, term: TermId) -> Option<Move> {
        self.game.parse_action(&self.game.inner().name(term))
    }

    /// Takes in what was learned; `None` if the agent cannot follow any longer.
    fn learn(&mut self, learned: &Learned, budget: &Budget) -> Option<()> {
        let before = self.follower.world().cloned();
        let standing = self.follower.learn(self.game.inner().reasoner(), learned).ok()?;
        let parse = |text: &String| self.reasoner().terms().parse(text);
        match learned {
            Learned::Nothing => {}
            Learned::Moves(moves) => {
                let joint = moves.iter().map(parse).collect::<Option<Vec<TermId>>>()?;
                self.follow(&joint, &before?)?;
            }
            Learned::Percepts { own, percepts } => {
                let own = match own {
                    Own::Told(text) | Own::Sent(text) => {
                        parse(text).filter(|_| standing != Standing::Replaced)
                    }
                    Own::Unknown => None,
                };
                let percepts = percepts.iter().map(parse).collect::<Option<Vec<TermId>>>()?;
                let View::Hidden(history) = &mut self.view else { return None };
                let legal = std::mem::take(&mut self.legal);
                history.push(Known { own, legal, percepts });
                if own.is_none() {
                    self.repair(budget)?;
                }
            }
        }
        let events = self.history()?;
        // After a repair the past is another than the agent was told of, so it begins again.
        let told = if events.starts_with(&self.events) { self.events.len() } else { 0 };
        let (seat, seed, again) = (self.seat, self.seed, told < self.events.len());
        self.with_agent(|agent| {
            if again {
                agent.start(seat, seed);
            }
            events[told..].iter().for_each(|event| agent.observe(event));
        })?;
        self.events = events;
        Some(())
    }

    /// Makes a joint move in plain GDL, unless it was forced and has been made with the one before it.
    fn follow(&mut self, joint: &[TermId], before: &R::State) -> Option<()> {
        let View::Open(at) = &self.view else { return None };
        if at.inner.fluents() != before {
            return Some(());
        }
        let seats = self.game.inner().roles_of_seats();
        let moves: Option<Vec<(Seat, Move)>> = self
            .game
            .turn(at)
            .players()
            .iter()
            .map(|p| {
                let (action, mut legal) = (self.action(*joint.get(seats[p.index()])?)?, Vec::new());
                self.game.actions(at, p, &mut legal);
                legal.contains(&action).then_some((p, action))
            })
            .collect();
        let moves = moves.filter(|moves| !moves.is_empty())?;
        let View::Open(at) = &mut self.view else { return None };
        self.game.apply(at, Step::Moves(&moves));
        Some(())
    }

    /// What the seat did and saw, as the game tells it.
    fn history(&self) -> Option<Vec<Event>> {
        match &self.view {
            View::Open(at) => Some(at.events(Observer::Seat(self.seat))),
            View::Hidden(history) => {
                let mut events = Vec::new();
                for step in history {
                    if step.legal.len() > 1 {
                        events.push(Event::Own(self.game.code(self.action(step.own?)?)));
                    }
                    events.push(Event::Seen(self.game.inner().seen_of(&step.percepts)));
                }
                Some(events)
            }
        }
    }

    /// Finds out what was done for the player in the last step, if that is not known: something that agrees with
    /// everything perceived.
    fn repair(&mut self, budget: &Budget) -> Option<()> {
        let clock = std::time::Instant::now();
        let View::Hidden(history) = &self.view else { return None };
        let (last, _) = history.split_last()?;
        let agrees = |candidate: &TermId| {
            let late = budget.time.is_some_and(|time| clock.elapsed() > time / 2);
            !late && !budget.is_stopped() && self.agrees(history, *candidate)
        };
        let found = last.legal.iter().copied().find(agrees)?;
        let View::Hidden(history) = &mut self.view else { return None };
        history.last_mut()?.own = Some(found);
        Some(())
    }

    /// Whether a history agrees with the rules if this was done in its last step.
    fn agrees(&self, history: &[Known], candidate: TermId) -> bool {
        let reasoner = self.reasoner();
        let show = |&term: &TermId| reasoner.terms().show(term).to_string();
        let role = show(&reasoner.roles()[self.follower.role()]);
        let Ok(mut follower) = Follower::new(reasoner, &role, self.seed) else { return false };
        history.iter().enumerate().all(|(number, step)| {
            let last = number + 1 == history.len();
            let own = if last { Some(candidate) } else { step.own };
            let own = own.map_or(Own::Unknown, |own| Own::Sent(show(&own)));
            let percepts = step.percepts.iter().map(show).collect();
            let standing = follower.learn(reasoner, &Learned::Percepts { own, percepts });
            matches!(standing, Ok(Standing::Complete | Standing::Sampled | Standing::Found))
        })
    }

    /// What the agent has to decide with; `None` if the game does not ask it.
    fn info(&self) -> Option<InfoSet> {
        let by = Observer::Seat(self.seat);
        let erased = &self.erased;
        let action = |&term| self.action(term).map(|action| erased.encode(action));
        let mut legal = self.legal.iter().map(action).collect::<Option<Vec<_>>>()?;
        legal.sort_unstable();
        let known = match &self.view {
            View::Open(at) => {
                let asked = matches!(self.game.turn(at), Turn::Player(_) | Turn::Simultaneous(_));
                let here = self.follower.world() == Some(at.inner.fluents());
                (asked && here).then(|| self.game.info(at, by))?
            }
            View::Hidden(_) => TrackedInfo { by, events: self.events.clone() },
        };
        let key = self.events.iter().fold(Key::root(by), |key, event| event.extend(key));
        Some(InfoSet {
            game: Arc::new(erased.clone()),
            seat: self.seat,
            known: erased.info(known),
            legal,
            events: self.events.clone(),
            key,
            belief: None,
            truth: None,
        })
    }
}

impl<R: Reasoner + 'static> Player for AgentPlayer<R> {
    fn play(&mut self, learned: &Learned, budget: &Budget) -> Option<String> {
        let began = std::time::Instant::now();
        if self.agent.is_some() {
            if self.learn(learned, budget).is_none() {
                self.agent = None;
            }
        } else {
            // The match is followed all the same, to know what is legal.
            let _ = self.follower.learn(self.game.inner().reasoner(), learned);
        }
        self.legal = self.follower.legal(self.reasoner()).ok().filter(|legal| !legal.is_empty())?;
        let chosen = match self.legal[..] {
            [only] => only,
            _ => {
                let decided = self.info().and_then(|info| {
                    let budget = budget.after(0, began.elapsed());
                    let erased = self.erased.clone();
                    self.with_agent(|agent| agent.act(&info, &budget).ok())
                        .flatten()
                        .map(|decision| erased.decode(decision.action).term())
                });
                let decided = decided.filter(|term| self.legal.contains(term));
                decided.unwrap_or_else(|| *self.rng.pick(&self.legal))
            }
        };
        Some(self.reasoner().terms().show(chosen).to_string())
    }

    fn stop(&mut self, learned: &Learned) {
        let Learned::Moves(_) = learned else { return };
        if self.learn(learned, &Budget::default()).is_some()
            && let View::Open(at) = &self.view
            && self.game.turn(at) == Turn::Terminal
        {
            let rewards = self.game.rewards(at);
            self.with_agent(|agent| agent.end(&rewards));
        }
    }
}
