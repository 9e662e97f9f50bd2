use fogtree_core::scene::{Board, Cards, Ground, Look, Scene, Table, Token, Zone};
use fogtree_core::{Player, scene};

use super::*;

/// Elements are closed in the order in which they were opened.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("tags end");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
}

fn scene() -> Scene {
    let mut board = Board::lettered(3, 3).chequered();
    board.cell(0, 0).put(Token::disc(Player(0))).noted("<&>");
    board.cell(1, 1).put(Token::new(Look::King).of(Player(1)).named("white king"));
    board.cell(2, 2).made_of(Ground::Forest).put(Token::new(Look::Unit { hit_points: 7 }).labelled("F"));
    let mut graph = scene::Graph { kinds: vec!["taxi".to_string()], ..scene::Graph::default() };
    graph.node("1", 0.0, 0.0).put(Token::figure(Player(2), "D"));
    graph.node("2", 1.0, 0.5);
    graph.edge(0, 1, 0);
    let hand = Cards::hand([("QS".to_string(), Token::card("Q", Some(scene::Suit::Spades)))]);
    let mut facts = Table::headed(["player", "points"]);
    facts.row(["you", "12"]);
    Scene::new("Your turn: \"move\".")
        .with(Zone::board("board", board).titled("Board"))
        .with(Zone::table("facts", facts).beside())
        .with(Zone::graph("map", graph))
        .with(Zone::cards("hand", hand).titled("Your hand").of(Player(0)))
        .with(Zone::text("words", "one\ntwo"))
}

#[test]
fn pictures_are_well_formed_and_name_their_spots() {
    let selectable = ["board/a3".to_string(), "hand/QS".to_string()];
    for theme in [Theme::Light, Theme::Dark] {
        let drawing = Drawing { theme, selectable: &selectable, changed: &selectable[1..], beliefs: None };
        let svg = svg(&scene(), &drawing);
        assert_well_formed(&svg);
        for (spot, _) in scene().spots() {
            assert_eq!(svg.matches(&format!("data-spot=\"{spot}\"")).count(), 1, "{spot}");
        }
        assert!(svg.contains("b2: white king"), "{svg}");
        assert_eq!(svg.matches("tabindex").count(), 2);
    }
}
