//! What engines of this family have in common: while the budget lasts, worlds are drawn and walked through.

use std::sync::Arc;

use fogtree_core::{Budget, Explain, Game, InfoSet, Rewards, Rng, Seed};

use super::meetings::{Met, Seat};
use super::store::Size;
use crate::icarus::{Captures, Tally};
use crate::root::RootTable;
use crate::trace::Telling;
use crate::worlds::Draws;

/// What one search leaves behind.
pub(crate) struct Findings<A> {
    pub(crate) table: RootTable<A>,
    pub(crate) iterations: u64,
    pub(crate) depth: u32,
    /// The moves made in the tree by all iterations together.
    pub(crate) made: u64,
    pub(crate) nodes: u64,
    pub(crate) tried: u64,
    pub(crate) bytes: u64,
    pub(crate) kept: (u64, u64),
    pub(crate) learnt: Vec<Tally>,
}

/// A search of one thread: what differs from engine to engine, and the loop that does not.
pub(crate) trait Search<G: Game>: Send {
    /// Forgets everything and draws from a new seed.
    fn seed(&mut self, seed: Seed);

    /// Prepares to search from an information set; returns the nodes and visits kept from before.
    fn begin(&mut self, info: &InfoSet<G>) -> (u64, u64);

    /// There will be so many iterations, if that is known.
    fn plan(&mut self, _iterations: Option<u64>) {}

    /// One iteration in a world, from the root: returns the searcher's first move, the rewards, and how many
    /// moves were made in the tree.
    fn iterate(&mut self, game: &G, world: &mut G::State) -> (Option<G::Action>, Rewards, usize);

    /// The stream from which worlds are drawn.
    fn sampling(&mut self) -> &mut Rng;

    /// How large the tree is.
    fn size(&self) -> &dyn Size;

    /// Begins, or leaves off, to write down how nodes come about.
    fn trace(&mut self, explain: Option<Explain>);

    /// What was written down, after this move was chosen.
    fn tell(&self, game: &G, made: G::Action) -> Telling;

    /// How much each enhancement has learnt, and the bytes of all together.
    fn learnt(&self) -> (Vec<Tally>, u64) {
        (Vec::new(), 0)
    }

    /// What was captured from playouts since the last time, for other threads.
    fn captured(&mut self) -> Captures<G::Action> {
        Vec::new()
    }

    /// Learns what threads captured, of which this is one, by place.
    fn absorb(&mut self, _game: &G, _all: &[Arc<Captures<G::Action>>], _own: usize) {}

    /// Searches from an information set of the searcher. With a seat in meetings it exchanges there what it
    /// captured.
    fn search(
        &mut self,
        game: &G,
        info: &InfoSet<G>,
        budget: &Budget,
        seat: Option<Seat<'_, Captures<G::Action>>>,
    ) -> Findings<G::Action> {
        let kept = self.begin(info);
        self.plan(budget.iterations);
        self.trace(budget.explain);
        let mut table = RootTable::new(&info.legal, game.facts().players);
        let mut worlds = Draws::new(game, info);
        let mut world = game.start();
        let (mut depth, mut total) = (0, 0);
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| table.progress(self.size().nodes(), depth));
            worlds.draw(game, self.sampling(), &mut world);
            let (first, rewards, made) = self.iterate(game, &mut world);
            if let Some(first) = first {
                table.add(table.index_of(first), &rewards, 1.0);
            }
            depth = depth.max(made);
            total += made as u64;
            if let Some(seat) = &seat
                && seat.is_due(clock.done())
            {
                let Met { all, own } = seat.meet(self.captured());
                self.absorb(game, &all, own);
            }
        }
        if let Some(seat) = seat {
            let Met { all, own } = seat.leave(self.captured());
            self.absorb(game, &all, own);
        }
        let (learnt, bytes) = self.learnt();
        Findings {
            table,
            iterations: clock.done(),
            depth: depth as u32,
            made: total,
            nodes: self.size().nodes(),
            tried: self.size().tried(),
            bytes: self.size().bytes() + bytes,
            kept,
            learnt,
        }
    }
}
