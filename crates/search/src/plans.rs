//! Whole turns drawn at random and judged by short playouts: depth-limited Monte Carlo (DLMC).
//!
//! For games in which a player makes many choices in a row. A plan is one's own turn to its end, drawn by a policy
//! in a world drawn from the information set; then so many playouts, each up to a horizon, say what it is worth. The best plan is
//! followed as long as what is seen is what was foreseen; a surprise makes a new plan. A plan that wins at once is
//! played without looking further. Sources: Fujiki and others 2015; the public TUBSTAP program M3Lee, with 150
//! plans of 50 playouts of two turns (`tubstap/2.8`, `tubstap/2.10`). With a policy that attacks whenever it can,
//! plans are those of attack action search.

use std::sync::Arc;

use fogtree_core::{
    Agent, Budget, Decision, Game, InfoSet, Key, Observer, PerPlayer, Player, Purpose, Report, Rewards, Rng,
    Scratch, Seed, Step, Turn,
};

use crate::ismcts::worlds::Draws;
use crate::root::RootTable;
use crate::simulation::Simulation;

/// The longest turn that is planned.
const LONGEST: usize = 1000;

/// When a plan is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replan {
    /// After something was seen that was not foreseen.
    #[default]
    Surprised,
    /// After every move.
    Always,
}

/// What can be set about planning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// By which of the game's policies plans are drawn; uniformly if by none.
    pub policy: Option<usize>,
    /// The playouts that judge a plan.
    pub playouts: u32,
    /// How games are played out.
    pub simulation: Simulation,
    /// When a plan is given up.
    pub replan: Replan,
}

/// A plan: what to do in which information set, the first step last.
type Plan<A> = Vec<(Key, A)>;

/// The player that plans turns. Its budget counts plans.
#[derive(Debug)]
pub struct Planner<G: Game> {
    game: Arc<G>,
    settings: Settings,
    plan: Plan<G::Action>,
    sampling: Rng,
    playout: Rng,
    ties: Rng,
    scratch: Scratch<G>,
}

impl<G: Game> Planner<G> {
    /// A player of a game.
    pub fn new(game: &Arc<G>, settings: Settings) -> Planner<G> {
        let stream = |purpose| Seed(0).stream(purpose);
        Planner {
            game: Arc::clone(game),
            settings,
            plan: Vec::new(),
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
            scratch: Scratch::default(),
        }
    }

    fn draw(&mut self, game: &G, world: &G::State, who: Player) -> G::Action {
        let (rng, scratch) = (&mut self.playout, &mut self.scratch);
        match self.settings.policy {
            Some(policy) => game.policy_action(policy, world, who, rng, scratch),
            None => game.random_action(world, who, rng, scratch),
        }
    }

    /// Plays a turn to its end in a world. Others who choose at the same time choose alike.
    fn draw_plan(&mut self, game: &G, world: &mut G::State, seat: Player, mut key: Key) -> Plan<G::Action> {
        let mut plan = Plan::new();
        let mut joint: Vec<(Player, G::Action)> = Vec::new();
        while plan.len() < LONGEST {
            let turn = game.turn(world);
            let movers = turn.players();
            if turn == Turn::Over || turn == Turn::Chance || !movers.contains(seat) {
                break;
            }
            joint.clear();
            for p in movers.iter() {
                let action = self.draw(game, world, p);
                if p == seat {
                    plan.push((key, action));
                    key = key.own(game.code(action));
                }
                joint.push((p, action));
            }
            let step = Step::Moves(&joint);
            if let Some(seen) = game.observe(world, step, Observer::Seat(seat)) {
                key = key.seen(&seen);
            }
            game.apply(world, step);
        }
        plan.reverse();
        plan
    }

    /// The mean of the rewards of some playouts.
    fn judge(&mut self, game: &G, world: &G::State) -> Rewards {
        let players = game.facts().players;
        let mut sum: PerPlayer<f64> = PerPlayer::from_fn(players, |_| 0.0);
        let mut state = world.clone();
        for i in 0..self.settings.playouts.max(1) {
            if i > 0 {
                state.clone_from(world);
            }
            let rewards =
                self.settings.simulation.run(game, &mut state, &mut self.playout, &mut self.scratch);
            for p in Player::all(players) {
                sum[p] += rewards[p];
            }
        }
        sum.iter().map(|total| total / f64::from(self.settings.playouts.max(1))).collect()
    }
}

impl<G: Game> Agent<G> for Planner<G> {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
        self.plan.clear();
    }

    fn act(&mut self, info: &InfoSet<G>, budget: &Budget) -> Decision<G::Action> {
        if let [action] = info.legal[..] {
            return Decision { action, report: Report::default() };
        }
        let foreseen = self.plan.pop().filter(|(key, _)| *key == info.key);
        if let Some((_, action)) = foreseen.filter(|_| self.settings.replan == Replan::Surprised) {
            return Decision { action, report: Report::default() };
        }
        let game = Arc::clone(&self.game);
        let facts = game.facts();
        let mut table = RootTable::new(&info.legal, facts.players);
        let mut worlds = Draws::new(&*game, &info.known);
        let mut world = game.start();
        let mut best = (f64::NEG_INFINITY, Plan::new());
        let (mut depth, mut total, mut tied) = (0, 0, 0);
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| table.progress(total, depth));
            worlds.draw(&*game, &mut self.sampling, &mut world);
            let plan = self.draw_plan(&game, &mut world, info.seat, info.key);
            let wins = game.turn(&world) == Turn::Over && game.rewards(&world)[info.seat] >= facts.range.1;
            let rewards = self.judge(&game, &world);
            let Some(&(_, first)) = plan.last() else { break };
            table.add(table.index_of(first), &rewards, 1.0);
            depth = depth.max(plan.len());
            total += plan.len() as u64;
            let worth = rewards[info.seat];
            tied = if worth > best.0 { 1 } else { tied + u32::from(worth == best.0) };
            if worth > best.0 || worth == best.0 && self.ties.below(tied) == 0 {
                best = (worth, plan);
            }
            if wins {
                break;
            }
        }
        self.plan = best.1;
        let action = self.plan.pop().map_or(info.legal[0], |(_, action)| action);
        let report = Report {
            iterations: clock.done(),
            nodes: total,
            depth: depth as u32,
            time: clock.elapsed(),
            moves: table.reports(),
            mean_depth: Some(total as f64 / clock.done().max(1) as f64),
            ..Report::default()
        };
        Decision { action, report }
    }
}
