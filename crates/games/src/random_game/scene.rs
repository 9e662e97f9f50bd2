//! What there is to choose, as a table.

use fogtree_core::Player;
use fogtree_core::scene::{Entry, Scene, Table, Zone};

use super::{Choice, Payoff, RandomGame, State, leaf_value};

/// The place of a choice: player 0 chooses a row, player 1 a column.
pub(super) fn place(who: Player, choice: Choice) -> String {
    format!("{}-{}", ["row", "column"][who.index()], choice.0 + 1)
}

impl RandomGame {
    /// How far the game is, and the values of the choices to be made now, the first player's in rows.
    pub(super) fn draw(&self, s: &State) -> Scene {
        let mut facts = Table::default();
        facts.row(["choices made".to_string(), format!("{} of {}", s.depth, self.depth)]);
        if self.payoff != Payoff::Leaf {
            facts.row(["player 0 has won".to_string(), s.sum.to_string()]);
        }
        let scene = Scene::new(self.caption(s)).with(Zone::table("facts", facts));
        if !self.shows_values(s) {
            return scene;
        }
        let choices = || (0..self.branching).map(Choice);
        let name =
            |who, choice: Choice| Entry::from((choice.0 + 1).to_string()).at(place(who, choice)).of(who);
        let mut table = Table::default();
        let columns = choices().map(|column| name(Player(1), column));
        table.row([Entry::from("player 0 \\ player 1")].into_iter().chain(columns));
        for row in choices() {
            let values = choices().map(|column| self.value(s, [row, column]));
            table.row([name(Player(0), row)].into_iter().chain(values));
        }
        scene.with(Zone::table("values", table).titled("What player 0 wins with each pair of choices"))
    }

    /// Whether the values of what can be chosen are known.
    pub(super) fn shows_values(&self, s: &State) -> bool {
        s.depth < self.depth && (self.payoff != Payoff::Leaf || s.depth + 1 == self.depth)
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
