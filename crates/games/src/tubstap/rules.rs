//! The rules of a battle as the framework asks for them. What each side remembers is added around them.

use fogtree_core::{
    Chance, Facts, Notation, Observation, Observer, Player, Rewards, Rng, Rules, Scene, Step, Turn,
};

use super::actions::Action;
use super::battle::Battle;
use super::board::{Board, Phase};
use super::fog::Collision;
use super::muster::Army;

impl Rules for Battle {
    type State = Board;
    type Action = Action;
    type Outcome = Army;

    fn facts(&self) -> Facts {
        let counts = [0, 1].map(|side| self.army[side].count_ones());
        let bounces = self.fog.on && self.fog.collision == Collision::Bounce;
        let turns = u32::from(self.limit);
        let most = |side: usize| counts[side] + if bounces { counts[1 - side] } else { 0 };
        let drawn = self.muster.is_drawn();
        Facts {
            players: 2,
            hidden: self.fog.on,
            hidden_moves: self.fog.on,
            chance: match (drawn, self.muster.is_listed()) {
                (false, _) => Chance::Never,
                (true, true) => Chance::Listed,
                (true, false) => Chance::Sampled,
            },
            simultaneous: false,
            utility: self.reward.utility(),
            utility_bounds: self.reward.range(),
            max_length: turns.div_ceil(2) * most(0) + turns / 2 * most(1) + if drawn { 2 } else { 0 },
        }
    }

    fn start(&self) -> Board {
        self.opening()
    }

    #[inline]
    fn turn(&self, board: &Board) -> Turn {
        match board.phase {
            Phase::Muster(_) => Turn::Chance,
            Phase::Play => Turn::Player(board.mover()),
            Phase::Over(_) => Turn::Terminal,
        }
    }

    fn actions(&self, board: &Board, _who: Player, out: &mut Vec<Action>) {
        self.list(board, out);
    }

    fn chance(&self, board: &Board, out: &mut Vec<(Army, f64)>) {
        if let Phase::Muster(who) = board.phase {
            out.extend(
                self.muster.listed(who).filter(|_| self.muster.is_listed()).into_iter().flatten().cloned(),
            );
        }
    }

    fn sample_chance(&self, board: &Board, rng: &mut Rng) -> Army {
        match board.phase {
            Phase::Muster(who) => self.muster.draw(&self.map, who, rng),
            _ => panic!("it is not chance's turn"),
        }
    }

    fn is_possible(&self, board: &Board, army: &Army) -> bool {
        board.phase == Phase::Muster(army.who) && self.muster.may_draw(&self.map, army)
    }

    #[inline]
    fn apply(&self, board: &mut Board, step: Step<'_, Self>) {
        match step {
            Step::Chance(army) => self.enter(board, army.who, &army.units),
            Step::Moves(_) => {
                self.act(board, step.single().1);
            }
        }
    }

    fn observe(&self, before: &Board, step: Step<'_, Self>, by: Observer) -> Option<Observation> {
        match step {
            Step::Chance(army) => Some(self.seen_of_muster(before, army, by)),
            Step::Moves(_) => {
                let (who, action) = step.single();
                match (self.fog.on, by.is(who)) {
                    (true, _) => self.seen_of(before, action, by),
                    (false, true) => None,
                    (false, false) => Some(Observation::word(ACTION | self.code_of(action))),
                }
            }
        }
    }

    fn rewards(&self, board: &Board) -> Rewards {
        self.reward.of(match board.phase {
            Phase::Over(winner) => winner,
            _ => None,
        })
    }

    fn code(&self, action: Action) -> u64 {
        self.code_of(action)
    }
}

impl Battle {
    /// A number above all codes.
    pub(super) fn codes(&self) -> usize {
        self.code_of(if self.surrender { Action::Surrender } else { Action::EndTurn }) as usize + 1
    }
}

impl Notation for Battle {
    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn parse_action(&self, name: &str) -> Option<Action> {
        self.parse(name)
    }

    fn outcome_name(&self, army: &Army) -> String {
        self.army_name(army)
    }

    fn parse_outcome(&self, name: &str) -> Option<Army> {
        self.parse_army(name)
    }

    fn explain(&self, seen: &Observation, by: Observer) -> String {
        self.told(seen, by)
    }

    fn scene_of(&self, board: &Board) -> Scene {
        self.scene_of_board(board, Observer::Public)
    }

    fn role(&self, _board: &Board, seat: Player) -> String {
        ["red", "blue"][seat.index() & 1].to_string()
    }
}

/// Marks an action in a game without fog.
pub(super) const ACTION: u64 = 1 << 62;
