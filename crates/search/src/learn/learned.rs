//! Components put together: who decides where, what is collected from a playout, and who learns from it.

mod auto_select;
mod builder;
mod choose;
#[cfg(test)]
mod formulas;
mod mix;
mod rollout;
mod unprune;

use auto_select::Watcher;
use builder::{Builder, OPINIONS};
use fogtree_core::{Chance, MAX_PLAYERS, Model, Move, Player, Rewards, Rng, Simulation, World, WorldStep};
use mix::{MixTerm, Mixture};
use rollout::{Alone, simulate};
use unprune::Considered;

use super::context::PlayContext;
use super::enhance::{Capture, Component, Context, Enhance, Learning, Operator, Policy, Unprune, Values};
use super::epic::EpisodePart;
use super::guide::{AmafPart, Arm, Crossing, Opinions};
use super::policy::Scales;
use super::records::{Address, Evidence, Records};
use super::reply::ReplyPart;
use super::values::ValuePart;
use super::{Knowledge, Place, Tally};
use crate::Scale;
use crate::ismcts::Select;
use crate::kit::scratch::Scratch;

/// Buffers of decisions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    pub(crate) scales: Scales,
    pub(crate) infos: Vec<Evidence>,
}

/// What can decide below the tree.
pub(crate) trait Learner {
    /// A player is to decide.
    fn arrive(&mut self, game: &dyn Model, sight: &PlayContext, who: Player);

    /// Whether it knows anything by which to decide.
    fn knows(&self) -> bool;

    /// These actions are legal in a world, whose states after them it may look at before it chooses.
    #[inline]
    fn foresee(&mut self, _world: &dyn World, _who: Player, _legal: &[Move]) {}

    /// The place of the action to be made, if it knows anything.
    fn choose(&mut self, legal: &[Move], tools: &mut Tools, rng: &mut Rng) -> usize;

    /// The player decided.
    fn made(&mut self, game: &dyn Model, who: Player, action: Move);
}

/// Something that learns.
enum Part {
    Values(ValuePart),
    Reply(ReplyPart),
    Episodes(EpisodePart),
    Amaf(AmafPart),
    Opinions(Opinions),
}

/// What a search learns.
pub(crate) struct Learned {
    parts: Vec<Part>,
    names: Vec<String>,
    select: Mixture,
    expand: Mixture,
    simulate: Mixture,
    c: f32,
    scale: Scale,
    guides: bool,
    /// The means of squared rewards, by node, for UCB1-Tuned.
    squares: Option<Records>,
    /// Whether anything below the tree matters.
    follows: bool,
    /// Whether one component alone learns, and decides below the tree.
    alone: bool,
    /// Whether chance deals, which cannot be listed, rather than rolls or draws.
    deals: bool,
    sight: PlayContext,
    in_tree: bool,
    /// The moves made, the decisions in the tree, and the moves that were legal there, if somebody asks.
    logs: bool,
    made: Vec<(Player, Move)>,
    crossings: Vec<Crossing>,
    legal: Vec<Move>,
    tools: Tools,
    bounds: Vec<f32>,
    base_bounds: Vec<f32>,
    totals: Vec<f32>,
    untried: Vec<Move>,
    /// Whether some component looks at the states after actions.
    looks_ahead: bool,
    /// How few moves are considered in the tree, if not all, and by whose opinions.
    unprune: Option<(Unprune, usize)>,
    considered: Considered,
    /// How games are played out if nothing that was learnt says how.
    simulation: Simulation,
    /// Who chooses among candidates, if that is asked for.
    watcher: Option<Box<Watcher>>,
}

/// Whose values progressive history uses: those of MAST.
const ANYWHERE: Values = Values {
    context: Context::Nothing,
    policy: Policy::Ucb1 { c: 0.7 },
    learning: Learning::Mean,
    capture: Capture::Playout,
    untried: 1.0,
    keep: false,
};

impl Learned {
    /// Knowledge as described; each component may take so many bytes.
    pub(crate) fn new(game: &dyn Model, enhance: &Enhance, select: Select, c: f64, memory: usize) -> Learned {
        let auto =
            enhance.components().find_map(|c| if let Component::Auto(auto) = c { Some(auto) } else { None });
        let candidates = auto.map(|auto| auto.candidates());
        let components = || enhance.components().chain(candidates.into_iter().flatten());
        let depth = components().map(|c| match c {
            Component::Values(values) => ValuePart::depth(&values),
            Component::Fuzzy(fuzzy) => ValuePart::depth(&fuzzy.grams()),
            Component::Reply(_) => 1,
            _ => 0,
        });
        let by_predicates = |values: &Values| matches!(values.context, Context::Predicates { .. });
        let by_label = |c: Component| match c {
            Component::Episodes(_) => true,
            Component::Values(values) => by_predicates(&values),
            _ => false,
        };
        let values =
            || components().filter_map(|c| if let Component::Values(v) = c { Some(v) } else { None });
        let by_weights = |values: &Values| matches!(values.learning, Learning::Td { .. });
        let sight = PlayContext::new(game, depth.max().unwrap_or(0), components().any(by_label))
            .watching(components().any(|c| c.looks_back()))
            .with_features(values().any(|v| by_predicates(&v)), values().any(|v| by_weights(&v)));
        let facts = game.facts();
        let mut builder = Builder { parts: Vec::new(), made_of: Vec::new(), sight: &sight, memory };
        let teams = [&enhance.select, &enhance.expand, &enhance.simulate].map(|mix| builder.team(game, mix));
        let unprune = enhance.select.terms().iter().find_map(|t| match t.component {
            Component::Unprune(unprune) => Some((unprune, builder.part(game, OPINIONS))),
            _ => None,
        });
        let (parts, made_of) = (builder.parts, builder.made_of);
        let [selecting, expand, simulate] = teams;
        let guides =
            select == Select::Tuned || unprune.is_some() || !selecting.is_base() || !expand.is_base();
        let learns_below = |part: &Part| match part {
            Part::Values(values) => values.follows_simulation(),
            Part::Opinions(_) => false,
            _ => true,
        };
        Learned {
            follows: !simulate.is_base() || parts.iter().any(learns_below),
            logs: select == Select::Tuned || parts.iter().any(|p| matches!(p, Part::Amaf(_))),
            names: made_of.iter().map(Component::to_string).collect(),
            alone: matches!((&parts[..], &simulate.members[..]), ([_], [(_, MixTerm::Part(0))]))
                && simulate.operator == Operator::Linear,
            parts,
            select: selecting,
            expand,
            simulate,
            c: c as f32,
            scale: Scale::of(facts),
            guides,
            squares: (select == Select::Tuned).then(|| Records::new(None, memory)),
            deals: facts.chance == Chance::Sampled,
            sight,
            in_tree: true,
            made: Vec::new(),
            crossings: Vec::new(),
            legal: Vec::new(),
            tools: Tools::default(),
            bounds: Vec::new(),
            base_bounds: Vec::new(),
            totals: Vec::new(),
            untried: Vec::new(),
            looks_ahead: values().any(|v| by_weights(&v)),
            unprune,
            considered: Considered::default(),
            simulation: Simulation::UNIFORM,
            watcher: auto.map(|auto| Box::new(Watcher::new(game, auto))),
        }
    }

    /// The same with another way of playing out where nothing that was learnt says how.
    pub(crate) fn with_simulation(self, simulation: Simulation) -> Learned {
        Learned { simulation, ..self }
    }

    /// Which of these moves is made in the tree, by place.
    fn select_among(
        &mut self,
        game: &dyn Model,
        at: Place<'_>,
        legal: &[Move],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        let mut untried = std::mem::take(&mut self.untried);
        untried.clear();
        untried.extend(legal.iter().zip(arms).filter(|(_, arm)| arm.visits == 0).map(|(&a, _)| a));
        if self.logs {
            let from = self.legal.len() as u32;
            self.legal.extend_from_slice(legal);
            self.crossings.push(Crossing {
                key: at.key,
                who: at.who,
                legal: (from, self.legal.len() as u32),
                made: self.made.len() as u32,
                selection: untried.is_empty(),
            });
        }
        let place = if untried.is_empty() {
            self.foresee(at.world, at.who, legal);
            self.select_tried(&at, legal, arms, rng)
        } else {
            self.foresee(at.world, at.who, &untried);
            self.select_untried(game, &at, (legal, arms), &mut untried, rng)
        };
        self.untried = untried;
        place
    }

    /// Lets components look at the states after actions, if some do.
    #[inline]
    fn foresee(&mut self, world: &dyn World, who: Player, actions: &[Move]) {
        if !self.looks_ahead {
            return;
        }
        for part in &mut self.parts {
            if let Part::Values(values) = part {
                values.foresee(world, who, actions);
            }
        }
    }

    /// Lets every component know who is to decide.
    #[inline]
    fn prepare(&mut self, game: &dyn Model, who: Player) {
        for part in &mut self.parts {
            match part {
                Part::Values(values) => values.arrive(game, &self.sight, who),
                Part::Reply(reply) => reply.arrive(&self.sight, who),
                Part::Episodes(episodes) => episodes.arrive(&self.sight, who),
                Part::Amaf(_) | Part::Opinions(_) => {}
            }
        }
    }

    /// Counts the availability of legal actions for all trees of episodes but one.
    #[inline]
    fn pass(&mut self, world: &dyn World, who: Player, but: Option<usize>, list: &mut Listing<'_>) {
        for (i, part) in self.parts.iter_mut().enumerate() {
            if let Part::Episodes(episodes) = part
                && Some(i) != but
                && episodes.knows()
            {
                episodes.pass(list.get(world, who), &self.tools.scales.roots);
            }
        }
    }
}

/// The legal actions, listed when somebody asks.
struct Listing<'a> {
    scratch: &'a mut Scratch,
    listed: bool,
}

impl Listing<'_> {
    #[inline]
    fn get(&mut self, world: &dyn World, who: Player) -> &[Move] {
        if !self.listed {
            self.listed = true;
            self.scratch.actions.clear();
            world.legal(who, &mut self.scratch.actions);
        }
        &self.scratch.actions
    }
}

impl Knowledge for Learned {
    const LEARNS: bool = true;

    fn forget(&mut self) {
        self.watch_anew();
        if let Some(watcher) = &mut self.watcher {
            watcher.forget();
        }
        for part in &mut self.parts {
            match part {
                Part::Values(values) => values.forget(),
                Part::Reply(reply) => reply.forget(),
                Part::Episodes(episodes) => episodes.forget(),
                Part::Amaf(amaf) => amaf.forget(),
                Part::Opinions(opinions) => opinions.forget(),
            }
        }
        if let Some(squares) = &mut self.squares {
            squares.clear();
        }
    }

    fn begin(&mut self, reuse: bool) {
        self.watch_anew();
        for part in &mut self.parts {
            match part {
                Part::Values(values) => values.begin(),
                Part::Reply(reply) => reply.begin(),
                Part::Episodes(episodes) => episodes.begin(),
                Part::Amaf(amaf) if !reuse => amaf.forget(),
                Part::Opinions(opinions) if !reuse => opinions.forget(),
                Part::Amaf(_) | Part::Opinions(_) => {}
            }
        }
        if let Some(squares) = self.squares.as_mut().filter(|_| !reuse) {
            squares.clear();
        }
    }

    fn plan(&mut self, iterations: Option<u64>) {
        self.plan_to_watch(iterations);
    }

    fn restart(&mut self, world: &dyn World) {
        self.watch_iteration();
        self.sight.restart(world);
        self.in_tree = true;
        self.made.clear();
        self.crossings.clear();
        self.legal.clear();
        for part in &mut self.parts {
            match part {
                Part::Values(values) => values.restart(),
                Part::Reply(reply) => reply.restart(),
                Part::Episodes(episodes) => episodes.restart(),
                Part::Amaf(_) | Part::Opinions(_) => {}
            }
        }
    }

    fn arrive(&mut self, game: &dyn Model, world: &dyn World, who: Player, scratch: &mut Scratch) -> bool {
        self.prepare(game, who);
        let mut list = Listing { scratch, listed: false };
        self.pass(world, who, None, &mut list);
        list.listed
    }

    fn guides(&self) -> bool {
        self.guides
    }

    fn select(
        &mut self,
        game: &dyn Model,
        at: Place<'_>,
        legal: &[Move],
        arms: &[Arm],
        rng: &mut Rng,
    ) -> usize {
        match self.unprune {
            Some(unprune) => self.select_unpruned(unprune, game, at, (legal, arms), rng),
            None => self.select_among(game, at, legal, arms, rng),
        }
    }

    #[inline]
    fn made(&mut self, game: &dyn Model, who: Player, action: Move) {
        if self.logs {
            self.made.push((who, action));
        }
        for part in &mut self.parts {
            match part {
                Part::Values(values) => values.made(game, who, action, self.in_tree),
                Part::Reply(reply) => reply.made(who, action),
                Part::Episodes(episodes) => episodes.made(who, action),
                Part::Amaf(_) | Part::Opinions(_) => {}
            }
        }
    }

    #[inline]
    fn step(&mut self, game: &dyn Model, before: &dyn World, step: WorldStep<'_>) {
        self.sight.step(game, before, step);
    }

    #[inline]
    fn enter(&mut self, world: &dyn World) {
        self.sight.enter(world);
    }

    fn playout(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Rewards {
        self.in_tree = false;
        if !self.follows {
            return world.playout(self.simulation, rng);
        }
        let (sight, tools, deals) = (&mut self.sight, &mut self.tools, self.deals);
        match &mut self.parts[..] {
            [Part::Values(learner)] if self.alone => {
                simulate(&mut Alone { learner, sight, tools }, game, world, deals, rng, scratch)
            }
            [Part::Reply(learner)] if self.alone => {
                simulate(&mut Alone { learner, sight, tools }, game, world, deals, rng, scratch)
            }
            [Part::Episodes(learner)] if self.alone => {
                simulate(&mut Alone { learner, sight, tools }, game, world, deals, rng, scratch)
            }
            _ => simulate(self, game, world, deals, rng, scratch),
        }
    }

    fn learn(&mut self, rewards: &Rewards) {
        let mut scaled = [0.0; MAX_PLAYERS];
        for (to, &reward) in scaled.iter_mut().zip(rewards.iter()) {
            *to = self.scale.value(reward) as f32;
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.learn(&scaled);
        }
        for part in &mut self.parts {
            match part {
                Part::Values(values) => {
                    values.learn_weights(self.sight.reached(), &scaled);
                    values.learn(&scaled);
                }
                Part::Reply(reply) => reply.learn(&scaled),
                Part::Episodes(episodes) => episodes.learn(&scaled),
                Part::Amaf(amaf) => amaf.learn(&self.crossings, &self.legal, &self.made, &scaled),
                Part::Opinions(_) => {}
            }
        }
        if let Some(squares) = &mut self.squares {
            for crossing in &self.crossings {
                let (who, action) = self.made[crossing.made as usize];
                let reward = scaled[who.index()];
                squares.learn(Address::key(crossing.key), action, reward * reward, 0.0);
            }
        }
    }

    fn tallies(&self) -> Vec<Tally> {
        let tally = |(part, name): (&Part, &String)| {
            let (records, trials) = match part {
                Part::Values(values) => values.tally(),
                Part::Episodes(episodes) => episodes.tally(),
                Part::Amaf(amaf) => amaf.tally(),
                Part::Reply(reply) => {
                    return Some(Tally { name: name.clone(), records: reply.len(), ..Tally::default() });
                }
                Part::Opinions(_) => return None,
            };
            Some(Tally { name: name.clone(), records, trials: Some(trials), fitness: None })
        };
        let Some(watcher) = &self.watcher else {
            return self.parts.iter().zip(&self.names).filter_map(tally).collect();
        };
        let all = watcher.candidates(&self.parts).zip(&self.names).filter_map(tally);
        let fit = |(i, tally)| Tally { fitness: Some(watcher.fitness(i)), ..tally };
        all.enumerate().map(fit).collect()
    }

    fn bytes(&self) -> u64 {
        let of = |part: &Part| match part {
            Part::Values(values) => values.bytes(),
            Part::Reply(reply) => reply.bytes(),
            Part::Episodes(episodes) => episodes.bytes(),
            Part::Amaf(amaf) => amaf.bytes(),
            Part::Opinions(opinions) => opinions.bytes(),
        };
        let watched = self.watcher.as_ref().map_or(0, |w| w.others.iter().map(of).sum::<u64>());
        self.parts.iter().map(of).sum::<u64>() + self.squares.as_ref().map_or(0, Records::bytes) + watched
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Erased, Purpose, Seed, Turn};
    use fogtree_games::hearts::{self, Hearts};

    use super::*;
    use crate::ismcts::{Config, Observers, search_once};
    use crate::testing::{Table, known_in, params};

    /// Powley and others 2013 (`icarus/ORACLE-8`): the root player plays all its cards in every playout of a round, so
    /// its averages are all the same; those of the others, who may hold a card or not, are not.
    #[test]
    fn the_searchers_cards_all_have_the_same_average() {
        let text = "pass=0,to=1,breaks=penalties,reward=points";
        let game = Erased::any(Hearts::from_params(&params(&hearts::ABOUT, text)).unwrap());
        let mut table = Table::start(&game);
        table.draw(&mut Seed(3).stream(Purpose::Deal));
        let Turn::Player(me) = table.world.turn() else { panic!("somebody leads") };
        let config = Config {
            enhance: "mast(policy=ucb1)".parse().unwrap(),
            memory: 1 << 26,
            ..Config::new(Observers::Multiple)
        };
        let knowledge = Learned::new(&*game, &config.enhance, config.select, config.c, 1 << 20);
        let knowledge = search_once(config, knowledge, &known_in(&game, &*table.world, me), 400);
        let [Part::Values(values)] = &knowledge.parts[..] else { panic!("there is one component") };
        let own = values.known_of(me);
        assert_eq!(own.len(), 13);
        assert!(own.iter().all(|info| (info.n, info.mean) == (400, own[0].mean)), "{own:?}");
        let next = values.known_of(Player((me.0 + 1) % 4));
        assert!(
            next.len() == 39 && next.iter().any(|info| (info.mean - next[0].mean).abs() > 0.05),
            "{next:?}"
        );
    }
}
