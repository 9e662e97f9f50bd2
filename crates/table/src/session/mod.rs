//! A game with people and agents in its seats.
//!
//! Whoever lets people play (terminal, page, notebook) has a [`Session`]: it says for whom it waits, takes choices, lets
//! chance and agents move, takes moves back, and tells each seat what that seat may know ([`Session::view`]) and nothing
//! else. The seed of a fair game comes from the system and is promised at the start ([`Commitment`]).
//!
//! ```
//! use fogtree_core::Player;
//! use fogtree_table::{Registry, Seat, Session};
//!
//! let registry = Registry::standard();
//! let seats = [Seat::Person, Seat::Agent("flat-mc(iterations=100)".to_string())];
//! let mut session = Session::start(&registry, "mnk(m=3,n=3,k=3)", &seats, None).unwrap();
//! session.step_agents().unwrap();
//! while let Some(me) = session.waiting_for().iter().next() {
//!     let view = session.view(me);
//!     session.submit(me, &view.legal[0].name, view.revision).unwrap();
//!     session.step_agents().unwrap();
//! }
//! assert!(session.view(Player(0)).over.is_some());
//! ```

mod saved;
mod think;

use std::sync::Arc;

use fogtree_core::record::Header;
use fogtree_core::scene::Scene;
use fogtree_core::text::plain;
use fogtree_core::{
    AgentFailure, BadSpec, Commitment, Decision, IllegalStep, Move, Observer, PerPlayer, Player, Players,
    Purpose, Record, Rng, Seed, Turn,
};

use crate::erased::{AnyGame, AnyTable, SeatAgent};
use crate::registry::{Registry, Unavailable};
use crate::typed::read_move;
use crate::wire::{LegalMove, Over, SeatView};
pub use saved::{BadSession, Saved};
pub use think::Thinking;

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Somebody who submits choices.
    Person,
    /// An agent, by its specification.
    Agent(String),
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum NoSession {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] BadSpec),
    /// There is no such agent for it.
    #[error(transparent)]
    Agent(#[from] Unavailable),
    /// Not as many seats as the game has.
    #[error("the game has {expected} seats, not {given}")]
    Seats {
        /// What the game has.
        expected: usize,
        /// What was given.
        given: usize,
    },
}

/// Why a session did not do what it was asked to. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// It is not this seat's turn, or the seat has chosen already.
    #[error("player {0} is not to move")]
    NotToMove(Player),
    /// The choice was made in another position.
    #[error("the position has changed since this move was chosen")]
    Stale,
    /// The choice is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalStep),
    /// There is nothing to take back.
    #[error("you have not moved yet")]
    NothingToUndo,
    /// Somebody else has chosen since.
    #[error("player {0} has moved since: only one's own last choice can be taken back")]
    OthersMoved(Player),
    /// The seat belongs to an agent.
    #[error("player {0} is an agent")]
    NotAPerson(Player),
}

/// What a step of a session came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stepped {
    /// A step was made.
    Made,
    /// Some person has to choose first.
    Waiting,
    /// The game is over.
    Over,
}

/// A decision that an agent made.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The steps made before it.
    pub step: usize,
    /// Who decided.
    pub seat: Player,
    /// The names of the legal moves.
    pub legal: Vec<String>,
    /// The name of the move.
    pub chosen: String,
    /// How it came about.
    pub decision: Decision,
}

/// What one seat has been through.
#[derive(Clone, Default)]
struct Experience {
    /// What it was told, in words, and by which number of steps.
    told: Vec<(usize, String)>,
    /// The numbers of steps at which it chose.
    chose_at: Vec<usize>,
    /// What it saw when it last chose.
    last: Option<Scene>,
    /// The events that its agent has been told of.
    heard: usize,
}

/// A game with people and agents in its seats.
pub struct Session {
    game: Arc<dyn AnyGame>,
    /// The specification as each seat may know it.
    specs: Vec<String>,
    table: Box<dyn AnyTable>,
    seats: Vec<Seat>,
    /// The agents; none for people, and for those who think elsewhere.
    agents: Vec<Option<SeatAgent>>,
    seed: Seed,
    promise: Option<Commitment>,
    /// Where chance stood before each step: whoever takes moves back gets the same luck again.
    deals: Vec<Rng>,
    deal: Rng,
    pending: PerPlayer<Option<Move>>,
    experience: Vec<Experience>,
    thoughts: Vec<Thought>,
    undone: u64,
    resigned: Option<Player>,
    /// How many of the names of moves were played elsewhere, chance included, before this session began.
    given: usize,
}

impl Session {
    /// A game that begins. Without a seed it is drawn from the system and promised.
    pub fn start(
        registry: &Registry,
        spec: &str,
        seats: &[Seat],
        seed: Option<Seed>,
    ) -> Result<Session, NoSession> {
        let promise = seed.is_none().then(|| Commitment::to(Seed::unguessable()));
        let seed = seed.or(promise.as_ref().map(|p| p.seed)).unwrap_or(Seed(0));
        Session::with(registry, spec, seats, seed, promise)
    }

    /// A game that goes on from what was played elsewhere, chance included. Nobody can take back any of that.
    pub fn start_from(
        registry: &Registry,
        spec: &str,
        seats: &[Seat],
        seed: Option<Seed>,
        given: &[String],
    ) -> Result<Session, BadSession> {
        let mut session = Session::start(registry, spec, seats, seed)?;
        session.given = given.len();
        session.play_again(given)?;
        session.restart_agents();
        Ok(session)
    }

    fn with(
        registry: &Registry,
        spec: &str,
        seats: &[Seat],
        seed: Seed,
        promise: Option<Commitment>,
    ) -> Result<Session, NoSession> {
        let game = registry.game(spec)?.shared();
        let players = game.facts().players;
        if seats.len() != players {
            return Err(NoSession::Seats { expected: players, given: seats.len() });
        }
        let agent = |seat: &Seat| match seat {
            Seat::Person => Ok(None),
            Seat::Agent(spec) => registry.agent(spec, &*game).map(Some),
        };
        let mut session = Session {
            specs: Player::all(players).map(|p| registry.told(spec, p)).collect::<Result<_, _>>()?,
            table: game.table(),
            seats: seats.to_vec(),
            agents: seats.iter().map(agent).collect::<Result<_, _>>()?,
            seed,
            promise,
            deals: Vec::new(),
            deal: seed.stream(Purpose::Deal),
            pending: PerPlayer::from_fn(players, |_| None),
            experience: vec![Experience::default(); players],
            thoughts: Vec::new(),
            undone: 0,
            resigned: None,
            given: 0,
            game,
        };
        session.restart_agents();
        Ok(session)
    }

    /// The game.
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// The table. It holds the truth: not for those who sit at it.
    pub fn table(&self) -> &dyn AnyTable {
        &*self.table
    }

    /// Who sits where.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// The seats whose agents look at the true state.
    pub fn cheating(&self) -> impl Iterator<Item = Player> + '_ {
        Player::all(self.seats.len()).filter(|p| self.agents[p.index()].as_ref().is_some_and(|a| a.cheats))
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.resigned.is_some() || self.table.turn() == Turn::Terminal
    }

    /// The people whose choices the game waits for.
    pub fn waiting_for(&self) -> Players {
        let mut waiting = Players::default();
        if !self.is_over() {
            let people = self.table.turn().players().iter().filter(|p| self.seats[p.index()] == Seat::Person);
            people.filter(|&p| self.pending[p].is_none()).for_each(|p| waiting = waiting.with(p));
        }
        waiting
    }

    /// What a choice must be submitted with. It depends on what the seat has done and seen, and on nothing else.
    pub fn revision(&self, seat: Player) -> u64 {
        (self.undone << 32)
            + 2 * self.table.events(seat).len() as u64
            + u64::from(self.pending[seat].is_some())
    }

    /// Takes a person's choice, by name or as people type it; the step is made when everybody has chosen.
    pub fn submit(&mut self, seat: Player, choice: &str, revision: u64) -> Result<(), Refused> {
        if self.is_over() {
            return Err(Refused::Over);
        }
        if revision != self.revision(seat) {
            return Err(Refused::Stale);
        }
        if !self.waiting_for().contains(seat) {
            return Err(Refused::NotToMove(seat));
        }
        let place = read_move(seat, choice, &self.table.legal(seat))?;
        let chosen = self.table.moves(seat)[place];
        self.choose(seat, chosen);
        Ok(())
    }

    /// Takes a choice, and makes the step once everybody has chosen.
    fn choose(&mut self, seat: Player, chosen: Move) {
        let own = &mut self.experience[seat.index()];
        own.chose_at.push(self.table.steps());
        own.last = Some(self.table.scene(Observer::Seat(seat)));
        self.pending[seat] = Some(chosen);
        let choices: Option<Vec<(Player, Move)>> =
            self.table.turn().players().iter().map(|p| Some((p, self.pending[p]?))).collect();
        if let Some(choices) = choices {
            self.deals.push(self.deal.clone());
            self.table.choose(&choices).expect("choices are checked when they are taken");
            self.pending = PerPlayer::from_fn(self.seats.len(), |_| None);
            self.tell();
        }
    }

    /// Everybody is told what it saw of the last step.
    fn tell(&mut self) {
        self.tell_people();
        for (p, own) in Player::all(self.seats.len()).zip(&mut self.experience) {
            if let Some(agent) = &mut self.agents[p.index()] {
                let events = self.table.events(p);
                events[own.heard..].iter().for_each(|event| agent.observe(event));
                own.heard = events.len();
            }
        }
        if let Some(rewards) = self.table.rewards() {
            self.agents.iter_mut().flatten().for_each(|agent| agent.end(&rewards));
        }
    }

    fn tell_people(&mut self) {
        let steps = self.table.steps();
        for (p, own) in Player::all(self.seats.len()).zip(&mut self.experience) {
            own.told.extend(self.table.told(Observer::Seat(p)).map(|words| (steps, words)));
        }
    }

    /// Lets chance draw, or agents decide, once; or says that a person has to choose first.
    pub fn step(&mut self) -> Result<Stepped, AgentFailure> {
        if self.is_over() {
            return Ok(Stepped::Over);
        }
        if self.table.turn() == Turn::Chance {
            self.deals.push(self.deal.clone());
            self.table.draw(&mut self.deal);
            self.tell();
            return Ok(Stepped::Made);
        }
        let before = self.table.steps();
        while let Some(mut thinking) = self.next_thinker() {
            let decision = thinking.think();
            self.decided(thinking, decision)?;
            if self.table.steps() != before {
                return Ok(Stepped::Made);
            }
        }
        Ok(Stepped::Waiting)
    }

    /// Lets chance and agents move until a person has to choose or the game is over.
    pub fn step_agents(&mut self) -> Result<(), AgentFailure> {
        while self.step()? == Stepped::Made {}
        Ok(())
    }

    /// Takes back a person's last choice and all that followed. Chance will draw the same again.
    pub fn undo(&mut self, seat: Player) -> Result<(), Refused> {
        if self.resigned.is_some() {
            return Err(Refused::Over);
        }
        if self.seats[seat.index()] != Seat::Person {
            return Err(Refused::NotAPerson(seat));
        }
        let at = *self.experience[seat.index()].chose_at.last().ok_or(Refused::NothingToUndo)?;
        if self.pending[seat].take().is_some() {
            self.undone += 1;
            self.experience[seat.index()].chose_at.pop();
            self.experience[seat.index()].last = self.scene_at_last_choice(seat);
            return Ok(());
        }
        let later = |p: &Player| {
            let person = self.seats[p.index()] == Seat::Person && *p != seat;
            person && self.experience[p.index()].chose_at.iter().any(|&chose| chose >= at)
        };
        if let Some(other) = Player::all(self.seats.len()).find(later) {
            return Err(Refused::OthersMoved(other));
        }
        self.undone += 1;
        self.wind_back(at);
        Ok(())
    }

    /// Whether a person has made a choice that could be taken back.
    pub fn has_chosen(&self, seat: Player) -> bool {
        !self.experience[seat.index()].chose_at.is_empty()
    }

    fn wind_back(&mut self, steps: usize) {
        if let Some(deal) = self.deals.get(steps) {
            self.deal = deal.clone();
        }
        self.deals.truncate(steps);
        self.table.wind_back(steps);
        self.pending = PerPlayer::from_fn(self.seats.len(), |_| None);
        self.thoughts.retain(|thought| thought.step < steps);
        for own in &mut self.experience {
            own.told.retain(|(step, _)| *step <= steps);
            own.chose_at.retain(|&step| step < steps);
        }
        for p in Player::all(self.seats.len()) {
            self.experience[p.index()].last = self.scene_at_last_choice(p);
        }
        self.restart_agents();
    }

    /// What a seat saw when it last chose.
    fn scene_at_last_choice(&self, seat: Player) -> Option<Scene> {
        let at = *self.experience[seat.index()].chose_at.last()?;
        let mut table = self.table.fork();
        table.wind_back(at);
        Some(table.scene(Observer::Seat(seat)))
    }

    /// What agents have kept of moves that were taken back is no longer true: they begin anew.
    fn restart_agents(&mut self) {
        for p in Player::all(self.seats.len()) {
            if let Some(agent) = &mut self.agents[p.index()] {
                agent.start(p, agent_seed(self.seed, p));
                let events = self.table.events(p);
                events.iter().for_each(|event| agent.observe(event));
                self.experience[p.index()].heard = events.len();
            }
        }
    }

    /// What an agent would do in a seat's place, with what that seat knows.
    pub fn hint(&self, seat: Player, mut agent: SeatAgent) -> Result<Thought, HintRefused> {
        if self.is_over() || !self.table.turn().players().contains(seat) {
            return Err(HintRefused::Refused(Refused::NotToMove(seat)));
        }
        if agent.cheats {
            return Err(HintRefused::Cheats);
        }
        agent.start(seat, agent_seed(self.seed, seat).named("hint"));
        self.table.events(seat).iter().for_each(|event| agent.observe(event));
        let decision = self.table.ask(seat, &mut agent)?;
        Ok(self.thought(seat, decision))
    }

    fn thought(&self, seat: Player, decision: Decision) -> Thought {
        let chosen = self.game.model().move_name(decision.action);
        Thought { step: self.table.steps(), seat, legal: self.table.legal(seat), chosen, decision }
    }

    /// What agents thought, for whoever may see it: after the end, or where nothing is kept from people.
    pub fn thoughts(&self) -> &[Thought] {
        &self.thoughts
    }

    /// Gives the game up for a person.
    pub fn resign(&mut self, seat: Player) -> Result<(), Refused> {
        if self.is_over() {
            return Err(Refused::Over);
        }
        if self.seats[seat.index()] != Seat::Person {
            return Err(Refused::NotAPerson(seat));
        }
        self.resigned = Some(seat);
        Ok(())
    }

    /// The hash of the seed and its salt, if the seed comes from the system.
    pub fn commitment(&self) -> Option<String> {
        self.promise.as_ref().map(Commitment::hash)
    }

    /// The promise itself, for whoever may know the seed: when the game is over or given up.
    pub fn promise(&self) -> Option<&Commitment> {
        self.promise.as_ref()
    }

    /// What a seat was told since its last choice, in words, with colours for terminals.
    pub fn told(&self, seat: Player) -> impl Iterator<Item = &str> {
        let own = &self.experience[seat.index()];
        let since = own.chose_at.last().copied();
        let told = own.told.iter().filter(move |(step, _)| since.is_none_or(|at| *step > at));
        told.map(|(_, words)| words.as_str())
    }

    /// All that a seat is told.
    pub fn view(&self, seat: Player) -> SeatView {
        let own = &self.experience[seat.index()];
        let scene = self.table.scene(Observer::Seat(seat));
        let to_move =
            !self.is_over() && self.table.turn().players().contains(seat) && self.pending[seat].is_none();
        SeatView {
            game: self.specs[seat.index()].clone(),
            seat,
            revision: self.revision(seat),
            infoset: self.table.key(Observer::Seat(seat)),
            to_move,
            changed: own.last.as_ref().map_or_else(Vec::new, |last| scene.changed_since(last)),
            scene,
            legal: if to_move { LegalMove::all(&self.table.infoset(seat)) } else { Vec::new() },
            told: self.told(seat).map(plain).collect(),
            commitment: self.commitment(),
            over: self.is_over().then(|| self.end()),
        }
    }

    fn end(&self) -> Over {
        Over {
            rewards: self.table.rewards(),
            resigned: self.resigned,
            seed: self.seed,
            salt: self.promise.as_ref().map(|promise| promise.salt.clone()),
            scene: self.table.true_scene(),
            moves: self.table.names(),
        }
    }

    /// The record of what was played. It holds the truth, and the seed.
    pub fn record(&self) -> Record {
        let name = |seat: &Seat| match seat {
            Seat::Person => "person".to_string(),
            Seat::Agent(spec) => spec.clone(),
        };
        let agents = self.seats.iter().map(name).collect();
        let cheating = self.cheating().map(|p| p.0).collect();
        self.table.record(Header { cheating, ..Header::new(self.game.spec(), agents, self.seed) })
    }
}

/// Why there is no hint.
#[derive(Debug, thiserror::Error)]
pub enum HintRefused {
    /// Nobody asks the seat for a move.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The agent would look at the true state.
    #[error("the agent looks at the true state: its hint would tell what is hidden")]
    Cheats,
    /// The agent made no decision.
    #[error(transparent)]
    Failed(#[from] AgentFailure),
}

/// The seed of an agent in a game with this seed.
fn agent_seed(seed: Seed, seat: Player) -> Seed {
    seed.named("agent").number(u64::from(seat.0))
}
