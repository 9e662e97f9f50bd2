//! The pieces, and how they are set up.

use fogtree_core::{BadSpec, Params, Player, Rng};
use serde::{Deserialize, Serialize};

use super::{MOST_CELLS, Stratego};

/// What a piece is. A higher number beats a lower one, but for spies, miners and bombs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Kind {
    /// Never moves; who loses it loses the game.
    Flag,
    /// Beats the marshal when it attacks him.
    Spy,
    /// Moves any distance in a straight line.
    Scout,
    /// Takes bombs away.
    Miner,
    /// Rank 4.
    Sergeant,
    /// Rank 5.
    Lieutenant,
    /// Rank 6.
    Captain,
    /// Rank 7.
    Major,
    /// Rank 8.
    Colonel,
    /// Rank 9.
    General,
    /// Rank 10.
    Marshal,
    /// Never moves; beats whoever attacks it, but for miners.
    Bomb,
}

/// How many kinds there are.
pub(super) const KINDS: usize = 12;

impl Kind {
    /// All kinds, by number.
    pub const ALL: [Kind; KINDS] = [
        Kind::Flag,
        Kind::Spy,
        Kind::Scout,
        Kind::Miner,
        Kind::Sergeant,
        Kind::Lieutenant,
        Kind::Captain,
        Kind::Major,
        Kind::Colonel,
        Kind::General,
        Kind::Marshal,
        Kind::Bomb,
    ];

    const SYMBOLS: [u8; KINDS] = *b"FS23456789MB";

    /// The letter or digit by which setups name it.
    pub fn symbol(self) -> char {
        char::from(Kind::SYMBOLS[self as usize])
    }

    /// The kind with this letter or digit.
    pub fn parse(symbol: u8) -> Option<Kind> {
        Kind::SYMBOLS.iter().position(|s| *s == symbol).map(|i| Kind::ALL[i])
    }

    /// Its name.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Whether it ever moves.
    #[inline]
    pub fn moves(self) -> bool {
        !matches!(self, Kind::Flag | Kind::Bomb)
    }
}

/// What comes of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clash {
    /// The attacker takes the other's place.
    Wins,
    /// The attacker is lost.
    Loses,
    /// Both are lost.
    Both,
}

impl Clash {
    /// What comes of one kind attacking another.
    #[inline]
    pub fn of(attacker: Kind, defender: Kind) -> Clash {
        match (attacker, defender) {
            (_, Kind::Flag) | (Kind::Miner, Kind::Bomb) | (Kind::Spy, Kind::Marshal) => Clash::Wins,
            _ => match attacker.cmp(&defender) {
                std::cmp::Ordering::Greater => Clash::Wins,
                std::cmp::Ordering::Equal => Clash::Both,
                std::cmp::Ordering::Less => Clash::Loses,
            },
        }
    }
}

/// How many of each kind.
pub(super) type Counts = [u8; KINDS];

/// The forty pieces of the usual game.
const CLASSIC: Counts = [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6];

/// Which setups there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// All.
    Anywhere,
    /// Those with the flag in the last row.
    FlagAtTheBack,
}

/// Where a player's pieces stand at first: the home rows from the last to the foremost, 0 where nothing stands
/// and otherwise the kind plus 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    pub(super) who: Player,
    pub(super) home: [u8; MOST_CELLS / 2],
}

/// The names of the players.
pub(super) const SIDES: [&str; 2] = ["red", "blue"];

/// The army that the parameters ask for.
pub(super) fn army(params: &Params, squares: usize) -> Result<Counts, BadSpec> {
    let bad = || {
        let fits = format!("with one F and some other than F and B, and at most {squares} in all");
        params.bad("army", format!("classic, or a word of {}, {fits}", "F B S 2 3 4 5 6 7 8 9 M"))
    };
    let mut counts = CLASSIC;
    if params.text("army") != "classic" {
        counts = [0; KINDS];
        for symbol in params.text("army").bytes() {
            counts[Kind::parse(symbol).ok_or_else(bad)? as usize] += 1;
            if counts.iter().map(|n| usize::from(*n)).sum::<usize>() > squares {
                return Err(bad());
            }
        }
    }
    let all: usize = counts.iter().map(|n| usize::from(*n)).sum();
    let moving = counts[Kind::Spy as usize..Kind::Bomb as usize].iter().any(|n| *n > 0);
    if counts[0] == 1 && moving && all <= squares { Ok(counts) } else { Err(bad()) }
}

impl Stratego {
    /// The squares on which a player sets up.
    pub(super) fn home_squares(&self) -> usize {
        usize::from(self.columns) * usize::from(self.home)
    }

    /// The pieces of a player.
    pub(super) fn pieces(&self) -> impl Iterator<Item = Kind> {
        Kind::ALL
            .into_iter()
            .flat_map(|kind| std::iter::repeat_n(kind, usize::from(self.army[kind as usize])))
    }

    /// The cell of a square of a player's home, counted from its last row.
    pub(super) fn home_cell(&self, who: Player, square: usize) -> usize {
        let columns = usize::from(self.columns);
        let (row, column) = (square / columns, square % columns);
        let row = if who.0 == 0 { row } else { usize::from(self.rows) - 1 - row };
        row * columns + column
    }

    /// How many setups a player has.
    pub(super) fn setups(&self) -> f64 {
        let squares = self.home_squares();
        let (free, first) = match self.setup {
            Where::Anywhere => (squares, 1.0),
            Where::FlagAtTheBack => (squares - 1, f64::from(self.columns)),
        };
        let flags = usize::from(self.setup == Where::FlagAtTheBack);
        let pieces = self.pieces().count() - flags;
        let falling: f64 = (0..pieces).map(|i| (free - i) as f64).product();
        let alike = self.army.iter().skip(flags).flat_map(|&n| 1..=n).map(f64::from).product::<f64>();
        first * falling / alike
    }

    /// Every setup of a player.
    pub(super) fn all_setups(&self, who: Player) -> Vec<Setup> {
        let mut all = vec![Setup { who, home: [0; MOST_CELLS / 2] }];
        for (i, kind) in self.pieces().collect::<Vec<_>>().into_iter().enumerate() {
            let alike = (0..i).rev().take_while(|&j| self.pieces().nth(j) == Some(kind)).count();
            let mut longer = Vec::new();
            for setup in &all {
                // Pieces of one kind are put in rising order, so that no setup comes twice.
                let last = setup.home.iter().rposition(|k| *k == kind as u8 + 1).filter(|_| alike > 0);
                for square in last.map_or(0, |l| l + 1)..self.home_squares() {
                    if setup.home[square] == 0 && self.may_stand(kind, square) {
                        let mut next = *setup;
                        next.home[square] = kind as u8 + 1;
                        longer.push(next);
                    }
                }
            }
            all = longer;
        }
        all
    }

    fn may_stand(&self, kind: Kind, square: usize) -> bool {
        kind != Kind::Flag || self.setup == Where::Anywhere || square < usize::from(self.columns)
    }

    /// A setup, all equally likely.
    pub(super) fn draw_setup(&self, who: Player, rng: &mut Rng) -> Setup {
        if let Some(given) = self.given[who.index()] {
            return given;
        }
        let mut setup = Setup { who, home: [0; MOST_CELLS / 2] };
        let home = &mut setup.home[..self.home_squares()];
        for (square, kind) in home.iter_mut().zip(self.pieces()) {
            *square = kind as u8 + 1;
        }
        match self.setup {
            Where::Anywhere => rng.shuffle(home),
            Where::FlagAtTheBack => {
                // The flag comes first in the list; everybody else is shuffled, and then it changes places.
                rng.shuffle(&mut home[1..]);
                home.swap(0, rng.below(u32::from(self.columns)) as usize);
            }
        }
        setup
    }

    /// Whether a player may set up like this.
    pub(super) fn is_setup(&self, setup: &Setup) -> bool {
        let mut counts = [0; KINDS];
        for (square, &piece) in setup.home.iter().enumerate().filter(|(_, piece)| **piece > 0) {
            let Some(&kind) = Kind::ALL.get(usize::from(piece) - 1) else { return false };
            if square >= self.home_squares() || !self.may_stand(kind, square) {
                return false;
            }
            counts[kind as usize] += 1;
        }
        counts == self.army
    }

    /// The rows of a setup from the last to the foremost: `FB3M/....`.
    pub(super) fn setup_text(&self, setup: &Setup) -> String {
        let symbol = |piece: &u8| match piece.checked_sub(1) {
            None => '.',
            Some(kind) => Kind::ALL.get(usize::from(kind)).map_or('?', |kind| kind.symbol()),
        };
        let rows = setup.home[..self.home_squares()].chunks(usize::from(self.columns));
        let rows: Vec<String> = rows.map(|row| row.iter().map(symbol).collect()).collect();
        rows.join("/")
    }

    /// The setup written like this, if it is one.
    pub(super) fn parse_setup(&self, who: Player, text: &str) -> Option<Setup> {
        let mut setup = Setup { who, home: [0; MOST_CELLS / 2] };
        let rows: Vec<&str> = text.split('/').collect();
        let columns = usize::from(self.columns);
        if rows.len() != usize::from(self.home) || rows.iter().any(|row| row.len() != columns) {
            return None;
        }
        for (square, symbol) in rows.iter().flat_map(|row| row.bytes()).enumerate() {
            setup.home[square] = if symbol == b'.' { 0 } else { Kind::parse(symbol)? as u8 + 1 };
        }
        self.is_setup(&setup).then_some(setup)
    }

    /// The name of a setup, with whose it is.
    pub(super) fn setup_name(&self, setup: &Setup) -> String {
        format!("{}:{}", SIDES[setup.who.index()], self.setup_text(setup))
    }

    /// The setup of this name.
    pub(super) fn parse_setup_name(&self, name: &str) -> Option<Setup> {
        let (side, rows) = name.split_once(':')?;
        let who = SIDES.iter().position(|s| *s == side)?;
        self.parse_setup(Player(who as u8), rows)
    }
}
