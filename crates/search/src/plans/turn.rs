//! What all ways of planning do with a turn: draw it, play it in a world, judge what came of it.

use std::sync::Arc;

use fogtree_core::{
    Deadline, Facts, InfoSet, Key, Model, Move, Observer, PerPlayer, Player, Purpose, Report, Rewards, Rng,
    Seed, Simulation, Turn, World, WorldStep,
};

use super::Settings;
use crate::kit::determinize::Determinizer;
use crate::kit::root::RootTable;
use crate::kit::scratch::Scratch;

/// The longest turn that is planned.
const LONGEST: usize = 1000;

/// A plan: what to do in which information set, the first step last.
pub(super) type Plan = Vec<(Key, Move)>;

/// A turn as it was played in a world.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// What the player did in which information set, the first step first.
    pub(super) steps: Vec<(Key, Move)>,
    /// What was asked for and could not be done.
    pub(super) skipped: usize,
    /// What was drawn because nothing was left that was asked for.
    pub(super) drawn: usize,
}

impl Played {
    /// What the player did.
    pub(super) fn moves(&self) -> Vec<Move> {
        self.steps.iter().map(|step| step.1).collect()
    }

    /// The same as a plan.
    pub(super) fn into_plan(mut self) -> Plan {
        self.steps.reverse();
        self.steps
    }
}

/// Where plans are made.
#[derive(Debug)]
pub(super) struct Bench {
    pub(super) game: Arc<dyn Model>,
    pub(super) facts: Facts,
    policy: Option<usize>,
    pub(super) playouts: u32,
    pub(super) simulation: Simulation,
    pub(super) sampling: Rng,
    playout: Rng,
    pub(super) ties: Rng,
    scratch: Scratch,
    legal: Vec<Move>,
    joint: Vec<(Player, Move)>,
    /// When the decision is due.
    pub(super) until: Deadline,
}

impl Bench {
    pub(super) fn new(game: &Arc<dyn Model>, settings: &Settings) -> Bench {
        let stream = |purpose| Seed(0).stream(purpose);
        Bench {
            game: Arc::clone(game),
            facts: game.facts().clone(),
            policy: settings.policy,
            playouts: settings.playouts.max(1),
            simulation: settings.simulation,
            sampling: stream(Purpose::Sampling),
            playout: stream(Purpose::Playout),
            ties: stream(Purpose::Ties),
            scratch: Scratch::default(),
            legal: Vec::new(),
            joint: Vec::new(),
            until: Deadline::NEVER,
        }
    }

    pub(super) fn seed(&mut self, seed: Seed) {
        self.sampling = seed.stream(Purpose::Sampling);
        self.playout = seed.stream(Purpose::Playout);
        self.ties = seed.stream(Purpose::Ties);
    }

    /// So many worlds of an information set; fewer if no time is left, but one.
    pub(super) fn worlds(&mut self, info: &InfoSet, number: u32) -> Vec<Box<dyn World>> {
        let game = Arc::clone(&self.game);
        let mut worlds = Determinizer::new(&*game, info);
        let mut drawn = Vec::new();
        while drawn.is_empty() || drawn.len() < number as usize && !self.until.has_passed() {
            let mut world = game.start();
            worlds.draw(&mut self.sampling, &mut *world);
            drawn.push(world);
        }
        drawn
    }

    /// A table for what is found out about the moves to decide between.
    pub(super) fn table(&self, info: &InfoSet) -> RootTable {
        RootTable::new(&info.legal, self.facts.players)
    }

    fn draw(&mut self, world: &dyn World, who: Player) -> Move {
        let (rng, _scratch) = (&mut self.playout, &mut self.scratch);
        match self.policy {
            Some(policy) => world.policy_move(Some(policy), who, rng),
            None => world.random_move(who, rng),
        }
    }

    /// Plays a turn of a player to its end in a world: what is asked for as far as it is legal, in this order, and if
    /// nothing is left, or with probability `wild` each time instead, what the policy draws. Others who choose at the
    /// same time choose by the policy.
    pub(super) fn play(
        &mut self,
        world: &mut dyn World,
        (who, mut key): (Player, Key),
        asked: &[Move],
        wild: f64,
    ) -> Played {
        let game = Arc::clone(&self.game);
        let mut played = Played { steps: Vec::new(), skipped: 0, drawn: 0 };
        let mut asked = asked.iter();
        let mut joint = std::mem::take(&mut self.joint);
        while played.steps.len() < LONGEST {
            let turn = world.turn();
            let movers = turn.players();
            if turn == Turn::Terminal || turn == Turn::Chance || !movers.contains(who) {
                break;
            }
            joint.clear();
            for p in movers.iter() {
                let action = if p == who {
                    let wanted = match wild > 0.0 && self.ties.unit() < wild {
                        true => asked.next().and(None),
                        false => self.next_legal(world, who, &mut asked, &mut played.skipped),
                    };
                    let action = wanted.unwrap_or_else(|| {
                        played.drawn += 1;
                        self.draw(world, who)
                    });
                    played.steps.push((key, action));
                    key = key.own(game.code(action));
                    action
                } else {
                    self.draw(world, p)
                };
                joint.push((p, action));
            }
            let step = WorldStep::Moves(&joint);
            if let Some(seen) = world.observe(step, Observer::Seat(who)) {
                key = key.seen(&seen);
            }
            world.apply(step);
        }
        self.joint = joint;
        played
    }

    /// The next that is legal of what is asked for.
    fn next_legal<'a>(
        &mut self,
        world: &dyn World,
        who: Player,
        asked: &mut impl Iterator<Item = &'a Move>,
        skipped: &mut usize,
    ) -> Option<Move> {
        let mut listed = false;
        for &action in asked {
            if !listed {
                self.legal.clear();
                world.legal(who, &mut self.legal);
                listed = true;
            }
            if self.legal.binary_search(&action).is_ok() {
                return Some(action);
            }
            *skipped += 1;
        }
        None
    }

    /// Lets chance draw until it is somebody's turn; says whose, the first of several. Nobody's if the game is over.
    pub(super) fn settle(&mut self, world: &mut dyn World) -> Option<Player> {
        loop {
            match world.turn() {
                Turn::Terminal => return None,
                Turn::Chance => {
                    let outcome = world.sample_chance(&mut self.playout);
                    world.apply(WorldStep::Chance(&outcome));
                }
                turn => return turn.players().iter().next(),
            }
        }
    }

    /// What a player would do next in a world by the policy, as a turn.
    pub(super) fn draw_turn(&mut self, world: &mut dyn World, who: (Player, Key)) -> Played {
        self.play(world, who, &[], 0.0)
    }

    /// Whether the game can say what an unfinished game is worth.
    fn can_judge(&self, world: &dyn World) -> bool {
        let (_game, who) = (&*self.game, Player(0));
        match self.simulation.evaluation {
            Some(evaluation) => world.evaluate(Some(evaluation), who).is_some(),
            None => world.evaluate(None, who).is_some(),
        }
    }

    /// The rewards of a playout, which leaves the state fit for nothing else.
    pub(super) fn judge(&mut self, state: &mut dyn World) -> Rewards {
        let mut simulation = self.simulation;
        if simulation.horizon.is_some() && !self.can_judge(state) {
            simulation.horizon = None;
        }
        state.playout(simulation, &mut self.playout)
    }

    /// What a turn is worth: the mean over these worlds of a playout after it, and whether there was time for all.
    pub(super) fn worth(
        &mut self,
        asked: &[Move],
        worlds: &[Box<dyn World>],
        info: &InfoSet,
    ) -> (Rewards, bool) {
        let mut mean = Mean::new(self.facts.players);
        let Some(first) = worlds.first() else { return (mean.rewards(), true) };
        let mut state = first.boxed();
        for world in worlds {
            state.clone_from(world);
            self.play(&mut *state, (info.seat, info.key), asked, 0.0);
            mean.add(&self.judge(&mut *state));
            if self.until.has_passed() {
                break;
            }
        }
        (mean.rewards(), mean.count == worlds.len() as f64)
    }

    /// Moves as a plan: foreseen is what happens in the first of the worlds, as many as there is time for, in which
    /// most of them can be made.
    pub(super) fn plan(&mut self, asked: &[Move], worlds: &[Box<dyn World>], info: &InfoSet) -> Plan {
        let mut best: Option<Played> = None;
        for world in worlds {
            let played = self.play(&mut *world.boxed(), (info.seat, info.key), asked, 0.0);
            let perfect = played.skipped + played.drawn == 0;
            let better = |b: &Played| played.skipped + played.drawn < b.skipped + b.drawn;
            if best.as_ref().is_none_or(better) {
                best = Some(played);
            }
            if perfect || self.until.has_passed() {
                break;
            }
        }
        best.map(Played::into_plan).unwrap_or_default()
    }
}

/// The mean of rewards.
#[derive(Clone, Debug)]
pub(super) struct Mean {
    sum: PerPlayer<f64>,
    pub(super) count: f64,
}

impl Mean {
    pub(super) fn new(players: usize) -> Mean {
        Mean { sum: PerPlayer::from_fn(players, |_| 0.0), count: 0.0 }
    }

    pub(super) fn add(&mut self, rewards: &Rewards) {
        for (p, reward) in rewards.iter().enumerate() {
            self.sum[Player(p as u8)] += reward;
        }
        self.count += 1.0;
    }

    pub(super) fn rewards(&self) -> Rewards {
        self.sum.iter().map(|total| total / self.count.max(1.0)).collect()
    }
}

/// What a search for a plan reports: the turns judged, and the moves in them.
pub(super) fn report(
    table: &RootTable,
    iterations: u64,
    (moves, longest): (u64, usize),
    time: std::time::Duration,
) -> Report {
    Report {
        iterations,
        nodes: moves,
        depth: longest as u32,
        time,
        moves: table.reports(),
        mean_depth: (iterations > 0).then(|| moves as f64 / iterations as f64),
        ..Report::default()
    }
}
