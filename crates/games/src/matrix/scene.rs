//! Matrix games as pictures.

use fogtree_core::scene::{Entry, Scene, Table, Token, Zone};
use fogtree_core::{Player, Rules, Utility};

use super::{Matrix, State, Word};

impl Matrix {
    pub(super) fn drawn(&self, s: &State) -> Scene {
        let zero_sum = self.facts().utility == Utility::ZeroSum;
        let chosen = s.0.map(|choice| choice.map(usize::from));
        let name = |who: Player, choice: usize| {
            let entry = Entry::from(self.name(who.index(), choice)).of(who);
            // A name that is a row and a column stands for both.
            let place = self.places(Word(self.choices[who.index()][choice]));
            if place.0 == who { entry.at(place.1) } else { entry }
        };
        let mut table = Table::default();
        let columns = (0..self.payoffs[0].len()).map(|column| name(Player(1), column));
        table.row(std::iter::once(Entry::default()).chain(columns));
        for (i, payoffs) in self.payoffs.iter().enumerate() {
            let entry = |(j, [a, b]): (usize, &[f64; 2])| {
                let entry = Entry::from(if zero_sum { a.to_string() } else { format!("{a} : {b}") });
                if chosen == Some([i, j]) { entry.with(Token::chip("✓").named("chosen")) } else { entry }
            };
            table.row(std::iter::once(name(Player(0), i)).chain(payoffs.iter().enumerate().map(entry)));
        }
        let title = if zero_sum { "Payoffs of player 0" } else { "Payoffs of player 0 : player 1" };
        Scene::new(self.caption(chosen)).with(Zone::table("matrix", table).titled(title))
    }

    /// The name of a row, or else of a column.
    pub(super) fn touched(&self, word: Word) -> Vec<String> {
        vec![format!("matrix/{}", self.places(word).1)]
    }

    fn places(&self, word: Word) -> (Player, String) {
        let who = if self.place(Player(0), word).is_some() { Player(0) } else { Player(1) };
        (who, format!("{}-{}", ["row", "column"][who.index()], word.0))
    }

    fn caption(&self, chosen: Option<[usize; 2]>) -> String {
        match chosen {
            None => "Both choose at the same time: player 0 a row, player 1 a column.".to_string(),
            Some([row, column]) => {
                let [a, b] = self.payoffs[row][column];
                let (row, column) = (self.name(0, row), self.name(1, column));
                format!("Player 0 chose {row} and gets {a}. Player 1 chose {column} and gets {b}.")
            }
        }
    }
}
