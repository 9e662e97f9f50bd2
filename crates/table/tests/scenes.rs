//! Every game as a picture: in every position of random games, for every seat and for who sees everything.

use std::time::{Duration, Instant};

use fogtree_core::scene::{Content, Scene};
use fogtree_core::{Observer, Player, Purpose, Seed, Turn, text};
use fogtree_draw::{Drawing, Theme, svg};
use fogtree_table::{AnyTable, Registry};

/// Elements are closed in the order in which they were opened, and no number is missing.
fn assert_well_formed(svg: &str, at: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("{at}: {part}"));
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{at}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
    }
    assert!(open.is_empty() && !svg.contains("NaN") && !svg.contains("\"inf"), "{at}");
    assert!(svg.len() < 1 << 20, "{at}: {} bytes", svg.len());
}

fn check(scene: &Scene, at: &str) {
    assert_eq!(scene.fault(), None, "{at}");
    assert!(!text::plain(&scene.to_string()).trim().is_empty(), "{at}");
    for theme in [Theme::Light, Theme::Dark] {
        assert_well_formed(&svg(scene, &Drawing { theme, ..Drawing::default() }), at);
    }
}

/// Shows a random game from its start to its end.
fn random_game(spec: &str, registry: &Registry, seed: u64, mut show: impl FnMut(&dyn AnyTable, &str)) {
    let game = registry.game(spec).unwrap();
    let (mut table, mut rng) = (game.table(), Seed(seed).stream(Purpose::Deal));
    loop {
        show(&*table, &format!("{spec} after {}", table.names().join(" ")));
        let turn = table.turn();
        match turn {
            Turn::Terminal => return,
            Turn::Chance => table.draw(&mut rng),
            _ => {
                let choices: Vec<_> =
                    turn.players().iter().map(|p| (p, *rng.pick(&table.moves(p)))).collect();
                table.choose(&choices).unwrap();
            }
        }
    }
}

#[test]
fn every_game_is_drawn_in_every_position() {
    let registry = Registry::standard();
    for about in registry.games() {
        let specs = [about.name.to_string(), format!("{}({})", about.name, about.tiny)];
        for (spec, seed) in specs.iter().flat_map(|spec| (1..3).map(move |seed| (spec, seed))) {
            let Ok(game) = registry.game(spec) else { continue };
            let players = game.facts().players;
            let mut number = 0;
            random_game(spec, &registry, seed, |table, at| {
                number += 1;
                // Long games are looked at now and then.
                if number > 30 && number % 23 != 0 && table.turn() != Turn::Terminal {
                    return;
                }
                check(&table.true_scene(), at);
                for p in Player::all(players) {
                    let scene = table.scene(Observer::Seat(p));
                    check(&scene, at);
                    if table.turn().players().contains(p) {
                        let info = table.infoset(p);
                        let touches: Vec<_> =
                            info.legal.iter().map(|&mv| (info.game.move_name(mv), info.spots(mv))).collect();
                        assert_eq!(info.scene().touch_fault(&touches), None, "{at}, player {p}");
                    }
                }
                check(&table.scene(Observer::Public), at);
            });
        }
    }
}

/// A table at which chance has dealt, of a game that needs no parameters.
fn dealt(registry: &Registry, name: &str) -> Option<Box<dyn AnyTable>> {
    let mut table = registry.game(name).ok()?.table();
    let mut rng = Seed(1).stream(Purpose::Deal);
    while table.turn() == Turn::Chance {
        table.draw(&mut rng);
    }
    Some(table)
}

/// No game is left with what is known printed as it is in memory.
#[test]
fn every_game_has_a_picture_of_its_own() {
    let registry = Registry::standard();
    for about in registry.games() {
        let Some(table) = dealt(&registry, about.name) else { continue };
        for scene in [table.true_scene(), table.scene(Observer::Seat(Player(0)))] {
            let words = |content: &Content| matches!(content, Content::Text { .. });
            assert!(!scene.caption.is_empty(), "{} has no caption", about.name);
            assert!(!scene.zones.iter().all(|z| words(&z.content)), "{} draws nothing", about.name);
        }
    }
}

/// A scene takes less than a millisecond, even as tests are built.
#[test]
fn scenes_are_made_quickly() {
    let registry = Registry::standard();
    for about in registry.games() {
        let Some(table) = dealt(&registry, about.name) else { continue };
        let fastest = (0..20).map(|_| {
            let began = Instant::now();
            drop(table.scene(Observer::Seat(Player(0))));
            began.elapsed()
        });
        let fastest = fastest.min().unwrap();
        assert!(fastest < Duration::from_millis(1), "{}: {fastest:?}", about.name);
    }
}
