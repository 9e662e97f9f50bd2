//! `fogtree show` and `fogtree sample`: positions as pictures, and worlds that agree with what a player knows.

use std::io::Write;
use std::time::Duration;

use fogtree_core::files::write_whole;
use fogtree_core::scene::{Beliefs, Scene, Shares};
use fogtree_core::{Deadline, InfoSet, Player, Purpose, Seed};
use fogtree_draw::{Drawing, Theme, svg};
use fogtree_table::wire::{Shown, World};
use fogtree_table::{AnyTable, NoBelief, Registry, SeatAgent, belief_of, believed_worlds};

use super::position::{asked, seat_of};
use crate::arguments::{Picture, Sample, Show};
use crate::failure::Failure;
use crate::output::{check_place, emit, emit_json};

/// Draws a position.
pub(crate) fn run(registry: &Registry, arguments: &Show, json: bool) -> Result<(), Failure> {
    let game = registry.game(&arguments.position.game)?;
    let table = asked(&*game, &arguments.position)?;
    let seat = arguments.seat.map(|seat| seat_of(&*game, seat)).transpose()?;
    let spec = match seat {
        Some(seat) => registry.told(&arguments.position.game, seat)?,
        None => arguments.position.game.clone(),
    };
    let shown = Shown::of(seat, &spec, &*table);
    if write(&arguments.picture, &shown.scene, None)? {
        return Ok(());
    }
    if json { emit_json(&shown) } else { emit(&format!("{}\n", shown.scene)) }
}

/// Draws worlds that agree with what a seat knows.
pub(crate) fn sample(registry: &Registry, arguments: &Sample, json: bool) -> Result<(), Failure> {
    let game = registry.game(&arguments.position.game)?;
    let table = asked(&*game, &arguments.position)?;
    let seat = seat_of(&*game, arguments.seat)?;
    let info = table.infoset(seat);
    let believed = match &arguments.agent {
        Some(agent) => Some(belief(registry.agent(agent, &*game)?, &*table, seat)?),
        None => None,
    };
    let worlds = worlds(&info, arguments, believed.as_deref())?;
    let pictured = arguments.picture.svg.is_some() || arguments.picture.png.is_some();
    if pictured || arguments.count {
        let beliefs = Beliefs::count(&worlds);
        if write(&arguments.picture, &info.scene(), Some(&beliefs))? {
            return Ok(());
        }
        return if json { emit_json(&beliefs) } else { emit(&counted(&beliefs)) };
    }
    for (number, (scene, weight)) in worlds.into_iter().enumerate() {
        if json {
            emit_json(&World::new(number, scene, weight))?;
        } else {
            emit(&format!("world {number}, weight {weight:.4}\n{scene}\n\n"))?;
        }
    }
    Ok(())
}

/// Looking for the first world takes no longer.
const LONGEST_SEARCH: Duration = Duration::from_secs(60);

/// Worlds with their weights, as pictures: as likely as they are, or as somebody believes the hidden part to be.
fn worlds(
    info: &InfoSet,
    arguments: &Sample,
    believed: Option<&[f64]>,
) -> Result<Vec<(Scene, f64)>, Failure> {
    let mut rng = Seed(arguments.draw_seed).named("worlds").stream(Purpose::Deal);
    let until = Deadline::after(Some(LONGEST_SEARCH), None);
    let drawn = believed_worlds(info, arguments.worlds as usize, believed, &mut rng, &until);
    if drawn.is_empty() {
        return Err(Failure::Run("no world was found within a minute".to_string()));
    }
    Ok(drawn.into_iter().map(|(world, weight)| (world.scene(), weight)).collect())
}

/// How likely an agent in this seat holds each value of the hidden part.
fn belief(agent: SeatAgent, table: &dyn AnyTable, seat: Player) -> Result<Vec<f64>, Failure> {
    belief_of(agent, table, seat, Seed(1)).map_err(|why| match why {
        NoBelief::Failed(failure) => failure.into(),
        why => Failure::Input(format!("--agent: {why}")),
    })
}

/// Shares as text.
fn counted(beliefs: &Beliefs) -> String {
    let line = |Shares { spot, shares }: &Shares| {
        let name = |share: &fogtree_core::scene::Share| match share.token.name.as_str() {
            "" => share.token.label.clone(),
            name => name.to_string(),
        };
        let shares: Vec<String> =
            shares.iter().map(|share| format!("{} {:.0} %", name(share), 100.0 * share.share)).collect();
        format!("{spot}: {}\n", shares.join(", "))
    };
    let lines: String = beliefs.spots.iter().chain(&beliefs.zones).map(line).collect();
    if lines.is_empty() {
        return format!("all {} worlds look the same\n", beliefs.worlds);
    }
    format!("{} worlds; where they differ:\n{lines}", beliefs.worlds)
}

/// Writes a picture to the files that were asked for; answers whether any was.
pub(crate) fn write(picture: &Picture, scene: &Scene, beliefs: Option<&Beliefs>) -> Result<bool, Failure> {
    let theme = if picture.dark { Theme::Dark } else { Theme::Light };
    let drawn = svg(scene, &Drawing { theme, beliefs, ..Drawing::default() });
    if let Some(path) = &picture.svg {
        check_place("svg", path)?;
        write_whole(path, |out| out.write_all(drawn.as_bytes())).map_err(Failure::Run)?;
    }
    if let Some(path) = &picture.png {
        check_place("png", path)?;
        let bytes = png(&drawn)?;
        write_whole(path, |out| out.write_all(&bytes)).map_err(Failure::Run)?;
    }
    Ok(picture.svg.is_some() || picture.png.is_some())
}

#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, Failure> {
    fogtree_draw::to_png(svg).map_err(|why| Failure::Run(why.to_string()))
}

#[cfg(not(feature = "png"))]
fn png(_svg: &str) -> Result<Vec<u8>, Failure> {
    let why = "this program was built without PNG; build it with --features png, or write SVG";
    Err(Failure::Input(format!("--png: {why}")))
}
