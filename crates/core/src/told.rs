//! What a seat may know of the parameters of a game.
//!
//! A game may be asked for with something in it that one seat only may know, such as how it has set up. The
//! game's [`crate::About`] table says so ([`crate::Param::known_only_to`]), and whoever is told which game is
//! played is told the rest.

use crate::{Params, Player, Spec};

/// What others are told of a parameter that one seat only may know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Told {
    /// Nothing: it is left out.
    Nothing,
    /// Which items a list has, but not their order; all of it where another parameter has this value.
    ItemsUnless(&'static str, &'static str),
}

impl Told {
    /// What is told of a value.
    fn of(self, params: &Params, value: &str) -> Option<String> {
        match self {
            Told::Nothing => None,
            Told::ItemsUnless(key, open) if params.text(key) == open => Some(value.to_string()),
            Told::ItemsUnless(..) => {
                let inner = value.trim_start_matches('[').trim_end_matches(']');
                let mut items: Vec<&str> = inner.split(',').map(str::trim).collect();
                items.sort_unstable();
                Some(format!("[{}]", items.join(",")))
            }
        }
    }
}

impl Params {
    /// The specification from which these parameters were read, as a seat may know it.
    ///
    /// A secret is left out where as much could be told of its default: nobody can tell that it was given.
    pub fn told_to(&self, seat: Player, mut written: Spec) -> Spec {
        written.params.retain_mut(|(key, value)| {
            let Some(param) = self.of().param(key) else { return true };
            let Some((_, told)) = param.secret.filter(|(owner, _)| *owner != seat) else { return true };
            let (shown, usual) = (told.of(self, value), told.of(self, param.default));
            let differs = shown != usual;
            if let Some(shown) = shown {
                *value = shown;
            }
            differs
        });
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{About, Domain, Param};

    static ABOUT: About = About::new(
        "siege",
        "",
        "",
        &[
            Param::new("size", "4", Domain::Integer(1, 9), ""),
            Param::new("setup", "hidden", Domain::Choice(&["hidden", "open"]), ""),
            Param::new("red", "drawn", Domain::Text, "").known_only_to(Player(0), Told::Nothing),
            Param::new("blue", "[a,b,c]", Domain::List, "")
                .or(&["azure"])
                .known_only_to(Player(1), Told::ItemsUnless("setup", "open")),
        ],
    );

    #[test]
    fn others_are_told_what_everybody_may_know() {
        let told = |text: &str, seat: u8| {
            let spec: Spec = text.parse().unwrap();
            ABOUT.params(&spec).unwrap().told_to(Player(seat), spec).to_string()
        };
        let given = "siege(red=ab/cd,azure=[d, b,c],size=5)";
        assert_eq!(told(given, 0), "siege(red=ab/cd,azure=[b,c,d],size=5)");
        assert_eq!(told(given, 1), "siege(azure=[d, b,c],size=5)");
        assert_eq!(told("siege(blue=[c,a,b])", 0), "siege", "as if nothing had been given");
        assert_eq!(told("siege(blue=[c,a,b],setup=open)", 0), "siege(blue=[c,a,b],setup=open)");
    }
}
