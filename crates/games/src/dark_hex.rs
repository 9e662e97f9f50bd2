//! Dark Hex: Hex in which nobody sees the other's stones.
//!
//! On a board of hexagons in rows, each half a cell further to the right than the one above it, the first
//! player joins the top with the bottom, the second the left with the right. There is no draw. What is seen
//! and what becomes of failed attempts is as in all games of [`crate::dark`].

use fogtree_core::{About, BadSpec, Domain, Param, Params};

use crate::dark::{Dark, Hex, Turns};
use crate::grid::Grid;
use crate::reward::Reward;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "dark-hex",
    summary: "Hex in which nobody sees the other's stones; who tries a taken cell tries again or loses the turn",
    source: "Bedir, Solinas and Bowling 2022; as dark_hex in OpenSpiel",
    params: &[
        Param::new("rows", "3", Domain::Integer(2, 8), "rows, from top to bottom for the first player"),
        Param::new(
            "columns",
            "3",
            Domain::Integer(2, 8),
            "columns, from left to right for the second player",
        ),
        Turns::PARAM,
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "rows=2,columns=2",
};

/// The game a specification asks for.
pub fn from_params(params: &Params) -> Result<Dark<Hex>, BadSpec> {
    let (rows, columns) = (params.number("rows")?, params.number("columns")?);
    let goal = Hex::of(columns, rows);
    let reward = Reward::from_params(params)?;
    Ok(Dark::new(Grid::of_cells(columns, rows), goal, Turns::from_params(params)?, reward))
}
