//! The battle as a picture: the map with its units, and what they are.

use fogtree_core::scene::{Board as Grid, Entry, Ground, Look, Scene, Table, Token, Zone};
use fogtree_core::{Observer, Player};

use super::actions::{Action, Side};
use super::battle::Battle;
use super::board::{Board, Phase, Unit, ids};
use super::known::{Info, SeenUnit};
use super::terrain::Terrain;
use super::track::Track;
use super::units::Kind;
use crate::words;

/// What is drawn, as far as the observer knows it.
#[derive(Default)]
struct Picture {
    /// The units seen.
    units: Vec<SeenUnit>,
    /// Enemies out of sight, where they were last seen.
    ghosts: Vec<SeenUnit>,
    /// The cells seen.
    sight: u64,
    /// The cells found occupied in this turn.
    bumped: u64,
    caption: String,
}

impl Battle {
    /// A position for somebody who may see everything.
    pub(super) fn scene_of_board(&self, board: &Board, by: Observer) -> Scene {
        let seen = |id: u8| SeenUnit { id, unit: board.unit(id), acted: board.has_acted(id) };
        let after = words::counted(board.turn, "turn");
        let caption = match board.phase {
            Phase::Muster(who) => format!("The army of player {who} is about to be drawn."),
            Phase::Play => self.whose_turn(board.turn, by),
            Phase::Over(winner) => words::won(winner.as_slice(), by, &format!("after {after}")),
        };
        let units = ids(board.standing).map(seen).collect();
        self.scene_of_picture(&Picture { units, sight: u64::MAX, caption, ..Picture::default() }, by, false)
    }

    /// What an observer knows.
    pub(super) fn scene_known(&self, known: &Info) -> Scene {
        if let Some(board) = &known.board {
            return self.scene_of_board(board, known.by);
        }
        let picture = match (&known.view, known.by) {
            (Some(view), Observer::Seat(who)) => Picture {
                units: view.units.clone(),
                ghosts: if self.fog.ghosts { self.ghosts(known, who) } else { Vec::new() },
                sight: view.sight,
                bumped: view.bumped,
                caption: self.whose_turn(view.turn, known.by),
            },
            (_, Observer::Seat(_)) => {
                Picture { caption: "You see nothing now.".to_string(), ..Picture::default() }
            }
            (_, Observer::Public) => Picture {
                caption: "Armies move in the fog. Only the players see their own units.".to_string(),
                ..Picture::default()
            },
        };
        self.scene_of_picture(&picture, known.by, true)
    }

    /// A unit, where it goes, and whom it attacks from there; only whom it attacks, if from afar.
    pub(super) fn touched(&self, known: &Info, action: Action) -> Vec<String> {
        let cell = |id: u8| match (&known.board, &known.view) {
            (Some(board), _) => Some(board.unit(id).cell),
            (None, Some(view)) => view.units.iter().find(|seen| seen.id == id).map(|seen| seen.unit.cell),
            (None, None) => None,
        };
        let cells = match action {
            Action::Move { unit, to } => cell(unit).map(|at| vec![at, to]),
            Action::Attack { unit, target, from } => cell(unit).zip(cell(target)).map(|(at, target)| {
                let columns = self.map.columns;
                match from {
                    Side::East => vec![at, target + 1, target],
                    Side::North => vec![at, target.wrapping_sub(columns), target],
                    Side::West => vec![at, target.wrapping_sub(1), target],
                    Side::South => vec![at, target + columns, target],
                    Side::Afar => vec![at, target],
                }
            }),
            Action::EndTurn | Action::Surrender => None,
        };
        let name = |cell: u8| format!("map/{}", self.cell_name(cell));
        cells.unwrap_or_default().into_iter().map(name).collect()
    }

    fn whose_turn(&self, turn: u16, by: Observer) -> String {
        let mover = Player((turn & 1) as u8);
        let asked = if by.is(mover) { "move units and attack, then end the turn" } else { "move" };
        format!("{} Turn {} of {}.", words::asked(mover, by, asked), turn + 1, self.limit)
    }

    /// Enemies out of sight, where they were last seen.
    fn ghosts(&self, known: &Info, who: Player) -> Vec<SeenUnit> {
        let track = Track::of(self, who, &known.events, None);
        let last = |id: u8| {
            let foe = track.foe(id);
            let (cell, _) = foe.last.filter(|_| foe.alive && !foe.seen)?;
            Some(SeenUnit { id, unit: Unit { kind: foe.kind?, cell, hp: 0 }, acted: false })
        };
        ids(self.army[who.other().index()]).filter_map(last).collect()
    }

    fn scene_of_picture(&self, picture: &Picture, by: Observer, fog: bool) -> Scene {
        Scene::new(&picture.caption)
            .with(Zone::board("map", self.grid(picture)).titled("Map"))
            .with(Zone::table("forces", self.forces(picture, by, fog)).titled("Forces").beside())
            .with(Zone::table("kinds", self.kinds()).titled("Kinds of units").beside())
            .with(Zone::text("ground", self.cover()))
    }

    fn grid(&self, picture: &Picture) -> Grid {
        let (columns, rows) = (usize::from(self.map.columns), usize::from(self.map.rows));
        let mut grid = Grid::new(columns, rows, |x, y| self.cell_name((y * columns + x) as u8));
        let letters = (0..columns).map(|x| self.cell_name(x as u8).trim_end_matches('1').to_string());
        grid.below = letters.collect();
        grid.left = (1..=rows).map(|row| row.to_string()).collect();
        for (at, cell) in grid.cells.iter_mut().enumerate() {
            let terrain = self.map.terrain[at];
            let ground = ground(terrain);
            cell.made_of(ground).dim_if(terrain != Terrain::Void && picture.sight >> at & 1 == 0);
            if picture.bumped >> at & 1 == 1 {
                cell.put(Token::unknown().named("somebody is here"));
            }
        }
        for seen in &picture.units {
            grid.cells[usize::from(seen.unit.cell)].put(self.token(seen));
        }
        for ghost in &picture.ghosts {
            let label = format!("{}{}", ghost.unit.kind.letter().to_ascii_lowercase(), ghost.id);
            let name = format!("{} {}, last seen here", ghost.unit.kind.name(), ghost.id);
            let token = Token::unknown().of(self.side_of(ghost.id)).labelled(label).named(name);
            grid.cells[usize::from(ghost.unit.cell)].put(token.pale_if(true));
        }
        grid
    }

    fn token(&self, seen: &SeenUnit) -> Token {
        let SeenUnit { id, unit, acted } = *seen;
        let side = self.side_of(id);
        let look = if unit.hp == 0 { Look::Block } else { Look::Unit { hit_points: unit.hp } };
        let points = if unit.hp == 0 {
            "hit points unknown".to_string()
        } else {
            words::counted(unit.hp, "hit point")
        };
        let moved = if acted { ", has acted" } else { "" };
        Token::new(look)
            .of(side)
            .labelled(format!("{}{id}", unit.kind.letter()))
            .named(format!("{} {id} of player {side}, {points}{moved}", unit.kind.name()))
            .pale_if(acted)
    }

    fn forces(&self, picture: &Picture, by: Observer, fog: bool) -> Table {
        let sides = by.seat().map_or([Player(0), Player(1)], |own| [own, own.other()]);
        let of = |side: Player| picture.units.iter().filter(move |seen| self.side_of(seen.id) == side);
        let hidden = |side: Player| fog && !by.is(side);
        let mut table = Table { head: vec![String::new()], rows: Vec::new() };
        table.head.extend(sides.map(|side| words::name(side, by)));
        let mut row = |what: &str, fact: &dyn Fn(Player) -> String| {
            let facts = sides.map(|side| Entry::from(fact(side)).of(side));
            table.row(std::iter::once(Entry::from(what)).chain(facts));
        };
        row("units", &|side| format!("{}{}", of(side).count(), if hidden(side) { " in sight" } else { "" }));
        row("hit points", &|side| match of(side).any(|seen| seen.unit.hp == 0) {
            true => "?".to_string(),
            false => of(side).map(|seen| u32::from(seen.unit.hp)).sum::<u32>().to_string(),
        });
        row("have acted", &|side| of(side).filter(|seen| seen.acted).count().to_string());
        table
    }

    fn kinds(&self) -> Table {
        let mut table = Table::headed(["letter", "kind", "moves", "strikes", "sees"]);
        for kind in Kind::ALL {
            let reach = if kind.is_direct() { "beside it" } else { "2 or 3 away, if it stays" };
            let sight = if self.fog.on { kind.vision().to_string() } else { "all".to_string() };
            let name = kind.name().to_string();
            table.row([kind.letter().to_string(), name, kind.speed().to_string(), reach.to_string(), sight]);
        }
        table
    }

    /// How well the ground on this map protects.
    fn cover(&self) -> String {
        let here = Terrain::ALL.into_iter().filter(|t| *t != Terrain::Void && self.map.terrain.contains(t));
        let stars: Vec<String> = here.map(|t| format!("{} {}", t.name(), t.stars())).collect();
        format!(
            "Units: a letter for the kind, a number, and hit points of 10; pale once they have acted.\n\
             Cover for units on the ground: {}.",
            stars.join(", ")
        )
    }
}

fn ground(terrain: Terrain) -> Ground {
    match terrain {
        Terrain::Void => Ground::Wall,
        Terrain::Plain => Ground::Grass,
        Terrain::Sea => Ground::Water,
        Terrain::Wood => Ground::Forest,
        Terrain::Mountain => Ground::Mountain,
        Terrain::Road => Ground::Road,
        Terrain::Fortress => Ground::Fort,
    }
}
