//! What exists, by name: games and agents, our own and those that outside crates add.

use std::sync::Arc;

use crate::erased::{AnyGame, SeatAgent, erase, erase_with_remark};
use crate::sandbox::{self, Sandbox};
use crate::{exec, ggp, strategy, wire};
use fogtree_core::{
    About, AgentEntry, Asked, BadSpec, Domain, Erased, Needed, Params, Playable, Player, Spec,
};
use fogtree_search::kit::params::infer;
use fogtree_search::{InTime, PerTurn, WithInference, multi_tree};

/// Makes a game from parameters and the specification that they were read from.
type MakeGame = Arc<dyn Fn(&Params, &str) -> Result<Box<dyn AnyGame>, BadSpec> + Send + Sync>;

/// A game that can be asked for by name.
#[derive(Clone)]
pub struct GameEntry {
    /// What there is to say of it.
    pub about: &'static About,
    make: MakeGame,
}

impl GameEntry {
    /// A game made by a function from its parameters.
    pub fn new<G: Playable>(
        about: &'static About,
        make: impl Fn(&Params) -> Result<G, BadSpec> + Send + Sync + 'static,
    ) -> GameEntry {
        GameEntry { about, make: Arc::new(move |params, spec| Ok(erase(Erased::new(make(params)?), spec))) }
    }
}

/// Why an agent cannot be had for a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unavailable {
    /// The specification does not stand for an agent.
    #[error(transparent)]
    Spec(#[from] BadSpec),
    /// The agent cannot play this game.
    #[error("{agent} cannot play this game: {why}; use {} instead", .instead.join(" or "))]
    Unsuitable {
        /// The agent.
        agent: String,
        /// Why not.
        why: String,
        /// Agents that can.
        instead: Vec<String>,
    },
}

/// The games and agents that can be asked for by name.
#[derive(Clone)]
pub struct Registry {
    games: Vec<GameEntry>,
    agents: Vec<AgentEntry>,
    sandbox: Option<Sandbox>,
}

struct Eraser<'a>(&'a str);

impl fogtree_games::Receiver for Eraser<'_> {
    type Out = Box<dyn AnyGame>;

    fn game<G: Playable>(&mut self, game: G) -> Box<dyn AnyGame> {
        erase(Erased::new(game), self.0)
    }
}

impl Registry {
    /// Everything that comes with Fogtree.
    pub fn standard() -> Registry {
        let game = |about: &&'static About| {
            let about = *about;
            let make =
                move |params: &Params, spec: &str| fogtree_games::make(about.name, params, &mut Eraser(spec));
            GameEntry { about, make: Arc::new(make) }
        };
        let sheet = |params: &Params, spec: &str| -> Result<Box<dyn AnyGame>, BadSpec> {
            let game = fogtree_gdl::game::from_params(params)?;
            let remark = game.inner().remark();
            Ok(erase_with_remark(Erased::new(game), spec, remark))
        };
        let sheets = GameEntry { about: &fogtree_gdl::game::ABOUT, make: Arc::new(sheet) };
        let mut games: Vec<GameEntry> = fogtree_games::ALL.iter().map(game).chain([sheets]).collect();
        games.sort_by_key(|entry| entry.about.name);
        let of_tables = [&ggp::ENTRY, &exec::ENTRY, &strategy::ENTRY];
        let agents = fogtree_search::entries().chain(of_tables).copied().collect();
        Registry { games, agents, sandbox: None }
    }

    /// What comes with Fogtree and may be asked for by strangers: nothing reads files or runs other programs, whether
    /// it is asked for by itself or within something else, and numbers are bounded by what a server has to give.
    pub fn sandboxed() -> Registry {
        let Registry { games, agents, .. } = Registry::standard();
        let (agents, left_out): (Vec<_>, Vec<_>) = agents.into_iter().partition(|e| Sandbox::keeps(e.about));
        let left_out = left_out.into_iter().map(|e| e.about).collect();
        Registry { games, agents, sandbox: Some(Sandbox { left_out }) }
    }

    /// Adds a game, in place of one of the same name.
    pub fn add_game(&mut self, entry: GameEntry) {
        self.games.retain(|e| e.about.name != entry.about.name);
        self.games.push(entry);
    }

    /// Adds an agent, in place of one of the same name.
    pub fn add_agent(&mut self, entry: AgentEntry) {
        self.agents.retain(|e| e.about.name != entry.about.name);
        self.agents.push(entry);
    }

    /// The games that exist.
    pub fn games(&self) -> impl Iterator<Item = &'static About> + Clone + '_ {
        self.games.iter().map(|e| e.about)
    }

    /// The agents that exist.
    pub fn agents(&self) -> impl Iterator<Item = &'static About> + Clone + '_ {
        self.agents.iter().map(|e| e.about)
    }

    /// What there is to say of a game or an agent, with the parameters and values that may be asked for.
    pub fn offered(&self, about: &'static About) -> wire::About {
        match self.sandbox {
            None => about.into(),
            Some(_) => Sandbox::offer(about, self.agents().any(|a| a.name == about.name)),
        }
    }

    /// The specification with the bounds of a sandbox kept, if what it asks for may be had.
    fn admitted(&self, about: &'static About, is_agent: bool, spec: Spec) -> Result<Spec, BadSpec> {
        let Some(sandbox) = &self.sandbox else { return Ok(spec) };
        let find = |spec: &Spec| {
            let agent = About::find(self.agents(), "agent", spec).map(|(about, spec)| (about, true, spec));
            let game = || About::find(self.games(), "game", spec).map(|(about, spec)| (about, false, spec));
            agent.or_else(|_| game()).ok()
        };
        sandbox.admit((about, is_agent, spec), &find, 0)
    }

    /// Reads a specification, unless it is too long for a sandbox.
    fn read(&self, spec: &str) -> Result<Spec, BadSpec> {
        if self.sandbox.is_some() {
            Sandbox::measure(spec)?;
        }
        spec.parse()
    }

    /// The entry of an agent, and the parameters that a specification gives to it.
    pub fn agent_entry(&self, spec: &Spec) -> Result<(&AgentEntry, Params), BadSpec> {
        if let Some(sandbox) = &self.sandbox {
            sandbox.knows(spec)?;
        }
        let (about, full) = About::find(self.agents(), "agent", spec)?;
        let full = self.admitted(about, true, full)?;
        let entry = self.agents.iter().find(|e| e.about.name == about.name).expect("found by name");
        let params = entry.about.params(&full)?;
        params.check()?;
        Ok((entry, params))
    }

    /// Whether an agent runs another program, or may ask an agent that does. What is not an agent does not.
    pub fn reaches_outside(&self, agent: &str) -> bool {
        let Ok((entry, params)) = agent.parse().and_then(|spec| self.agent_entry(&spec)) else {
            return false;
        };
        entry.about.params.iter().any(|param| match param.domain {
            Domain::Command => true,
            Domain::Text => self.reaches_outside(params.text(param.name)),
            _ => false,
        })
    }

    /// The game that a specification stands for.
    pub fn game(&self, spec: &str) -> Result<Box<dyn AnyGame>, BadSpec> {
        let (about, full) = About::find(self.games(), "game", &self.read(spec)?)?;
        let full = self.admitted(about, false, full)?;
        let entry = self.games.iter().find(|e| e.about.name == about.name).expect("found by name");
        (entry.make)(&entry.about.params(&full)?, spec)
    }

    /// The specification of a game as a seat may know it: without what other seats alone know.
    pub fn told(&self, spec: &str, seat: Player) -> Result<String, BadSpec> {
        let written: Spec = spec.parse()?;
        let (about, full) = About::find(self.games(), "game", &written)?;
        Ok(about.params(&full)?.told_to(seat, written).to_string())
    }

    /// The agent that a specification stands for, to play a game.
    pub fn agent(&self, spec: &str, game: &dyn AnyGame) -> Result<SeatAgent, Unavailable> {
        let parsed = self.read(spec)?;
        let (entry, params) = self.agent_entry(&parsed)?;
        let (model, infer) = (game.model(), infer(&params)?);
        let believing = Needed::HiddenPart("to infer").or(&["mo-ismcts(infer=off)", "pimc(infer=off)"]);
        let needs = infer.map(|_| believing).into_iter().chain((entry.needs)(&params));
        for need in needs {
            if let Some(why) = need.what.refusal(&**model) {
                let instead = need.instead.iter().map(|s| (*s).to_string()).collect();
                return Err(Unavailable::Unsuitable { agent: entry.about.name.to_string(), why, instead });
            }
        }
        let told = |seat| self.told(game.spec(), seat).unwrap_or_else(|_| game.spec().to_string());
        let asked =
            Asked { game: model, spec: game.spec(), told: &told, params: &params, host: &game.shared() };
        let (mut agent, budget) = (entry.make)(&asked)?;
        if let Some(iterations) = infer {
            let mut settings = multi_tree::Settings::default();
            if self.sandbox.is_some() {
                settings.memory = (sandbox::MEMORY as usize) << 20;
            }
            agent = Box::new(WithInference::new(model, agent, settings, iterations));
        }
        if budget.turn.is_some() {
            if entry.cheats {
                return Err(params.bad("time", "a time for each decision, as in 500ms").into());
            }
            agent = Box::new(PerTurn::new(model, agent));
        }
        if entry.draws && !entry.cheats && model.facts().hidden {
            agent = Box::new(InTime::new(agent));
        }
        Ok(SeatAgent { spec: parsed.to_string(), agent, cheats: entry.cheats, budget })
    }
}
