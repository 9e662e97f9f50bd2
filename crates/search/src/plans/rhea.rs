//! Plans that evolve: the rolling horizon evolutionary algorithm (RHEA).
//!
//! A population of turns is judged, the best are kept, and the others replaced by offspring: a parent is the fittest of
//! a few drawn ones, with some probability mixed with a second parent, and each of its moves may be drawn anew. All are
//! judged in the same worlds, drawn once for the decision. What is left of an old plan is among the first population.
//! Source: the public TUBSTAP programs of T. Neller, after RHEA for the game Tribes (`tubstap/2.10`); its horizon of 1
//! is one's own turn and the answer to it, a playout of one turn here.

use fogtree_core::{Budget, InfoSet, Move, Report, Rng};

use super::turn::{Bench, Plan, report};

/// What can be set about evolution.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rhea {
    /// The plans of a generation.
    pub population: u32,
    /// The probability that a move is drawn anew.
    pub mutation: f64,
    /// The probability that there is a second parent.
    pub crossover: f64,
    /// A parent is the fittest of so many.
    pub tournament: u32,
    /// The fittest plans that live on.
    pub elite: u32,
}

impl Rhea {
    /// As in the source.
    pub const USUAL: Rhea = Rhea { population: 30, mutation: 0.4, crossover: 0.8, tournament: 3, elite: 3 };
}

/// A turn and what it is worth to the player.
type Fit = (f64, Vec<Move>);

pub(super) fn find(
    rhea: Rhea,
    bench: &mut Bench,
    before: &[Move],
    info: &InfoSet,
    budget: &Budget,
) -> (Plan, Report) {
    let worlds = bench.worlds(info, bench.playouts);
    let size = rhea.population.max(1) as usize;
    let elite = (rhea.elite as usize).clamp(1, size);
    let mut table = bench.table(info);
    let (mut depth, mut total) = (0, 0);
    let mut now: Vec<Fit> = Vec::with_capacity(size);
    let mut next: Vec<Fit> = Vec::with_capacity(size);
    let mut bred = Vec::new();
    let mut clock = budget.start();
    let mut world = worlds[0].boxed();
    let mut first = true;
    while clock.tick() {
        clock.show(|| table.progress(total, depth));
        world.clone_from(bench.sampling.pick(&worlds));
        let me = (info.seat, info.key);
        let played = if first {
            let old = if now.is_empty() { before } else { &[] };
            bench.play(&mut *world, me, old, 0.0)
        } else {
            breed(rhea, &now, &mut bench.ties, &mut bred);
            bench.play(&mut *world, me, &bred, rhea.mutation)
        };
        let turn = played.moves();
        let Some(&choice) = turn.first() else { break };
        let (rewards, whole) = bench.worth(&turn, &worlds, info);
        if !whole && !now.is_empty() {
            break;
        }
        table.add(table.index_of(choice), &rewards, 1.0);
        depth = depth.max(turn.len());
        total += turn.len() as u64;
        let born = if first { &mut now } else { &mut next };
        born.push((rewards[info.seat], turn));
        if now.len() + next.len() == size + if first { 0 } else { size - elite } {
            if !first {
                now.truncate(elite);
                now.append(&mut next);
            }
            first = false;
            now.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        // With an elite of everybody nothing is born any more.
        if !first && elite == size {
            break;
        }
    }
    now.append(&mut next);
    let best = crate::exact::minimax::first_best(now.iter().map(|fit| fit.0));
    let plan = now.get(best).map(|fit| bench.plan(&fit.1, &worlds, info)).unwrap_or_default();
    (plan, report(&table, clock.done(), (total, depth), clock.elapsed()))
}

/// The moves of a child, before any is drawn anew.
fn breed(rhea: Rhea, parents: &[Fit], rng: &mut Rng, child: &mut Vec<Move>) {
    let one = tournament(parents, rhea.tournament, rng);
    child.clear();
    if rng.unit() < rhea.crossover {
        let other = tournament(parents, rhea.tournament, rng);
        mix(&parents[one].1, &parents[other].1, rng, child);
    } else {
        child.extend_from_slice(&parents[one].1);
    }
}

/// The place of the fittest of so many drawn at random.
fn tournament(all: &[Fit], size: u32, rng: &mut Rng) -> usize {
    let mut draw = || rng.below(all.len() as u32) as usize;
    let first = draw();
    (1..size).fold(first, |best, _| {
        let other = draw();
        if all[other].0 > all[best].0 { other } else { best }
    })
}

/// Each move from one of two turns, and after these what was left out, to fall back on.
pub(super) fn mix(one: &[Move], other: &[Move], rng: &mut Rng, child: &mut Vec<Move>) {
    let length = one.len().max(other.len());
    let mut rest = Vec::with_capacity(length);
    for i in 0..length {
        let (mut taken, mut left) = (one.get(i), other.get(i));
        if rng.below(2) == 0 {
            std::mem::swap(&mut taken, &mut left);
        }
        child.extend(taken.copied());
        rest.extend(left.copied());
    }
    child.append(&mut rest);
}

#[cfg(test)]
mod tests {
    use fogtree_core::{Purpose, Seed};

    use super::*;

    /// A child has every place from one of its parents, in order, and what it did not take comes last.
    #[test]
    fn children_have_their_moves_from_their_parents() {
        let mut rng = Seed(4).stream(Purpose::Ties);
        let (one, other) = ([1, 2, 3, 4], [11, 12, 13]);
        let mut kinds = std::collections::HashSet::new();
        for _ in 0..200 {
            let mut child = Vec::new();
            mix(&one, &other, &mut rng, &mut child);
            let mut all = child.clone();
            all.sort_unstable();
            assert_eq!(all, [1, 2, 3, 4, 11, 12, 13]);
            assert!((0..3).all(|i| child[i] % 10 == i as Move + 1 || child[i] % 10 == 4), "{child:?}");
            kinds.insert(child);
        }
        assert_eq!(kinds.len(), 16, "every choice of four is made");
    }

    /// With a tournament of many the fittest is the parent; with one anybody is.
    #[test]
    fn tournaments_are_won_by_the_fit() {
        let mut rng = Seed(5).stream(Purpose::Ties);
        let all: Vec<Fit> = (0..10).map(|i| (f64::from(i), vec![i])).collect();
        let mut mean = |size| (0..400).map(|_| tournament(&all, size, &mut rng) as f64).sum::<f64>() / 400.0;
        // The expectation of the greatest of k draws of 0..9: 4.5, and 9 - sum over m < 9 of ((m + 1) / 10)^3 = 6.975.
        assert!((mean(1) - 4.5).abs() < 0.5);
        assert!((mean(3) - 6.975).abs() < 0.4);
        assert!(mean(60) > 8.9);
    }
}
