//! The move generator and the ways against slow ones that are obviously right.

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// The price of getting to each cell, by trying shorter ways until nothing gets cheaper.
fn prices(map: &Map, kind: Kind, from: u8, blocked: &BTreeSet<u8>) -> BTreeMap<u8, u32> {
    let mut best = BTreeMap::from([(from, 0)]);
    loop {
        let mut found = false;
        for (cell, price) in best.clone() {
            for next in neighbours(map, cell) {
                let Some(cost) = map.terrain[usize::from(next)].cost(kind) else { continue };
                let total = price + cost;
                let cheaper = best.get(&next).is_none_or(|old| total < *old);
                if !blocked.contains(&next) && total <= kind.speed() as u32 && cheaper {
                    best.insert(next, total);
                    found = true;
                }
            }
        }
        if !found {
            return best;
        }
    }
}

/// East, north, west, south.
fn neighbours(map: &Map, cell: u8) -> Vec<u8> {
    let (columns, rows) = (i32::from(map.columns), i32::from(map.rows));
    let (x, y) = (i32::from(cell) % columns, i32::from(cell) / columns);
    let steps = [(1, 0), (0, -1), (-1, 0), (0, 1)].map(|(right, down)| (x + right, y + down));
    let inside = steps.into_iter().filter(|(x, y)| (0..columns).contains(x) && (0..rows).contains(y));
    inside.map(|(x, y)| (y * columns + x) as u8).collect()
}

fn steps_between(map: &Map, a: u8, b: u8) -> u8 {
    (a % map.columns).abs_diff(b % map.columns) + (a / map.columns).abs_diff(b / map.columns)
}

/// The legal actions by name, one unit and one target at a time.
fn slow_actions(game: &Tubstap, state: &State) -> BTreeSet<String> {
    let (battle, board) = (game.battle(), &state.inner);
    let (map, mover) = (&battle.map, board.mover());
    let here = |side: Player| -> Vec<(u8, Unit)> {
        (0..battle.slots())
            .filter(|&id| battle.side_of(id) == side && board.unit(id).hp > 0)
            .map(|id| (id, board.unit(id)))
            .collect()
    };
    let own = here(mover);
    let sees = |cell: u8| {
        !battle.fog.on
            || own
                .iter()
                .any(|(_, unit)| u32::from(steps_between(map, unit.cell, cell)) <= unit.kind.vision())
    };
    let enemies: Vec<(u8, Unit)> =
        here(mover.other()).into_iter().filter(|(_, unit)| sees(unit.cell)).collect();
    let blocked: BTreeSet<u8> = enemies.iter().map(|(_, unit)| unit.cell).collect();
    let mut names = BTreeSet::new();
    for &(id, unit) in own.iter().filter(|(id, _)| !board.has_acted(*id)) {
        let friends: Vec<u8> =
            own.iter().filter(|(other, _)| *other != id).map(|(_, unit)| unit.cell).collect();
        let stops: Vec<u8> = prices(map, unit.kind, unit.cell, &blocked)
            .into_keys()
            .filter(|cell| !friends.contains(cell))
            .collect();
        names.extend(stops.iter().map(|&to| game.action_name(Action::Move { unit: id, to })));
        for &(target, enemy) in &enemies {
            let stars = map.terrain[usize::from(enemy.cell)].stars();
            if damage(unit.kind, unit.hp, enemy.kind, enemy.hp, stars) == 0 {
                continue;
            }
            if unit.kind == Kind::Cannon {
                if (2..=3).contains(&steps_between(map, unit.cell, enemy.cell)) {
                    names.insert(format!("{id}x{target}"));
                }
                continue;
            }
            for stop in stops.iter().filter(|stop| neighbours(map, enemy.cell).contains(stop)) {
                let (dx, dy) = (
                    i32::from(stop % map.columns) - i32::from(enemy.cell % map.columns),
                    i32::from(stop / map.columns) - i32::from(enemy.cell / map.columns),
                );
                let side = match (dx, dy) {
                    (1, 0) => "e",
                    (0, -1) => "n",
                    (-1, 0) => "w",
                    _ => "s",
                };
                names.insert(format!("{id}x{target}{side}"));
            }
        }
    }
    names
}

#[test]
fn the_move_generator_agrees_with_a_slow_one() {
    for text in [
        "",
        "fog=off",
        "map=map01",
        "map=ford,fog=off",
        "map=ford",
        "map=ridge",
        "map=battery",
        "map=pass,fog=off",
    ] {
        let game = game(text);
        let mut rng = rng(11);
        let mut scratch = Scratch::default();
        for _ in 0..4 {
            let mut state = game.start();
            while let Turn::Player(who) = game.turn(&state) {
                let names = legal(&game, &state);
                let listed: BTreeSet<String> = names.iter().cloned().collect();
                assert_eq!(listed.len(), names.len());
                if rng.below(3) == 0 {
                    assert_eq!(listed, slow_actions(&game, &state), "{text}\n{}", game.show(&state));
                }
                let policy = rng.below(2) as usize;
                let action = game.policy_action(policy, &state, who, &mut rng, &mut scratch);
                assert!(listed.contains(&game.action_name(action)));
                game.apply(&mut state, Step::Moves(&[(who, action)]));
            }
        }
    }
}

/// Ways are connected, cost what the cheapest do, and follow the tie-break.
#[test]
fn ways_are_cheapest_and_settled_by_their_last_steps() {
    let game = game("");
    let (battle, map) = (game.battle(), &game.battle().map);
    let mut rng = rng(12);
    for _ in 0..400 {
        let kind = *rng.pick(&Kind::ALL);
        let from = rng.bit_of(battle.ground.enterable(kind)) as u8;
        let blocked = rng.bits() & rng.bits() & rng.bits() & !(1 << from);
        let set: BTreeSet<u8> = (0..64).filter(|cell| blocked >> cell & 1 == 1).collect();
        let prices = prices(map, kind, from, &set);
        assert_eq!(
            battle.ground.reach(kind, 1 << from, blocked),
            prices.keys().fold(0, |s, c| s | 1u64 << c)
        );
        for (&to, &price) in &prices {
            let way = battle.ground.way(kind, from, to, blocked);
            assert_eq!(way.last().copied().unwrap_or(from), to);
            let mut at = from;
            let mut paid = 0;
            for &cell in &way {
                assert!(neighbours(map, at).contains(&cell));
                paid += map.terrain[usize::from(cell)].cost(kind).unwrap();
                at = cell;
            }
            assert_eq!(paid, price);
            // The last step goes east if any cheapest way ends so, else north, west, south: it comes from the
            // west, the south, the east, the north.
            if let [.., _] = way[..] {
                let before = way.len().checked_sub(2).map_or(from, |i| way[i]);
                let cost = map.terrain[usize::from(to)].cost(kind).unwrap();
                let columns = map.columns;
                let order = [
                    to.wrapping_sub(1),
                    to.wrapping_add(columns),
                    to.wrapping_add(1),
                    to.wrapping_sub(columns),
                ];
                let first = order.into_iter().find(|cell| {
                    neighbours(map, to).contains(cell) && prices.get(cell).is_some_and(|p| p + cost == price)
                });
                assert_eq!(Some(before), first);
            }
        }
    }
}
