use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use fogtree_core::{Game, InfoTree, Purpose, Spec, random_step};

use super::generate::maze;
use super::map::{LOOK_AHEAD, Shape, is_clear};
use super::map_file::Senses;
use super::*;
use crate::testing::after;

fn read(spec: &str) -> Result<VisibilityPursuit, BadSpec> {
    let (about, spec) = About::find([&ABOUT].into_iter(), "game", &spec.parse::<Spec>()?)?;
    VisibilityPursuit::from_params(&about.params(&spec)?)
}

fn game(params: &str) -> VisibilityPursuit {
    read(&format!("visibility-pursuit({params})")).expect("it can be built")
}

/// A state some random steps into a game.
fn at_random(rules: &VisibilityPursuit, steps: u8, rng: &mut Rng) -> State {
    let (mut s, mut scratch) = (rules.start(), Scratch::default());
    while s.time < steps.min(rules.steps) || rules.turn(&s) == Turn::Chance {
        random_step(rules, &mut s, rng, &mut scratch);
    }
    s
}

/// The places of a set, as slow second implementations have them.
type Slow = BTreeSet<u16>;

fn slow(set: &Places) -> Slow {
    set.iter().collect()
}

fn slow_step(map: &Map, from: &Slow) -> Slow {
    from.iter().flat_map(|&place| map.ways(place).iter().map(|way| way.1)).collect()
}

fn slow_sight(map: &Map, from: &Slow) -> Slow {
    from.iter().flat_map(|&place| slow(map.sight(place))).collect()
}

/// Whether a straight line passes through the inside of a square of side 1, by cutting it at the four sides
/// (Liang and Barsky).
fn cuts(a: (f64, f64), b: (f64, f64), centre: (f64, f64)) -> bool {
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (from, to, middle) in [(a.0, b.0, centre.0), (a.1, b.1, centre.1)] {
        let (low, high) = (middle - 0.5, middle + 0.5);
        if from == to {
            if from <= low || from >= high {
                return false;
            }
            continue;
        }
        let (x, y) = ((low - from) / (to - from), (high - from) / (to - from));
        enter = enter.max(x.min(y));
        leave = leave.min(x.max(y));
    }
    leave - enter > 1e-9
}

#[test]
fn lines_of_sight_are_those_of_a_slow_second_implementation() {
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let (mut clear, mut blocked) = (0, 0);
    for _ in 0..40 {
        let rows: Vec<Vec<bool>> = (0..9).map(|_| (0..11).map(|_| rng.below(4) > 0).collect()).collect();
        for _ in 0..400 {
            let mut cell = || (rng.below(11) as usize, rng.below(9) as usize);
            let (a, b) = (cell(), cell());
            if !rows[a.1][a.0] || !rows[b.1][b.0] {
                continue;
            }
            let point = |(x, y): (usize, usize)| (x as f64, y as f64);
            let cells = (0..9).flat_map(|y| (0..11).map(move |x| (x, y)));
            let walls = cells.filter(|&(x, y)| !rows[y][x]);
            let expected = !walls.clone().any(|wall| cuts(point(a), point(b), point(wall)));
            assert_eq!(is_clear(&rows, a, b), expected, "{a:?} to {b:?} in {rows:?}");
            assert_eq!(is_clear(&rows, b, a), expected, "sight is mutual");
            *if expected { &mut clear } else { &mut blocked } += 1;
        }
    }
    assert!(clear > 1000 && blocked > 1000, "{clear} lines are clear, {blocked} are not");
}

#[test]
fn the_maze_has_the_published_size() {
    let rules = game("");
    let map = rules.map();
    assert_eq!((map.shape.clone(), map.numbers()), (Shape::Grid(50), 50 * 49));
    let open = map.open().len();
    assert!((1167..2450).contains(&open), "the source's pursuers lose the evader among 1167 places: {open}");
    let first = map.open().iter().next().unwrap();
    let steps = map.distances(first);
    let reached = steps.iter().filter(|&&steps| steps != NOWHERE).count();
    assert_eq!(reached, open as usize, "one can go everywhere");
    for place in map.open().iter() {
        let at = |place: u16| (i32::from(place) % 50, i32::from(place) / 50);
        for seen in map.sight(place).iter() {
            let (a, b) = (at(place), at(seen));
            assert!((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2) <= 100, "{place} sees {seen}");
            assert!(map.sight(seen).contains(place));
        }
        assert!(map.sight(place).contains(place) && map.ways(place).len() <= 5);
    }
    assert_ne!(maze(50, 49, 1), maze(50, 49, 2));
}

#[test]
fn the_town_has_the_published_size() {
    let rules = read("road-pursuit").unwrap();
    let map = rules.map();
    assert_eq!((map.numbers(), map.open().len()), (465, 465));
    let Shape::Points(points) = &map.shape else { panic!("a town is made of points") };
    let apart = |a: u16, b: u16| {
        let (a, b) = (points[usize::from(a)], points[usize::from(b)]);
        (a.0 - b.0).hypot(a.1 - b.1)
    };
    let mut hidden = 0;
    for a in map.open().iter() {
        for &(_, b) in map.ways(a).iter().filter(|way| way.1 != a) {
            assert!((4.4..5.6).contains(&apart(a, b)), "{} m from {a} to {b}", apart(a, b));
            assert!(map.sight(a).contains(b), "the next place along a road is in sight");
        }
        assert!(map.sight(a).iter().all(|b| apart(a, b) <= 25.0));
        hidden += map.open().iter().filter(|&b| apart(a, b) <= 25.0 && !map.sight(a).contains(b)).count();
    }
    assert!(hidden > 100, "houses stand in between");
    assert!(map.links() >= 465, "there are ways round: {} links", map.links());
    let steps = map.distances(0);
    assert!(steps.iter().all(|&steps| steps != NOWHERE));
    for places in [8, 30, 100, 200, 1000] {
        assert_eq!(game(&format!("map=road,places={places},apart=0")).map().numbers(), places);
    }
}

#[test]
fn sets_move_as_their_places_do() {
    let mut rng = Seed(2).stream(Purpose::Sampling);
    for params in ["", "map=road", "wait=no", "map=road,wait=no", "map=..#../.....,start=[1.1,2.1,1.2]"] {
        let rules = game(params);
        for share in [2, 5, 50, 500] {
            let set: Places = rules.map.open().iter().filter(|_| rng.below(share) == 0).collect();
            assert_eq!(slow(&rules.map.step(&set)), slow_step(&rules.map, &slow(&set)), "{params}");
            assert_eq!(set.len() as usize, slow(&set).len());
        }
    }
}

/// `equilibrium/3.9`: the possible places of a unit are the ends of all its paths that agree with every sighting.
#[test]
fn regions_are_the_ends_of_all_paths_that_agree() {
    /// The ends of all paths of a unit, one by one: at each time either where it was seen, or somewhere out of sight.
    fn ends(map: &Map, path: &mut Vec<u16>, time: usize, agrees: &dyn Fn(usize, u16) -> bool) -> Slow {
        let here = *path.last().unwrap();
        if path.len() == time + 1 {
            return Slow::from([here]);
        }
        let mut found = Slow::new();
        let now = path.len();
        for &(_, to) in map.ways(here).iter().filter(|way| agrees(now, way.1)) {
            path.push(to);
            found.extend(ends(map, path, time, agrees));
            path.pop();
        }
        found
    }
    let mut rng = Seed(3).stream(Purpose::Sampling);
    for params in [
        "map=....../.##.#./....../.#..#./......,range=2,steps=7,start=1,apart=3",
        "map=....../.##.#./....../.#..#./......,range=3,steps=6,start=2,wait=no,apart=2",
        "map=road,places=30,range=8,steps=7,start=5,apart=3",
    ] {
        let rules = game(params);
        let map = rules.map();
        for _ in 0..60 {
            let s = at_random(&rules, 1 + rng.below(7) as u8, &mut rng);
            let time = s.time();
            let team_at = |t: usize| rules.team(&s.tracks).iter().map(|track| track[t]).collect::<Slow>();
            let agrees = |t: usize, place: u16| {
                let visible = slow_sight(map, &team_at(t));
                if visible.contains(&s.tracks[0][t]) {
                    place == s.tracks[0][t]
                } else {
                    !visible.contains(&place)
                }
            };
            let expected = ends(map, &mut vec![s.tracks[0][0]], time, &agrees);
            assert_eq!(slow(&s.region), expected, "{params}");
            let known = rules.info(&s, Observer::Seat(EVADER));
            for i in 0..rules.pursuers {
                let track = &s.tracks[1 + i];
                let agrees = |t: usize, place: u16| {
                    let visible = map.sight(s.tracks[0][t]);
                    if visible.contains(track[t]) { place == track[t] } else { !visible.contains(place) }
                };
                let firsts = match rules.start.tracks[1 + i][0] {
                    NOWHERE => slow(&rules.hideouts),
                    place => Slow::from([place]),
                };
                let expected = firsts.iter().flat_map(|&first| ends(map, &mut vec![first], time, &agrees));
                assert_eq!(slow(&known.regions[i]), expected.collect::<Slow>(), "{params}: pursuer {i}");
            }
        }
    }
}

/// On a road of five cells a pursuer that sees one cell far walks off; the evader stays at the other end. After one step
/// it can only be where it was, after two there or one cell on. It was seen at the start only.
#[test]
fn three_measures_of_one_game() {
    for (objective, paid) in [("mean-size", 1.5), ("end-size", 2.0), ("unseen", -1.0)] {
        let road = "map=.....,range=1,steps=2,pursuers=1,start=[1.1,2.1]";
        let rules = game(&format!("{road},objective={objective}"));
        let end = after(&rules, "stay team:east stay team:east");
        assert_eq!(slow(&end.region), Slow::from([0, 1]));
        assert_eq!(rules.rewards(&end).iter().copied().collect::<Vec<_>>(), [paid, -paid], "{objective}");
    }
    let rules = game("map=.....,range=1,steps=2,pursuers=1,start=[1.1,2.1],reward=log");
    let end = after(&rules, "stay team:east stay team:east");
    assert!((rules.rewards(&end)[EVADER] - 1.5f64.log10()).abs() < 1e-12);
}

/// Starts are those of the source: pursuers 25 steps apart, the evader in sight and as far off as that allows.
#[test]
fn random_starts_are_as_published() {
    for map in ["maze", "road"] {
        for seed in 1..=20 {
            let rules = game(&format!("map={map},start={seed},unseen=known"));
            let (map, s) = (rules.map(), rules.start());
            let away = [0, 1].map(|i| map.distances(s.pursuer(i)));
            assert!(away[0][usize::from(s.pursuer(1))] >= 25);
            let gap = |place: u16| away[0][usize::from(place)].min(away[1][usize::from(place)]);
            let seen = slow_sight(map, &[s.pursuer(0), s.pursuer(1)].into());
            assert!(seen.contains(&s.evader()));
            assert_eq!(seen.iter().map(|&place| gap(place)).max(), Some(gap(s.evader())));
        }
    }
}

/// A pursuer out of sight at the start may be anywhere out of sight, far enough from the others.
#[test]
fn unseen_pursuers_are_placed_by_chance() {
    let rules = game("");
    let s = rules.start();
    assert_eq!(rules.turn(&s), Turn::Chance);
    let mut listed = Vec::new();
    rules.chance(&s, &mut listed);
    let seen = s.tracks[1..=2].iter().map(|track| track[0]).find(|&place| place != NOWHERE).unwrap();
    let away = rules.map.distances(seen);
    let expected = rules
        .map
        .open()
        .iter()
        .filter(|&place| !rules.map.sight(s.evader()).contains(place) && away[usize::from(place)] >= 25);
    assert_eq!(listed.iter().map(|outcome| outcome.0).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    assert_eq!(rules.turn(&game("unseen=known").start()), Turn::Simultaneous(Players::first(2)));
}

/// `equilibrium/2.6.5`: relaxed look-ahead by its formulas (5.9) and (5.10).
#[test]
fn relaxed_look_ahead_is_its_formula() {
    let mut rng = Seed(4).stream(Purpose::Sampling);
    for params in ["steps=30", "map=road,steps=30", "map=road,wait=no,steps=20,pursuers=3"] {
        let rules = game(params);
        let map = rules.map();
        for _ in 0..6 {
            let s = at_random(&rules, 1 + rng.below(25) as u8, &mut rng);
            let [evader, team] = [EVADER, PURSUERS].map(|seat| rules.info(&s, Observer::Seat(seat)));
            let threats = slow(&evader.regions.iter().fold(Places::NONE, |all, more| all.or(more)));
            let mean = |mut hides: Slow, mut seeks: Slow| {
                let mut sum = 0;
                for _ in 0..=LOOK_AHEAD {
                    sum += hides.difference(&slow_sight(map, &seeks)).count();
                    (hides, seeks) = (slow_step(map, &hides), slow_step(map, &seeks));
                }
                sum as f64 / 11.0
            };
            let units = (0..rules.pursuers).map(|i| s.pursuer(i)).collect();
            let of_team = -mean(slow(&s.region), units);
            let of_evader = mean(Slow::from([s.evader()]), threats);
            assert!((InfoTree::evaluate(&rules, 0, &team) - of_team).abs() < 1e-9);
            assert!((InfoTree::evaluate(&rules, 0, &evader) - of_evader).abs() < 1e-9);
            let so_far = f64::from(s.total) / f64::from(s.time);
            assert!((InfoTree::evaluate(&rules, 1, &team) - (of_team - so_far)).abs() < 1e-9);
            assert_eq!(InfoTree::evaluate(&rules, 2, &team), -f64::from(s.region.len()));
            assert!((InfoTree::evaluate(&rules, 3, &team) + so_far.log10()).abs() < 1e-9);
        }
    }
}

/// What remains in the tree of information sets: own places, and where the others may be.
fn essence(k: &Info) -> (Vec<u16>, Vec<Vec<u16>>, u32) {
    let own = if k.by.is(EVADER) { 0..1 } else { 1..1 + MOST_PURSUERS };
    let own = own.map(|unit| k.tracks[unit][k.time()]).collect();
    (own, k.regions.iter().map(|region| region.iter().collect()).collect(), k.total)
}

/// The tree of a seat leads, with each action, exactly to what it may know by the game: what it knows in any world that
/// is possible, after any moves of the other.
#[test]
fn the_tree_of_information_sets_is_that_of_the_game() {
    let mut rng = Seed(5).stream(Purpose::Sampling);
    let params = "map=...../.#.#./...../.#.#./.....,steps=6,start=[1.1,3.1,5.1]";
    for seat in [EVADER, PURSUERS] {
        // The evader expects a pursuer only once it has seen it, so that here all begin in its sight.
        let rules = game(&format!("{params},range=4"));
        for _ in 0..25 {
            let s = at_random(&rules, rng.below(4) as u8, &mut rng);
            let known = rules.info(&s, Observer::Seat(seat));
            let root = InfoTree::root(&rules, &known);
            assert_eq!(root, known);
            let mut legal = Vec::new();
            InfoTree::actions(&rules, &root, &mut legal);
            let mut expected = Vec::new();
            Rules::actions(&rules, &s, seat, &mut expected);
            assert_eq!(legal, expected);
            let action = *rng.pick(&legal);
            let mut reached = HashSet::new();
            let mut sampler = rules.sampler(&known);
            let mut world = rules.start();
            let other = seat.other();
            for _ in 0..400 {
                rules.sample(&mut sampler, &mut rng, &mut world);
                let mut theirs = Vec::new();
                Rules::actions(&rules, &world, other, &mut theirs);
                for their in theirs {
                    let mut next = world.clone();
                    let mut moves = [(seat, action), (other, their)];
                    moves.sort_by_key(|m| m.0);
                    rules.apply(&mut next, Step::Moves(&moves));
                    reached.insert(essence(&rules.info(&next, Observer::Seat(seat))));
                }
            }
            let mut shown = HashSet::new();
            rules.after(&root, action, &mut |next| {
                assert!(shown.insert(essence(next)), "nothing is shown twice");
                ControlFlow::Continue(())
            });
            assert_eq!(shown, reached, "{seat}");
        }
    }
}

/// The evader expects neither a pursuer it has never seen nor one that may be in more than 250 places.
#[test]
fn pursuers_that_may_be_anywhere_are_not_expected() {
    let rules = game("");
    let mut rng = Seed(6).stream(Purpose::Sampling);
    let (mut never, mut lost) = (0, 0);
    for steps in [1, 5, 60, 90] {
        let s = at_random(&rules, steps, &mut rng);
        let known = rules.info(&s, Observer::Seat(EVADER));
        let root = InfoTree::root(&rules, &known);
        for i in 0..2 {
            let seen = (0..=s.time()).any(|t| rules.map.sight(s.tracks[0][t]).contains(s.tracks[1 + i][t]));
            let many = known.regions[i].len() > 250;
            assert_eq!(root.ignored[i], !seen || many);
            assert_eq!(root.regions[i].is_empty(), !seen);
            never += u32::from(!seen);
            lost += u32::from(seen && many);
        }
    }
    assert!(never > 0 && lost > 0);
}

#[test]
fn policies_do_what_they_say() {
    let mut rng = Seed(7).stream(Purpose::Sampling);
    let mut scratch = Scratch::default();
    for params in ["", "map=road"] {
        let rules = game(params);
        let number = |name| Policy::find(rules.policies(), name).expect("it exists");
        let mut s = at_random(&rules, 3, &mut rng);
        while rules.turn(&s) != Turn::Terminal {
            let mut moves = [EVADER, PURSUERS].map(|seat| {
                (seat, rules.policy_action(number("no-return"), &s, seat, &mut rng, &mut scratch))
            });
            let before = s.clone();
            rules.apply(&mut s, Step::Moves(&moves));
            for unit in 0..=2 {
                let (last, now) = (before.tracks[unit][before.time() - 1], s.tracks[unit][s.time()]);
                let forced = rules.map.ways(before.tracks[unit][before.time()]).len() == 1;
                assert!(last != now || forced, "unit {unit} went back");
            }
            // Chasing brings every pursuer a step nearer to where the evader was last seen.
            moves[1].1 = rules.policy_action(number("chase"), &before, PURSUERS, &mut rng, &mut scratch);
            let last = (0..=before.time()).rev().find(|&t| rules.is_seen(&before.tracks, t)).unwrap_or(0);
            let target = rules.map.distances(before.tracks[0][last]);
            let mut chased = before.clone();
            rules.apply(&mut chased, Step::Moves(&moves));
            for i in 0..2 {
                let [from, to] = [before.pursuer(i), chased.pursuer(i)].map(|p| target[usize::from(p)]);
                assert_eq!(to, from.saturating_sub(1));
            }
        }
        for policy in 0..rules.policies().len() {
            let mut s = at_random(&rules, 90, &mut rng);
            rules.policy_playout(&rules, Some(policy), None, &mut s, &mut rng, &mut scratch);
            assert_eq!(rules.turn(&s), Turn::Terminal);
        }
    }
}

/// `equilibrium/2.6.5`: the abstract information set holds what its player knows, and no more: it is the same in all
/// worlds that the player holds possible, and the same for paths that end alike.
#[test]
fn abstract_information_sets_follow_from_what_is_known() {
    let mut rng = Seed(8).stream(Purpose::Sampling);
    let rules = game("map=...../.#.#./...../.#.#./.....,range=2,steps=9,start=[1.1,3.1,5.5]");
    for seat in [EVADER, PURSUERS] {
        for _ in 0..30 {
            let s = at_random(&rules, rng.below(9) as u8, &mut rng);
            let mut sampler = rules.sampler(&rules.info(&s, Observer::Seat(seat)));
            let mut world = rules.start();
            for _ in 0..20 {
                rules.sample(&mut sampler, &mut rng, &mut world);
                assert_eq!(rules.abstracted(&world, seat), rules.abstracted(&s, seat));
            }
        }
    }
    let road = game("map=.....,range=0,steps=3,pursuers=1,start=[1.1,5.1],unseen=known");
    let [a, b] = ["east team:west west team:stay", "stay team:stay stay team:west"].map(|m| after(&road, m));
    assert_ne!(a, b);
    assert_eq!(road.abstracted(&a, EVADER), road.abstracted(&b, EVADER));
    assert_eq!(road.abstracted(&a, PURSUERS), road.abstracted(&b, PURSUERS));
}

/// In a heavy simulation an evader that cannot leave the pursuer's sight stays in it: every region has size 1. In a
/// random one it does too, since it shows wherever it may be.
#[test]
fn simulations_of_an_evader_in_the_open() {
    let mut rng = Seed(9).stream(Purpose::Sampling);
    let rules = game("map=.../.../...,range=9,steps=9,pursuers=1,start=[1.1,3.3]");
    let known = rules.info(&rules.start(), Observer::Seat(PURSUERS));
    for simulation in 0..2 {
        assert_eq!(rules.simulate(simulation, &known, 30, &mut rng), 0.0);
    }
    // On a road on which one sees but one cell, a heavy pursuer beside the evader steps or stays beside where it was;
    // the evader then shows, or is in the one place that is left. At random it gets lost.
    let rules = game("map=.........,range=1,steps=30,pursuers=1,start=[4.1,5.1]");
    let known = rules.info(&rules.start(), Observer::Seat(PURSUERS));
    let mean = |simulation, rng: &mut Rng| {
        (0..500).map(|_| rules.simulate(simulation, &known, 6, rng)).sum::<f64>() / 500.0
    };
    let (random, heavy) = (mean(0, &mut rng), mean(1, &mut rng));
    assert!(heavy == 0.0 && random < -0.05, "{heavy} {random}");
}

#[test]
fn maps_are_read_from_files() {
    let senses = Senses { range: None, stay: true };
    let graph = "graph // a triangle and a spur\nplace 0 0\nplace 5 0\nplace 0 5\nplace 5.5 9\n\nlink 1 2\nlink 3 1\n\
                 link 2 3\nlink 4 3\nwall 2 -1 2 1\n";
    let map = map_file::read(graph, senses).unwrap();
    assert_eq!((map.numbers(), map.links()), (4, 4));
    assert_eq!(slow(map.sight(0)), Slow::from([0, 2, 3]), "a wall stands between the first two");
    assert_eq!(map.ways(2), [(0, 2), (1, 0), (2, 1), (3, 3)]);
    let grid = map_file::read("grid\n..#\n#..\n", senses).unwrap();
    assert_eq!((grid.open().len(), grid.links()), (4, 3));
    for (text, place) in [
        ("grid\n..\n.x\n", "line 3, column 2: expected . or #"),
        ("grid\n..\n...\n", "line 3, column 3: 3 cells in a map with 2"),
        ("grid\n.#.\n", "nothing leads from 1.1 to 3.1"),
        ("grid\n..#..\n", "nothing leads from 1.1 to 4.1"),
        ("grid\n", "there is nowhere to go"),
        ("map\n", "line 1, column 1: expected 'grid' or 'graph'"),
        ("", "there is nothing in it"),
        ("graph\nplace 1 b\n", "line 2, column 9: 'b' is not a number"),
        ("graph\nplace 1\n", "line 2, column 1: expected 2 numbers"),
        ("graph\nplace 0 0\nplace 1 1\nlink 1 3\n", "line 4, column 8: there is no place 3"),
        ("graph\nplace 0 0\nlink 1 1\n", "line 3, column 8: place 1 is linked to itself"),
        ("graph\nplace 0 0\nplace 1 1\nlink 1 2\nlink 2 1\n", "line 5, column 1: places 2 and 1 are linked"),
        ("graph\nroad 1 2\n", "line 2, column 1: expected place, link or wall"),
    ] {
        let error = map_file::read(text, senses).unwrap_err().to_string();
        assert!(error.starts_with(place), "{text:?}: {error}");
    }
}

#[test]
fn impossible_parameters_are_refused() {
    for bad in [
        "map=x",
        "map=.#.",
        "width=4",
        "height=65",
        "map=road,places=7",
        "seed=-1",
        "range=x",
        "range=-1",
        "wait=x",
        "pursuers=0",
        "pursuers=4",
        "steps=0",
        "steps=121",
        "start=[1.1]",
        "start=[1.1,2.1,99.1]",
        "start=x",
        "apart=x",
        "unseen=x",
        "objective=x",
        "reward=x",
        "file=no/such/map",
        "objective=unseen,reward=log",
        "width=64,height=64",
    ] {
        let error = read(&format!("visibility-pursuit({bad})"));
        assert!(matches!(error, Err(BadSpec::Value { .. })), "{bad}: {:?}", error.map(|_| ()));
    }
}
