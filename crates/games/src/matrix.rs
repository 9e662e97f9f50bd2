//! Matrix games: both players choose once, at the same time, and a table says what that is worth.
//!
//! The smallest games in which one has to be unpredictable, with presets for those the sources use:
//! rock-paper-scissors (Whitehouse 2014, §4.2.14), the diagonal game (Lisý 2014, §3.1.1) and biased
//! rock-paper-scissors.

use fogtree_core::{
    About, BadSpec, Domain, Facts, FastPlay, Notation, Observation, Observer, Param, Params,
    PerfectInformation, Player, Players, Preset, Rewards, Rules, Scene, Step, Tensors, Turn, Utility,
};
use serde::{Deserialize, Serialize};

mod scene;
mod tensors;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "matrix",
    summary: "Two players choose a row and a column at the same time; a table gives the payoffs",
    source: "equilibrium 1.1, 3.10; ismcts 4.13",
    params: &[
        Param::new(
            "rows",
            "[1,-1;-1,1]",
            Domain::Text,
            "payoffs, rows separated by ';': the row player's, which the other loses, or both as 3:-1; at most \
                    64 rows and 64 columns",
        ),
        Param::new(
            "row-names",
            "numbers",
            Domain::Text,
            "names of the rows, as [up,down]; numbers = 1, 2, ...",
        ),
        Param::new("column-names", "numbers", Domain::Text, "names of the columns, likewise"),
    ],
    presets: &[
        Preset {
            name: "rock-paper-scissors",
            params: "rows=[0,-1,1;1,0,-1;-1,1,0],row-names=[rock,paper,scissors],column-names=[rock,paper,scissors]",
            about: "each beats one and loses to one; the equilibrium is uniform",
        },
        Preset {
            name: "biased-rock-paper-scissors",
            params: "rows=[0,-25,50;25,0,-5;-50,5,0],row-names=[rock,paper,scissors],\
                     column-names=[rock,paper,scissors]",
            about: "unequal stakes; the equilibrium is 1/16, 10/16, 5/16",
        },
        Preset {
            name: "matching-pennies",
            params: "rows=[1,-1;-1,1],row-names=[heads,tails],column-names=[heads,tails]",
            about: "the row player wins if both show the same side",
        },
        Preset {
            name: "diagonal-game",
            params: "rows=[0,1;-1,0]",
            about: "both do best to choose 1; decoupled UCT that breaks ties in order never settles on it",
        },
        Preset {
            name: "prisoners-dilemma",
            params: "rows=[3:3,0:5;5:0,1:1],row-names=[cooperate,defect],column-names=[cooperate,defect]",
            about: "to defect is better whatever the other does, yet both would gain from cooperation",
        },
    ],
    tiny: "rows=[0,-1,1;1,0,-1;-1,1,0]",
};

/// The most rows and the most columns.
const MOST_CHOICES: usize = 64;
/// The largest payoff, up to which sums of payoffs are sums.
const MOST_PAYOFF: f64 = 1e15;

/// The rules of one matrix game.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// What the row player and the column player get, row by row.
    payoffs: Vec<Vec<[f64; 2]>>,
    /// All names of rows or columns; a name that is both stands here once.
    words: Vec<String>,
    /// The word of every row and of every column.
    choices: [Vec<u8>; 2],
}

/// A choice, by its place among all names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Word(u8);

/// The row and the column chosen, if they have been.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State(Option<[u8; 2]>);

impl Matrix {
    /// The game a specification asks for.
    pub fn from_params(params: &Params) -> Result<Matrix, BadSpec> {
        let payoffs = read_payoffs(params)?;
        let names = [
            read_names(params, "row-names", payoffs.len())?,
            read_names(params, "column-names", payoffs[0].len())?,
        ];
        let mut words: Vec<String> = Vec::new();
        let choices = names.map(|names| {
            let place = |name: String| {
                let known = words.iter().position(|word| *word == name);
                known.unwrap_or_else(|| {
                    words.push(name);
                    words.len() - 1
                }) as u8
            };
            names.into_iter().map(place).collect()
        });
        Ok(Matrix { payoffs, words, choices })
    }

    fn entries(&self) -> impl Iterator<Item = [f64; 2]> {
        self.payoffs.iter().flatten().copied()
    }

    fn place(&self, who: Player, Word(word): Word) -> Option<usize> {
        self.choices[who.index()].iter().position(|&w| w == word)
    }

    fn name(&self, who: usize, choice: usize) -> &str {
        &self.words[usize::from(self.choices[who][choice])]
    }
}

/// Reads `[a,b;c,d]`, each entry a number or two with a colon between.
fn read_payoffs(params: &Params) -> Result<Vec<Vec<[f64; 2]>>, BadSpec> {
    let bad = |expected: &str| params.bad("rows", expected);
    let text = params.text("rows").strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let text = text.ok_or_else(|| bad("rows in brackets, such as [0,1;-1,0]"))?;
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.abs() <= MOST_PAYOFF);
    let entry = |text: &str| match text.split_once(':') {
        Some((row, column)) => Some([number(row)?, number(column)?]),
        None => number(text).map(|x| [x, 0.0 - x]),
    };
    let row = |text: &str| text.split(',').map(entry).collect::<Option<Vec<_>>>();
    let rows: Vec<_> = text.split(';').map(row).collect::<Option<_>>().ok_or_else(|| {
        bad("numbers up to 1e15, or two of them with a colon between for the row and the column player")
    })?;
    if rows.len() > MOST_CHOICES || rows[0].len() > MOST_CHOICES {
        return Err(bad("at most 64 rows and 64 columns"));
    }
    if rows.iter().any(|row| row.len() != rows[0].len()) {
        return Err(bad("rows of the same length"));
    }
    Ok(rows)
}

fn read_names(params: &Params, key: &str, count: usize) -> Result<Vec<String>, BadSpec> {
    if params.text(key) == "numbers" {
        return Ok((1..=count).map(|n| n.to_string()).collect());
    }
    let names: Vec<String> = params.list(key)?;
    let word = |name: &String| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '+' | '.'))
    };
    let twice = (1..names.len()).any(|i| names[..i].contains(&names[i]));
    if names.len() == count && names.iter().all(word) && !twice {
        Ok(names)
    } else {
        Err(params.bad(key, format!("{count} different words in a list, or numbers")))
    }
}

impl Rules for Matrix {
    type State = State;
    type Action = Word;
    type Outcome = std::convert::Infallible;

    fn facts(&self) -> Facts {
        let ends = self
            .entries()
            .flatten()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(x), most.max(x)));
        let sums = || self.entries().map(|[row, column]| row + column);
        let sum = sums().next().unwrap_or(0.0);
        // Decimal fractions such as 0.1:0.9 need not add up exactly.
        let is_constant = sums().all(|s| (s - sum).abs() <= 1e-12 * ends.1.abs().max(ends.0.abs()));
        let utility = match (is_constant, sum == 0.0) {
            (true, true) => Utility::ZeroSum,
            (true, false) => Utility::ConstantSum,
            (false, _) => Utility::General,
        };
        Facts { simultaneous: true, utility, utility_bounds: ends, ..Facts::open(2, 1) }
    }

    fn start(&self) -> State {
        State(None)
    }

    fn turn(&self, s: &State) -> Turn {
        if s.0.is_none() { Turn::Simultaneous(Players::first(2)) } else { Turn::Terminal }
    }

    fn actions(&self, _s: &State, who: Player, out: &mut Vec<Word>) {
        let from = out.len();
        out.extend(self.choices[who.index()].iter().copied().map(Word));
        out[from..].sort_unstable();
    }

    fn apply(&self, s: &mut State, step: Step<'_, Self>) {
        let choice = |&(who, word): &(Player, Word)| self.place(who, word).map(|i| i as u8);
        if let [row, column] = step.moves() {
            *s = State(choice(row).zip(choice(column)).map(<[u8; 2]>::from));
        }
    }

    fn rewards(&self, s: &State) -> Rewards {
        let [row, column] = s.0.unwrap_or([0, 0]).map(usize::from);
        self.payoffs[row][column].into_iter().collect()
    }

    fn observe(&self, _before: &State, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        let others = step.moves().iter().filter(|(who, _)| !by.is(*who));
        Some(Observation::words(&others.map(|&(_, word)| self.code(word)).collect::<Vec<_>>()))
    }

    fn code(&self, action: Word) -> u64 {
        u64::from(action.0)
    }
}

impl Notation for Matrix {
    fn action_name(&self, action: Word) -> String {
        self.words[usize::from(action.0)].clone()
    }

    fn parse_action(&self, name: &str) -> Option<Word> {
        self.words.iter().position(|word| word == name).map(|i| Word(i as u8))
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        let name = |code: &u64| self.words.get(*code as usize).map_or("?", String::as_str);
        let chosen = seen.as_words().iter().map(name).collect::<Vec<_>>().join(" and ");
        match by {
            Observer::Seat(_) => format!("the other chooses {chosen}"),
            Observer::Public => format!("the players choose {chosen}"),
        }
    }

    fn scene_of(&self, s: &State) -> Scene {
        self.drawn(s)
    }

    fn role(&self, _state: &State, seat: Player) -> String {
        if seat.0 == 0 { "row".to_string() } else { "column".to_string() }
    }
}

impl FastPlay for Matrix {
    const DECODES: bool = true;

    #[inline]
    fn decode(&self, code: u64) -> Word {
        Word(code as u8)
    }

    fn codes(&self) -> Option<usize> {
        Some(self.words.len())
    }
}

impl PerfectInformation for Matrix {
    fn spots(&self, _s: &State, _: Player, word: Word) -> Vec<String> {
        self.touched(word)
    }

    fn tensors(&self) -> Option<&dyn Tensors<Self>> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use fogtree_core::Spec;

    use super::*;

    fn read(text: &str) -> Result<Matrix, BadSpec> {
        let spec: Spec = text.parse()?;
        let (_, spec) = About::find([&ABOUT].into_iter(), "game", &spec)?;
        Matrix::from_params(&ABOUT.params(&spec)?)
    }

    fn value(rules: &Matrix, row: &str, column: &str) -> Vec<f64> {
        let mut s = rules.start();
        let moves = [row, column].map(|name| rules.parse_action(name).unwrap());
        fogtree_core::play(rules, &mut s, Step::Moves(&[(Player(0), moves[0]), (Player(1), moves[1])]))
            .unwrap();
        assert_eq!(rules.turn(&s), Turn::Terminal);
        rules.rewards(&s).as_slice().to_vec()
    }

    #[test]
    fn rock_paper_scissors_goes_round() {
        let rules = read("rock-paper-scissors").unwrap();
        for (winner, loser) in [("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")] {
            assert_eq!(value(&rules, winner, loser), [1.0, -1.0]);
            assert_eq!(value(&rules, loser, winner), [-1.0, 1.0]);
            assert_eq!(value(&rules, winner, winner), [0.0, 0.0]);
        }
        let facts = rules.facts();
        assert_eq!(
            (facts.utility, facts.utility_bounds, facts.hidden),
            (Utility::ZeroSum, (-1.0, 1.0), false)
        );
    }

    /// Every action of an equilibrium strategy earns the value, 0 here, against the other's (equilibrium 3.10).
    #[test]
    fn the_presets_have_their_known_equilibria() {
        for (name, strategy) in [
            ("rock-paper-scissors", [1.0, 1.0, 1.0]),
            ("biased-rock-paper-scissors", [1.0, 10.0, 5.0]),
            ("matching-pennies", [1.0, 1.0, 0.0]),
        ] {
            let rules = read(name).unwrap();
            for row in &rules.payoffs {
                let against: f64 = row.iter().zip(strategy).map(|(entry, weight)| entry[0] * weight).sum();
                assert_eq!(against, 0.0, "{name}");
            }
        }
        let rules = read("diagonal-game").unwrap();
        assert_eq!(
            [value(&rules, "1", "1"), value(&rules, "2", "1"), value(&rules, "1", "2")],
            [[0.0, 0.0], [-1.0, 1.0], [1.0, -1.0]]
        );
        let rules = read("prisoners-dilemma").unwrap();
        assert_eq!(rules.facts().utility, Utility::General);
        for other in ["cooperate", "defect"] {
            assert!(value(&rules, "defect", other)[0] > value(&rules, "cooperate", other)[0]);
        }
    }

    #[test]
    fn the_kind_of_utility_follows_from_the_entries() {
        let facts = |rows: &str| read(&format!("matrix(rows={rows})")).unwrap().facts();
        assert_eq!(facts("[1,-2]").utility, Utility::ZeroSum);
        assert_eq!(facts("[1:0,0.9:0.1;0.3:0.7,0:1]").utility, Utility::ConstantSum);
        assert_eq!(facts("[1:1,2:3]").utility, Utility::General);
        assert_eq!(facts("[1:1,2:-3]").utility_bounds, (-3.0, 2.0));
        assert_eq!(facts("[4]").utility_bounds, (-4.0, 4.0));
    }

    #[test]
    fn rows_and_columns_may_share_names_in_any_order() {
        let rules = read("matrix(rows=[1,2;3,4],row-names=[a,b],column-names=[b,c])").unwrap();
        assert_eq!((rules.codes(), value(&rules, "b", "c")), (Some(3), vec![4.0, -4.0]));
        let rules = read("matrix(rows=[1,2;3,4],row-names=[a,b],column-names=[b,a])").unwrap();
        let mut legal = Vec::new();
        rules.actions(&rules.start(), Player(1), &mut legal);
        assert_eq!(legal, [Word(0), Word(1)]);
        assert_eq!(value(&rules, "a", "b"), [1.0, -1.0]);
        assert_eq!(rules.parse_action("c"), None);
    }

    #[test]
    fn malformed_matrices_are_refused() {
        let wide = format!("[{}]", ["0"; 65].join(","));
        let tall = format!("[{}]", ["0"; 65].join(";"));
        for rows in [
            "[]", "[1,2;3]", "[1,x]", "[nan]", "[inf]", "[1e300]", "[1:2:3]", "[1;]", "1,2", "1", &wide,
            &tall,
        ] {
            assert!(read(&format!("matrix(rows={rows})")).is_err(), "{rows}");
        }
        for names in ["[a]", "[a,a]", "[a,]", "[a,b c]", "words", "[a,b,c]"] {
            assert!(read(&format!("matrix(row-names={names})")).is_err(), "{names}");
        }
        assert!(read("matrix(rows=[1:0, 2 ; 3,4])").is_ok());
    }

    #[test]
    fn players_see_the_other_choice_and_the_public_both() {
        let rules = read("matching-pennies").unwrap();
        let [heads, tails] = ["heads", "tails"].map(|name| rules.parse_action(name).unwrap());
        let moves = [(Player(0), heads), (Player(1), tails)];
        let told = |by| rules.explain(&rules.observe(&rules.start(), Step::Moves(&moves), by).unwrap(), by);
        assert_eq!(told(Observer::Seat(Player(0))), "the other chooses tails");
        assert_eq!(told(Observer::Public), "the players choose heads and tails");
        assert_eq!(
            rules.explain(&Observation::words(&[u64::MAX, 7]), Observer::Public),
            "the players choose ? and ?"
        );
    }

    #[test]
    fn the_matrix_is_drawn_with_the_choice_marked() {
        let rules = read("matching-pennies").unwrap();
        let text = fogtree_core::text::plain(&rules.show(&State(Some([0, 1]))));
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            rows[1..4],
            [vec!["heads", "tails"], vec!["heads", "1", "-1", "(✓)"], vec!["tails", "-1", "1"]]
        );
    }
}
