//! The exact sizes of games, against published or derived numbers.

use fogtree_games::kuhn_poker::KuhnPoker;
use fogtree_solve::walk::count;

#[test]
fn kuhn_poker_has_twelve_information_sets() {
    let size = count(&KuhnPoker);
    assert_eq!(size.infosets(), 12);
    assert_eq!((size.decisions, size.terminals), (6 * 4, 6 * 5));
}
