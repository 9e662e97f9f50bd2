//! What is told to other threads, and learnt from them (see `exchange.rs`).

use std::sync::Arc;

use fogtree_core::Game;

use super::super::exchange::{Captured, Captures};
use super::{Learned, Piece};

impl<G: Game> Learned<G> {
    /// The same that captures for other threads.
    pub(crate) fn sharing(mut self) -> Learned<G> {
        for piece in &mut self.pieces {
            match piece {
                Piece::Values(values) => values.share(),
                Piece::Reply(reply) => reply.share(),
                Piece::Episodes(episodes) => episodes.share(),
                Piece::Amaf(amaf) => amaf.share(),
                Piece::Opinions(_) => {}
            }
        }
        self
    }

    /// What each component captured since the last time.
    pub(super) fn take_captures(&mut self) -> Captures<G::Action> {
        let of = |piece: &mut Piece<G::Action>| match piece {
            Piece::Values(values) => Captured::Trials(values.captured()),
            Piece::Reply(reply) => Captured::Attempts(reply.captured()),
            Piece::Episodes(episodes) => Captured::Visits(episodes.captured()),
            Piece::Amaf(amaf) => Captured::Trials(amaf.captured()),
            Piece::Opinions(_) => Captured::Nothing,
        };
        self.pieces.iter_mut().map(of).collect()
    }

    /// Learns what threads with the same components captured, of which this is one.
    pub(super) fn absorb_captures(&mut self, game: &G, all: &[Arc<Captures<G::Action>>], own: usize) {
        for (i, piece) in self.pieces.iter_mut().enumerate() {
            if let Piece::Reply(reply) = piece {
                reply.absorb(all.iter().map(|captures| captures[i].attempts()), own);
                continue;
            }
            let others = all.iter().enumerate().filter(|(thread, _)| *thread != own);
            for (_, captures) in others {
                match (&mut *piece, &captures[i]) {
                    (Piece::Values(values), Captured::Trials(trials)) => values.absorb(game, trials),
                    (Piece::Amaf(amaf), Captured::Trials(trials)) => amaf.absorb(game, trials),
                    (Piece::Episodes(episodes), Captured::Visits(visits)) => {
                        episodes.absorb(game, visits, &self.tools.scales.roots);
                    }
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::{BadSpec, InfoSet, Key, Observer, Params, Player, Purpose, Seed, Step, Turn};
    use fogtree_games::hearts::{self, Hearts};
    use fogtree_games::phantom_mnk::{self, Hidden, PhantomMnk};

    use super::*;
    use crate::icarus::{Knowledge, Tally};
    use crate::ismcts::{Config, Observers, search_together};

    fn made<G>(about: &'static fogtree_core::About, text: &str, of: fn(&Params) -> Result<G, BadSpec>) -> G {
        of(&about.params(&text.parse().unwrap()).unwrap()).unwrap()
    }

    /// The first decision after the deal, if there is one.
    fn first_decision<G: Game>(game: &G) -> InfoSet<G> {
        let mut state = game.start();
        while game.turn(&state) == Turn::Chance {
            let outcome = game.sample_chance(&state, &mut Seed(3).stream(Purpose::Deal));
            game.apply(&mut state, Step::Chance(&outcome));
        }
        let Turn::Player(seat) = game.turn(&state) else { panic!("somebody decides") };
        let (by, mut legal) = (Observer::Seat(seat), Vec::new());
        game.actions(&state, seat, &mut legal);
        InfoSet {
            seat,
            known: game.info(&state, by),
            legal,
            events: Vec::new(),
            key: Key::root(by),
            belief: None,
        }
    }

    /// What each of some threads knows after so many iterations all together.
    fn learnt<G: Game>(game: &G, enhance: &str, (threads, every): (usize, u32), n: u64) -> Vec<Learned<G>> {
        let enhance = enhance.parse().unwrap();
        let config = Config { enhance, memory: 1 << 26, ..Config::new(Observers::Multiple) };
        let knowledge = || Learned::new(game, &enhance, config.select, config.c, 1 << 22).sharing();
        let info = first_decision(game);
        search_together(game, config, (0..threads).map(|_| knowledge()).collect(), &info, (n, every))
    }

    fn tally<G: Game>(knowledge: &Learned<G>) -> (u64, Option<u64>) {
        let Tally { records, trials, .. } = knowledge.tallies().remove(0);
        (records, trials)
    }

    fn hearts() -> Hearts {
        made(&hearts::ABOUT, "hearts(pass=0,to=1,breaks=penalties,reward=points)", Hearts::from_params)
    }

    /// A round of Hearts has 52 moves, whatever happens in it, and in each of them a card is played. So all
    /// threads together make 52 captures in an iteration, of pairs of moves 51, and of those by the
    /// searcher's own cards one each (`icarus/ORACLE-8`). In the end every thread has them all, whether the
    /// iterations can be shared out evenly or not, and whether they are a multiple of those between two
    /// meetings or not.
    #[test]
    fn every_thread_has_the_captures_of_all() {
        let game = hearts();
        for (threads, every, n) in [(2, 10, 100), (2, 7, 101), (3, 1, 100), (4, 1000, 50), (3, 17, 52)] {
            let told = format!("{threads} threads, meetings every {every} of {n}");
            let share = (threads, every);
            for (text, captures) in [("mast", 52), ("nast(n=2)", 51), ("epic", 52), ("history > mast", 52)] {
                let all = learnt(&game, text, share, n);
                assert_eq!(tally(&all[0]).1, Some(captures * n), "{text}, {told}");
                assert!(all.iter().all(|one| tally(one) == tally(&all[0])), "{text}, {told}");
            }
            let mast = learnt(&game, "mast", share, n);
            let me = first_decision(&game).seat;
            let values = mast.iter().map(|learned| match &learned.pieces[..] {
                [Piece::Values(values)] => values,
                _ => panic!("there is one component"),
            });
            let first = values.clone().next().unwrap();
            for values in values {
                let own = values.known_of(me);
                assert!(own.len() == 13 && own.iter().all(|info| u64::from(info.n) == n), "{told}: {own:?}");
                for who in Player::all(4) {
                    let same = first.known_of(who).into_iter().zip(values.known_of(who));
                    for (a, b) in same {
                        assert!(a.n == b.n && (a.mean - b.mean).abs() < 1e-5, "{told}: {a:?} {b:?}");
                    }
                }
            }
        }
    }

    /// Pairs of a player's cards: 13 * 12 of each, in either order, in every iteration. All moves as first:
    /// every thread has as many records and trials.
    #[test]
    fn pairs_and_all_moves_as_first_are_shared() {
        let game = hearts();
        for one in learnt(&game, "tiles", (3, 8), 50) {
            assert_eq!(tally(&one).1, Some(4 * 13 * 12 * 50));
        }
        let game = made(&phantom_mnk::ABOUT, "phantom-mnk", PhantomMnk::<Hidden>::from_params);
        let [alone, together] = [10_000, 20].map(|every| learnt(&game, "amaf", (2, every), 600));
        assert!(tally(&alone[0]).1 > Some(0) && tally(&together[0]).1 > Some(0));
        for all in [alone, together] {
            assert_eq!(tally(&all[0]), tally(&all[1]));
        }
    }

    /// After a meeting all threads have the same replies, as many as there are.
    #[test]
    fn all_threads_have_the_same_replies() {
        let hidden = made(&phantom_mnk::ABOUT, "phantom-mnk", PhantomMnk::<Hidden>::from_params);
        fn check<G: Game>(game: &G) {
            for text in ["lgr", "lgrf", "lgrf(good=0)"] {
                let all = learnt(game, text, (3, 10), 200);
                let replies = |learned: &Learned<G>| match &learned.pieces[..] {
                    [Piece::Reply(reply)] => reply.replies(),
                    _ => panic!("there is one component"),
                };
                let first = replies(&all[0]);
                assert!(first.len() > 10, "{}", first.len());
                assert!(all.iter().all(|one| replies(one) == first), "{text}");
            }
        }
        check(&hearts());
        check(&hidden);
    }
}
