//! Local best response: a lower bound on how exploitable an agent is, in games too large to walk.
//!
//! A player that knows the strategy of the others carries along which worlds agree with what it saw, each weighted with
//! the probability that chance and the others lead there. At each of its decisions it looks one step ahead: it makes each
//! of its moves in those worlds, lets everybody go on as the agent would, and takes the move that earned most. What it
//! earns in play against the agent no best response falls short of, however rough its beliefs are (Lisý and Bowling,
//! *Equilibrium approximation quality of current no-limit poker bots*, 2017; there the player itself goes on by
//! checking and calling).

use std::collections::HashMap;
use std::rc::Rc;

use fogtree_core::{Deadline, Event, Key, Move, Observer, Player, Purpose, Rng, Seed, Turn, Utility};

use crate::agent_strategy::{Asked, Asking, Found, NoAgentStrategy};
use crate::erased::{AnyGame, AnyTable, SeatAgent};
use crate::registry::Unavailable;

/// How a local best response plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// How many games in each seat.
    pub games: u64,
    /// How often each move is tried at a decision.
    pub rollouts: u32,
    /// How the agent is asked for its probabilities.
    pub asking: Asking,
}

/// The most worlds that are carried along; of more, as many are drawn.
const WORLDS: usize = 2000;

/// Of chance that cannot be listed, so many draws are made in each world.
const DRAWS: usize = 20;

/// What a local best response has earned.
#[derive(Clone, PartialEq, Debug)]
pub struct LocalResponse {
    /// How many games it has played in each seat.
    pub games: u64,
    /// What it earned in each seat on average.
    pub earned: Vec<f64>,
    /// Half the widths of the 95 % confidence intervals.
    pub margins: Vec<f64>,
    /// NashConv is at least this: what it earned in all seats together, beyond what all players share.
    pub nash_conv: f64,
    /// Half the width of the 95 % confidence interval of that.
    pub margin: f64,
    /// How the probabilities of the agent's moves were found, at worst.
    pub found: Found,
    /// How often the agent was asked in an information set, at most.
    pub samples: u32,
    /// In how many information sets the agent was asked.
    pub infosets: usize,
    /// At how many decisions no world was left that agrees with what was seen: there a random move was made.
    pub lost: u64,
}

/// Why there is no local best response.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum NoLocalResponse {
    /// Rewards do not add up.
    #[error(
        "the rewards of this game do not always add up to the same, so what one player earns is no measure of another"
    )]
    General,
    /// The agent cannot be asked.
    #[error(transparent)]
    Agent(#[from] NoAgentStrategy),
}

/// Plays local best responses to an agent in every seat, the agent in all others. Out of time, the games until then count
/// if there were any.
pub fn local_response(
    game: &dyn AnyGame,
    make: &mut dyn FnMut() -> Result<SeatAgent, Unavailable>,
    local: Local,
    until: &Deadline,
) -> Result<LocalResponse, NoLocalResponse> {
    if game.facts().utility == Utility::General {
        return Err(NoLocalResponse::General);
    }
    let agent = make().map_err(NoAgentStrategy::from)?;
    if agent.cheats {
        return Err(NoAgentStrategy::Cheating(agent.spec).into());
    }
    let players = game.facts().players;
    let mut play = Play {
        asked: Asked::new(make, local.asking, until),
        odds: HashMap::new(),
        rollouts: local.rollouts,
        lost: 0,
    };
    let mut sums = vec![(0.0, 0.0); players];
    let (mut games, mut all) = (0, 0.0);
    for number in 0..local.games {
        let mut round = Vec::with_capacity(players);
        for seat in Player::all(players) {
            let seed =
                local.asking.seed.named("local best response").number(number).number(u64::from(seat.0));
            match play.game(game, seat, seed) {
                Err(NoAgentStrategy::OutOfTime) if games > 0 => break,
                rewards => round.push(rewards?),
            }
        }
        if round.len() < players {
            break;
        }
        all = round[0].iter().sum();
        for ((sum, squares), (seat, rewards)) in sums.iter_mut().zip(round.iter().enumerate()) {
            *sum += rewards[seat];
            *squares += rewards[seat] * rewards[seat];
        }
        games += 1;
    }
    let n = games as f64;
    let earned: Vec<f64> = sums.iter().map(|(sum, _)| sum / n).collect();
    let variance = |(sum, squares): &(f64, f64)| match games {
        0 | 1 => f64::INFINITY,
        _ => ((squares - sum * sum / n) / (n - 1.0)).max(0.0) / n,
    };
    let variances: Vec<f64> = sums.iter().map(variance).collect();
    Ok(LocalResponse {
        games,
        nash_conv: earned.iter().sum::<f64>() - all,
        earned,
        margins: variances.iter().map(|v| 1.96 * v.sqrt()).collect(),
        margin: 1.96 * variances.iter().sum::<f64>().sqrt(),
        found: play.asked.found,
        samples: play.asked.most,
        infosets: play.odds.len(),
        lost: play.lost,
    })
}

/// A world that agrees with what the player saw, and how likely it is against the others.
struct World {
    table: Box<dyn AnyTable>,
    weight: f64,
    /// How many of its own decisions the player has made there.
    decided: usize,
}

struct Play<'a> {
    asked: Asked<'a>,
    /// How likely the agent's moves are, by information set.
    odds: HashMap<Key, Rc<[f64]>>,
    rollouts: u32,
    lost: u64,
}

impl Play<'_> {
    /// One game; what everybody earns.
    fn game(&mut self, game: &dyn AnyGame, me: Player, seed: Seed) -> Result<Vec<f64>, NoAgentStrategy> {
        let (mut deal, mut ties) = (seed.stream(Purpose::Deal), seed.stream(Purpose::Ties));
        let mut table = game.table();
        let mut worlds = vec![World { table: game.table(), weight: 1.0, decided: 0 }];
        let mut mine = Vec::new();
        loop {
            let turn = table.turn();
            match turn {
                Turn::Terminal => return Ok(rewards(&*table)),
                Turn::Chance => {
                    table.draw(&mut deal);
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {}
            }
            let mut choices = Vec::new();
            for p in turn.players().iter() {
                let choice = match p == me {
                    true => {
                        worlds = self.follow(worlds, me, &mine, table.events(me), &mut ties)?;
                        let choice = self.best(&*table, &worlds, me, &mut ties)?;
                        mine.push(choice);
                        choice
                    }
                    false => self.draw(&*table, p, &mut ties)?,
                };
                choices.push((p, choice));
            }
            table.choose(&choices).expect("legal moves can be made");
        }
    }

    /// How likely the agent's moves are for a player to move.
    fn odds(&mut self, table: &dyn AnyTable, who: Player) -> Result<Rc<[f64]>, NoAgentStrategy> {
        let key = table.key(Observer::Seat(who));
        if let Some(odds) = self.odds.get(&key) {
            return Ok(Rc::clone(odds));
        }
        let odds: Rc<[f64]> = self.asked.probabilities(table, who)?.into();
        self.odds.insert(key, Rc::clone(&odds));
        Ok(odds)
    }

    fn draw(&mut self, table: &dyn AnyTable, who: Player, rng: &mut Rng) -> Result<Move, NoAgentStrategy> {
        let odds = self.odds(table, who)?;
        Ok(table.moves(who)[rng.weighted(odds.iter().copied())])
    }

    /// The worlds in which the player is to move after all that it did and saw, from those of an earlier decision.
    fn follow(
        &mut self,
        worlds: Vec<World>,
        me: Player,
        mine: &[Move],
        events: &[Event],
        rng: &mut Rng,
    ) -> Result<Vec<World>, NoAgentStrategy> {
        let (mut open, mut there) = (worlds, Vec::new());
        while !open.is_empty() {
            let mut next = Vec::new();
            for world in open {
                let seen = world.table.events(me);
                if !events.starts_with(seen) || world.table.turn() == Turn::Terminal {
                    continue;
                }
                let own = world.table.turn().players().contains(me);
                if own && world.decided == mine.len() {
                    if seen.len() == events.len() {
                        there.push(world);
                    }
                    continue;
                }
                self.expand(&world, me, own.then(|| mine[world.decided]), rng, &mut next)?;
            }
            open = thinned(next, rng);
        }
        let all: f64 = there.iter().map(|world| world.weight).sum();
        there.iter_mut().for_each(|world| world.weight /= all);
        Ok(thinned(there, rng))
    }

    /// All that can follow a world.
    fn expand(
        &mut self,
        world: &World,
        me: Player,
        own: Option<Move>,
        rng: &mut Rng,
        out: &mut Vec<World>,
    ) -> Result<(), NoAgentStrategy> {
        let World { table, weight, decided } = world;
        if table.turn() == Turn::Chance {
            match table.chance() {
                Some(listed) => out.extend(listed.into_iter().map(|(name, p)| {
                    let mut table = table.fork();
                    table.play_words(&[&name]).expect("a listed outcome is possible");
                    World { table, weight: weight * p, decided: *decided }
                })),
                None => out.extend((0..DRAWS).map(|_| {
                    let mut table = table.fork();
                    table.draw(rng);
                    World { table, weight: weight / DRAWS as f64, decided: *decided }
                })),
            }
            return Ok(());
        }
        let mut joint = vec![(Vec::new(), *weight)];
        for p in table.turn().players().iter() {
            let moves = match own.filter(|_| p == me) {
                Some(choice) if !table.moves(p).contains(&choice) => return Ok(()),
                Some(choice) => vec![(choice, 1.0)],
                None => table.moves(p).into_iter().zip(self.odds(&**table, p)?.iter().copied()).collect(),
            };
            let with = |(choices, weight): &(Vec<(Player, Move)>, f64)| {
                let (choices, weight) = (choices.clone(), *weight);
                let likely = moves.iter().filter(|(_, odds)| *odds > 0.0);
                let added = likely
                    .map(move |&(choice, odds)| ([&choices[..], &[(p, choice)]].concat(), weight * odds));
                added.collect::<Vec<_>>()
            };
            joint = joint.iter().flat_map(with).collect();
        }
        for (choices, weight) in joint {
            let mut table = table.fork();
            table.choose(&choices).expect("legal moves can be made");
            out.push(World { table, weight, decided: decided + usize::from(own.is_some()) });
        }
        Ok(())
    }

    /// The move that earns most if everybody then goes on as the agent would.
    fn best(
        &mut self,
        table: &dyn AnyTable,
        worlds: &[World],
        me: Player,
        rng: &mut Rng,
    ) -> Result<Move, NoAgentStrategy> {
        let moves = table.moves(me);
        if moves.len() == 1 {
            return Ok(moves[0]);
        }
        if worlds.is_empty() {
            self.lost += 1;
            return Ok(*rng.pick(&moves));
        }
        let mut earned = vec![0.0; moves.len()];
        for _ in 0..self.rollouts {
            let world = &worlds[rng.weighted(worlds.iter().map(|world| world.weight))];
            let turn = world.table.turn();
            let mut others = Vec::new();
            for p in turn.players().iter().filter(|p| *p != me) {
                others.push((p, self.draw(&*world.table, p, rng)?));
            }
            for (&choice, sum) in moves.iter().zip(&mut earned) {
                let mut after = world.table.fork();
                let place = others.partition_point(|(p, _)| *p < me);
                let joint = [&others[..place], &[(me, choice)], &others[place..]].concat();
                if after.choose(&joint).is_ok() {
                    *sum += self.finish(after, rng)?[me.index()];
                }
            }
        }
        let most = earned.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<Move> =
            moves.iter().zip(&earned).filter(|(_, e)| **e >= most).map(|(m, _)| *m).collect();
        Ok(*rng.pick(&best))
    }

    /// Goes on to the end, everybody as the agent would; what everybody earns.
    fn finish(&mut self, mut table: Box<dyn AnyTable>, rng: &mut Rng) -> Result<Vec<f64>, NoAgentStrategy> {
        loop {
            let turn = table.turn();
            match turn {
                Turn::Terminal => return Ok(rewards(&*table)),
                Turn::Chance => {
                    table.draw(rng);
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {}
            }
            let mut choices = Vec::new();
            for p in turn.players().iter() {
                choices.push((p, self.draw(&*table, p, rng)?));
            }
            table.choose(&choices).expect("legal moves can be made");
        }
    }
}

fn rewards(table: &dyn AnyTable) -> Vec<f64> {
    table.rewards().map(|rewards| rewards.iter().copied().collect()).unwrap_or_default()
}

/// As many of the worlds as are carried along, drawn in proportion to their weights if there are more.
fn thinned(mut worlds: Vec<World>, rng: &mut Rng) -> Vec<World> {
    if worlds.len() <= WORLDS {
        return worlds;
    }
    let all: f64 = worlds.iter().map(|world| world.weight).sum();
    let (step, mut next, mut sum) = (all / WORLDS as f64, rng.unit() * all / WORLDS as f64, 0.0);
    worlds.retain_mut(|world| {
        sum += world.weight;
        let before = next;
        while next < sum {
            next += step;
        }
        world.weight = next - before;
        next > before
    });
    worlds
}
