//! Invented sheets: rules put together at random, stratified and safe, with recursion, negation, alternatives,
//! nested terms and several roles.

use fogtree_core::Rng;

const VARIABLES: [&str; 3] = ["?x", "?y", "?z"];
const CONSTANTS: [&str; 3] = ["a", "b", "(s a)"];
const LEVELS: u32 = 3;

struct Inventor<'a> {
    rng: &'a mut Rng,
    text: String,
}

/// A sheet with two roles and chance.
pub(super) fn sheet(rng: &mut Rng) -> String {
    let text = "(role left) (role right) (role random) (dom a) (dom b) (dom (s a)) ".to_string();
    let mut inventor = Inventor { rng, text };
    inventor.sheet();
    inventor.text
}

impl Inventor<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.rng.below(n)
    }

    fn pick<'b>(&mut self, all: &[&'b str]) -> &'b str {
        all[self.rng.below(all.len() as u32) as usize]
    }

    fn sheet(&mut self) {
        for x in CONSTANTS {
            for y in CONSTANTS {
                if self.below(3) == 0 {
                    self.text += &format!("(edge {x} {y}) ");
                }
            }
            if self.below(2) == 0 {
                self.text += &format!("(init (one {x})) ");
            }
        }
        self.text += "(edge a b) (init (two a b)) (init flag) ";
        for level in 0..LEVELS {
            for relation in ["p", "q"] {
                for _ in 0..1 + self.below(3) {
                    let head =
                        format!("({relation}{level} {})", self.terms(if relation == "p" { 1 } else { 2 }));
                    self.rule(&head, level, false);
                }
            }
        }
        for role in ["left", "right", "random"] {
            self.text += &format!("(<= (legal {role} pass) (true flag)) ");
            for _ in 0..1 + self.below(2) {
                let head = format!("(legal {role} (act {}))", self.terms(1));
                self.rule(&head, LEVELS, false);
            }
            let head = format!("(sees {role} (saw {}))", self.terms(1));
            self.rule(&head, LEVELS, true);
            for value in [0, 50, 100] {
                self.rule(&format!("(goal {role} {value})"), LEVELS, false);
            }
        }
        self.text += "(<= (next flag) (true flag)) ";
        for _ in 0..2 + self.below(3) {
            let (one, two) = (self.terms(1), self.terms(2));
            self.rule(&format!("(next (one {one}))"), LEVELS, true);
            self.rule(&format!("(next (two {two}))"), LEVELS, true);
        }
        if self.below(2) == 0 {
            self.rule("terminal", LEVELS, false);
        }
    }

    fn terms(&mut self, count: usize) -> String {
        let all: Vec<&str> = (0..count)
            .map(|_| if self.below(6) == 0 { self.pick(&CONSTANTS) } else { self.pick(&VARIABLES) })
            .collect();
        all.join(" ")
    }

    /// Something that holds; derived from relations up to a level, this one included only if `own`.
    fn atom(&mut self, level: u32, own: bool, moves: bool) -> String {
        let levels = if own { level + 1 } else { level }.min(LEVELS);
        match self.below(7) {
            0 => format!("(edge {})", self.terms(2)),
            1 => format!("(true (two {}))", self.terms(2)),
            2 if moves => {
                format!("(does {} (act {}))", self.pick(&["left", "right", "random"]), self.terms(1))
            }
            3 if moves => format!("(does {} pass)", self.pick(&["left", "right"])),
            4 | 5 if levels > 0 => {
                let (level, binary) = (self.below(levels), self.below(2) == 0);
                let (name, arity) = if binary { ("q", 2) } else { ("p", 1) };
                format!("({name}{level} {})", self.terms(arity))
            }
            _ => format!("(true (one {}))", self.terms(1)),
        }
    }

    fn rule(&mut self, head: &str, level: u32, moves: bool) {
        let mut holds = Vec::new();
        for _ in 0..1 + self.below(3) {
            holds.push(self.atom(level, true, moves));
        }
        let mut tests = Vec::new();
        for _ in 0..self.below(3) {
            let atom = self.atom(level, false, moves);
            tests.push(match self.below(4) {
                0 => format!("(distinct {} {})", self.pick(&VARIABLES), self.terms(1)),
                1 => format!("(or (not {atom}) (distinct {}))", self.terms(2)),
                _ => format!("(not {atom})"),
            });
        }
        let bound = holds.join(" ");
        let mut rule = format!("(<= {head} {bound}");
        for variable in VARIABLES {
            let needed = head.contains(variable) || tests.iter().any(|t| t.contains(variable));
            if needed && !bound.contains(variable) {
                rule += &format!(" (dom {variable})");
            }
        }
        self.text += &format!("{rule} {}) ", tests.join(" "));
    }
}
