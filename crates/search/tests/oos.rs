//! Online outcome sampling on games whose equilibria are known.

mod common;

use std::sync::Arc;

use fogtree_core::{Agent, Budget, Game, InfoSet, Player, Seed};
use fogtree_search::Oos;
use fogtree_search::oos::{Aim, Settings};

use common::{infoset, micro};

fn search<G: Game>(game: &Arc<G>, settings: Settings, info: &InfoSet<G>, pairs: u64, seed: u64) -> Oos<G> {
    let mut agent = Oos::new(game, settings);
    agent.start(info.seat, Seed(seed));
    agent.act(info, &Budget::iterations(pairs));
    agent
}

#[test]
fn t_11() {
    for name in ["non-locality", "modified-non-locality"] {
        for aim in [Aim::InformationSet, Aim::PublicState] {
            for epsilon in [0.0, 0.01] {
                for delta in [0.0, 0.5, 0.9, 1.0] {
                    let game = micro(name);
                    let min = infoset(&*game, "R l", Player(1));
                    let max = infoset(&*game, "R", Player(0));
                    let settings = Settings { delta, epsilon, aim, ..Settings::default() };
                    let began = std::time::Instant::now();
                    let agent = search(&game, settings, &min, 300_000, 1);
                    println!(
                        "{name} {aim:?} {epsilon} {delta} {:?} {:?} {:?}",
                        agent.average(min.key),
                        agent.average(max.key),
                        began.elapsed()
                    );
                }
            }
        }
    }
}
