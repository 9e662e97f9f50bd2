//! The law of tensors: numbers in range, made from what is known, from which legal moves could be told.

use std::collections::HashMap;

use super::Law;
use super::knowledge::Knowledge;
use super::play::Position;
use super::subject::{Action, Info, State};
use super::tree::Tree;
use super::trial::Trial;
use crate::{Observer, Player};

/// A tensor, to be compared: its numbers as bits.
type Bits = Vec<u32>;

/// The tensors met so far, by seat.
#[derive(Default)]
pub(super) struct Met {
    /// The tensor of everything known.
    of: HashMap<(Player, Info), Bits>,
    /// The legal moves of a seat to move, by tensor.
    legal: HashMap<(Player, Bits), Vec<Action>>,
}

impl Met {
    /// Tests the tensor of a seat in a state.
    fn look(&mut self, t: &mut Trial<'_>, s: State, seat: Player, known: Info, at: &dyn Fn() -> String) {
        let game = t.game;
        let tensor = game.tensor(s, seat);
        let wrong = tensor.iter().find(|x| !(-1.0..=1.0).contains(*x));
        t.require(wrong.is_none(), Law::Tensors, || {
            format!("{}: player {seat} is given the number {wrong:?}", at())
        });
        let bits: Bits = tensor.iter().map(|x| x.to_bits()).collect();
        let same = self.of.entry((seat, known)).or_insert_with(|| bits.clone()) == &bits;
        t.require(same, Law::Tensors, || {
            format!("{}: player {seat} knows what it knew elsewhere, where the numbers were others", at())
        });
        if game.turn(s).players().contains(seat) {
            let legal = game.legal(s, seat);
            let other = self.legal.entry((seat, bits)).or_insert_with(|| legal.clone());
            t.require(*other == legal, Law::Tensors, || {
                let texts = [&legal, other].map(|list| game.actions_text(list));
                format!(
                    "{}: player {seat} may {}, with the same numbers elsewhere {}",
                    at(),
                    texts[0],
                    texts[1]
                )
            });
        }
    }
}

/// Tests the shape, and answers whether there is one that can be used.
fn has_tensors(t: &mut Trial<'_>) -> bool {
    let Some(shape) = t.game.tensor_shape() else { return false };
    let well = !shape.is_empty() && shape.iter().all(|&length| length > 0);
    t.require(well, Law::Tensors, || format!("the shape is {shape:?}"))
}

/// Tests the tensors of every seat at a position of a random game.
pub(super) fn in_play(t: &mut Trial<'_>, here: &Position<'_>, met: &mut Met) {
    if !has_tensors(t) {
        return;
    }
    let game = t.game;
    for seat in Player::all(t.facts.players) {
        let known = game.info(here.state, Observer::Seat(seat));
        met.look(t, here.state, seat, known, &|| here.at(game));
    }
}

/// Tests the tensors of every seat in every state of the tree.
pub(super) fn laws(t: &mut Trial<'_>, tree: &Tree, knowledge: &Knowledge) {
    if !has_tensors(t) {
        return;
    }
    let game = t.game;
    for (observer, by) in tree.observers.iter().enumerate() {
        let Some(seat) = by.seat() else { continue };
        let mut met = Met::default();
        for s in tree.states() {
            met.look(t, s, seat, knowledge.info(s, observer), &|| game.state_text(s));
        }
    }
}
