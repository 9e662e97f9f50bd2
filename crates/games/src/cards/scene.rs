//! Cards and rounds of tricks as pictures.
//!
//! Scenes of trick-taking games share their zones: `trick`; `hand0`, `hand1`, ... with cards under their names; and
//! `cards`, which says of every card who has or had it. Beliefs are best read off the latter.

use fogtree_core::scene::{self, Board, Ground, Look, Scene, Spread, Token, Zone};
use fogtree_core::{Observer, Player};

use super::{Card, Cards, RANK_LETTERS, RANKS, Round, Suit, TrickRules};
use crate::words::{asked, counted, name};

/// A rank by its letter, in words.
pub(crate) fn rank_word(letter: char) -> &'static str {
    match letter {
        '2' => "two",
        '3' => "three",
        '4' => "four",
        '5' => "five",
        '6' => "six",
        '7' => "seven",
        '8' => "eight",
        '9' => "nine",
        'T' => "ten",
        'J' => "jack",
        'Q' => "queen",
        'K' => "king",
        'A' => "ace",
        'B' => "black joker",
        'R' => "red joker",
        _ => "card",
    }
}

/// A rank by its letter, as it is written on cards.
pub(crate) fn rank_label(letter: char) -> String {
    if letter == 'T' { "10".to_string() } else { letter.to_string() }
}

/// A card of which the suit does not matter.
pub(crate) fn rank_token(letter: char) -> Token {
    Token::card(rank_label(letter), None).named(rank_word(letter))
}

impl Suit {
    pub(crate) fn drawn(self) -> scene::Suit {
        match self {
            Suit::Clubs => scene::Suit::Clubs,
            Suit::Diamonds => scene::Suit::Diamonds,
            Suit::Hearts => scene::Suit::Hearts,
            Suit::Spades => scene::Suit::Spades,
        }
    }
}

impl Card {
    fn letter(self) -> char {
        char::from(RANK_LETTERS[self.rank()])
    }

    /// The card in words: `queen of spades`.
    pub(crate) fn words(self) -> String {
        format!("{} of {}", rank_word(self.letter()), self.suit().name())
    }

    /// The card face up.
    pub(crate) fn token(self) -> Token {
        Token::card(rank_label(self.letter()), Some(self.suit().drawn())).named(self.words())
    }
}

impl Cards {
    /// The cards side by side, under their names.
    pub(crate) fn laid(self, spread: Spread) -> scene::Cards {
        let mut cards = scene::Cards::new(spread);
        self.iter().for_each(|card| cards.put(card.to_string(), card.token()));
        cards
    }
}

/// The spot of a card in a player's hand.
pub(crate) fn in_hand(of: Player, card: Card) -> String {
    format!("hand{of}/{card}")
}

/// What is drawn of a round of tricks.
pub(crate) struct Shown<'a, const N: usize> {
    /// The round without what must not be shown.
    pub(crate) round: &'a Round<N>,
    pub(crate) players: usize,
    /// How many cards every player was dealt; 0 before the deal.
    pub(crate) dealt: usize,
    pub(crate) deck: Cards,
    /// Whose eyes it is seen with.
    pub(crate) by: Observer,
    /// Whether every hand lies open.
    pub(crate) open: bool,
}

impl<const N: usize> Shown<'_, N> {
    /// The seats, the observer's own first and the others in turn after it.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Player> + use<N> {
        let (first, players) = (self.by.seat().map_or(0, Player::index), self.players);
        (0..players).map(move |i| Player(((first + i) % players) as u8))
    }

    /// How many cards a player has left.
    pub(crate) fn left(&self, p: Player) -> usize {
        self.dealt.saturating_sub((self.round.held[p] & self.round.played).len())
    }

    /// The trick that is being played, with who played what.
    pub(crate) fn trick(&self) -> Zone {
        let mut cards = scene::Cards::new(Spread::Row);
        for (p, card) in self.round.in_order(self.players) {
            cards.put_noted(p.to_string(), card.token(), name(p, self.by));
        }
        Zone::cards("trick", cards).titled("Trick")
    }

    /// A player's hand without `apart`: cards that are known lie face up.
    pub(crate) fn hand(&self, p: Player, apart: Cards) -> Zone {
        let known = self.round.hand(p);
        let spread = if known.is_empty() { Spread::Pile } else { Spread::Fan };
        let mut cards = (known - apart).laid(spread);
        for i in 0..self.left(p).saturating_sub(known.len()) {
            cards.put(i.to_string(), Token::back());
        }
        let title = match self.by.is(p) {
            true => "Your hand".to_string(),
            false => format!("Player {p}: {}", counted(cards.cards.len() as u64, "card")),
        };
        Zone::cards(format!("hand{p}"), cards).titled(title).of(p)
    }

    /// The scene with every hand, the observer's own first.
    pub(crate) fn hands(&self, scene: Scene) -> Scene {
        self.seats().fold(scene, |scene, p| scene.with(self.placed(p, self.hand(p, Cards::NONE))))
    }

    /// The zone of a player's hand in its place: hands that are hidden stand side by side.
    pub(crate) fn placed(&self, p: Player, hand: Zone) -> Zone {
        let first = self.seats().find(|&p| !self.by.is(p)) == Some(p);
        if self.open || self.by.is(p) || first { hand } else { hand.beside() }
    }

    /// Every card of the deck, with the number of who has it, or pale of who has played it; `turned` lies open.
    pub(crate) fn whereabouts(&self, turned: Option<Card>) -> Zone {
        let ranks: Vec<usize> =
            (0..RANKS).filter(|&r| Suit::ALL.iter().any(|&s| self.deck.contains(Card::new(s, r)))).collect();
        let suits: Vec<Suit> = Suit::ALL.into_iter().filter(|s| self.deck.meets(s.cards())).collect();
        let card = |x: usize, y: usize| Card::new(suits[y], ranks[x]);
        let mut board = Board::new(ranks.len(), suits.len(), |x, y| card(x, y).to_string());
        for y in 0..suits.len() {
            for x in 0..ranks.len() {
                let (card, cell) = (card(x, y), board.cell(x, y));
                let token = match self.round.held.owner(card) {
                    _ if !self.deck.contains(card) => {
                        cell.made_of(Ground::None);
                        continue;
                    }
                    Some(p) => {
                        let played = self.round.played.contains(card);
                        let state = if played { "played by" } else { "with" };
                        let words = format!("{} {state} {}", card.words(), name(p, self.by));
                        let look = if played { Look::Chip } else { Look::Block };
                        Token::new(look).of(p).labelled(p.to_string()).named(words).pale_if(played)
                    }
                    None if turned == Some(card) => {
                        Token::chip("up").named(format!("{} is turned up", card.words()))
                    }
                    None if self.open => Token::back().named(format!("{} is not dealt", card.words())),
                    None => Token::unknown().named(format!("nobody knows where the {} is", card.words())),
                };
                cell.put(token);
            }
        }
        board.below = ranks.iter().map(|&r| rank_label(char::from(RANK_LETTERS[r]))).collect();
        board.left = suits.iter().map(|s| s.drawn().symbol().to_string()).collect();
        Zone::board("cards", board).titled("Who has each card, by number (round: played)")
    }
}

impl TrickRules {
    /// What the player to play is asked.
    pub(crate) fn caption<const N: usize>(&self, round: &Round<N>, by: Observer) -> String {
        let suit = Suit::ALL.into_iter().find(|suit| suit.cards() == round.led());
        let what = match suit {
            Some(suit) => format!("play a card, of {} if possible", suit.name()),
            None => "lead a card".to_string(),
        };
        asked(self.to_play(round), by, &what)
    }
}
