//! What there is to choose, as a table.

use fogtree_core::Player;
use fogtree_core::scene::{Entry, Scene, Table, Zone};

use super::{Choice, Payoff, RandomGame, State, leaf_value};

impl RandomGame {
    /// How far the game is, and the values of the choices to be made now, the first player's in rows.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let mut facts = Table::default();
        facts.row(["choices made".to_string(), format!("{} of {}", s.depth, self.depth)]);
        if self.payoff != Payoff::Leaf {
            facts.row(["player 0 has won".to_string(), s.sum.to_string()]);
        }
        let scene = Scene::new(self.caption(s)).with(Zone::table("facts", facts));
        if s.depth == self.depth || self.payoff == Payoff::Leaf && s.depth + 1 < self.depth {
            return scene;
        }
        let choices = || (0..self.branching).map(Choice);
        let mut table = Table { head: vec!["player 0 \\ player 1".to_string()], rows: Vec::new() };
        table.head.extend(choices().map(|choice| (choice.0 + 1).to_string()));
        for row in choices() {
            let values = choices().map(|column| self.value(s, [row, column]));
            let name = Entry::from((row.0 + 1).to_string());
            table.row([name].into_iter().chain(values));
        }
        scene.with(Zone::table("values", table).titled("What player 0 wins with each pair of choices"))
    }

    /// The value of a joint choice, in the colour of whom it favours.
    fn value(&self, s: &State, joint: [Choice; 2]) -> Entry {
        let next = self.child(s, self.joint(joint));
        if self.payoff == Payoff::Leaf {
            return format!("{:.3}", leaf_value(next.path)).into();
        }
        match next.sum - s.sum {
            0 => "0".into(),
            value @ 1.. => Entry::from(format!("+{value}")).of(Player(0)),
            value => Entry::from(format!("−{}", -value)).of(Player(1)),
        }
    }

    fn caption(&self, s: &State) -> String {
        if s.depth < self.depth {
            return format!("Both players choose a number from 1 to {} at the same time.", self.branching);
        }
        match self.payoff {
            Payoff::Leaf => {
                let first = leaf_value(s.path);
                format!("The game is over: player 0 gets {first:.3}, player 1 {:.3}.", 1.0 - first)
            }
            Payoff::Sum | Payoff::Sign => match s.sum {
                0 => "The game is over, and nobody has won anything.".to_string(),
                sum @ 1.. => format!("The game is over: player 0 wins by {sum}."),
                sum => format!("The game is over: player 1 wins by {}.", -sum),
            },
        }
    }
}
