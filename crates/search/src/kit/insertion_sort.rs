//! Sorting the short lists of a search: joint moves, the moves of a node, the lines of a report.
//!
//! The standard sorts are made for long lists and are a few kilobytes of code for every type of item and key, times
//! every game and engine; they were a fifth of all code that the searches compile to. These lists have a few to a
//! few hundred items and are mostly in order already.

/// Sorts by a key; items with equal keys keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for sorted in 1..items.len() {
        let mut at = sorted;
        while at > 0 && key(&items[at - 1]) > key(&items[at]) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort_by_key;

    #[test]
    fn as_the_standard_stable_sort() {
        let mut state = 1u32;
        for len in 0..60 {
            let mut random = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 28
            };
            let items: Vec<(u32, usize)> = (0..len).map(|place| (random(), place)).collect();
            let (mut ours, mut standard) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            standard.sort_by_key(|item| item.0);
            assert_eq!(ours, standard);
        }
    }
}
