//! Which move to make when bluffing.

/// What is known about a move when it comes to bluffing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Temptation {
    /// How often it was tried in worlds that are possible for the player itself.
    pub visits: u64,
    /// The mean reward there,
    pub mean: f64,
    /// and the standard deviation of single rewards.
    pub deviation: f64,
    /// How often it was tried over all that the player could be in the eyes of the others.
    pub popularity: u64,
}

/// The moves that are not clearly worse than the most visited one: their means are within one standard deviation
/// of its mean, whichever of the two is less (Whitehouse 2014, eq. 7.3). The most visited one is always
/// among them; moves never tried are not.
pub fn not_clearly_worse(moves: &[Temptation]) -> Vec<usize> {
    let Some(best) = (0..moves.len()).rev().max_by_key(|&i| moves[i].visits) else { return Vec::new() };
    let close = |m: &Temptation| moves[best].mean - m.mean < moves[best].deviation.min(m.deviation);
    (0..moves.len()).filter(|&i| i == best || moves[i].visits > 0 && close(&moves[i])).collect()
}

/// How much to like each move when bluffing: the popularity of those that are not clearly worse than the best,
/// nothing for the others.
pub fn bluffing_scores(moves: &[Temptation]) -> Vec<f64> {
    let mut scores = vec![f64::NEG_INFINITY; moves.len()];
    for i in not_clearly_worse(moves) {
        scores[i] = moves[i].popularity as f64;
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `icarus/ORACLE-10`: m* (0.50, 0.50), m1 (0.10, 0.30), m2 (0.30, 0.46) leave m* and m2; then the visits over
    /// all identities decide.
    #[test]
    fn the_bluff_that_is_not_clearly_worse_is_played() {
        let of = |visits, mean, deviation, popularity| Temptation { visits, mean, deviation, popularity };
        let moves = |p1, p2| [of(90, 0.5, 0.5, 200), of(30, 0.1, 0.3, p1), of(40, 0.3, 0.46, p2)];
        assert_eq!(not_clearly_worse(&moves(0, 0)), [0, 2]);
        let chosen = |p1, p2| {
            let scores = bluffing_scores(&moves(p1, p2));
            (0..3).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap()
        };
        assert_eq!((chosen(1000, 300), chosen(1000, 100)), (2, 0));
        assert_eq!(not_clearly_worse(&[of(5, 1.0, 0.0, 1), of(5, 1.0, 0.0, 9), of(0, 0.0, 0.0, 99)]), [0]);
        assert_eq!(not_clearly_worse(&[]), [0; 0]);
    }
}
