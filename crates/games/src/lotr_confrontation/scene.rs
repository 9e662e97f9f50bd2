//! The Confrontation as a picture: the map with Mordor at the top, all characters, the cards, and the combat.

use fogtree_core::scene::{
    Board, Cards as Row, Entry, Ground, Lattice, Look, Scene, Spread, Table, Token, Zone,
};
use fogtree_core::{Observer, Player};

use super::combat::{Fight, Played};
use super::map::{Region, count_at, nonzero, regions_of};
use super::pieces::{Card, Cards, Character, EACH, LIGHT, cards_of};
use super::words::SIDES;
use super::{Action, Board as Position, Confrontation, DEAD, Info, Phase, State, Worlds};
use crate::words::counted;

/// What is drawn: the position, and what can be said of the pieces in it that are hidden.
struct View<'a> {
    by: Observer,
    board: &'a Position,
    hidden: Option<Worlds>,
}

pub(super) fn known(rules: &Confrontation, k: &Info) -> Scene {
    rules.draw(&View { by: k.by, board: &k.board, hidden: Some(Worlds::of(rules, k)) })
}

pub(super) fn whole(rules: &Confrontation, s: &State) -> Scene {
    rules.draw(&View { by: Observer::Public, board: &s.board, hidden: None })
}

/// Where a piece stands, the piece if others stand there too, and where it goes; or a region, or a card.
pub(super) fn touched(rules: &Confrontation, k: &Info, action: Action) -> Vec<String> {
    let region = |region: Region| format!("map/{}", rules.map.name(region));
    let side = k.by.seat().map_or(0, |p| p.index().min(1));
    match action {
        Action::Move(c, from, to) if count_at(k.board.counts[side], from) > 1 => {
            vec![region(from), format!("pieces/{}", c.name()), region(to)]
        }
        Action::Move(_, from, to) => vec![region(from), region(to)],
        Action::Retreat(to) => vec![region(to)],
        Action::Play(card) => vec![format!("{}-cards/{}", SIDES[side], card.name())],
        Action::Become(card) => vec![format!("{}-played/{}", SIDES[side], card.name())],
        _ => Vec::new(),
    }
}

/// A name of moves as people write it: `Gap of Rohan`.
fn title(name: &str) -> String {
    let word = |word: &str| match word {
        "of" => "of".to_string(),
        word => word[..1].to_uppercase() + &word[1..],
    };
    name.split('-').map(word).collect::<Vec<_>>().join(" ")
}

fn side_name(who: Player) -> &'static str {
    if who == LIGHT { "Light" } else { "Dark" }
}

impl Confrontation {
    fn draw(&self, view: &View<'_>) -> Scene {
        let board = Zone::board("map", self.map_of(view)).titled("Middle-earth");
        let pieces = Zone::table("pieces", self.piece_table(view)).titled("Characters").beside();
        let mut scene = Scene::new(self.caption(view)).with(board).with(pieces);
        if let Some((title, cards)) = self.combat(view.board.phase) {
            scene = scene.with(Zone::cards("combat", cards).titled(title));
        }
        // The observer's own cards come last, where a hand is looked for.
        let first = view.by.seat().map_or(0, |p| 1 - p.index().min(1));
        for side in [first, 1 - first] {
            let who = Player(side as u8);
            let whose = if view.by.is(who) { "Your".to_string() } else { format!("{}'s", side_name(who)) };
            let (hand, deck) = (view.board.hands[side], self.decks[side]);
            let zone = |name: &str, set: Cards, title: String| {
                Zone::cards(format!("{}-{name}", SIDES[side]), laid_out(set, side)).titled(title).of(who)
            };
            scene = scene.with(zone("cards", hand, format!("{whose} cards")));
            if hand != deck {
                scene = scene
                    .with(zone("played", deck & !hand, format!("{whose} cards already played")).beside());
            }
        }
        scene.with(Zone::text("ways", self.ways_in_words()))
    }

    /// The regions as hexagons: a piece goes to one of the two ahead.
    fn map_of(&self, view: &View<'_>) -> Board {
        let rows = self.map.rows();
        let side = rows.len() / 2 + 1;
        // Every other row is drawn half a cell to the right: the widest row tells how many columns that takes.
        let columns = side + (side - 1) % 2;
        let mut board = Board::new(columns, rows.len(), |_, _| String::new());
        board.lattice = Lattice::Hexagons;
        board.cells.iter_mut().for_each(|cell| cell.ground = Ground::None);
        for (r, row) in rows.iter().enumerate() {
            let y = rows.len() - 1 - r;
            let start = (columns - row.len() - y % 2) / 2;
            for (i, &region) in row.iter().enumerate() {
                let name = self.map.name(region);
                let cell = board.cell(start + i, y);
                cell.place = name.to_string();
                cell.noted(title(name)).made_of(match name {
                    "shire" => Ground::Goal,
                    "mordor" => Ground::Marked,
                    "mirkwood" | "fangorn" => Ground::Forest,
                    _ if row.len() == side && side > 2 => Ground::Mountain,
                    _ => Ground::Grass,
                });
                cell.tokens = self.tokens(view, region);
            }
        }
        board
    }

    /// Who stands in a region: those that can be named, and a question mark for each of the others.
    fn tokens(&self, view: &View<'_>, region: Region) -> Vec<Token> {
        let mut tokens = Vec::new();
        for side in 0..2 {
            let named = |c: &&Character| self.must_be_at(view, **c) == Some(region);
            let before = tokens.len();
            tokens.extend(Character::of(side).iter().filter(named).map(|&c| token(c)));
            let all = usize::from(count_at(view.board.counts[side], region));
            let rest = (before + all).saturating_sub(tokens.len());
            let who = Player(side as u8);
            let unknown = Token::unknown().of(who).named(format!("hidden piece of {}", side_name(who)));
            tokens.extend(std::iter::repeat_n(unknown, rest));
        }
        tokens
    }

    /// The regions where a character may be, if the observer can tell it from others.
    fn may_be_at(&self, view: &View<'_>, c: Character) -> Option<u64> {
        if view.board.lives(c) {
            return Some(view.board.region(c).bit());
        }
        let hidden = view.hidden.as_ref().and_then(|worlds| worlds.side(c.side()))?;
        let regions = hidden.possible(c as usize % EACH)?;
        // Frodo is always told apart; that he may be anywhere is no news.
        (regions != nonzero(view.board.counts[c.side()])).then_some(regions)
    }

    fn must_be_at(&self, view: &View<'_>, c: Character) -> Option<Region> {
        let mut regions = regions_of(self.may_be_at(view, c)?);
        regions.next().filter(|_| regions.next().is_none())
    }

    fn piece_table(&self, view: &View<'_>) -> Table {
        let mut table = Table::headed(["character", "strength", "power", "where"]);
        for side in 0..2 {
            for &c in Character::of(side).iter().filter(|c| self.listed[side].contains(c)) {
                let fallen = view.board.at[c as usize] == DEAD;
                let place = match self.may_be_at(view, c) {
                    _ if fallen => "fallen".to_string(),
                    None => "hidden".to_string(),
                    Some(regions) => {
                        let names = regions_of(regions).map(|r| title(self.map.name(r)));
                        let names: Vec<String> = names.collect();
                        if names.len() > 3 {
                            format!("one of {} regions", names.len())
                        } else {
                            names.join(" or ")
                        }
                    }
                };
                let mut name = Entry::from(title(c.name())).of(c.owner()).at(c.name());
                name.tokens.extend(fallen.then(|| token(c).pale_if(true)));
                table.row([name, c.strength().to_string().into(), power(c).into(), place.into()]);
            }
        }
        table
    }

    /// The two who fight, with the cards that lie open.
    fn combat(&self, phase: Phase) -> Option<(String, Row)> {
        let (fight, played): (Fight, Played) = match phase {
            Phase::Saruman(f) | Phase::Answer(f) | Phase::Cards(f) | Phase::DarkFirst(f) => (f, [None; 2]),
            Phase::Withdraw(_, f) => (f, [None; 2]),
            Phase::LightSecond(f, dark) => (f, [None, Some(dark)]),
            Phase::Magic(_, f, played) => (f, played),
            _ => return None,
        };
        let mut row = Row::new(Spread::Row);
        for (side, fighter) in [fight.light, fight.dark].into_iter().enumerate() {
            row.put_noted(SIDES[side], token(fighter), title(fighter.name()));
            if let Some(card) = played[side] {
                let note = format!("played by {}", side_name(Player(side as u8)));
                row.put_noted(format!("{}-card", SIDES[side]), card_token(card, side), note);
            }
        }
        Some((format!("Combat in {}", title(self.map.name(fight.at))), row))
    }

    fn ways_in_words(&self) -> String {
        let mut text = "Light goes up and Dark goes down, to one of the two regions ahead. \
                        Homes hold four pieces of a side, mountains one, other regions two."
            .to_string();
        if self.map.tunnel.is_some() {
            text += "\nLight alone goes down the river, from Mirkwood to Fangorn and from there to Rohan, and through \
                     the tunnel from Eregion to Fangorn, where the Balrog strikes if he is in Moria.";
        }
        text
    }

    fn caption(&self, view: &View<'_>) -> String {
        let you = view.by.seat().map(|own| format!("You are {}.", side_name(own)));
        let said = self.what_is_asked(view);
        let left = self.turns - view.board.turns.min(self.turns);
        let soon = left <= 10 && !matches!(view.board.phase, Phase::Over(_));
        let soon = soon.then(|| format!("{} left before a draw.", counted(left, "move")));
        you.into_iter().chain([said]).chain(soon).collect::<Vec<_>>().join(" ")
    }

    fn what_is_asked(&self, view: &View<'_>) -> String {
        let fighters = |f: &Fight| {
            let (attacker, defender) = if f.by == LIGHT { (f.light, f.dark) } else { (f.dark, f.light) };
            let names = [attacker, defender].map(|c| title(c.name()));
            format!("{} attacks {} in {}", names[0], names[1], title(self.map.name(f.at)))
        };
        let own = |who: Player| view.by.is(who);
        let asks = |who: Player, what: &str| {
            if own(who) { format!("You {what}.") } else { format!("{} is to choose.", side_name(who)) }
        };
        let [light, dark] = [Player(0), Player(1)];
        match view.board.phase {
            Phase::Setup(who) => format!("{} sets up in secret.", side_name(who)),
            Phase::Move(who) if own(who) => {
                "Your turn: move a piece forward; onto enemies, it attacks.".to_string()
            }
            Phase::Move(who) => format!("{} to move.", side_name(who)),
            Phase::Tunnel => {
                format!("A piece is in the tunnel. {}", asks(dark, "may strike if the Balrog is in Moria"))
            }
            Phase::Reveal(attack) => {
                let at = title(self.map.name(attack.at));
                format!("{} attacks {at}; who defends is drawn.", side_name(attack.by))
            }
            Phase::Saruman(f) => format!("{}. {}", fighters(&f), asks(dark, "may forbid cards")),
            Phase::Answer(f) => format!("{}. {}", fighters(&f), asks(light, "may stand or retreat")),
            Phase::Cards(f) => {
                let all = if view.by.seat().is_some() { "Choose your card." } else { "Both choose a card." };
                format!("{}. {all}", fighters(&f))
            }
            Phase::DarkFirst(f) => format!("{}. {}", fighters(&f), asks(dark, "show your card first")),
            Phase::LightSecond(f, card) => {
                let card = title(card.name());
                format!("{}. Dark plays {card}. {}", fighters(&f), asks(light, "answer with a card"))
            }
            Phase::Magic(who, f, _) => {
                format!("{}. {}", fighters(&f), asks(who, "choose which played card Magic becomes"))
            }
            Phase::Withdraw(who, f) => {
                format!("{}. {}", fighters(&f), asks(who, "choose where to retreat to"))
            }
            Phase::Over(None) => "A draw.".to_string(),
            Phase::Over(Some(who)) => format!("{}{} has won.", self.reason(view.board, who), side_name(who)),
        }
    }

    fn reason(&self, b: &Position, winner: Player) -> &'static str {
        let shire = count_at(b.counts[1], self.map.home(0));
        match () {
            () if winner == LIGHT && b.counts[1] == 0 => "No Dark piece is left: ",
            () if winner == LIGHT => "",
            () if b.at[Character::Frodo as usize] == DEAD => "Frodo has fallen: ",
            () if shire >= self.shire => "Dark has reached the Shire: ",
            () => "",
        }
    }
}

fn token(c: Character) -> Token {
    const LABELS: [&str; 2 * EACH] = [
        "Fro", "Sam", "Mer", "Pip", "Gan", "Ara", "Leg", "Gim", "Bor", "Orc", "She", "Sar", "Naz", "Bal",
        "War", "Rid", "Wit", "Tro",
    ];
    let look = Look::Unit { hit_points: c.strength() };
    Token::new(look).of(c.owner()).labelled(LABELS[c as usize]).named(title(c.name()))
}

fn card_token(card: Card, side: usize) -> Token {
    let label = match card {
        Card::NobleSacrifice => "sac",
        Card::ElvenCloak => "clk",
        Card::EyeOfSauron => "eye",
        Card::Retreat => "ret",
        Card::Magic => "mag",
        number => number.name(),
    };
    Token::card(label, None).of(Player(side as u8)).named(title(card.name()))
}

fn laid_out(cards: Cards, side: usize) -> Row {
    let mut row = Row::new(Spread::Row);
    for card in cards_of(cards) {
        let note = if card.is_text() { title(card.name()) } else { String::new() };
        row.put_noted(card.name(), card_token(card, side), note);
    }
    row
}

/// The text on a piece.
fn power(c: Character) -> &'static str {
    match c {
        Character::Frodo => "attacked: may retreat sideways",
        Character::Sam => "5 with Frodo, may replace him",
        Character::Merry => "defeats the Witch King",
        Character::Pippin => "attacking: may retreat backwards",
        Character::Gandalf => "Dark plays its card first",
        Character::Aragorn => "attacks any region next to his",
        Character::Legolas => "defeats the Flying Nazgul",
        Character::Gimli => "defeats the Orcs",
        Character::Boromir => "falls, and the enemy with him",
        Character::Orcs => "attacking: defeat the first they meet",
        Character::Shelob => "returns to Gondor after a victory",
        Character::Saruman => "may forbid cards",
        Character::FlyingNazgul => "attacks any single piece",
        Character::Balrog => "in Moria: strikes in the tunnel",
        Character::Warg => "the enemy has no power",
        Character::BlackRider => "attacks over any distance ahead",
        Character::WitchKing => "attacks sideways",
        Character::CaveTroll => "Dark's card counts for nothing",
    }
}
