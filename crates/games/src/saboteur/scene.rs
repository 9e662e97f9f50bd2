//! Saboteur as a picture: the mine, the players with their tools, and cards.

use fogtree_core::scene::{Board, Cards, Entry, Ground, Look, Scene, Spread, Table as Facts, Token, Zone};
use fogtree_core::{Observer, Player};

use super::board::{COLUMNS, Cells, ROWS, START, cell};
use super::cards::{
    self, BROKEN, DOUBLE_REPAIR, Hand, Kind, Openings, PATHS, REPAIR, ROCKFALL, TOOLS, UNSEEN,
};
use super::notation::cell_name;
use super::{Action, FACE_DOWN, GOLD, Info, NO_GOAL, Saboteur, State, Table};
use crate::words;

/// What is drawn, as far as the observer knows it.
struct View<'a> {
    by: Observer,
    table: &'a Table,
    /// Whether each player is a saboteur.
    saboteurs: Vec<Option<bool>>,
    goals: [u8; 3],
    /// The hands that are known.
    hands: Vec<(Player, Hand)>,
    used: &'a [u8],
    /// Whether roles and goals are dealt.
    dealt: bool,
}

pub(super) fn known(game: &Saboteur, k: &Info) -> Scene {
    let own = |p: Player| k.saboteur.filter(|_| k.by.is(p));
    game.draw(&View {
        by: k.by,
        table: &k.table,
        saboteurs: Player::all(game.players).map(own).collect(),
        goals: k.goals,
        hands: k.by.seat().zip(k.hand).into_iter().collect(),
        used: &k.used,
        dealt: k.dealt && k.laid,
    })
}

pub(super) fn whole(game: &Saboteur, s: &State) -> Scene {
    let players = Player::all(game.players);
    game.draw(&View {
        by: Observer::Public,
        table: &s.table,
        saboteurs: players.clone().map(|p| s.saboteurs.map(|set| set >> p.0 & 1 == 1)).collect(),
        goals: s.goals,
        hands: players.map(|p| (p, s.hands[p.index()])).collect(),
        used: &s.used,
        dealt: s.saboteurs.is_some() && s.goals[0] != NO_GOAL,
    })
}

/// A card of the hand, upright or upside down, then where it goes.
pub(super) fn touched(game: &Saboteur, k: &Info, action: Action) -> Vec<String> {
    let Some(own) = k.by.seat() else { return Vec::new() };
    let turned = matches!(action, Action::Lay { turned: true, .. });
    let hand = if turned { "turned".to_string() } else { format!("hand-{own}") };
    let target = match action {
        Action::Lay { at, .. } | Action::Rockfall { at } => format!("mine/{}", cell_name(at)),
        Action::Look { goal } => format!("mine/{}", cell_name(game.goals[usize::from(goal)])),
        Action::Break { tool, whose } | Action::Repair { tool, whose, .. } => {
            format!("players/{}-{whose}", TOOLS[usize::from(tool)])
        }
        Action::Discard { .. } => "away/heap".to_string(),
    };
    vec![format!("{hand}/{}", cards::name(action.card())), target]
}

impl Saboteur {
    fn draw(&self, view: &View<'_>) -> Scene {
        let stock = self.cards - usize::from(view.table.drawn);
        let away = view.used.iter().filter(|card| *card & FACE_DOWN != 0).count();
        let mut heap = Board::track(["heap".to_string()]);
        if away > 0 {
            heap.cell(0, 0).put(Token::back().named(words::counted(away as u64, "card") + " face down"));
        }
        let mut scene = Scene::new(self.caption(view))
            .with(
                Zone::board("mine", self.mine(view))
                    .titled(format!("The mine: from the start at {} to the goals", cell_name(START))),
            )
            .with(Zone::table("players", self.player_table(view)).titled("Players"))
            .with(
                Zone::cards("stock", Cards::backs(Spread::Pile, stock))
                    .titled(format!("Stock: {stock}"))
                    .beside(),
            )
            .with(Zone::board("away", heap).titled(format!("Put away: {away}")).beside());
        for (p, hand) in &view.hands {
            let own = view.by.is(*p);
            let title = if own { "Your hand".to_string() } else { format!("Hand of player {p}") };
            let zone = Zone::cards(format!("hand-{p}"), hand_of(hand, false)).titled(title).of(*p);
            scene = scene.with(zone);
            if own && hand.iter().any(|kind| kind < PATHS && cards::ways(kind).len() > 1) {
                let title = "Your tunnels, turned upside down";
                scene = scene.with(Zone::cards("turned", hand_of(hand, true)).titled(title).of(*p));
            }
        }
        scene
    }

    fn mine(&self, view: &View<'_>) -> Board {
        let shown = Cells(self.table.0 | self.goal_cells.0 | 1 << START);
        let columns: Vec<usize> =
            (0..COLUMNS).filter(|&c| (0..ROWS).any(|row| shown.has(cell(c, row)))).collect();
        let rows: Vec<usize> =
            (0..ROWS).rev().filter(|&row| columns.iter().any(|&c| shown.has(cell(c, row)))).collect();
        let mut board = Board::new(columns.len(), rows.len(), |x, y| cell_name(cell(columns[x], rows[y])));
        board.below = columns.iter().map(|&c| char::from(b'a' + c as u8).to_string()).collect();
        board.left = rows.iter().map(|row| (row + 1).to_string()).collect();
        for (y, &row) in rows.iter().enumerate() {
            for (x, &column) in columns.iter().enumerate() {
                let at = cell(column, row);
                let drawn = board.cell(x, y);
                if !shown.has(at) {
                    drawn.made_of(Ground::None).place.clear();
                    continue;
                }
                let goal = self.goals.iter().position(|&g| g == at).map(|i| view.goals[i]);
                let laid = &view.table.board;
                if laid.cards.has(at) {
                    let tunnel = tunnel(laid.openings(at), laid.dead.has(at));
                    let cut_off = !laid.reach.has(at) && !laid.dead.has(at);
                    drawn.put(tunnel.pale_if(cut_off)).made_of(Ground::Dark);
                }
                match goal {
                    _ if at == START => drawn.made_of(Ground::Marked),
                    Some(GOLD) if laid.cards.has(at) => {
                        drawn.made_of(Ground::Goal).put(Token::new(Look::Coin).named("the gold"))
                    }
                    Some(_) if laid.cards.has(at) => drawn.made_of(Ground::Goal),
                    Some(card) => drawn.made_of(Ground::Goal).put(goal_token(card)),
                    None => drawn,
                };
            }
        }
        board
    }

    fn player_table(&self, view: &View<'_>) -> Facts {
        let mut table =
            Facts::headed(["player", "role", "pick", "lamp", "cart", "has looked at", "cards", "last turn"]);
        for p in Player::all(self.players) {
            let i = p.index();
            let (role, token) = match view.saboteurs[i] {
                None => ("unknown", Token::unknown()),
                Some(true) => ("saboteur", Token::new(Look::Cross)),
                Some(false) => ("digger", Token::new(Look::Disc)),
            };
            let role = Entry::from(role).with(token.named(format!("player {p}: {role}")));
            let row = table.row([
                Entry::from(words::title(p, view.by)).of(p).at(p.to_string()),
                role.at(format!("role-{p}")),
            ]);
            for (tool, name) in TOOLS.iter().enumerate() {
                let broken = view.table.broken[i] >> tool & 1 == 1;
                row.push(Entry::from(if broken { "broken" } else { "-" }).at(format!("{name}-{p}")));
            }
            let looked = self.goals.iter().enumerate().filter(|(g, _)| view.table.looked[i] >> g & 1 == 1);
            let looked: Vec<String> = looked.map(|(_, &at)| cell_name(at)).collect();
            row.push(looked.join(", ").into());
            row.push(self.hand_size(view, i).to_string().into());
            let mut turns = (i..view.used.len()).step_by(self.players);
            row.push(turns.next_back().map_or_else(String::new, |turn| turn_words(view.used[turn])).into());
        }
        table
    }

    /// How many cards a player holds: it was dealt some, uses one a turn, and draws another while there are any.
    fn hand_size(&self, view: &View<'_>, seat: usize) -> usize {
        let drawn = usize::from(view.table.drawn);
        let dealt = drawn.min(self.players * self.hand);
        let turns = (seat..view.used.len()).step_by(self.players);
        let drew = turns.clone().filter(|turn| dealt + turn < drawn).count();
        (dealt + self.players - 1 - seat) / self.players + drew - turns.count()
    }

    fn caption(&self, view: &View<'_>) -> String {
        let mut said = Vec::new();
        if let Some(saboteur) = view.by.seat().and_then(|own| view.saboteurs[own.index()]) {
            said.push(if saboteur { "You are a saboteur." } else { "You are a digger." }.to_string());
        }
        let found = |(at, card): (&u8, u8)| card == GOLD && view.table.board.cards.has(*at);
        let to_draw = self.drawer(view.table.drawn.into(), view.used.len());
        said.push(if !view.dealt {
            "Roles and goals are being dealt.".to_string()
        } else if self.goals.iter().zip(view.goals).any(found) {
            "The tunnel has reached the gold: the diggers have won.".to_string()
        } else if let Some(who) = to_draw {
            format!("{} a card.", words::capital(&words::does(who, view.by, "draws")))
        } else if view.used.len() == self.cards {
            "All cards are used and the gold is not found: the saboteurs have won.".to_string()
        } else {
            let who = Player((view.used.len() % self.players) as u8);
            let broken = view.table.broken[who.index()] != 0;
            match (view.by.is(who), broken) {
                (false, _) => words::asked(who, view.by, "move"),
                (true, false) => "Your turn: play a card, or put one away.".to_string(),
                (true, true) => {
                    "Your turn: play a card, or put one away. You dig no tunnel with a broken tool."
                        .to_string()
                }
            }
        });
        said.join(" ")
    }
}

fn turn_words(used: u8) -> String {
    match used & !FACE_DOWN {
        _ if used == FACE_DOWN | UNSEEN => "put a card away".to_string(),
        kind if used & FACE_DOWN != 0 => format!("put away: {}", card_words(kind)),
        kind => card_words(kind),
    }
}

fn goal_token(card: u8) -> Token {
    match card {
        NO_GOAL => Token::back().named("goal card, face down"),
        GOLD => Token::card("gold", None).named("gold, still face down"),
        _ => Token::card("rock", None).named("stone, still face down"),
    }
}

fn sides(open: Openings) -> [bool; 4] {
    [0, 1, 2, 3].map(|side| open >> side & 1 == 1)
}

fn tunnel(open: Openings, dead: bool) -> Token {
    let names = ["north", "east", "south", "west"].into_iter().zip(sides(open)).filter(|(_, open)| *open);
    let names: Vec<&str> = names.map(|(name, _)| name).collect();
    let kind = if dead { "dead ends" } else { "tunnel" };
    Token::new(Look::Tunnel { open: sides(open), joined: !dead })
        .named(format!("{kind} to {}", names.join(", ")))
}

/// A hand; or only those of its path cards that look different upside down, and so.
fn hand_of(hand: &Hand, turned: bool) -> Cards {
    let mut shown = Cards::new(Spread::Row);
    let (mut last, mut copies) = (None, 1);
    for kind in hand.iter().filter(|&kind| !turned || kind < PATHS && cards::ways(kind).len() > 1) {
        copies = if last == Some(kind) { copies + 1 } else { 1 };
        last = Some(kind);
        let name = cards::name(kind);
        let place = if copies > 1 { format!("{name}-{copies}") } else { name };
        let note = if kind < PATHS { String::new() } else { card_words(kind) };
        shown.put_noted(place, card_token(kind, turned), note);
    }
    shown
}

fn card_token(kind: Kind, turned: bool) -> Token {
    let label = match kind {
        0..PATHS => return tunnel(cards::openings(kind, turned), cards::is_dead_end(kind)),
        BROKEN..REPAIR => "✗",
        REPAIR..ROCKFALL => "✓",
        ROCKFALL => "rock",
        _ => "map",
    };
    Token::card(label, None).named(card_words(kind))
}

fn card_words(kind: Kind) -> String {
    match kind {
        0..PATHS => tunnel(cards::openings(kind, false), cards::is_dead_end(kind)).name,
        BROKEN..REPAIR => format!("break {}", TOOLS[usize::from(kind - BROKEN)]),
        REPAIR..DOUBLE_REPAIR => format!("repair {}", TOOLS[usize::from(kind - REPAIR)]),
        DOUBLE_REPAIR..ROCKFALL => {
            let tools = TOOLS.iter().enumerate().filter(|(t, _)| cards::mends(kind) >> t & 1 == 1);
            format!("repair {}", tools.map(|(_, name)| *name).collect::<Vec<_>>().join(" or "))
        }
        _ => cards::name(kind),
    }
}
