//! Where stations are drawn.
//!
//! London's places come from a file that `data/boards/layout.py` has made, those of a random board from how it was made.
//! All others are found here: stress majorization (Gansner, Koren and North 2004) of a few rounds, from a start in lines
//! like the words of a page.

use super::board::Board;

/// A place: from the left and from the top, the usual link being 1 long.
pub(super) type Place = (f64, f64);

const LONDON: &str = include_str!("../../data/boards/london-places.txt");
const ROUNDS: usize = 60;

/// The places of London's stations.
pub(super) fn london() -> Vec<Place> {
    let place = |line: &str| {
        let mut numbers = line.split_whitespace().skip(1).map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    LONDON.lines().filter(|line| !line.starts_with('#')).filter_map(place).collect()
}

/// Places in which stations are about as far apart as in the net.
pub(super) fn places(board: &Board) -> Vec<Place> {
    let stations = board.stations();
    let far: Vec<Vec<f64>> = (0..stations).map(|from| distances(board, from)).collect();
    let columns = (1.35 * stations as f64).sqrt().ceil() as usize;
    // Lines are not quite straight: from a straight start nothing ever leaves its line.
    let page = |i: usize| ((i % columns) as f64, (i / columns) as f64 + 0.3 * ((i * 7 % 5) as f64 / 5.0));
    let mut places: Vec<Place> = (0..stations).map(page).collect();
    for _ in 0..ROUNDS {
        places = (0..stations).map(|i| pulled(&places, &far[i], i)).collect();
    }
    places
}

/// The place of a station at which its distances from all others are best kept, the near ones counting most.
fn pulled(places: &[Place], far: &[f64], station: usize) -> Place {
    let (x, y) = places[station];
    let (mut sum, mut weights) = ((0.0, 0.0), 0.0);
    for (&(u, v), &wanted) in places.iter().zip(far).filter(|(_, wanted)| **wanted > 0.0) {
        let weight = 1.0 / (wanted * wanted);
        let gap = (x - u).hypot(y - v).max(1e-9);
        sum.0 += weight * (u + wanted * (x - u) / gap);
        sum.1 += weight * (v + wanted * (y - v) / gap);
        weights += weight;
    }
    if weights > 0.0 { (sum.0 / weights, sum.1 / weights) } else { (x, y) }
}

/// How many links lie between a station and each other; parts of a net that do not hang together are far apart.
fn distances(board: &Board, from: usize) -> Vec<f64> {
    const APART: f64 = 8.0;
    let mut far = vec![APART; board.stations()];
    far[from] = 0.0;
    let (mut met, mut border) = (vec![false; board.stations()], vec![from as u8]);
    met[from] = true;
    for steps in 1.. {
        let mut next = Vec::new();
        for link in border.iter().flat_map(|&station| board.links(station)) {
            let to = usize::from(link.to);
            if !std::mem::replace(&mut met[to], true) {
                far[to] = f64::from(steps);
                next.push(link.to);
            }
        }
        if next.is_empty() {
            break;
        }
        border = next;
    }
    far
}
