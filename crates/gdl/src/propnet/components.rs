//! Strongly connected components, those that others depend on first (Tarjan's algorithm without recursion).

/// The components of the graph in which `edges(v)` are the vertices that `v` depends on: every component comes
/// after those that it depends on.
pub(super) fn components<'a>(vertices: usize, edges: impl Fn(usize) -> &'a [u32]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; vertices];
    let mut low = vec![0u32; vertices];
    let mut on_stack = vec![false; vertices];
    let (mut stack, mut calls, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    for root in 0..vertices {
        if order[root] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((v, at)) = calls.pop() {
            if at == 0 {
                (order[v], low[v], on_stack[v]) = (next, next, true);
                next += 1;
                stack.push(v as u32);
            }
            match edges(v).get(at) {
                Some(&w) => {
                    let w = w as usize;
                    calls.push((v, at + 1));
                    if order[w] == UNSEEN {
                        calls.push((w, 0));
                    } else if on_stack[w] {
                        low[v] = low[v].min(order[w]);
                    }
                }
                None => {
                    if let Some(&(parent, _)) = calls.last() {
                        low[parent] = low[parent].min(low[v]);
                    }
                    if low[v] == order[v] {
                        let from = stack.iter().rposition(|&w| w as usize == v).unwrap_or(0);
                        let component = stack.split_off(from);
                        component.iter().for_each(|&w| on_stack[w as usize] = false);
                        all.push(component);
                    }
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_depended_on_comes_first() {
        let edges: [&[u32]; 6] = [&[1], &[2, 3], &[1], &[3], &[0, 5], &[]];
        let mut all = components(6, |v| edges[v]);
        all.iter_mut().for_each(|c| c.sort_unstable());
        assert_eq!(all, [vec![3], vec![1, 2], vec![0], vec![5], vec![4]]);
    }
}
