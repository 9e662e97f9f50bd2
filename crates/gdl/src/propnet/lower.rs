//! The last strokes on a network: gates with one use go into the gate that uses them, and nobody else's are dropped.

use crate::propnet::gates::Wire;
use crate::propnet::network::Network;
use crate::propnet::program::cone;

/// Merges and drops gates.
pub(super) fn lower(network: &mut Network) {
    let mut live = cone(network, roots(network).into_iter());
    merge(network, &live);
    live = cone(network, roots(network).into_iter());
    compact(network, &live);
}

/// The wires of all answers.
fn roots(network: &Network) -> Vec<Wire> {
    let answers = network.goals.iter().chain(&network.sees).flatten().map(|a| a.1);
    let bits = network.legal.iter().flatten().chain(&network.next).copied();
    bits.chain(answers).chain([network.terminal]).collect()
}

/// Replaces conjunctions inside conjunctions by their parts, where nobody else uses them.
fn merge(network: &mut Network, live: &[bool]) {
    let mut uses = vec![0u32; network.inputs.len()];
    roots(network).iter().for_each(|w| uses[w.node()] += 1);
    network.circles.iter().flat_map(|c| &c.latches).for_each(|l| uses[l.1.node()] += 1);
    for node in (0..network.inputs.len()).filter(|&n| live[n]) {
        network.inputs[node].iter().for_each(|w| uses[w.node()] += 1);
    }
    let mut fixed = vec![false; network.inputs.len()];
    for circle in &network.circles {
        fixed[circle.gates.clone()].fill(true);
    }
    let mut merged = Vec::new();
    for node in (network.first_gate()..network.inputs.len()).filter(|&n| live[n] && !fixed[n]) {
        merged.clear();
        for &wire in &network.inputs[node] {
            let parts = &network.inputs[wire.node()];
            let inside =
                !wire.negated() && !parts.is_empty() && uses[wire.node()] == 1 && !fixed[wire.node()];
            if inside {
                merged.extend_from_slice(parts);
            } else {
                merged.push(wire);
            }
        }
        merged.sort_unstable();
        merged.dedup();
        network.inputs[node] = merged.as_slice().into();
    }
}

/// Drops the gates that are not live and numbers the others anew.
fn compact(network: &mut Network, live: &[bool]) {
    let first = network.first_gate();
    let mut numbers = vec![0; network.inputs.len() + 1];
    let mut next = 0;
    for (node, number) in numbers.iter_mut().enumerate() {
        *number = next;
        next += usize::from(node < first || live.get(node).is_some_and(|&l| l));
    }
    let moved = |wire: Wire| wire.on(numbers[wire.node()]);
    let mut node = 0;
    network.inputs.retain(|_| {
        node += 1;
        node - 1 < first || live[node - 1]
    });
    network.inputs.iter_mut().flat_map(|i| i.iter_mut()).for_each(|w| *w = moved(*w));
    network.circles.retain(|c| c.latches.iter().any(|&(latch, _)| live[latch]));
    for circle in &mut network.circles {
        circle.latches.iter_mut().for_each(|(latch, wire)| (*latch, *wire) = (numbers[*latch], moved(*wire)));
        circle.gates = numbers[circle.gates.start]..numbers[circle.gates.end];
    }
    network.legal.iter_mut().flatten().chain(&mut network.next).for_each(|w| *w = moved(*w));
    network.goals.iter_mut().chain(&mut network.sees).flatten().for_each(|a| a.1 = moved(a.1));
    network.terminal = moved(network.terminal);
}
