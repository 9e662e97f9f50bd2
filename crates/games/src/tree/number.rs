//! Numbers of game files: integers, decimals and fractions, read and written without loss.
//!
//! Gambit demands that the probabilities of a chance node add up to exactly 1, so thirds must be written as
//! thirds. The tree holds floating-point numbers; a fraction of small numbers is found again from the
//! floating-point number nearest to it, because it is one of the convergents of its continued fraction.

/// The greatest denominator that is written.
const LARGEST_DENOMINATOR: f64 = 1e9;

/// The integers that floating-point numbers hold without gaps end here.
const EXACT: f64 = (1u64 << 53) as f64;

/// Reads an integer, a decimal with or without an exponent, or a fraction of two integers. Finite numbers only.
pub(super) fn parse(text: &str) -> Option<f64> {
    let plain = |t: &str| t.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    let value = match text.split_once('/') {
        Some((above, below)) => {
            let unsigned = above.strip_prefix(['-', '+']).unwrap_or(above);
            let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
            if !digits(unsigned) || !digits(below) {
                return None;
            }
            above.parse::<f64>().ok()? / below.parse::<f64>().ok()?
        }
        None if plain(text) => text.parse::<f64>().ok()?,
        None => return None,
    };
    // Adding 0 turns a negative zero into zero, so that equal files give equal trees.
    value.is_finite().then_some(value + 0.0)
}

/// A probability as text: a fraction if it is one of small numbers, otherwise a decimal.
pub(super) fn probability(p: f64) -> String {
    match fraction(p, |value| value == p) {
        Some((above, 1)) => above.to_string(),
        Some((above, below)) if below < 1_000_000 => format!("{above}/{below}"),
        _ => decimal(p),
    }
}

/// A reward as text: a short decimal, otherwise a fraction if there is one, otherwise a long decimal.
pub(super) fn reward(x: f64) -> String {
    let text = decimal(x);
    if is_short(&text) {
        return text;
    }
    match fraction(x.abs(), |value| value == x.abs()) {
        Some((above, below)) if x.abs() < 1e6 => {
            format!("{}{above}/{below}", if x < 0.0 { "-" } else { "" })
        }
        _ => text,
    }
}

/// Whether every reader of JSON reads these digits as the same floating-point number.
pub(super) fn is_short(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() <= 12 && !text.contains(['e', '/'])
}

/// The number itself, or the fraction of small numbers that it misses by a rounding error.
pub(super) fn without_rounding_error(p: f64) -> f64 {
    let near = fraction(p, |value| (value - p).abs() <= 4.0 * f64::EPSILON * p);
    near.filter(|&(_, below)| below <= 1_000_000).map_or(p, |(above, below)| above as f64 / below as f64)
}

fn decimal(x: f64) -> String {
    if x != 0.0 && !(1e-7..1e15).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

/// The first convergent of the continued fraction of `x` that will do.
fn fraction(x: f64, will_do: impl Fn(f64) -> bool) -> Option<(u64, u64)> {
    let (mut above, mut below) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = x;
    loop {
        let whole = rest.floor();
        above = (above.1, whole * above.1 + above.0);
        below = (below.1, whole * below.1 + below.0);
        // Written so that what is not a number ends the search too.
        if !(above.1 < EXACT && below.1 <= LARGEST_DENOMINATOR) {
            return None;
        }
        if will_do(above.1 / below.1) {
            return Some((above.1 as u64, below.1 as u64));
        }
        rest = 1.0 / (rest - whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_decimals_and_fractions_are_read() {
        for (text, value) in [
            ("1", 1.0),
            ("+1", 1.0),
            ("-1/2", -0.5),
            (".5", 0.5),
            ("5.", 5.0),
            ("-2.5e-1", -0.25),
            ("1E3", 1000.0),
            ("1/3", 1.0 / 3.0),
        ] {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in
            ["", "-", "x", "1/0", "0/0", "1/-2", "1/2/3", "1.5/2", "inf", "nan", "1e999", "1 2", "--1", "٣"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(parse("-0").unwrap().is_sign_positive());
    }

    #[test]
    fn small_fractions_are_found_again() {
        for below in 1..200u32 {
            for above in 1..=below {
                let p = f64::from(above) / f64::from(below);
                let text = probability(p);
                assert_eq!(parse(&text), Some(p), "{text}");
                let (a, b) = text.split_once('/').unwrap_or((&text, "1"));
                assert_eq!(
                    a.parse::<u32>().unwrap() * below,
                    b.parse::<u32>().unwrap() * above,
                    "{above}/{below} was written {text}"
                );
            }
        }
        assert_eq!(probability(1.0 / 132_600.0), "1/132600");
    }

    #[test]
    fn every_number_is_read_as_it_was_written() {
        let mut rng = fogtree_core::Seed(1).stream(fogtree_core::Purpose::Ties);
        for _ in 0..20_000 {
            let x = f64::from_bits(rng.bits());
            if x.is_finite() {
                assert_eq!(parse(&reward(x)), Some(x), "{x:e} was written {}", reward(x));
                assert_eq!(parse(&probability(x.abs())), Some(x.abs()), "{x:e}");
            }
            let x = rng.unit();
            assert_eq!(parse(&probability(x)), Some(x));
        }
        assert_eq!([0.9, -3.25, 0.0, 1e20, -1.0 / 3.0].map(reward), ["0.9", "-3.25", "0", "1e20", "-1/3"]);
    }

    #[test]
    fn rounding_errors_are_taken_out() {
        let p = 0.1 + 0.2;
        assert_ne!(p, 0.3);
        assert_eq!(without_rounding_error(p), 0.3);
        assert_eq!(without_rounding_error(1.0 / 3.0), 1.0 / 3.0);
    }
}
