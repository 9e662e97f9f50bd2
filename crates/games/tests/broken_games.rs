//! The conformance suite notices: for every law there is a game that breaks it, and sound games break none.
//!
//! Each fault is one replaced method of a sound game (see `Broken`).

#[path = "broken_games/broken.rs"]
mod broken;
#[path = "broken_games/small.rs"]
mod small;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

use broken::{Broken, Info, Slipped, hidden, tensors};
use fogtree_core::scene::{Cards, Scene, Spread, Zone};
use fogtree_core::testing::{Law, Options, check, conformance};
use fogtree_core::{
    Chance, Facts, FastPlay, Game, Notation, Observation, Observer, Playable, Player, Players, Purpose,
    Rewards, Rules, Scratch, Seed, Step, Turn, Utility,
};
use fogtree_games::kuhn_poker::{Action, KuhnPoker};
use small::{Dark, Dice, DiceInfo, Pennies};

type Kuhn = Broken<KuhnPoker>;
type InTheDark = Broken<Dark>;
type Loaded = Broken<Dice>;
type Coins = Broken<Pennies>;

/// The card of a player of Kuhn poker, which only what it knows tells.
fn card_of(state: &<KuhnPoker as Rules>::State, who: Player) -> Option<u64> {
    let known = serde_json::to_value(KuhnPoker.info(state, Observer::Seat(who))).unwrap();
    known["card"].as_u64()
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A number that is never the same again.
fn another_number() -> u64 {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

fn assert_breaks<G: Playable>(law: Law, game: &G) {
    let found = check(game, game, &Options::default());
    let laws: Vec<Law> = found.iter().map(|v| v.law).collect();
    assert!(laws.contains(&law), "{law:?} is broken, but only {laws:?} was noticed");
    println!("{}", found.iter().find(|v| v.law == law).unwrap());
}

#[test]
fn sound_games_break_no_law() {
    conformance(&KuhnPoker, &KuhnPoker);
    conformance(&Kuhn::sound(), &Kuhn::sound());
    conformance(&InTheDark::sound(), &InTheDark::sound());
    conformance(&Loaded::sound(), &Loaded::sound());
    conformance(&Coins::sound(), &Coins::sound());
    conformance(&Pennies, &Pennies);
}

#[test]
fn a_game_larger_than_the_limit_is_refused() {
    let found = check(&KuhnPoker, &KuhnPoker, &Options { nodes: 57, ..Options::default() });
    assert_eq!(found.iter().map(|v| v.law).collect::<Vec<_>>(), [Law::TooLarge]);
    // 1 + 3 chance nodes, and 6 deals of 4 decisions and 5 ends.
    assert_eq!(check(&KuhnPoker, &KuhnPoker, &Options { nodes: 58, ..Options::default() }), []);
}

#[test]
#[should_panic(expected = "RewardRange: Rewards are finite and within the declared range.")]
fn the_report_names_the_law() {
    let game = Kuhn { rewards: |_, _| Rewards::zero_sum(f64::INFINITY), ..Kuhn::sound() };
    conformance(&game, &game);
}

macro_rules! faults {
    ($($name:ident breaks $law:ident: $game:ident { $($method:ident: $fault:expr,)* })*) => {
        $(
            #[test]
            fn $name() {
                assert_breaks(Law::$law, &$game { $($method: $fault,)* ..$game::sound() });
            }
        )*

        #[test]
        fn there_is_a_fault_for_every_law() {
            let tested = [$(Law::$law),*];
            let untested: Vec<_> = Law::ALL.iter().filter(|law| !tested.contains(law)).collect();
            assert!(untested.is_empty(), "no game breaks {untested:?}");
        }
    };
}

faults! {
    a_reversed_reward_range breaks FactsSane: Kuhn {
        facts: |g| Facts { utility_bounds: (2.0, -2.0), ..g.facts() },
    }
    chance_where_none_is_declared breaks FactsChance: Kuhn {
        facts: |g| Facts { chance: Chance::Never, ..g.facts() },
    }
    chance_declared_where_there_is_none breaks FactsChance: InTheDark {
        facts: |g| Facts { chance: Chance::Listed, ..g.facts() },
    }
    chance_declared_listed_and_not_listed breaks FactsChance: Kuhn {
        chance: |_, _, _| {},
    }
    simultaneous_turns_not_declared breaks FactsSimultaneous: Coins {
        facts: |g| Facts { simultaneous: false, ..g.facts() },
    }
    simultaneous_turns_declared_in_vain breaks FactsSimultaneous: Kuhn {
        facts: |g| Facts { simultaneous: true, ..g.facts() },
    }
    hidden_cards_not_declared breaks FactsHidden: Kuhn {
        facts: |g| Facts { hidden: false, ..g.facts() },
    }
    hidden_information_declared_in_vain breaks FactsHidden: Coins {
        facts: |g| Facts { hidden: true, ..g.facts() },
    }
    hidden_moves_not_declared breaks FactsHiddenMoves: InTheDark {
        facts: |g| Facts { hidden_moves: false, ..g.facts() },
    }
    hidden_moves_declared_in_vain breaks FactsHiddenMoves: Kuhn {
        facts: |g| Facts { hidden_moves: true, ..g.facts() },
    }
    a_simultaneous_turn_of_nobody breaks TurnSeats: Coins {
        turn: |g, s| match g.turn(s) {
            Turn::Simultaneous(_) => Turn::Simultaneous(Players::default()),
            other => other,
        },
    }
    a_turn_of_a_third_player_among_two breaks TurnSeats: Coins {
        turn: |g, s| match g.turn(s) {
            Turn::Simultaneous(_) => Turn::Simultaneous(Players::first(3)),
            other => other,
        },
    }
    a_game_that_never_ends breaks Longest: Kuhn {
        turn: |g, s| match g.turn(s) {
            Turn::Terminal => Turn::Player(Player(0)),
            other => other,
        },
    }
    a_game_longer_than_declared breaks Longest: Kuhn {
        facts: |g| Facts { max_length: 4, ..g.facts() },
    }

    a_player_without_actions breaks ActionsNonEmpty: Kuhn {
        actions: |g, s, who, out| if who == Player(0) { g.actions(s, who, out) },
    }
    actions_in_falling_order breaks ActionsRising: Kuhn {
        actions: |g, s, who, out| {
            g.actions(s, who, out);
            out.reverse();
        },
    }
    an_action_listed_twice breaks ActionsRising: Kuhn {
        actions: |g, s, who, out| {
            g.actions(s, who, out);
            out.extend(out.last().copied());
        },
    }
    a_list_that_is_cleared_first breaks Appends: Kuhn {
        actions: |g, s, who, out| {
            out.clear();
            g.actions(s, who, out);
        },
    }
    an_outcome_list_that_is_cleared_first breaks Appends: Kuhn {
        chance: |g, s, out| {
            out.clear();
            g.chance(s, out);
        },
    }
    a_card_dealt_twice_is_accepted breaks RejectsIllegal: Kuhn {
        is_possible: |_, _, _| true,
    }
    observations_that_change_when_looked_at_again breaks Deterministic: Kuhn {
        observe: |_, _, _, _| Some(Observation::word(another_number())),
    }
    steps_that_lead_here_and_there breaks Deterministic: InTheDark {
        apply: |g, s, step| {
            g.apply(s, step);
            s.failed[0] ^= (another_number() % 2) as u8;
        },
    }
    worlds_drawn_without_the_seed breaks Deterministic: Kuhn {
        sample: |g, _, from, _, into| g.sample(from, &mut Seed(another_number()).stream(Purpose::Ties), into),
    }
    a_sampler_that_cannot_forget breaks Deterministic: Kuhn {
        reuse_sampler: |_, _, _| {},
    }

    probabilities_that_sum_to_nine_tenths breaks ChanceSum: Kuhn {
        chance: |g, s, out| {
            let mut listed = Vec::new();
            g.chance(s, &mut listed);
            out.extend(listed.into_iter().map(|(outcome, p)| (outcome, 0.9 * p)));
        },
    }
    an_outcome_of_probability_zero breaks ChanceSum: Kuhn {
        chance: |g, s, out| {
            let first = out.len();
            g.chance(s, out);
            out[first].1 += out[first + 1].1;
            out[first + 1].1 = 0.0;
        },
    }
    a_listed_card_called_impossible breaks ChancePossible: Kuhn {
        is_possible: |g, s, card| *card != 2 && g.is_possible(s, card),
    }
    a_card_possible_twice breaks ChancePossible: Kuhn {
        is_possible: |_, _, _| true,
    }
    a_card_drawn_twice breaks ChancePossible: Kuhn {
        sample_chance: |_, _, rng| rng.below(3) as u8,
    }
    a_loaded_deal breaks ChanceFrequencies: Kuhn {
        sample_chance: |g, s, rng| {
            let card = g.sample_chance(s, rng);
            if rng.below(5) == 0 { card.max(g.sample_chance(s, rng)) } else { card }
        },
    }
    a_preferred_action breaks RandomAction: Kuhn {
        random_action: |g, s, who, rng| {
            let mut random = || g.random_action(s, who, rng, &mut Scratch::default());
            random().min(random())
        },
    }
    an_action_drawn_too_rarely breaks RandomAction: Loaded {
        random_action: |g, s, who, rng| {
            let guess = g.random_action(s, who, rng, &mut Scratch::default());
            if guess == 4 && rng.below(3) == 0 { 3 } else { guess }
        },
    }
    an_illegal_random_action breaks RandomAction: Kuhn {
        random_action: |_, _, _, rng| *rng.pick(&[Action::Check, Action::Call]),
    }
    a_playout_with_rewards_of_its_own breaks Playout: Kuhn {
        playout: |g, s, rng| {
            g.playout(s, rng, &mut Scratch::default());
            Rewards::zero_sum(0.5)
        },
    }
    a_playout_that_stops_early breaks Playout: Kuhn {
        playout: |g, s, _| g.rewards(s),
    }
    a_playout_that_prefers_an_action breaks PlayoutFrequencies: InTheDark {
        playout: |g, s, rng| {
            let mut scratch = Scratch::default();
            while let Turn::Player(p) = g.turn(s) {
                let mut random = || g.random_action(s, p, rng, &mut scratch);
                let action = random().min(random());
                g.apply(s, Step::Moves(&[(p, action)]));
            }
            g.rewards(s)
        },
    }

    a_reward_for_a_third_player_among_two breaks RewardCount: Kuhn {
        rewards: |_, _| Rewards::from_fn(3, |_| 0.0),
    }
    rewards_out_of_range breaks RewardRange: Kuhn {
        rewards: |g, s| g.rewards(s).iter().map(|r| 1.5 * r).collect(),
    }
    rewards_that_are_no_numbers breaks RewardRange: Kuhn {
        rewards: |_, _| Rewards::zero_sum(f64::NAN),
    }
    a_gift_to_both_in_a_zero_sum_game breaks RewardSum: Kuhn {
        rewards: |g, s| g.rewards(s).iter().map(|r| 0.5 * r + 0.5).collect(),
    }
    a_sum_that_is_not_constant breaks RewardSum: InTheDark {
        facts: |g| Facts { utility: Utility::ConstantSum, ..g.facts() },
        rewards: |g, s| Rewards::from_fn(2, |p| if p.0 == 0 { g.rewards(s)[p] } else { 0.0 }),
    }
    a_guess_beyond_all_rewards breaks Evaluation: Kuhn {
        evaluate: |_, _, _| Some(99.0),
    }

    a_name_of_two_words breaks NameWord: Kuhn {
        action_name: |g, a| format!("to {}", g.action_name(a)),
    }
    a_role_without_a_name breaks NameWord: Kuhn {
        role: |_, _, _| String::new(),
    }
    an_action_that_cannot_be_read breaks NameParses: Kuhn {
        parse_action: |g, name| g.parse_action(name).filter(|a| *a != Action::Call),
    }
    an_outcome_read_as_another breaks NameParses: Kuhn {
        parse_outcome: |g, name| g.parse_outcome(name).map(|card| (card + 1) % 3),
    }
    two_actions_of_one_name breaks NameDistinct: Kuhn {
        action_name: |g, a| g.action_name(a.min(Action::Fold)),
    }
    two_outcomes_of_one_name breaks NameDistinct: Kuhn {
        outcome_name: |g, card| g.outcome_name(card.min(&1)),
    }
    names_read_in_any_case breaks NameGarbage: Kuhn {
        parse_action: |g, name| g.parse_action(&name.to_lowercase()),
    }
    outcomes_read_from_anything breaks NameGarbage: Kuhn {
        parse_outcome: |g, name| Some(g.parse_outcome(name).unwrap_or(0)),
    }
    two_actions_of_one_code breaks CodeDistinct: Kuhn {
        code: |g, a| g.code(a) / 2,
    }
    a_code_too_large breaks CodeRange: Kuhn {
        codes: |_| Some(3),
    }
    a_code_decoded_as_another_action breaks CodeDecodes: Kuhn {
        decode: |g, code| g.decode(code ^ 1),
    }
    codes_that_fall_where_actions_rise breaks CodesRising: Kuhn {
        code: |g, a| 3 - g.code(a),
    }
    observations_without_words breaks Explain: Kuhn {
        explain: |_, _, _| String::new(),
    }
    nothing_to_look_at breaks View: Kuhn {
        scene: |_, _| Scene::text("\n"),
    }
    a_move_that_touches_nothing_that_is_there breaks Scene: Kuhn {
        spots: |g, _, _, action| vec![format!("nowhere/{}", g.action_name(action))],
    }
    two_moves_that_touch_the_same breaks Scene: Kuhn {
        scene: |_, _| Scene::default().with(Zone::cards("hand", Cards::backs(Spread::Row, 1))),
        spots: |_, _, _, _| vec!["hand/0".to_string()],
    }
    two_zones_of_one_name breaks Scene: Kuhn {
        scene: |_, _| Scene::text("one").with(Zone::text("text", "two")),
    }
    a_record_whose_deal_cannot_be_read breaks Record: Kuhn {
        parse_outcome: |_, _| None,
    }
    a_record_that_leads_to_other_cards breaks Record: Kuhn {
        parse_outcome: |g, name| g.parse_outcome(name).map(|card| (card + 1) % 3),
    }
    knowledge_that_loses_a_field_when_sent breaks KnownJson: Kuhn {
        known: |g, s, by| Info { unsent: 1, ..Info::only(g.info(s, by)) },
    }
    a_legal_action_lost_when_sent breaks InfoSetJson: Kuhn {
        parse_action: |g, name| g.parse_action(name).filter(|a| *a != Action::Call),
    }

    knowledge_of_the_other_card breaks SameKnown: Kuhn {
        known: |g, s, by| Info { told: hash_of(s), ..Info::only(g.info(s, by)) },
    }
    knowledge_of_the_others_failures breaks SameKnown: InTheDark {
        known: |g, s, by| Info { told: s.failed[1].into(), ..Info::only(g.info(s, by)) },
    }
    a_card_that_is_known_but_was_never_seen breaks SameKnown: Kuhn {
        observe: |g, s, step, by| match step {
            Step::Chance(_) => Some(Observation::word(3)),
            Step::Moves(_) => g.observe(s, step, by),
        },
    }
    a_view_that_shows_the_other_card breaks SameText: Kuhn {
        known: |g, s, by| Info { slipped: Slipped(hash_of(s)), ..Info::only(g.info(s, by)) },
        scene: |g, known| g.scene(&known.inner).with(Zone::text("slipped", format!("{:?}", known.slipped))),
    }
    a_message_that_holds_the_other_card breaks SameText: Kuhn {
        known: |g, s, by| Info { slipped: Slipped(hash_of(s)), ..Info::only(g.info(s, by)) },
    }
    no_bet_against_a_king breaks LegalFromKnown: Kuhn {
        actions: |g, s, who, out| {
            g.actions(s, who, out);
            out.retain(|a| *a != Action::Bet || card_of(s, who.other()) != Some(2));
        },
    }
    only_free_cells_may_be_tried breaks LegalFromKnown: InTheDark {
        actions: |g, s, who, out| {
            g.actions(s, who, out);
            out.retain(|cell| s.cells[who.other().index()] >> cell & 1 == 0);
        },
    }
    own_actions_confused_by_their_codes breaks PerfectRecall: Kuhn {
        code: |g, a| g.code(a) / 2,
    }
    a_public_that_sees_the_cards breaks PublicIsCommon: Kuhn {
        observe: |g, s, step, by| match step {
            Step::Chance(&card) if by == Observer::Public => Some(Observation::word(card.into())),
            _ => g.observe(s, step, by),
        },
    }
    a_public_that_notices_failed_attempts breaks PublicIsCommon: InTheDark {
        observe: |g, s, step, by| {
            let public = by == Observer::Public;
            g.observe(s, step, by).or_else(|| public.then(|| Observation::word(1)))
        },
    }
    knowledge_without_the_own_card breaks KnownSuffices: Kuhn {
        known: |g, s, by| {
            let mut known = serde_json::to_value(g.info(s, by)).unwrap();
            known["card"] = serde_json::Value::Null;
            Info::only(serde_json::from_value(known).unwrap())
        },
        sample: |_, _, _, _, _| 1.0,
    }

    worlds_with_another_own_card breaks SampleKnown: Kuhn {
        sample: |g, _, from, rng, into| {
            g.sample(from, rng, into);
            let public = g.info(into, Observer::Public);
            g.sample(&mut g.sampler(&public), rng, into)
        },
    }
    worlds_without_weight breaks SampleWeight: Kuhn {
        sample: |g, _, from, rng, into| g.sample(from, rng, into) * f64::from(rng.below(2)),
    }
    always_the_same_world breaks SampleSupport: Kuhn {
        sample: |g, _, from, _, into| g.sample(from, &mut Seed(0).stream(Purpose::Ties), into),
    }
    a_world_never_drawn breaks SampleSupport: Loaded {
        sample: |g, known, from, rng, into| loop {
            let weight = g.sample(from, rng, into);
            let rare = g.info(into, Observer::Seat(Player(0)));
            let mut worlds = Vec::new();
            g.enumerate(known, &mut worlds);
            let last = worlds.last().map(|(s, _)| g.info(s, Observer::Seat(Player(0))));
            if worlds.len() == 1 || last != Some(rare) {
                return weight;
            }
        },
    }
    worlds_that_no_history_reaches breaks SampleSupport: InTheDark {
        sample: |g, _, from, rng, into| {
            let weight = g.sample(from, rng, into);
            // The second player may have failed at the first cell only.
            into.failed[1] = if into.taken() == 3 { into.cells[0] & !into.first } else { into.failed[1] };
            weight
        },
    }
    failures_of_the_other_overlooked breaks SampleSupport: InTheDark {
        sample: |g, _, from, rng, into| loop {
            let before = from[0].failed[1];
            let weight = g.sample(from, rng, into);
            if into.taken() == 2 && into.failed[1] != before {
                continue;
            }
            return weight;
        },
    }
    worlds_drawn_unevenly breaks SampleFrequencies: Kuhn {
        sample: |g, _, from, rng, into| {
            let weight = g.sample(from, rng, into);
            let mut other = *into;
            g.sample(from, rng, &mut other);
            if rng.below(4) == 0 && hash_of(&other) < hash_of(into) {
                *into = other;
            }
            weight
        },
    }
    weights_that_forget_the_odds breaks SampleFrequencies: Loaded {
        sample: |g, _, from, rng, into| {
            g.sample(from, rng, into);
            1.0
        },
    }
    weights_that_are_off_on_average breaks SampleFrequencies: Loaded {
        sample: |g, _, from, rng, into| {
            let weight = g.sample(from, rng, into) * (0.5 + rng.unit());
            if hash_of(into) % 2 == 0 { 1.1 * weight } else { weight }
        },
    }
    a_list_without_the_last_world breaks Enumerate: Kuhn {
        enumerate: |g, known, out| {
            g.enumerate(known, out);
            out.pop();
            true
        },
    }
    a_list_that_forgets_the_odds breaks Enumerate: Loaded {
        enumerate: |g, known, out| {
            g.enumerate(known, out);
            out.iter_mut().for_each(|world| world.1 = 1.0);
            true
        },
    }

    hidden_values_of_two_words breaks NameWord: Loaded {
        value_name: |g, value| format!("rather {}", hidden(g).name(value)),
    }
    hidden_values_of_one_name breaks NameDistinct: Loaded {
        value_name: |_, _| "sum".to_string(),
    }
    a_hidden_value_too_many breaks HiddenValue: Loaded {
        value: |g, s| hidden(g).value(s).map(|value| value + 1),
    }
    a_hidden_part_that_is_never_settled breaks HiddenValue: Loaded {
        value: |_, _| None,
    }
    private_parts_of_what_the_other_knows breaks HiddenPrivate: Loaded {
        private: |_, value, _| value as u64,
    }
    a_prior_that_forgets_the_odds breaks HiddenPrior: Loaded {
        prior: |g, known, belief| {
            hidden(g).prior(known, belief);
            let possible = belief.iter().filter(|mass| **mass > 0.0).count() as f64;
            belief.iter_mut().filter(|mass| **mass > 0.0).for_each(|mass| *mass = 1.0 / possible);
        },
    }
    a_prior_of_somebody_who_knows_less breaks HiddenPrior: Loaded {
        prior: |g, known, belief| hidden(g).prior(&DiceInfo { sum: None, ..*known }, belief),
    }
    a_prior_of_somebody_who_overlooks_a_value breaks HiddenPrior: Loaded {
        prior: |g, known, belief| {
            hidden(g).prior(known, belief);
            if belief[0] < 1.0 {
                belief[1] += belief[2];
                belief[2] = 0.0;
            }
        },
    }
    a_prior_before_the_value_is_settled breaks HiddenPrior: Loaded {
        prior: |g, known, belief| hidden(g).prior(&DiceInfo { rolls: 2, ..*known }, belief),
    }
    a_prior_that_does_not_sum_to_one breaks HiddenPrior: Loaded {
        prior: |g, known, belief| {
            hidden(g).prior(known, belief);
            belief.iter_mut().for_each(|mass| *mass /= 2.0);
        },
    }
    a_belief_that_never_begins breaks HiddenBelief: Loaded {
        propagate: |_, _, _, _| {},
    }
    a_belief_that_loses_a_value breaks HiddenBelief: Loaded {
        propagate: |g, belief, before, after| {
            let settled = belief.iter().any(|mass| *mass > 0.0);
            hidden(g).propagate(belief, before, after);
            if settled && belief[0] < 1.0 {
                belief[0] += belief[1];
                belief[1] = 0.0;
            }
        },
    }
    a_belief_in_what_cannot_be breaks HiddenBelief: Loaded {
        propagate: |g, belief, before, after| {
            let settled = belief.iter().any(|mass| *mass > 0.0);
            hidden(g).propagate(belief, before, after);
            if settled {
                belief.fill(1.0 / 3.0);
            }
        },
    }
    worlds_of_another_value breaks HiddenSample: Loaded {
        sample_value: |g, from, _, rng, into| {
            g.sample(from, rng, into);
            true
        },
    }
    worlds_of_values_that_cannot_be breaks HiddenSample: Loaded {
        sample_value: |g, from, value, rng, into| {
            hidden(g).sample(&mut DiceInfo { sum: None, ..*from }, value, rng, into)
        },
    }
    values_without_worlds breaks HiddenSample: Loaded {
        sample_value: |g, from, value, rng, into| value != 2 && hidden(g).sample(from, value, rng, into),
    }
    worlds_of_a_value_drawn_unevenly breaks HiddenSample: Loaded {
        sample_value: |g, from, value, rng, into| {
            let drawn = hidden(g).sample(from, value, rng, into);
            let mut other = *into;
            hidden(g).sample(from, value, rng, &mut other);
            if rng.below(4) == 0 && hash_of(&other) < hash_of(into) {
                *into = other;
            }
            drawn
        },
    }

    numbers_out_of_range breaks Tensors: Kuhn {
        tensor: |g, known, seat, out| {
            tensors(g).write(&known.inner, seat, out);
            out[0] *= 2.0;
        },
    }
    numbers_that_are_none breaks Tensors: Kuhn {
        tensor: |_, _, _, out| out[0] = f32::NAN,
    }
    numbers_that_say_nothing breaks Tensors: Kuhn {
        tensor: |_, _, _, _| {},
    }
    numbers_with_the_card_of_the_other breaks Tensors: Kuhn {
        known: |g, s, by| {
            let card = by.seat().and_then(|p| card_of(s, p.other())).unwrap_or(0);
            Info { slipped: Slipped(card), ..Info::only(g.info(s, by)) }
        },
        tensor: |g, known, seat, out| {
            tensors(g).write(&known.inner, seat, out);
            out[0] = known.slipped.0 as f32 / 2.0;
        },
    }

    chance_that_cannot_be_enumerated breaks TooLarge: Kuhn {
        facts: |g| Facts { chance: Chance::Sampled, ..g.facts() },
        chance: |_, _, _| {},
    }
    a_game_in_which_nobody_chooses breaks Vacuous: Kuhn {
        turn: |_, _| Turn::Terminal,
    }
    words_that_cannot_be_explained breaks Panics: Kuhn {
        explain: |g, seen, by| {
            assert!(seen.first() < 100, "no such observation");
            g.explain(seen, by)
        },
    }
}
