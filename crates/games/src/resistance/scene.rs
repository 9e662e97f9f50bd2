//! The Resistance as a picture: players, missions, and the cards one may choose from.

use fogtree_core::scene::{Cards, Entry, Look, Scene, Spread, Table, Token, Zone};
use fogtree_core::{Observer, Player, Rules};

use super::text::players;
use super::{Action, Info, Phase, Resistance, Set, Side, State, members};
use crate::words::{counted, does, title};

/// What is drawn: the state, as far as the observer knows it, and whether it knows the spies.
pub(super) struct View<'a> {
    pub(super) by: Observer,
    pub(super) state: &'a State,
    pub(super) spies: Option<Set>,
}

impl Resistance {
    pub(super) fn draw(&self, view: &View<'_>) -> Scene {
        let scene = Scene::new(self.caption(view))
            .with(Zone::table("missions", self.mission_table(view.state)).titled("Missions"))
            .with(Zone::table("players", self.player_table(view)).titled("Players"));
        match self.choice(view) {
            Some((title, cards)) => scene.with(Zone::cards("cards", cards).titled(title)),
            None => scene,
        }
    }

    /// The spots that stand for an action; a team of more than three is chosen from a list.
    pub(super) fn touched(&self, action: Action) -> Vec<String> {
        match action {
            Action::Team(team) if team.count_ones() <= 3 => {
                members(team).map(|p| format!("players/{p}")).collect()
            }
            Action::Team(_) => Vec::new(),
            card => vec![format!("cards/{}", card_name(card))],
        }
    }

    fn mission_table(&self, s: &State) -> Table {
        let mut table = Table::headed(["mission", "team", "fails with", "who goes", "result"]);
        for (number, mission) in self.missions.iter().enumerate() {
            let done = s.record().nth(number);
            let proposed = (number == usize::from(s.undertaken) && s.team != 0).then_some(s.team);
            let team = done.map(|(team, _)| team).or(proposed).unwrap_or(0);
            let mut who = Entry::default();
            who.tokens.extend(members(team).map(disc));
            let result = match done {
                Some((_, found)) if found >= mission.fatal => format!("failed: {}", sabotages(found)),
                Some((_, 0)) => "succeeded".to_string(),
                Some((_, found)) => format!("succeeded in spite of {}", sabotages(found)),
                None if number > usize::from(s.undertaken) => String::new(),
                None => match s.phase {
                    Phase::Mission => "under way".to_string(),
                    Phase::Won(_) => String::new(),
                    _ => format!("proposal {} of {}", s.rejected + 1, self.proposals),
                },
            };
            table.row([
                Entry::from((number + 1).to_string()),
                counted(mission.size, "player").into(),
                sabotages(mission.fatal).into(),
                who,
                result.into(),
            ]);
        }
        table
    }

    fn player_table(&self, view: &View<'_>) -> Table {
        let mut table = Table::headed(["player", "role", "leads", "on the team", "missions"]);
        let s = view.state;
        let leads = matches!(s.phase, Phase::Propose | Phase::Vote | Phase::Mission);
        for p in Player::all(self.players) {
            let (role, token) = match role(view, p) {
                None => ("unknown", Token::unknown()),
                Some(true) => ("spy", Token::new(Look::Cross)),
                Some(false) => ("resistance", Token::new(Look::Disc)),
            };
            let token = token.named(format!("player {p}: {role}"));
            let went = s.record().zip(1..).filter(|((team, _), _)| team >> p.0 & 1 == 1);
            let went: Vec<String> = went.map(|(_, number): (_, u32)| number.to_string()).collect();
            let tick = |set: bool| Entry::from(if set { "yes" } else { "" });
            table.row([
                Entry::from(title(p, view.by)).of(p).at(p.to_string()),
                Entry::from(role).with(token).at(format!("role-{p}")),
                tick(leads && s.leader == p),
                tick(s.team >> p.0 & 1 == 1 && leads),
                went.join(", ").into(),
            ]);
        }
        table
    }

    /// The cards that a seat chooses from in a vote or on a mission.
    fn choice(&self, view: &View<'_>) -> Option<(&'static str, Cards)> {
        let who = view.by.seat().filter(|p| self.turn(view.state).players().contains(*p))?;
        let title = match view.state.phase {
            Phase::Vote => "Your vote",
            Phase::Mission => "Your card for the mission",
            _ => return None,
        };
        let mut actions = Vec::new();
        self.actions(view.state, who, &mut actions);
        let mut cards = Cards::new(Spread::Row);
        for action in actions {
            let sign = if matches!(action, Action::Approve | Action::Success) { "✓" } else { "✗" };
            let name = card_name(action);
            cards.put_noted(name, Token::card(sign, None).named(name), name);
        }
        Some((title, cards))
    }

    fn caption(&self, view: &View<'_>) -> String {
        let s = view.state;
        let mut said = Vec::new();
        if let Some(own) = view.by.seat()
            && s.phase != Phase::Deal
        {
            let spy = role(view, own) == Some(true);
            said.push(if spy { "You are a spy." } else { "You belong to the resistance." }.to_string());
        }
        let own = view.by.seat().is_some_and(|p| self.turn(s).players().contains(p));
        let mission = s.undertaken + 1;
        said.push(match s.phase {
            Phase::Deal => "The spies are about to be dealt.".to_string(),
            Phase::Lead => "The first leader is about to be drawn.".to_string(),
            Phase::Propose => {
                let team = format!("propose a team of {} for mission {mission}", self.mission(s).size);
                if own { format!("Your turn: {team}.") } else { format!("Player {} is to {team}.", s.leader) }
            }
            Phase::Vote => {
                let leader = does(s.leader, view.by, "proposes");
                let team = format!("{leader} {} for mission {mission}", players(s.team));
                if own { format!("Vote: {team}.") } else { format!("All vote: {team}.") }
            }
            Phase::Mission if own => format!("You are on mission {mission}: choose your card."),
            Phase::Mission => format!("On mission {mission}: {}.", players(s.team)),
            Phase::Won(Side::Spies) => "The spies have won.".to_string(),
            Phase::Won(Side::Resistance) => "The resistance has won.".to_string(),
        });
        let possible = self.possible(Info { by: view.by, seen: *s }).count();
        if view.spies.is_none() && possible > 0 {
            said.push(format!("{possible} of {} sets of spies are possible.", self.configurations.len()));
        }
        said.join(" ")
    }
}

/// Whether a player is a spy, as far as the observer knows.
fn role(view: &View<'_>, who: Player) -> Option<bool> {
    let own = (view.by.is(who) && view.state.phase != Phase::Deal).then_some(false);
    view.spies.map(|spies| spies >> who.0 & 1 == 1).or(own)
}

fn card_name(action: Action) -> &'static str {
    match action {
        Action::Reject => "reject",
        Action::Approve => "approve",
        Action::Success => "success",
        Action::Sabotage => "sabotage",
        Action::Team(_) => "",
    }
}

fn disc(who: Player) -> Token {
    Token::disc(who).labelled(who.to_string()).named(format!("player {who}"))
}

fn sabotages(number: u8) -> String {
    counted(number, "sabotage")
}
