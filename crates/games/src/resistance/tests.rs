use std::collections::HashSet;

use fogtree_core::play::Line;
use fogtree_core::text::plain;
use fogtree_core::{Game, HiddenPart, Purpose, Seed};

use super::*;

use crate::testing::after;

fn try_game(params: &str) -> Result<Resistance, BadSpec> {
    Resistance::from_params(&crate::testing::params(&ABOUT, params)?)
}

fn game(params: &str) -> Resistance {
    try_game(params).unwrap()
}

/// Words for a team that everybody approves, and then for what its members play.
fn sent(players: usize, team: &str, cards: &str) -> String {
    format!("{team} {} {cards} ", vec!["approve"; players].join(" "))
}

fn seat(p: u8) -> Observer {
    Observer::Seat(Player(p))
}

fn possible(rules: &Resistance, s: &State, by: Observer) -> Vec<Set> {
    rules.possible(rules.info(s, by)).collect()
}

fn belief(rules: &Resistance, s: &State, by: Observer) -> Vec<f64> {
    let mut belief = vec![0.5; rules.values()];
    rules.prior(&rules.info(s, by), &mut belief);
    belief
}

#[test]
fn parameters_are_checked() {
    for bad in [
        "players=1",
        "players=11",
        "players=4",
        "players=4,spies=1",
        "players=4,teams=[1]",
        "spies=0",
        "spies=5",
        "teams=[2,3]",
        "teams=[1,1,1,1,1,1,1]",
        "teams=[6]",
        "teams=[0]",
        "teams=[1*]",
        "teams=2",
        "proposals=0",
        "last=never",
        "leader=5",
        "leader=me",
    ] {
        assert!(matches!(try_game(bad), Err(BadSpec::Value { .. })), "{bad}");
    }
    assert!(try_game("players=2,spies=1,teams=[1]").is_ok_and(|rules| !rules.facts().hidden));
}

/// The table of icarus 1.5.1.
#[test]
fn spies_and_teams_follow_the_printed_table() {
    let expected = [
        (5, 2, [2, 3, 2, 3, 3]),
        (6, 2, [2, 3, 4, 3, 4]),
        (7, 3, [2, 3, 3, 4, 4]),
        (8, 3, [3, 4, 4, 5, 5]),
        (9, 3, [3, 4, 4, 5, 5]),
        (10, 4, [3, 4, 4, 5, 5]),
    ];
    for (players, spies, sizes) in expected {
        let rules = game(&format!("players={players}"));
        assert!(rules.configurations.iter().all(|set| set.count_ones() == spies));
        assert_eq!(rules.missions.iter().map(|m| m.size).collect::<Vec<_>>(), sizes);
        let fatal: Vec<u8> = rules.missions.iter().map(|m| m.fatal).collect();
        assert_eq!(fatal, [1, 1, 1, if players < 7 { 1 } else { 2 }, 1], "{players} players");
    }
}

/// ORACLE-3: 10 sets of spies, 6 of them for one who is not a spy, 10 teams for every mission, and 5 things
/// a player may know once the spies are dealt.
#[test]
fn five_players_have_the_combinations_of_the_oracle() {
    let rules = game("leader=0");
    let mut deals = Vec::new();
    rules.chance(&rules.start(), &mut deals);
    assert_eq!(deals.len(), 10);
    let mut sets: HashSet<Info> = HashSet::new();
    for (outcome, _) in &deals {
        let mut s = rules.start();
        rules.apply(&mut s, Step::Chance(outcome));
        sets.insert(rules.info(&s, seat(3)));
        let worlds = possible(&rules, &s, seat(3));
        assert_eq!(worlds.len(), if s.is_spy(Player(3)) { 1 } else { 6 });
        assert_eq!(possible(&rules, &s, Observer::Public).len(), 10);
    }
    assert_eq!(sets.len(), 5);
    assert!(rules.missions.iter().all(|mission| mission.teams.len() == 10));
}

/// ORACLE-2 rests on this: to an outsider the truth about a spy is one of ten equally likely sets, so that a
/// search that draws from the outsider's belief spends a tenth of its iterations on the spy's own tree.
#[test]
fn to_an_outsider_the_truth_about_a_spy_is_one_in_ten() {
    let rules = game("leader=0");
    let s = after(&rules, "spies-1-4");
    let outside = belief(&rules, &s, Observer::Public);
    let private = |value| rules.private(value, Player(1));
    let truth = rules.value(&s).unwrap();
    let share: f64 = (0..10).filter(|&v| private(v) == private(truth)).map(|v| outside[v]).sum();
    assert!((share - 0.1).abs() < 1e-12);
    let trees: HashSet<u64> = (0..10).map(private).collect();
    assert_eq!(trees.len(), 5);
    assert_eq!(belief(&rules, &s, seat(1))[truth], 1.0);
    assert!((belief(&rules, &s, seat(0))[truth] - 1.0 / 6.0).abs() < 1e-12);
    assert_eq!(belief(&rules, &rules.start(), seat(0)), [0.0; 10]);
}

#[test]
fn a_team_goes_with_a_strict_majority_and_rejection_passes_the_lead() {
    let rules = game("players=6,leader=5");
    let s = after(&rules, "spies-0-1 team-2-3 approve approve approve reject reject reject");
    assert_eq!((s.phase, s.leader, s.rejected), (Phase::Propose, Player(0), 1));
    let s = after(&rules, "spies-0-1 team-2-3 approve approve approve approve reject reject");
    assert_eq!(rules.turn(&s), Turn::Simultaneous([Player(2), Player(3)].into_iter().collect()));
    let s = after(&rules, "spies-0-1 team-2-3 approve approve approve approve reject reject success success");
    assert_eq!((s.phase, s.leader, s.undertaken, s.failed), (Phase::Propose, Player(0), 1, 0));
}

/// Alg. 1: the fifth team goes without a vote. In the printed rules its rejection loses the game.
#[test]
fn the_fifth_team_goes_by_itself_or_loses_the_game() {
    let rejections = "team-0-1 reject reject reject reject reject ".repeat(4);
    let rules = game("leader=0");
    let s = after(&rules, &format!("spies-0-1 {rejections} team-0-2"));
    assert_eq!((s.phase, s.leader), (Phase::Mission, Player(4)));
    let s = after(&rules, &format!("spies-0-1 {rejections} team-0-2 sabotage success"));
    assert_eq!((s.failed, s.rejected, s.leader), (1, 0, Player(0)));

    let printed = game("leader=0,last=vote");
    let s = after(&printed, &format!("spies-0-1 {rejections} team-0-1"));
    assert_eq!(s.phase, Phase::Vote);
    let s = after(&printed, &format!("spies-0-1 {rejections} team-0-1 reject reject reject reject reject"));
    assert_eq!(printed.turn(&s), Turn::Terminal);
    assert_eq!(printed.rewards(&s).as_slice(), [1.0, 1.0, 0.0, 0.0, 0.0]);
}

/// AMB-10: 1 to each of the side that gets three missions, 0 to the others.
#[test]
fn three_missions_win() {
    let rules = game("leader=0");
    let clean = |team: &str, cards: &str| sent(5, team, cards);
    let (two, three) = ("success success", "success success success");
    let won = [clean("team-2-3", two), clean("team-2-3-4", three), clean("team-3-4", two)].concat();
    let s = after(&rules, &format!("spies-0-1 {won}"));
    assert_eq!(rules.rewards(&s).as_slice(), [0.0, 0.0, 1.0, 1.0, 1.0]);
    let lost = clean("team-0-3", "sabotage success");
    let both = clean("team-0-1-4", "sabotage sabotage success");
    let s = after(&rules, &format!("spies-0-1 {lost}{both}{lost}"));
    assert_eq!((rules.turn(&s), s.failed), (Turn::Terminal, 3));
    assert_eq!(rules.rewards(&s).as_slice(), [1.0, 1.0, 0.0, 0.0, 0.0]);
}

/// The first mission's team goes by itself after four rejections, and only the last mission settles the game; then
/// neither.
#[test]
fn what_the_source_tells_of_games_is_counted() {
    let rules = game("leader=0");
    let counted = |words: &str| {
        let mut line = Line::start(&rules);
        line.play_words(&rules, words.split_whitespace()).unwrap();
        let (mut state, mut out) = (rules.start(), Vec::new());
        for ply in line.plies() {
            rules.metrics(&state, ply.step(), &mut out);
            rules.apply(&mut state, ply.step());
        }
        assert_eq!(rules.turn(&state), Turn::Terminal);
        [FIRST_BY_DEFAULT, LAST_MISSION].map(|name| {
            let found: Vec<f64> = out.iter().filter(|c| c.0.0 == 3 && c.1 == name).map(|c| c.2).collect();
            assert!(!found.is_empty(), "{name} is counted if only with 0");
            found.iter().sum::<f64>()
        })
    };
    let rejected = format!("team-2-3 {}", "reject ".repeat(5)).repeat(4);
    let (two, three) = ("success success ", "success success success");
    let (fine, lost) = (sent(5, "team-2-3-4", three), sent(5, "team-0-3-4", "sabotage success success"));
    let first = format!("{rejected} team-2-3 {two}");
    let rest = [&lost, &sent(5, "team-2-3", two), &lost, &fine].map(String::as_str).concat();
    assert_eq!(counted(&format!("spies-0-1 {first}{rest}")), [1.0, 1.0]);
    let short = [sent(5, "team-2-3", two), fine, sent(5, "team-2-3", two)].concat();
    assert_eq!(counted(&format!("spies-0-1 {short}")), [0.0, 0.0]);
}

#[test]
fn a_marked_mission_takes_two_sabotages() {
    let rules = game("players=4,spies=2,teams=[2*],leader=0");
    let end = |cards: &str| {
        let s = after(&rules, &format!("spies-0-1 {}", sent(4, "team-0-1", cards)));
        rules.rewards(&s).as_slice().to_vec()
    };
    assert_eq!(end("sabotage success"), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(end("sabotage sabotage"), [1.0, 1.0, 0.0, 0.0]);
}

/// The sanity fact of icarus 1.5.1: if everybody knew the spies, the resistance would win whatever they do.
#[test]
fn known_spies_cannot_win() {
    let rules = game("");
    let mut open = Vec::new();
    for &spies in &rules.configurations {
        open.extend(Player::all(5).map(|leader| {
            let mut s = rules.start();
            rules.apply(&mut s, Step::Chance(&Outcome::Spies(spies)));
            rules.apply(&mut s, Step::Chance(&Outcome::Leader(leader)));
            s
        }));
    }
    let mut met: HashSet<State> = HashSet::new();
    while let Some(s) = open.pop() {
        if !met.insert(s) {
            continue;
        }
        let loyal = rules.everybody() & !s.spies;
        let mut next = |change: &dyn Fn(&mut State)| {
            let mut s = s;
            change(&mut s);
            open.push(s);
        };
        match s.phase {
            Phase::Propose if s.is_spy(s.leader) => {
                rules.mission(&s).teams.iter().for_each(|&team| next(&|s| rules.propose(s, team)));
            }
            Phase::Propose => {
                let team = *rules.mission(&s).teams.iter().find(|&&team| team & s.spies == 0).unwrap();
                next(&|s| rules.propose(s, team));
            }
            Phase::Vote => {
                let approvals = if s.team & s.spies == 0 { loyal } else { 0 };
                (0..32).filter(|votes| votes & loyal == 0).for_each(|votes| {
                    next(&|s| rules.vote(s, approvals | votes));
                });
            }
            Phase::Mission => {
                (0..=(s.team & s.spies).count_ones() as u8).for_each(|n| next(&|s| rules.undertake(s, n)));
            }
            phase => assert_eq!(phase, Phase::Won(Side::Resistance)),
        }
    }
    assert!(met.iter().any(|s| matches!(s.phase, Phase::Won(_))));
}

/// The sanity facts of icarus 1.5.1 on exposure.
#[test]
fn two_sabotages_expose_two_spies() {
    let rules = game("leader=0");
    let s = after(&rules, &format!("spies-0-1 {}", sent(5, "team-0-1", "sabotage sabotage")));
    for by in Observer::all(5) {
        assert_eq!(possible(&rules, &s, by), [0b11], "{by}");
    }
    let first = sent(5, "team-2-3", "success success");
    let second = sent(5, "team-0-1-4", "sabotage sabotage success");
    let s = after(&rules, &format!("spies-0-1 {first}{second}"));
    assert_eq!(possible(&rules, &s, seat(4)), [0b11]);
    assert_eq!(possible(&rules, &s, seat(2)).len(), 3);
    assert_eq!(possible(&rules, &s, Observer::Public).len(), 3);
}

/// A mission with k > 0 sabotages rules out the sets with fewer than k spies on the team, and nothing else.
#[test]
fn beliefs_keep_the_hard_constraints() {
    let rules = game("leader=0");
    let before = after(&rules, "spies-0-3 team-0-1 approve approve approve approve approve");
    let later = |cards: [Action; 2]| {
        let mut s = before;
        rules.apply(&mut s, Step::Moves(&[(Player(0), cards[0]), (Player(1), cards[1])]));
        s
    };
    let knows = |s: &State| rules.info(s, Observer::Public);
    let shares: Vec<f64> = (1..=10).map(|i| f64::from(i) / 55.0).collect();
    let mut phi = shares.clone();
    rules.propagate(&mut phi, &knows(&before), &knows(&later([Action::Success; 2])));
    assert!(phi.iter().zip(&shares).all(|(a, b)| (a - b).abs() < 1e-12), "success says nothing");
    rules.propagate(&mut phi, &knows(&before), &knows(&later([Action::Sabotage, Action::Success])));
    let left = |set: Set| set & 0b11 != 0;
    let mass = |i: usize| if left(rules.configurations[i]) { shares[i] } else { 0.0 };
    let sum: f64 = (0..10).map(mass).sum();
    assert!((0..10).all(|i| (phi[i] - mass(i) / sum).abs() < 1e-12), "{phi:?}");
    // Nothing left of what was believed: back to what is possible.
    let mut wrong = vec![0.0; 10];
    wrong[9] = 1.0;
    assert_eq!(rules.name(9), "3-4");
    let sabotaged = later([Action::Sabotage, Action::Success]);
    rules.propagate(&mut wrong, &knows(&before), &knows(&sabotaged));
    assert_eq!(wrong, belief(&rules, &sabotaged, Observer::Public));

    let mut sampler = rules.sampler(&knows(&sabotaged));
    let mut rng = Seed(1).stream(Purpose::Sampling);
    let mut world = rules.start();
    for (value, mass) in phi.into_iter().enumerate() {
        let possible = HiddenPart::sample(&rules, &mut sampler, value, &mut rng, &mut world);
        assert_eq!(possible, mass > 0.0);
        assert!(!possible || rules.value(&world) == Some(value) && knows(&world) == knows(&sabotaged));
    }
}

/// AMB-24: votes and mission cards are one step of all who choose; no state holds some of them.
#[test]
fn nobody_sees_a_vote_or_a_card_before_all_have_chosen() {
    let rules = game("leader=0");
    let s = after(&rules, "spies-0-1 team-0-1");
    assert_eq!(rules.turn(&s), Turn::Simultaneous(Players::first(5)));
    let s = after(&rules, "spies-0-1 team-0-1 approve approve approve approve reject");
    let cards = |first, second| [(Player(0), first), (Player(1), second)];
    let (a, b) = (cards(Action::Sabotage, Action::Success), cards(Action::Success, Action::Sabotage));
    let step = |moves: &[(Player, Action)]| {
        let mut s = s;
        rules.apply(&mut s, Step::Moves(moves));
        s
    };
    assert_eq!(step(&a), step(&b));
    for by in Observer::all(5) {
        let [seen, twin] = [a, b].map(|moves| rules.observe(&s, Step::Moves(&moves), by).unwrap());
        assert_eq!(seen, twin);
        assert_eq!(plain(&rules.explain(&seen, by)), "it shows 1 sabotage");
    }
    let mut legal = Vec::new();
    rules.actions(
        &after(&rules, "spies-2-3 team-0-1 approve approve approve approve reject"),
        Player(0),
        &mut legal,
    );
    assert_eq!(legal, [Action::Success], "only spies sabotage");
}

#[test]
fn spies_know_one_another_and_nobody_else_does() {
    let rules = game("leader=0");
    let told = |by| {
        let seen = rules.observe(&rules.start(), Step::Chance(&Outcome::Spies(0b10010)), by).unwrap();
        rules.explain(&seen, by)
    };
    assert_eq!(told(seat(1)), "the spies are players 1, 4");
    assert_eq!(told(seat(0)), "you are not a spy");
    assert_eq!(told(Observer::Public), "the spies are dealt in secret");
    let s = after(&rules, "spies-1-4");
    let view = |by| plain(&rules.view(&rules.info(&s, by)));
    assert!(view(seat(4)).contains("You are a spy.") && view(seat(4)).matches("  spy X").count() == 2);
    assert!(view(seat(0)).contains("the resistance.") && !view(seat(0)).contains("  spy X"));
    assert!(view(seat(0)).contains("6 of 10 sets of spies are possible"), "{}", view(seat(0)));
    assert_eq!(rules.role(&s, Player(4)), "spies");
    assert_eq!(rules.role(&s, Player(0)), "resistance");
}

#[test]
fn names_of_sets_are_read_strictly() {
    let rules = game("");
    assert_eq!(rules.parse_action("team-0-4"), Some(Action::Team(0b10001)));
    for bad in ["team-", "team-4-0", "team-0-0", "team-+1", "team-01", "team-5", "team-99999999999", "team-٣"]
    {
        assert_eq!(rules.parse_action(bad), None, "{bad}");
    }
    assert_eq!(rules.parse_outcome("leader-4"), Some(Outcome::Leader(Player(4))));
    assert_eq!(rules.parse_outcome("leader-5"), None);
    assert_eq!(rules.parse_outcome("spies-1-2"), Some(Outcome::Spies(0b110)));
}
