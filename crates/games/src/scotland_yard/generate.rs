//! Boards at random, with the proportions of the board of London.
//!
//! Stations lie on a jittered grid and are numbered like the words of a page. Taxis link neighbours: the
//! Gabriel graph (two points are linked if the circle over them is empty), which is planar and connected,
//! thinned from its longest links to London's number of links per station, but not below two at any. Buses link a well-spread third of
//! the stations in the same way, the underground a well-spread fifth of those, and a boat calls at four
//! stations along a river.

use fogtree_core::{Purpose, Rng, Seed};

use super::board::{Board, Edge};
use super::layout::Place;

/// Of London's 199 stations, so many are on each net, with so many links.
const LONDON: f64 = 199.0;
const TAXI_LINKS: f64 = 346.0;
const BUS: (f64, f64) = (62.0, 99.0);
const UNDERGROUND: (f64, f64) = (14.0, 20.0);
const STARTS: usize = 18;

/// Where the stations of a board lie.
pub(super) fn places(stations: usize, seed: u64) -> Vec<Place> {
    jittered_grid(stations, &mut Seed(seed).named("scotland-yard").stream(Purpose::Deal))
}

/// A board with so many stations.
pub(super) fn board(stations: usize, seed: u64) -> Board {
    let points = places(stations, seed);
    let share = |of: f64| (of * stations as f64 / LONDON).round() as usize;
    let everywhere: Vec<usize> = (0..stations).collect();
    let mut edges = net(&points, &everywhere, share(TAXI_LINKS), 2, 0);
    let buses = spread(&points, &everywhere, share(BUS.0).max(2));
    edges.extend(net(&points, &buses, share(BUS.1), 1, 1));
    let underground = spread(&points, &buses, share(UNDERGROUND.0).max(2));
    edges.extend(net(&points, &underground, share(UNDERGROUND.1), 1, 2));
    edges.extend(boats(&points));
    let starts = spread(&points, &everywhere, STARTS.min(stations)).into_iter().map(|s| s as u8);
    Board::new(&edges, starts.collect()).expect("taxis reach every station")
}

fn jittered_grid(stations: usize, rng: &mut Rng) -> Vec<Place> {
    let columns = (1.35 * stations as f64).sqrt().ceil() as usize;
    let mut jittered = |cell: usize| cell as f64 + 0.8 * rng.unit();
    (0..stations).map(|i| (jittered(i % columns), jittered(i / columns))).collect()
}

fn square(a: Place, b: Place) -> f64 {
    (a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)
}

/// So many of the stations, each as far from those before it as possible.
fn spread(points: &[Place], among: &[usize], number: usize) -> Vec<usize> {
    let mut chosen = vec![among[0]];
    while chosen.len() < number.min(among.len()) {
        let gap = |s: usize| chosen.iter().map(|&c| square(points[s], points[c])).fold(f64::MAX, f64::min);
        let next = among.iter().copied().max_by(|&a, &b| gap(a).total_cmp(&gap(b)));
        chosen.extend(next);
    }
    chosen.sort_unstable();
    chosen
}

/// The Gabriel graph of some stations, with links to the nearest where a station has fewer than it should,
/// thinned from its longest links to so many, as long as it stays connected and no station gets too few.
fn net(points: &[Place], stations: &[usize], links: usize, least: usize, kind: usize) -> Vec<Edge> {
    let pairs =
        stations.iter().enumerate().flat_map(|(i, &a)| stations[i + 1..].iter().map(move |&b| (a, b)));
    let is_free = |&(a, b): &(usize, usize)| {
        let (p, q) = (points[a], points[b]);
        let middle = ((p.0 + q.0) / 2.0, (p.1 + q.1) / 2.0);
        stations.iter().all(|&c| c == a || c == b || square(points[c], middle) >= square(p, q) / 4.0)
    };
    let mut net: Vec<(usize, usize)> = pairs.filter(is_free).collect();
    for &lonely in stations {
        let linked = |s: usize| net.contains(&(s.min(lonely), s.max(lonely)));
        let mut others: Vec<usize> =
            stations.iter().copied().filter(|&s| s != lonely && !linked(s)).collect();
        others.sort_by(|&a, &b| {
            square(points[lonely], points[a]).total_cmp(&square(points[lonely], points[b]))
        });
        let missing = least.saturating_sub(degree(&net, lonely));
        net.extend(others.into_iter().take(missing).map(|s| (s.min(lonely), s.max(lonely))));
    }
    net.sort_by(|x, y| square(points[y.0], points[y.1]).total_cmp(&square(points[x.0], points[x.1])));
    let mut at = 0;
    while net.len() > links && at < net.len() {
        let link = net.remove(at);
        let bare = degree(&net, link.0) < least || degree(&net, link.1) < least;
        if bare || !is_connected(&net, link) {
            net.insert(at, link);
            at += 1;
        }
    }
    net.into_iter().map(|(a, b)| (a as u8, b as u8, kind)).collect()
}

fn degree(net: &[(usize, usize)], station: usize) -> usize {
    net.iter().filter(|link| link.0 == station || link.1 == station).count()
}

/// Whether one end of a link that was taken away can still be reached from the other.
fn is_connected(net: &[(usize, usize)], (from, to): (usize, usize)) -> bool {
    let (mut met, mut open) = (vec![from], vec![from]);
    while let Some(here) = open.pop() {
        for next in net.iter().filter_map(|&(a, b)| match here {
            _ if here == a => Some(b),
            _ if here == b => Some(a),
            _ => None,
        }) {
            if !met.contains(&next) {
                met.push(next);
                open.push(next);
            }
        }
    }
    met.contains(&to)
}

/// A boat that calls at four stations near a line across the board.
fn boats(points: &[Place]) -> Vec<Edge> {
    let width = points.iter().map(|p| p.0).fold(0.0, f64::max);
    let height = points.iter().map(|p| p.1).fold(0.0, f64::max);
    let nearest = |part: f64| {
        let pier = (part * width, 0.6 * height);
        (0..points.len()).min_by(|&a, &b| square(points[a], pier).total_cmp(&square(points[b], pier)))
    };
    let mut piers: Vec<usize> = [0.2, 0.4, 0.6, 0.8].into_iter().filter_map(nearest).collect();
    piers.dedup();
    piers.windows(2).map(|p| (p[0].min(p[1]) as u8, p[0].max(p[1]) as u8, 3)).collect()
}
