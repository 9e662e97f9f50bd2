//! What a visitor is told of a table.

use std::collections::BTreeMap;

use fogtree_core::record::StepLine;
use fogtree_core::{Player, Rewards};
use fogtree_draw::{Drawing, Theme, svg};
use fogtree_table::Seat;
use fogtree_table::wire::{Position, SeatView, Turn};
use serde::Serialize;

use super::super::Studio;
use super::super::visitors::Visitor;
use super::clock::{Rule, milliseconds};
use super::live::{Inner, LiveTable};

/// All that a visitor is told of a table.
///
/// In a fair game that is not over it follows from what the visitor's own seats know, and from what was agreed on when
/// the table was made.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TableView {
    /// By which it is asked for.
    table: String,
    /// The specification of the game as the visitor may know it.
    game: String,
    /// How many play.
    players: usize,
    /// Who sits where.
    seats: Vec<SeatAbout>,
    /// Whether everybody may see everything from the start.
    open: bool,
    /// Whether everything may be seen now.
    all_seen: bool,
    /// Whether the game is over.
    over: bool,
    /// Why the table has ended before its game.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    /// Why the last change could not be kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsaved: Option<String>,
    /// Whose time has run out.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost_on_time: Option<Player>,
    /// How much time everybody has.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Rule>,
    /// How agents are let move, where that can be changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pace: Option<PaceAbout>,
    /// The links of seats that nobody has taken, for whoever made the table.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    links: BTreeMap<Player, String>,
    /// What the visitor's own seats see.
    views: Vec<Seen>,
    /// Everything, where it may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<Whole>,
}

/// Who sits in a seat.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct SeatAbout {
    /// `person` or `agent`.
    kind: &'static str,
    /// The specification of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// Whether it looks at the true state.
    cheats: bool,
    /// Whether it is one's own.
    yours: bool,
    /// Whether somebody has come.
    taken: bool,
}

/// How agents are let move.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Pace"))]
struct PaceAbout {
    /// Whether they wait.
    paused: bool,
    /// Milliseconds between their moves.
    delay: u64,
}

/// What a seat sees.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "OwnView"))]
struct Seen {
    /// What the seat knows, and what it may do.
    view: SeatView,
    /// What it sees, as a picture.
    svg: String,
    /// Whether its last choice can be taken back.
    undo: bool,
    /// Milliseconds left on its own clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<u64>,
}

/// Everything at a table.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "WholeView"))]
struct Whole {
    /// The whole position as a picture.
    svg: String,
    /// How many steps were made.
    step: usize,
    /// Whose turn it is.
    turn: Turn,
    /// All that was played, chance included.
    moves: Vec<String>,
    /// The last steps, in words.
    told: Vec<String>,
    /// Who thinks.
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Player>,
    /// Milliseconds left on the clocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<Vec<u64>>,
    /// The reward of every seat, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    rewards: Option<Rewards>,
}

/// So many of the last steps are told in words.
const TOLD: usize = 12;

/// A step in words.
fn in_words(step: &StepLine) -> String {
    let drawn = step.chance.iter().map(|name| format!("chance draws {name}"));
    let moves = step.moves.iter().map(|(seat, name)| format!("player {seat} plays {name}"));
    drawn.chain(moves).collect::<Vec<_>>().join("; ")
}

impl TableView {
    /// Whether it shows everything.
    pub(super) fn all_seen(&self) -> bool {
        self.all_seen
    }

    /// The same without what changes with time alone.
    pub(super) fn without_time(mut self) -> TableView {
        self.views.iter_mut().for_each(|seen| seen.clock = None);
        if let Some(whole) = &mut self.whole {
            whole.clocks = None;
        }
        self
    }
}

impl LiveTable {
    /// What a visitor is told.
    pub(super) fn view(&self, studio: &Studio, visitor: &Visitor, theme: Theme) -> TableView {
        let mut inner = self.inner();
        inner.used = std::time::Instant::now();
        inner.view(&self.id, studio, visitor, theme)
    }
}

impl Inner {
    fn view(&self, id: &str, studio: &Studio, visitor: &Visitor, theme: Theme) -> TableView {
        let (session, own, all_seen) = (&self.session, self.seats_of(visitor), self.all_seen());
        let spec = session.game().spec();
        let game = match own.first() {
            _ if all_seen => spec.to_string(),
            Some(&seat) => studio.registry.told(spec, seat).unwrap_or_default(),
            None => spec.split('(').next().unwrap_or_default().to_string(),
        };
        let seat = |(p, seat): (Player, &Seat)| match seat {
            Seat::Person => SeatAbout {
                kind: "person",
                agent: None,
                cheats: false,
                yours: own.contains(&p),
                taken: self.claims.contains_key(&p),
            },
            Seat::Agent(spec) => SeatAbout {
                kind: "agent",
                agent: Some(spec.clone()),
                cheats: self.cheats[p.index()],
                yours: false,
                taken: true,
            },
        };
        let players = session.seats().len();
        let pace = PaceAbout { paused: self.pace.paused, delay: milliseconds(self.pace.delay) };
        TableView {
            table: id.to_string(),
            game,
            players,
            seats: Player::all(players).zip(session.seats()).map(seat).collect(),
            open: self.head.open,
            all_seen,
            over: session.is_over(),
            failed: self.failed.clone(),
            unsaved: self.unsaved.clone(),
            lost_on_time: self.lost_on_time,
            clock: self.head.clock,
            pace: (self.head.open || self.agents_alone()).then_some(pace),
            links: if visitor.id == self.head.by { self.links() } else { BTreeMap::new() },
            views: own.iter().map(|&seat| self.seen(seat, theme)).collect(),
            whole: all_seen.then(|| self.whole(theme)),
        }
    }

    fn seen(&self, seat: Player, theme: Theme) -> Seen {
        let view = self.session.view(seat);
        let selectable: Vec<String> =
            view.legal.iter().filter_map(|legal| legal.spots.first().cloned()).collect();
        let drawing =
            Drawing { theme, changed: &view.changed, selectable: &selectable, ..Drawing::default() };
        Seen {
            svg: svg(&view.scene, &drawing),
            undo: self.may_undo() && self.session.has_chosen(seat),
            clock: self.clocks.as_ref().map(|clocks| milliseconds(clocks.left(seat))),
            view,
        }
    }

    fn whole(&self, theme: Theme) -> Whole {
        let table = self.session.table();
        let (scene, step) = (table.true_scene(), table.steps());
        let mut before = table.fork();
        before.wind_back(step.saturating_sub(1));
        let changed = scene.changed_since(&before.true_scene());
        let steps = self.session.record().steps;
        Whole {
            svg: svg(&scene, &Drawing { theme, changed: &changed, ..Drawing::default() }),
            told: steps[steps.len().saturating_sub(TOLD)..].iter().map(in_words).collect(),
            step,
            turn: Position::of("", self.session.seats().len(), table).turn,
            moves: table.names(),
            thinking: self.thinking.as_ref().map(|(seat, _)| *seat),
            clocks: self.clocks.as_ref().map(|clocks| clocks.milliseconds()),
            rewards: table.rewards(),
        }
    }
}
