//! Colours by light and by dark.

use fogtree_core::Player;
use fogtree_core::scene::{Ground, Tint};

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark on white.
    #[default]
    Light,
    /// Light on black.
    Dark,
}

/// The colours of a theme.
#[derive(Debug)]
pub(crate) struct Colours {
    pub(crate) paper: &'static str,
    pub(crate) ink: &'static str,
    pub(crate) grey: &'static str,
    pub(crate) line: &'static str,
    pub(super) card: &'static str,
    pub(super) back: &'static str,
    pub(super) red: &'static str,
    pub(super) changed: &'static str,
    pub(crate) selectable: &'static str,
    players: [&'static str; 6],
    grounds: [&'static str; 13],
    pub(super) edges: [&'static str; 5],
}

static LIGHT: Colours = Colours {
    paper: "#ffffff",
    ink: "#1f2328",
    grey: "#59636e",
    line: "#b9c0c8",
    card: "#fffdf7",
    back: "#5b7fa6",
    red: "#c0262d",
    changed: "#b8860b",
    selectable: "#0072b2",
    players: ["#0072b2", "#d55e00", "#00875f", "#b0578d", "#a87300", "#3487b8"],
    grounds: [
        "#f1ead9", "#d6c39b", "#dcebc6", "#a9cf97", "#cdbfae", "#eadfc2", "#b5daf2", "#e0cfe8", "#6b7078",
        "#c9ced6", "#f4cfc6", "#f7eaa8", "none",
    ],
    edges: ["#8c8c8c", "#009e73", "#d55e00", "#3487b8", "#b0578d"],
};

static DARK: Colours = Colours {
    paper: "#0f141a",
    ink: "#e6edf3",
    grey: "#9aa4af",
    line: "#4a535d",
    card: "#e9e4d8",
    back: "#3d5a80",
    red: "#b3202a",
    changed: "#ffd166",
    selectable: "#6cc3ff",
    players: ["#3d9fe0", "#f08030", "#25b88a", "#d98bba", "#e6ac2e", "#7cc7ee"],
    grounds: [
        "#3b4048", "#2a2e35", "#37502d", "#24482b", "#5a4f43", "#544e3f", "#1f4666", "#503f5b", "#9097a0",
        "#20242a", "#66362d", "#645a22", "none",
    ],
    edges: ["#8c949d", "#25b88a", "#f08030", "#6cc3ff", "#d98bba"],
};

impl Theme {
    pub(crate) fn colours(self) -> &'static Colours {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

/// A colour that the rules name, and what is written on it.
pub(super) fn tint(tint: Tint) -> (&'static str, &'static str) {
    match tint {
        Tint::Black => ("#2b2b2b", "#fff"),
        Tint::White => ("#f7f4ec", "#111"),
        Tint::Gold => ("#dcae2f", "#111"),
        Tint::Silver => ("#b8bfc7", "#111"),
        Tint::Red => ("#c8322b", "#fff"),
        Tint::Blue => ("#0072b2", "#fff"),
        Tint::Green => ("#00875f", "#fff"),
    }
}

impl Colours {
    pub(super) fn player(&self, player: Player) -> &'static str {
        self.players[player.index() % self.players.len()]
    }

    pub(super) fn ground(&self, ground: Ground) -> &'static str {
        self.grounds[match ground {
            Ground::Plain => 0,
            Ground::Dark => 1,
            Ground::Grass => 2,
            Ground::Forest => 3,
            Ground::Mountain => 4,
            Ground::Road => 5,
            Ground::Water => 6,
            Ground::Fort => 7,
            Ground::Wall => 8,
            Ground::Fog => 9,
            Ground::Marked => 10,
            Ground::Goal => 11,
            Ground::None => 12,
        }]
    }
}
