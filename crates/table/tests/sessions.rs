//! Sessions: whole games, undo, hints, save and resume, and nothing told that a seat may not know.

use fogtree_core::{Player, Seed};
use fogtree_table::{HintRefused, Refused, Registry, Saved, Seat, Session, Stepped};

const FAST: &str = "flat-mc(iterations=20)";
/// No game has more seats.
const EVERYBODY: usize = 10;

fn session(game: &str, people: usize, seed: Option<u64>) -> Session {
    let registry = Registry::standard();
    let players = registry.game(game).unwrap().facts().players;
    let seats: Vec<Seat> =
        (0..players).map(|p| if p < people { Seat::Person } else { Seat::Agent(FAST.to_string()) }).collect();
    Session::start(&registry, game, &seats, seed.map(Seed)).unwrap()
}

/// Plays the first legal move of whoever is to move, so many times.
fn play_on(session: &mut Session, times: usize) {
    for _ in 0..times {
        session.step_agents().unwrap();
        let Some(me) = session.waiting_for().iter().next() else { return };
        let view = session.view(me);
        session.submit(me, &view.legal[0].name, view.revision).unwrap();
    }
    session.step_agents().unwrap();
}

/// What a seat is told, as it leaves the process.
fn written(session: &Session, seat: Player) -> String {
    serde_json::to_string(&session.view(seat)).unwrap()
}

/// With agents at the table only chance is the same: they think anew.
#[test]
fn moves_taken_back_bring_the_same_luck_again() {
    let phantom = "phantom-mnk(m=3,n=3,k=3)";
    for (game, moves) in
        [("backgammon", 9), ("leduc-poker", 3), ("hearts", 14), ("liars-dice", 3), (phantom, 3)]
    {
        let mut session = session(game, EVERYBODY, Some(5));
        play_on(&mut session, moves);
        let me = session.waiting_for().iter().next().unwrap();
        let (before, told) = (session.table().names(), session.view(me));
        session.submit(me, &told.legal[0].name, told.revision).unwrap();
        session.step_agents().unwrap();
        let (after, first) = (session.table().names(), session.view(me));
        session.undo(me).unwrap();
        assert_eq!(session.table().names(), before, "{game}");
        let again = session.view(me);
        assert_eq!(
            (&again.scene, &again.told, &again.changed),
            (&told.scene, &told.told, &told.changed),
            "{game}"
        );
        assert!(
            matches!(session.submit(me, &told.legal[0].name, told.revision), Err(Refused::Stale)),
            "{game}"
        );
        session.submit(me, &told.legal[0].name, again.revision).unwrap();
        session.step_agents().unwrap();
        assert_eq!(session.table().names(), after, "{game}");
        assert_eq!(session.view(me).scene, first.scene, "{game}");
    }
}

#[test]
fn agents_play_on_after_moves_were_taken_back() {
    for game in ["backgammon", "leduc-poker", "phantom-mnk(m=3,n=3,k=3)"] {
        let mut session = session(game, 1, Some(2));
        play_on(&mut session, 2);
        session.undo(Player(0)).unwrap();
        play_on(&mut session, 400);
        assert!(session.is_over(), "{game}");
    }
}

#[test]
fn what_was_saved_goes_on_as_if_nothing_had_happened() {
    let registry = Registry::standard();
    for game in ["hearts", "stratego", "leduc-poker", "tubstap", "resistance", "goofspiel"] {
        let mut original = session(game, EVERYBODY, None);
        play_on(&mut original, 4);
        let text = serde_json::to_string(&original.save()).unwrap();
        let saved: Saved = serde_json::from_str(&text).unwrap();
        let mut resumed = Session::resume(&registry, &saved).unwrap();
        assert_eq!(written(&original, Player(0)), written(&resumed, Player(0)), "{game}");
        play_on(&mut original, 2);
        play_on(&mut resumed, 2);
        assert_eq!(original.table().names(), resumed.table().names(), "{game}");
        for p in Player::all(original.seats().len()) {
            assert_eq!(original.undo(p).is_ok(), resumed.undo(p).is_ok(), "{game}");
            assert_eq!(written(&original, p), written(&resumed, p), "{game}");
        }
    }
}

#[test]
fn changed_files_are_refused() {
    let registry = Registry::standard();
    let mut original = session("leduc-poker", 1, Some(3));
    play_on(&mut original, 1);
    let saved = original.save();
    let refused = |change: &dyn Fn(&mut Saved)| {
        let mut changed = saved.clone();
        change(&mut changed);
        Session::resume(&registry, &changed).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused(&|s| s.seed = Seed(4)).contains("with this seed chance draws"));
    assert!(refused(&|s| s.format = "x".to_string()).contains("not a saved session"));
    assert!(refused(&|s| s.game = "ludo".to_string()).contains("ludo"));
    assert!(refused(&|s| s.seats.clear()).contains("2 seats"));
    assert!(refused(&|s| s.moves.push("jump".to_string())).contains("jump"));
    assert!(refused(&|s| s.resigned = Some(Player(9))).contains("seat 9"));
}

#[test]
fn choices_out_of_turn_are_refused() {
    let mut session = session("mnk(m=3,n=3,k=3)", 2, Some(1));
    assert_eq!(session.step().unwrap(), Stepped::Waiting);
    let (me, other) = (Player(0), Player(1));
    let view = session.view(me);
    assert!(matches!(session.submit(other, "a1", session.revision(other)), Err(Refused::NotToMove(_))));
    assert!(matches!(session.submit(me, "z9", view.revision), Err(Refused::Illegal(_))));
    session.submit(me, &view.legal[0].name, view.revision).unwrap();
    assert!(matches!(session.submit(me, &view.legal[0].name, view.revision), Err(Refused::Stale)));
    let theirs = session.view(other);
    session.submit(other, &theirs.legal[0].name, theirs.revision).unwrap();
    assert!(matches!(session.undo(me), Err(Refused::OthersMoved(_))));
    session.undo(other).unwrap();
    session.undo(me).unwrap();
    assert!(matches!(session.undo(me), Err(Refused::NothingToUndo)));
    session.resign(me).unwrap();
    let over = session.view(other).over.unwrap();
    assert_eq!((over.resigned, over.rewards), (Some(me), None));
    assert!(matches!(session.submit(me, "a1", 0), Err(Refused::Over)));
}

#[test]
fn a_choice_that_waits_for_others_can_be_taken_back_alone() {
    let mut session = session("goofspiel", 2, Some(1));
    session.step_agents().unwrap();
    let (me, other) = (Player(0), Player(1));
    for seat in [other, me] {
        let view = session.view(seat);
        session.submit(seat, &view.legal[0].name, view.revision).unwrap();
        if seat == other {
            session.undo(other).unwrap();
            assert!(session.view(other).to_move);
            let view = session.view(other);
            session.submit(other, &view.legal[1].name, view.revision).unwrap();
        }
    }
    assert!(matches!(session.undo(me), Err(Refused::OthersMoved(_))), "the bids lie open");
}

#[test]
fn hints_come_from_what_the_seat_knows() {
    let registry = Registry::standard();
    let mut session = session("leduc-poker", 1, Some(8));
    session.step_agents().unwrap();
    let agent = |spec: &str| registry.agent(spec, session.game()).unwrap();
    let hint = session.hint(Player(0), agent("mo-ismcts(iterations=200)")).unwrap();
    assert!(hint.legal.contains(&hint.chosen));
    assert!(matches!(session.hint(Player(0), agent("cheating-uct")), Err(HintRefused::Cheats)));
    assert!(matches!(session.hint(Player(1), agent(FAST)), Err(HintRefused::Refused(_))));
}

/// Agents vote before the person does: their votes are kept with the rest.
#[test]
fn choices_that_wait_for_a_person_are_saved() {
    let registry = Registry::standard();
    let mut original = session("resistance", 1, Some(7));
    original.step_agents().unwrap();
    let saved = original.save();
    let resumed = Session::resume(&registry, &saved).unwrap();
    assert_eq!(resumed.save(), saved);
    assert!(!saved.pending.is_empty() || saved.moves.len() < 3, "{saved:?}");
    assert_eq!(written(&original, Player(0)), written(&resumed, Player(0)));
}

/// The seed and the deal stay with the session until the end; the promise can then be checked.
#[test]
fn the_seed_is_promised_and_told_at_the_end() {
    let mut session = session("kuhn-poker", 1, None);
    session.step_agents().unwrap();
    let promised = session.view(Player(0)).commitment.unwrap();
    let saved = session.save();
    assert!(!written(&session, Player(0)).contains(&saved.seed.0.to_string()));
    assert!(!written(&session, Player(0)).contains(saved.salt.as_deref().unwrap()));
    play_on(&mut session, 5);
    let over = session.view(Player(0)).over.unwrap();
    let checked = fogtree_core::Commitment { seed: over.seed, salt: over.salt.unwrap() };
    assert_eq!(checked.hash(), promised);
}

/// Two deals that a seat cannot tell apart: everything that the session tells it is the same, byte for byte.
#[test]
fn nothing_is_told_of_what_a_seat_cannot_know() {
    let registry = Registry::standard();
    let mut pairs = 0;
    for about in registry.games() {
        let spec = format!("{}({})", about.name, about.tiny);
        let Ok(game) = registry.game(&spec) else { continue };
        if !game.facts().hidden {
            continue;
        }
        let mut told: std::collections::HashMap<(u8, fogtree_core::Key), (String, Vec<String>)> =
            Default::default();
        for seed in 0..60 {
            let seats = vec![Seat::Person; game.facts().players];
            let mut session = Session::start(&registry, &spec, &seats, Some(Seed(seed))).unwrap();
            for _ in 0..12 {
                session.step_agents().unwrap();
                if session.is_over() {
                    break;
                }
                for p in Player::all(seats.len()) {
                    let mut view = session.view(p);
                    // Whose turn it is, a seat may not know; that it is its own, it does.
                    let key = (p.0, view.infoset);
                    view.commitment = None;
                    let text = serde_json::to_string(&view).unwrap();
                    assert!(!text.contains("\\u001b"), "{spec}: colours of terminals in {text}");
                    let truth = session.table().names();
                    let (known, other) = told.entry(key).or_insert_with(|| (text.clone(), truth.clone()));
                    if *other != truth && view.to_move {
                        pairs += 1;
                        assert_eq!(*known, text, "{spec} seed {seed} seat {p}: {other:?} and {truth:?}");
                    }
                }
                let Some(me) = session.waiting_for().iter().next() else { break };
                let view = session.view(me);
                session.submit(me, &view.legal[0].name, view.revision).unwrap();
            }
        }
    }
    assert!(pairs > 100, "only {pairs} pairs were met");
}
