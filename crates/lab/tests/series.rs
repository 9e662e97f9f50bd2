//! Wins, draws and losses of matches whose results are known.

use std::sync::atomic::AtomicBool;

use fogtree_core::{
    About, Agent, AgentEntry, AgentFailure, Budget, Decision, Domain, InfoSet, Param, Record, Report, Seed,
};
use fogtree_lab::deals::Deals;
use fogtree_lab::series::{Seats, Series};
use fogtree_lab::statistics::clopper_pearson;
use fogtree_lab::until::Until;
use fogtree_table::Registry;
use fogtree_table::wire::{MatchResult, Standing};

static FIXED: About = About::new("fixed", "", "", &[Param::new("choice", "0", Domain::Integer(0, 9), "")]);

/// Always makes the legal move at this place.
struct Fixed(usize);

impl Agent for Fixed {
    fn act(&mut self, info: &InfoSet, _budget: &Budget) -> Result<Decision, AgentFailure> {
        Ok(Decision { action: info.legal[self.0], report: Report::default() })
    }
}

fn run(game: &str, seats: Seats, games: u64) -> (MatchResult, Vec<Record>) {
    let mut registry = Registry::standard();
    registry.add_agent(AgentEntry::new(&FIXED, &|asked| {
        let fixed = Fixed(asked.params.number("choice")?);
        Ok((Box::new(fixed), Budget::default()))
    }));
    let series = Series {
        game: game.to_string(),
        seats,
        games,
        seed: Seed(1),
        deals: Deals::Fresh,
        until: None,
        threads: 2,
        follow: Vec::new(),
    };
    let mut records = Vec::new();
    let made = registry.game(game).unwrap();
    let outcome = series
        .run(&registry, &*made, &AtomicBool::new(false), &mut |_, record| records.push(record.clone()))
        .unwrap();
    assert_eq!((outcome.games, records.len() as u64), (games, games));
    (outcome, records)
}

fn rotated(agents: &[&str]) -> Seats {
    Seats::Rotated(agents.iter().map(|a| (*a).to_string()).collect())
}

/// Wins, draws, losses, the share of wins and the mean reward.
fn score(s: &Standing) -> (u64, u64, u64, f64, f64) {
    (s.wins, s.draws, s.losses, s.win_rate, s.mean_reward)
}

#[test]
fn a_game_that_is_always_drawn_is_won_by_nobody() {
    let (outcome, _) = run("matrix(rows=[2:2,2:2])", rotated(&["random", "fixed"]), 10);
    for standing in &outcome.agents {
        assert_eq!(score(standing), (0, 10, 0, 0.5, 2.0));
        assert_eq!(standing.elo, Some(0.0));
    }
}

#[test]
fn a_game_that_one_seat_wins_is_won_by_whoever_has_it() {
    let roles = [("row", "random"), ("others", "random")].map(|(r, a)| (r.to_string(), a.to_string()));
    let (outcome, _) = run("matrix(rows=[3,1])", Seats::Roles(roles.to_vec()), 10);
    let [first, second] = &outcome.agents[..] else { panic!("two entrants") };
    assert_eq!((first.wins, first.draws, first.losses, first.win_rate), (10, 0, 0, 1.0));
    assert_eq!((second.wins, second.draws, second.losses, second.win_rate), (0, 0, 10, 0.0));
    let (outcome, _) = run("matrix(rows=[1])", rotated(&["random", "fixed"]), 10);
    for standing in &outcome.agents {
        assert_eq!(score(standing), (5, 0, 5, 0.5, 0.0), "each has the first seat in half of the games");
    }
}

/// Two spies win together or not at all: their results are twice as many, what is known of them is not.
#[test]
fn seats_that_share_a_game_count_once() {
    let roles = [("spies", "random"), ("resistance", "random")].map(|(r, a)| (r.to_string(), a.to_string()));
    let (outcome, _) = run("resistance", Seats::Roles(roles.to_vec()), 40);
    for (standing, seats) in outcome.agents.iter().zip([2, 3]) {
        let Standing { games, wins, draws, losses, .. } = *standing;
        assert_eq!((games, wins + draws + losses), (40, 40 * seats));
        let share = clopper_pearson((wins / seats) as f64, 40);
        assert_eq!((standing.win_rate, standing.low, standing.high), (share.share, share.low, share.high));
        let variance = share.share * (1.0 - share.share) * (40 * seats) as f64 / (40 * seats - 1) as f64;
        assert!((standing.reward_error - (variance / 40.0).sqrt()).abs() < 1e-12);
    }
}

/// One always chooses the first row or column, the other the second: first against second the table says -1,
/// second against first 0.
#[test]
fn a_draw_is_half_a_win() {
    let (outcome, _) = run("matrix(rows=[0,-1;0,0])", rotated(&["fixed(choice=0)", "fixed(choice=1)"]), 12);
    let [first, second] = &outcome.agents[..] else { panic!("two entrants") };
    assert_eq!(score(first), (0, 6, 6, 0.25, -0.5));
    assert_eq!(score(second), (6, 6, 0, 0.75, 0.5));
}

/// Of four who are equally good some share the first place: all the same there is one first place a game.
#[test]
fn win_rates_of_four_add_up_to_one() {
    let (outcome, _) = run("hearts-round", rotated(&["random"; 4]), 100);
    assert!(outcome.agents.iter().any(|standing| standing.draws > 0), "no place was ever shared");
    let sum: f64 = outcome.agents.iter().map(|standing| standing.win_rate).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let places: f64 = outcome.agents.iter().filter_map(|standing| standing.mean_place).sum();
    assert!((places - 10.0).abs() < 1e-9, "{places}");
}

/// Counts the results once more, from the rewards in the records.
fn recount(records: &[Record], agent: &str) -> (u64, u64, u64) {
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for record in records {
        let rewards = record.rewards.as_ref().unwrap();
        let own = rewards[record.header.agents.iter().position(|a| a == agent).unwrap()];
        if rewards.iter().any(|r| *r > own) {
            losses += 1;
        } else if rewards.iter().filter(|r| **r == own).count() > 1 {
            draws += 1;
        } else {
            wins += 1;
        }
    }
    (wins, draws, losses)
}

#[test]
fn results_of_tic_tac_toe_are_those_in_the_records() {
    let agents = ["uct(iterations=60)", "flat-mc(iterations=60)"];
    let (outcome, records) = run("mnk", rotated(&agents), 60);
    let mut all = [0; 3];
    for (standing, agent) in outcome.agents.iter().zip(agents) {
        let (wins, draws, losses) = recount(&records, agent);
        assert_eq!((standing.wins, standing.draws, standing.losses), (wins, draws, losses), "{agent}");
        assert_eq!(standing.win_rate, (wins as f64 + draws as f64 / 2.0) / 60.0);
        assert_eq!(standing.mean_reward, standing.win_rate, "a win is worth 1, a draw 1/2");
        all = [all[0] + wins, all[1] + draws, all[2] + losses];
    }
    assert!(all[0] == all[2] && all[0] > 0 && all[1] > 0, "{all:?}");
}

#[test]
fn three_players_sit_in_every_seat_equally_often() {
    let agents = ["random", "fixed", "flat-mc(iterations=5)"];
    let (outcome, records) = run("liars-dice(players=3,dice=1,faces=3)", rotated(&agents), 18);
    for (standing, agent) in outcome.agents.iter().zip(agents) {
        assert_eq!(standing.agent, agent);
        assert_eq!(standing.wins + standing.draws + standing.losses, 18);
        assert_eq!((standing.wins, standing.draws, standing.losses), recount(&records, agent), "{agent}");
        assert_eq!(standing.elo, None, "ratings are for two");
        for seat in 0..3 {
            assert_eq!(records.iter().filter(|r| r.header.agents[seat] == agent).count(), 6, "{agent}");
        }
    }
    for deal in records.chunks(3) {
        assert!(deal.iter().all(|r| r.header.seed == deal[0].header.seed), "one deal, three rotations");
    }
}

/// A match that is stopped has the result of the games up to then.
#[test]
fn a_stopped_match_has_a_result() {
    let registry = Registry::standard();
    let game = registry.game("mnk(m=3,n=3,k=3)").unwrap();
    let series = Series {
        game: "mnk(m=3,n=3,k=3)".to_string(),
        seats: rotated(&["random", "random"]),
        games: u64::MAX,
        seed: Seed(4),
        deals: Deals::Fresh,
        until: None,
        threads: 2,
        follow: Vec::new(),
    };
    let (stop, mut seen) = (AtomicBool::new(false), 0);
    let mut done = |number, _: &_| {
        seen = number;
        stop.store(number >= 20, std::sync::atomic::Ordering::Relaxed);
    };
    let outcome = series.run(&registry, &*game, &stop, &mut done).unwrap();
    let first = &outcome.agents[0];
    assert!(outcome.games >= 20 && first.wins + first.draws + first.losses == outcome.games);
    assert_eq!(seen, outcome.games);
}

/// A match ends with the game that settles it, the same with any number of threads.
#[test]
fn a_settled_match_ends() {
    let registry = Registry::standard();
    let game = registry.game("mnk(m=3,n=3,k=3)").unwrap();
    let play = |threads, agents: [&str; 2]| {
        let until = Some(Until::of_elo([0.0, 100.0]));
        let series = Series {
            game: "mnk(m=3,n=3,k=3)".to_string(),
            seats: rotated(&agents),
            games: 1000,
            seed: Seed(4),
            deals: Deals::Fresh,
            until,
            threads,
            follow: Vec::new(),
        };
        let outcome = series.run(&registry, &*game, &AtomicBool::new(false), &mut |_, _| ()).unwrap();
        (outcome.games, outcome.settled.unwrap(), outcome.agents[0].wins)
    };
    let one = play(1, ["flat-mc(iterations=60)", "random"]);
    assert!(one.1.stronger && one.0 == one.1.games && one.0 < 200, "{one:?}");
    assert_eq!(play(3, ["flat-mc(iterations=60)", "random"]), one);
    assert!(!play(2, ["random", "flat-mc(iterations=60)"]).1.stronger);
}
