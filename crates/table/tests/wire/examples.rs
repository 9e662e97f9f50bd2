//! One fixed example of each type.

use std::collections::BTreeMap;

use fogtree_core::scene::{Board, Cards, Scene, Share, Shares, Token, Zone};
use fogtree_core::{Chance, Event, Facts, Key, PerPlayer, Player, Seed, Utility};
use fogtree_table::wire::{
    About, Asked, Belief, Beliefs, CurvePoint, Decider, Decision, Domain, Done, Draw, Exploitability,
    Findings, GameAbout, Held, LegalMove, Limits, LowerBound, MatchResult, MoveFindings, Over, Param,
    Position, Preset, Reached, SearchTree, SearchTrees, SeatInfoSet, SeatPosition, SeatView, Settled, Shown,
    Solution, Standing, Step, TreeNode, Turn, TurnKind, Values, World,
};

use fogtree_table::Found;

use super::Golden;

pub(super) fn all(golden: &mut Golden) {
    golden.check("about", &about());
    golden.check("game_about", &game_about());
    golden.check("position", &position());
    golden.check("seat_position", &seat_position());
    golden.check("shown", &shown());
    golden.check("world", &world());
    golden.check("beliefs", &beliefs());
    golden.check("seat_view", &seat_view());
    golden.check("seat_view_over", &seat_view_over());
    golden.check("decision", &decision());
    golden.check("findings", &findings());
    golden.check("search_trees", &search_trees());
    golden.check("match_result", &match_result());
    golden.check("solution", &solution());
    golden.check("exploitability_of_strategies", &of_strategies());
    golden.check("exploitability_of_asked", &of_asked());
    golden.check("exploitability_of_agent", &of_agent());
    golden.check("lower_bound", &lower_bound());
    golden.check("curve_point_of_solver", &curve_point(Done::Iterations(12)));
    golden.check("curve_point_of_matches", &curve_point(Done::Matches(3)));
}

fn text(text: &str) -> String {
    text.to_string()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|t| text(t)).collect()
}

fn rewards(value: f64) -> PerPlayer<f64> {
    PerPlayer::zero_sum(value)
}

fn param(name: &str, values: Values, or: Option<&str>) -> Param {
    let domain = Domain { values, or: or.map(text) };
    Param {
        name: text(name),
        aliases: texts(&["also"]),
        default: text("x"),
        domain,
        about: text("what it means"),
    }
}

fn about() -> About {
    let real = Values::Real { least: Some(0.5), most: None };
    let whole = Values::Integer { least: 0.into(), most: u64::MAX.into() };
    let params = vec![
        param("text", Values::Text, None),
        param("integer", whole, Some("none")),
        param("real", real, None),
        param("choice", Values::Choice { words: texts(&["open", "hidden"]) }, None),
        param("flag", Values::Flag, None),
        param("time", Values::Time, None),
        param("list", Values::List, None),
        param("file", Values::File, None),
        param("command", Values::Command, None),
    ];
    let presets = vec![Preset { name: text("small"), params: text("integer=3"), about: text("a small one") }];
    About { name: text("name"), summary: text("One sentence"), source: text("a book"), params, presets }
}

fn game_about() -> GameAbout {
    let facts = Facts {
        hidden: true,
        chance: Chance::Listed,
        utility: Utility::ZeroSum,
        utility_bounds: (-2.0, 2.0),
        ..Facts::open(2, 6)
    };
    GameAbout {
        about: About { params: Vec::new(), ..about() },
        facts: Some(facts),
        roles: texts(&["first", "second"]),
        remark: Some(text("a remark")),
    }
}

fn position() -> Position {
    Position {
        game: text("kuhn-poker"),
        turn: Turn { kind: TurnKind::Together, players: Some(vec![Player(0), Player(1)]) },
        legal: BTreeMap::from([(Player(0), texts(&["check", "bet"])), (Player(1), texts(&["fold"]))]),
        chance: Some(vec![Draw { name: text("Q"), p: 0.5 }]),
        views: texts(&["card J", "card Q"]),
        infosets: vec![Key(1), Key(u128::MAX)],
        seats: vec![SeatInfoSet {
            seat: Player(0),
            legal: texts(&["check", "bet"]),
            events: vec![Event::Own(3)],
            known: serde_json::json!({"card": 0}),
            key: Key(1),
        }],
        rewards: Some(rewards(1.0)),
        moves: texts(&["J", "Q", "check"]),
        step: Some(3),
    }
}

fn seat_position() -> SeatPosition {
    SeatPosition {
        game: text("kuhn-poker"),
        seat: Player(1),
        turn: Some(Turn { kind: TurnKind::Player, players: None }),
        legal: texts(&["check", "bet"]),
        view: text("card Q"),
        infoset: Key(2),
        events: vec![Event::Own(3)],
        rewards: None,
        step: None,
    }
}

fn scene() -> Scene {
    let mut board = Board::lettered(2, 1);
    board.cell(0, 0).put(Token::cross(Player(0)));
    let hand = Cards::hand([(text("QS"), Token::card("Q", None))]);
    Scene::new("Player 1 to move.").with(Zone::board("board", board)).with(Zone::cards("hand", hand))
}

fn legal() -> Vec<LegalMove> {
    let touched = LegalMove { name: text("b1"), spots: texts(&["board/b1"]) };
    vec![touched, LegalMove { name: text("pass"), spots: Vec::new() }]
}

fn shown() -> Shown {
    Shown { game: text("mnk"), seat: Some(Player(1)), scene: scene(), legal: legal(), text: text("X .") }
}

fn world() -> World {
    World { world: 0, weight: 0.25, scene: scene(), text: text("X .") }
}

fn beliefs() -> Beliefs {
    let shares = |spot: &str| Shares {
        spot: text(spot),
        shares: vec![Share { token: Token::disc(Player(1)), share: 0.75 }],
    };
    Beliefs { worlds: 4, spots: vec![shares("board/a1")], zones: vec![shares("hand")] }
}

fn seat_view() -> SeatView {
    SeatView {
        game: text("mnk"),
        seat: Player(1),
        revision: 2,
        infoset: Key(5),
        to_move: true,
        scene: scene(),
        changed: texts(&["board/a1"]),
        legal: legal(),
        told: texts(&["Player 0 plays a1."]),
        commitment: Some(text("c0ffee")),
        over: None,
    }
}

fn seat_view_over() -> SeatView {
    let over = Over {
        rewards: Some(rewards(-1.0)),
        resigned: Some(Player(0)),
        seed: Seed(7),
        salt: Some(text("salt")),
        scene: scene(),
        moves: texts(&["a1", "b1"]),
    };
    SeatView { to_move: false, legal: Vec::new(), over: Some(over), ..seat_view() }
}

fn moves() -> Vec<MoveFindings> {
    let known = MoveFindings {
        name: text("bet"),
        visits: 3,
        availability: Some(4),
        share: Some(0.75),
        values: Some(rewards(0.5)),
        margins: Some([0.1, 0.1].into_iter().collect()),
        proven: true,
    };
    vec![known, MoveFindings { name: text("check"), visits: 1, ..MoveFindings::default() }]
}

fn line() -> Vec<Step> {
    vec![Step { by: Some(Player(0)), name: text("bet") }, Step { by: None, name: text("the other folds") }]
}

fn decision() -> Decision {
    let asked = Asked {
        game: text("kuhn-poker"),
        agent: text("mo-ismcts"),
        cheating: false,
        seat: Player(0),
        infoset: Key(9),
        seed: Some(17),
    };
    let held = Held { value: text("Q"), probability: 0.5 };
    Decision {
        asked,
        name: text("bet"),
        moves: moves(),
        line: line(),
        iterations: Some(4),
        nodes: Some(2),
        tried: Some(3),
        bytes: Some(96),
        bytes_per_node: Some(32.0),
        depth: Some(2),
        mean_depth: Some(1.5),
        profile: vec![1, 1],
        seconds: 0.25,
        iterations_per_second: Some(16.0),
        beliefs: vec![Belief { of: text("player 0"), values: vec![held] }],
        figures: BTreeMap::from([(text("kept nodes"), Some(0.0)), (text("worlds"), None)]),
        remark: None,
    }
}

fn findings() -> Findings {
    Findings {
        moves: moves(),
        iterations: 4,
        nodes: 2,
        depth: 2,
        milliseconds: Some(250),
        tried: Some(3),
        bytes: Some(96),
        mean_depth: Some(1.5),
        profile: vec![1, 1],
        line: line(),
    }
}

fn node(id: usize, reached: Reached, turn: Option<Decider>) -> TreeNode {
    let parent = id.checked_sub(1);
    let (available, values) = (Some(4), Some(rewards(0.5)));
    TreeNode { id, parent, depth: 1, reached, turn, visits: 3, available, values, left_out: 0 }
}

fn search_trees() -> SearchTrees {
    let nodes = vec![
        node(0, Reached::Root, Some(Decider::Player(Player(0)))),
        node(1, Reached::Move { by: Player(0), name: text("bet") }, Some(Decider::Chance)),
        node(2, Reached::Chance { name: text("Q") }, None),
        node(3, Reached::Seen { seen: texts(&["the other folds"]) }, None),
    ];
    let limits = Limits { depth: 3, visits: 10, top: None };
    let trees = vec![SearchTree { player: Player(0), nodes }];
    SearchTrees { trees, ..SearchTrees::new("kuhn-poker", "mo-ismcts", Player(0), limits) }
}

fn match_result() -> MatchResult {
    let standing = Standing {
        agent: text("flat-mc"),
        role: Some(text("first")),
        cheating: false,
        games: 4,
        wins: 2,
        draws: 1,
        losses: 1,
        win_rate: 0.625,
        low: 0.25,
        high: 0.875,
        mean_place: Some(1.5),
        mean_reward: 0.25,
        reward_error: 0.125,
        elo: Some(88.5),
        seconds_per_move: 0.001,
    };
    let random = Standing { agent: text("random"), role: None, mean_place: None, elo: None, ..standing };
    MatchResult {
        game: text("kuhn-poker"),
        games: 4,
        seed: Seed(1),
        moves_per_game: 2.5,
        agents: vec![standing, random],
        settled: Some(Settled { games: 4, stronger: true }),
    }
}

fn solution() -> Solution {
    Solution {
        game: text("kuhn-poker"),
        solver: text("cfr+"),
        value: -0.0625,
        values: vec![-0.0625, 0.0625],
        nash_conv: Some(0.5),
        exploitability: Some(0.25),
        iterations: 100,
        seconds: 0.5,
        nodes: Some(58),
        infosets: None,
    }
}

fn of_strategies() -> Exploitability {
    Exploitability {
        game: text("kuhn-poker"),
        solver: Some(text("cfr+")),
        agent: None,
        by: None,
        done: None,
        value: -0.0625,
        values: vec![-0.0625, 0.0625],
        best_responses: vec![0.0, 0.125],
        nash_conv: 0.5,
        exploitability: 0.25,
        infosets: 12,
        strategy: None,
        samples: None,
        missing: Some(1),
    }
}

fn of_asked() -> Exploitability {
    Exploitability { strategy: Some(Found::Counted), samples: Some(100), ..of_strategies() }
}

fn lower_bound() -> LowerBound {
    LowerBound {
        game: text("kuhn-poker"),
        agent: text("oos"),
        games: 1000,
        earned: vec![0.25, 0.5],
        margins: vec![0.0625, 0.125],
        nash_conv: 0.75,
        exploitability: 0.375,
        margin: 0.0625,
        strategy: Found::Own,
        samples: 100,
        infosets: 12,
        lost: 1,
    }
}

fn of_agent() -> Exploitability {
    Exploitability {
        solver: None,
        agent: Some(text("oos")),
        by: Some(text("iterations")),
        done: Some(12),
        strategy: Some(Found::Own),
        missing: None,
        ..of_strategies()
    }
}

fn curve_point(done: Done) -> CurvePoint {
    CurvePoint { done, seconds: 0.5, value: -0.0625, nash_conv: 0.5, exploitability: 0.25 }
}
