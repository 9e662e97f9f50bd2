//! Messages are the same after they were written and read, however they are laid out; nothing breaks the reader.

use fogtree_serve::message::{Message, News};
use proptest::prelude::*;

const MOST: usize = 1 << 20;

fn word() -> impl Strategy<Value = String> {
    "[a-z+<=_.0-9#-]{1,8}".prop_filter("NIL means that there is nothing", |w| w != "nil")
}

fn term() -> impl Strategy<Value = String> {
    word().prop_recursive(3, 12, 4, |inner| {
        (word(), prop::collection::vec(inner, 1..4)).prop_map(|(f, args)| format!("({f} {})", args.join(" ")))
    })
}

fn news() -> impl Strategy<Value = News> {
    let terms = || prop::collection::vec(term(), 0..4);
    prop_oneof![
        prop::option::of(terms()).prop_map(News::List),
        (any::<u32>(), prop::option::of(term()), terms()).prop_map(|(turn, last, percepts)| News::Turn {
            turn,
            last,
            percepts
        }),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let rules = || prop::collection::vec(term(), 0..5).prop_map(|rules| rules.join(" "));
    prop_oneof![
        Just(Message::Info),
        (rules(), any::<u32>()).prop_map(|(rules, clock)| Message::Preview { rules, clock }),
        (word(), term(), rules(), any::<u32>(), any::<u32>()).prop_map(
            |(id, role, rules, start_clock, play_clock)| Message::Start {
                id,
                role,
                rules,
                start_clock,
                play_clock
            }
        ),
        (word(), news()).prop_map(|(id, news)| Message::Play { id, news }),
        (word(), news()).prop_map(|(id, news)| Message::Stop { id, news }),
        word().prop_map(|id| Message::Abort { id }),
    ]
}

/// The same text as somebody else might write it.
fn disguised(text: &str, style: u8) -> String {
    let spaced = match style % 4 {
        0 => text.to_string(),
        1 => text.replace(' ', "\r\n\t"),
        2 => text.replace('(', " ( ").replace(')', " ) "),
        _ => text.replace(' ', " ; (a comment)\n"),
    };
    if style >= 4 { spaced.to_uppercase() } else { spaced }
}

proptest! {
    #[test]
    fn what_is_written_is_read(message in message(), style in 0_u8..8) {
        let text = disguised(&message.to_string(), style);
        let read = Message::parse(text.as_bytes(), MOST).unwrap();
        // Rules are kept as they are written.
        let plain = |message: &Message| match message.clone() {
            Message::Start { id, role, start_clock, play_clock, .. } => {
                Message::Start { id, role, rules: String::new(), start_clock, play_clock }
            }
            Message::Preview { clock, .. } => Message::Preview { rules: String::new(), clock },
            other => other,
        };
        if style == 0 {
            prop_assert_eq!(&read, &message);
        }
        prop_assert_eq!(plain(&read), plain(&message));
    }

    #[test]
    fn nothing_breaks_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Message::parse(&bytes, MOST);
    }

    #[test]
    fn nothing_like_a_message_breaks_the_reader(text in "[ ()?;a-cA-C0-9]{0,60}", start in prop::sample::select(vec![
        "(play m ", "(start m a ", "(stop ", "(preview ", "(info", "(play m 1 a ",
    ])) {
        if let Ok(message) = Message::parse(format!("{start}{text}").as_bytes(), MOST) {
            prop_assert_eq!(Message::parse(message.to_string().as_bytes(), MOST), Ok(message));
        }
    }
}
