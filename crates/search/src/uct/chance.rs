//! Chance in the tree: what is listed and equally likely takes turns, in random order (`ismcts/3.6`); what is not is
//! sampled, and remembered when it first comes up. The draws of all nodes lie in one vector, so that a search that has
//! grown allocates nothing.

use fogtree_core::{Eyes, Outcome, Turn, World, WorldStep};

use super::{NONE, UctSearch};

/// What chance may draw at a node, one of a chain.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    pub(super) outcome: Outcome,
    pub(super) visits: u32,
    pub(super) child: u32,
    next: u32,
}

/// The places of a chain.
fn chain(draws: &[Draw], first: u32) -> impl Iterator<Item = usize> {
    let some = |i: u32| (i != NONE).then_some(i as usize);
    std::iter::successors(some(first), move |&i| some(draws[i].next))
}

impl UctSearch {
    /// What has been drawn or may be drawn at a chance node, in a fixed order.
    pub(super) fn draws_of(&self, node: u32) -> impl Iterator<Item = &Draw> {
        let node = &self.nodes[node as usize];
        let first = if node.count == 0 { NONE } else { node.first };
        chain(&self.draws, first).map(|i| &self.draws[i])
    }

    /// Lets chance draw at a node; returns the node that follows, `NONE` if it has just been made, and whose turn it is
    /// then.
    pub(super) fn draw(&mut self, at: u32, state: &mut dyn World) -> (u32, Turn) {
        if self.shared {
            return (self.draw_shared(at, state), state.turn());
        }
        if self.nodes[at as usize].count == 0 {
            if at != 0 && self.is_full() {
                return (NONE, state.play_chance(&mut self.playout, Eyes::Closed));
            }
            self.list_draws(at, state);
        }
        let drawn = if self.nodes[at as usize].tried == 1 {
            self.take_turns(at)
        } else {
            let outcome = state.sample_chance(&mut self.playout);
            self.find_draw(at, outcome)
        };
        let draw = &mut self.draws[drawn];
        draw.visits += 1;
        let child = draw.child;
        let turn = match draw.outcome {
            Outcome::Listed(place) => state.play_outcome(place, Eyes::Closed),
            Outcome::Sampled(_) => state.apply(WorldStep::Chance(&draw.outcome)),
        };
        if child == NONE {
            self.draws[drawn].child = self.new_node();
        }
        (child, turn)
    }

    /// One of the draws that came up least often.
    fn take_turns(&mut self, at: u32) -> usize {
        let first = self.nodes[at as usize].first;
        let visits = |i: &usize| self.draws[*i].visits;
        let least = chain(&self.draws, first).map(|i| visits(&i)).min().unwrap_or(0);
        let rested = || chain(&self.draws, first).filter(|i| visits(i) == least);
        let nth = self.ties.below(rested().count() as u32) as usize;
        rested().nth(nth).expect("draws that take turns are listed")
    }

    /// The draw of an outcome, which is remembered if it is new.
    fn find_draw(&mut self, at: u32, outcome: Outcome) -> usize {
        let mut last = None;
        for i in chain(&self.draws, self.nodes[at as usize].first) {
            if self.draws[i].outcome == outcome {
                return i;
            }
            last = Some(i);
        }
        self.append_draw(at, last, outcome)
    }

    /// Begins the chain of a chance node with the outcomes that the rules list.
    fn list_draws(&mut self, at: u32, state: &dyn World) {
        let mut listed = std::mem::take(&mut self.listed);
        state.chances(&mut listed);
        let even = listed.windows(2).all(|w| w[0].1 == w[1].1) && !listed.is_empty();
        let node = &mut self.nodes[at as usize];
        (node.first, node.count, node.tried) = (NONE, 1, u32::from(even));
        let mut last = None;
        for (outcome, _) in listed.drain(..) {
            last = Some(self.append_draw(at, last, outcome));
        }
        self.listed = listed;
    }

    /// Lengthens the chain of a chance node after its last draw.
    fn append_draw(&mut self, at: u32, last: Option<usize>, outcome: Outcome) -> usize {
        let made = self.draws.len();
        self.draws.push(Draw { outcome, visits: 0, child: NONE, next: NONE });
        match last {
            Some(last) => self.draws[last].next = made as u32,
            None => self.nodes[at as usize].first = made as u32,
        }
        made
    }
}
