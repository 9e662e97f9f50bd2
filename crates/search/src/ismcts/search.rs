//! What engines of this family have in common: while the budget lasts, worlds are drawn and walked through.

use fogtree_core::{Budget, Explain, InfoSet, Model, Move, Rewards, Rng, Seed, Turn, World};

use crate::kit::determinize::Determinizer;
use crate::kit::explanation::Explanation;
use crate::kit::root::RootTable;
use crate::kit::store::Size;
use crate::learn::Tally;

/// What one search leaves behind.
pub(crate) struct Findings {
    pub(crate) table: RootTable,
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
pub(crate) trait Search: Send {
    /// Forgets everything and draws from a new seed.
    fn seed(&mut self, seed: Seed);

    /// Prepares to search from an information set; returns the nodes and visits kept from before.
    fn begin(&mut self, info: &InfoSet) -> (u64, u64);

    /// The search may use up this budget.
    fn plan(&mut self, _budget: &Budget) {}

    /// One iteration in a world, from the root: returns the searcher's first move, the rewards, and how many
    /// moves were made in the tree. `turn` is whose turn it is at the root.
    fn iterate(
        &mut self,
        game: &dyn Model,
        world: &mut dyn World,
        turn: Turn,
    ) -> (Option<Move>, Rewards, usize);

    /// The stream from which worlds are drawn.
    fn sampling(&mut self) -> &mut Rng;

    /// How large the tree is.
    fn size(&self) -> &dyn Size;

    /// Begins, or leaves off, to write down how nodes come about.
    fn trace(&mut self, explain: Option<Explain>);

    /// What was written down, after this move was chosen.
    fn tell(&self, game: &dyn Model, made: Move) -> Explanation;

    /// How much each enhancement has learnt, and the bytes of all together.
    fn learnt(&self) -> (Vec<Tally>, u64) {
        (Vec::new(), 0)
    }

    /// Searches from an information set of the searcher.
    fn search(&mut self, game: &dyn Model, info: &InfoSet, budget: &Budget) -> Findings {
        let kept = self.begin(info);
        self.plan(budget);
        self.trace(budget.explain);
        let mut table = RootTable::new(&info.legal, game.facts().players);
        let mut worlds = Determinizer::new(game, info);
        let mut world = game.start();
        let itself = worlds.prepare(&info.known, &mut *world);
        let (mut depth, mut total) = (0, 0);
        let mut clock = budget.start();
        while clock.tick() {
            clock.show(|| table.progress(self.size().nodes(), depth));
            let turn = if itself {
                worlds.draw_itself(self.sampling(), &mut *world)
            } else {
                worlds.draw(self.sampling(), &mut *world);
                world.turn()
            };
            let (first, rewards, made) = self.iterate(game, &mut *world, turn);
            if let Some(first) = first {
                table.add(table.index_of(first), &rewards, 1.0);
            }
            depth = depth.max(made);
            total += made as u64;
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
