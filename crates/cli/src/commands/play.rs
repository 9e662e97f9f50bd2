//! `fogtree play`: a person plays in the terminal and sees what the seat may see, no more.

//!
//! Unless the person gives a seed, it is drawn from the system and promised before the game: the hash that is
//! shown first can be checked with seed and salt, which are told at the end (`fogtree commitment`).

use std::io::{BufRead, IsTerminal, Read};

use fogtree_core::spec::nearest_few;
use fogtree_core::text::{Colour, paint};
use fogtree_core::{Chance, Commitment, IllegalStep, Observer, Player, Purpose, Seed, Turn};
use fogtree_table::{AnyGame, AnyTable, Registry, SeatAgent, read_move};
use serde_json::json;

use crate::arguments::Play;
use crate::failure::Failure;
use crate::output::{emit, emit_line, show_live};

const HELP: &str = "\
Type a move, or one of these:
  moves   the moves you may make
  view    what you see
  undo    take your last move back (where nothing hidden or random has been learnt since)
  quit    stop playing
";

/// The best general agent there is for a game.
pub(crate) fn default_agent(game: &dyn AnyGame) -> &'static str {
    let facts = game.facts();
    if facts.hidden || facts.simultaneous { "mo-ismcts" } else { "uct" }
}

/// What is typed beyond this many bytes is taken for another line.
const LONGEST_LINE: u64 = 1 << 16;

/// The seed of an agent in a game with this seed.
fn agent_seed(seed: Seed, seat: Player) -> Seed {
    seed.named("agent").number(u64::from(seat.0))
}

struct Session<'a> {
    game: &'a dyn AnyGame,
    table: Box<dyn AnyTable>,
    seat: Player,
    agents: Vec<Option<SeatAgent>>,
    seed: Seed,
    /// The promise of the seed, unless the person gave it.
    promise: Option<Commitment>,
    deal: fogtree_core::Rng,
    heard: Vec<usize>,
    /// The steps that the person was told of.
    told: usize,
    /// The positions at which the person moved, by number of steps.
    moved_at: Vec<usize>,
    json: bool,
}

/// Plays one game.
pub(crate) fn run(registry: &Registry, arguments: &Play, json: bool) -> Result<(), Failure> {
    let game = registry.game(&arguments.game)?;
    let players = game.facts().players;
    let seat = Player(arguments.seat);
    if seat.index() >= players {
        return Err(Failure::Input(format!("--seat {seat}: the game has the seats 0 to {}", players - 1)));
    }
    let against = arguments.against.as_deref().unwrap_or_else(|| default_agent(&*game));
    let seed = arguments.seed.map_or_else(Seed::unguessable, Seed);
    let agent = |p: Player| -> Result<Option<SeatAgent>, Failure> {
        if p == seat {
            return Ok(None);
        }
        let mut agent = registry.agent(against, &*game)?;
        agent.start(p, agent_seed(seed, p));
        Ok(Some(agent))
    };
    let mut session = Session {
        game: &*game,
        table: game.table(),
        seat,
        agents: Player::all(players).map(agent).collect::<Result<_, _>>()?,
        seed,
        promise: arguments.seed.is_none().then(|| Commitment::to(seed)),
        deal: seed.stream(Purpose::Deal),
        heard: vec![0; players],
        told: 0,
        moved_at: Vec::new(),
        json,
    };
    let cheating = session.agents.iter().flatten().any(|agent| agent.cheats);
    let cheating = if cheating { " (cheating: it looks at the true state)" } else { "" };
    session.say(&format!(
        "{}: you are player {seat} against {against}{cheating}. Type help for help.\n",
        registry.told(&arguments.game, seat)?
    ))?;
    session.promise()?;
    session.play()
}

/// Prints the hash of a seed and a salt.
pub(crate) fn commitment(seed: u64, salt: String, json: bool) -> Result<(), Failure> {
    let hash = Commitment { seed: Seed(seed), salt }.hash();
    emit_line(&if json { json!({"commitment": hash}).to_string() } else { hash })
}

/// What a person may play instead of what will not do.
fn suggestions(why: IllegalStep) -> String {
    match why {
        IllegalStep::Ambiguous { candidates, .. } => format!("Which one? {}", candidates.join(" ")),
        IllegalStep::Action { name, legal, .. } if legal.len() > FEW => {
            let near = nearest_few(&name, legal.iter().map(String::as_str)).join(", ");
            format!("Did you mean one of {near}? Type moves to see what you may do.")
        }
        IllegalStep::Action { legal, .. } => format!("You may play: {}", legal.join(" ")),
        why => why.to_string(),
    }
}

/// The places and rewards of all, the best first.
fn standings(rewards: &[f64], you: Player) -> String {
    let reward = |p: &Player| rewards[p.index()];
    let mut order: Vec<Player> = Player::all(rewards.len()).collect();
    order.sort_by(|a, b| reward(b).total_cmp(&reward(a)));
    let line = |p: &Player| {
        let better = rewards.iter().filter(|&&r| r > reward(p)).count();
        let shared = rewards.iter().filter(|&&r| r == reward(p)).count() > 1;
        let place = ORDINALS.get(better).map_or_else(|| format!("{}th", better + 1), ToString::to_string);
        let who = if *p == you { "you".to_string() } else { format!("player {p}") };
        let shared = if shared { " (shared)" } else { "" };
        // Adding 0 turns -0 into 0.
        format!("{who}: {place} of {}{shared}, reward {}", rewards.len(), reward(p) + 0.0)
    };
    let lines: Vec<String> = order.iter().map(line).collect();
    format!("Rewards:\n  {}", lines.join("\n  "))
}

const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// So many moves are listed whenever one will not do.
const FEW: usize = 12;

/// What came of asking the person.
enum Answer {
    Move(usize),
    Undone,
    Quit,
}

impl Session<'_> {
    /// Writes to the person; in JSON mode people's text is left out.
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { emit(text) }
    }

    /// Tells why something typed will not do.
    fn refuse(&self, why: &str) -> Result<(), Failure> {
        if self.json {
            return emit_line(&json!({"error": why}).to_string());
        }
        emit(&format!("{why}\n"))
    }

    /// Promises the seed.
    fn promise(&self) -> Result<(), Failure> {
        match self.promise.as_ref().map(Commitment::hash) {
            None => Ok(()),
            Some(hash) if self.json => emit_line(&json!({"commitment": hash}).to_string()),
            Some(hash) => {
                emit(&format!("The seed is settled, and will be told at the end: commitment {hash}\n"))
            }
        }
    }

    /// Tells what was promised, now that nothing is hidden any longer.
    fn reveal(&self) -> Result<(), Failure> {
        let Some(Commitment { seed: Seed(seed), salt }) = &self.promise else { return Ok(()) };
        self.say(&format!("The seed was {seed}; to check the commitment: fogtree commitment {seed} {salt}\n"))
    }

    fn play(&mut self) -> Result<(), Failure> {
        loop {
            self.tell()?;
            let turn = self.table.turn();
            let mut choices = Vec::new();
            match turn {
                Turn::Terminal => return self.finish(),
                Turn::Chance => {
                    self.table.draw(&mut self.deal);
                    continue;
                }
                Turn::Player(_) | Turn::Simultaneous(_) => {}
            }
            if turn.players().contains(self.seat) {
                match self.ask()? {
                    Answer::Move(choice) => {
                        self.moved_at.push(self.table.steps());
                        choices.push((self.seat, self.table.moves(self.seat)[choice]));
                    }
                    Answer::Undone => continue,
                    Answer::Quit => {
                        self.reveal()?;
                        return self.say("goodbye\n");
                    }
                }
            }
            for p in turn.players().iter() {
                if let Some(agent) = &mut self.agents[p.index()] {
                    let live = std::io::stderr().is_terminal();
                    if live {
                        show_live(&format!("player {p} thinks ..."));
                    }
                    let decision = self.table.ask(p, agent);
                    if live {
                        show_live("");
                    }
                    choices.push((p, decision?.action));
                }
            }
            choices.sort_unstable();
            self.table.choose(&choices)?;
        }
    }

    /// Passes on to every seat what it has seen since it last heard.
    fn tell(&mut self) -> Result<(), Failure> {
        for p in Player::all(self.heard.len()) {
            let from = std::mem::replace(&mut self.heard[p.index()], self.table.events(p).len());
            let fresh = &self.table.events(p)[from..];
            if let Some(agent) = &mut self.agents[p.index()] {
                fresh.iter().for_each(|event| agent.observe(event));
            }
        }
        let fresh = std::mem::replace(&mut self.told, self.table.steps()) < self.table.steps();
        match self.table.told(Observer::Seat(self.seat)).filter(|_| fresh) {
            Some(what) => self.say(&paint(Colour::Dim, &format!("* {what}\n"))),
            None => Ok(()),
        }
    }

    fn ask(&mut self) -> Result<Answer, Failure> {
        self.show_view()?;
        let legal = self.table.legal(self.seat);
        if self.json {
            emit_line(&self.table.infoset(self.seat).to_json().to_string())?;
        }
        loop {
            self.say("your move: ")?;
            let mut line = Vec::new();
            let read = std::io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut line);
            let count = read.map_err(|e| Failure::Input(format!("cannot read your move: {e}")))?;
            if count == 0 {
                return Ok(Answer::Quit);
            }
            let line = String::from_utf8_lossy(&line);
            match line.trim() {
                "" => {}
                "help" | "?" => self.say(HELP)?,
                "moves" => self.say(&format!("{}\n", legal.join(" ")))?,
                "view" => self.show_view()?,
                "quit" | "exit" => return Ok(Answer::Quit),
                "undo" => match self.undo() {
                    Ok(()) => return Ok(Answer::Undone),
                    Err(why) => self.refuse(why)?,
                },
                word => match read_move(self.seat, word, &legal) {
                    Ok(choice) => return Ok(Answer::Move(choice)),
                    Err(why) => self.refuse(&format!("You cannot play that. {}", suggestions(why)))?,
                },
            }
        }
    }

    fn show_view(&self) -> Result<(), Failure> {
        self.say(&format!("\n{}\n", self.table.view(Observer::Seat(self.seat))))
    }

    /// Takes back the person's last move and all that followed.
    fn undo(&mut self) -> Result<(), &'static str> {
        let facts = self.game.facts();
        if facts.hidden || facts.simultaneous || facts.chance != Chance::Never {
            return Err("There is no undo in this game: you have learnt what cannot be unlearnt.");
        }
        let at = self.moved_at.pop().ok_or("You have not moved yet.")?;
        self.table.wind_back(at);
        self.told = at;
        for p in Player::all(self.heard.len()) {
            self.heard[p.index()] = match &mut self.agents[p.index()] {
                // What an agent has kept of the moves taken back is no longer true: it begins anew.
                Some(agent) => {
                    agent.start(p, agent_seed(self.seed, p));
                    0
                }
                None => self.table.events(p).len(),
            };
        }
        Ok(())
    }

    fn finish(&self) -> Result<(), Failure> {
        let rewards = self.table.rewards().unwrap_or_default();
        let own = rewards[self.seat];
        let best = rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let verdict = match own {
            _ if rewards.iter().all(|&r| r == best) => "a draw",
            own if own == best => "you win",
            _ => "you lose",
        };
        if self.json {
            let mut end = json!({"rewards": rewards, "moves": self.table.names()});
            if let Some(Commitment { seed, salt }) = &self.promise {
                end["seed"] = json!(seed);
                end["salt"] = json!(salt);
            }
            return emit_line(&end.to_string());
        }
        emit(&format!(
            "\nThe game is over: {verdict}. {}\nThe whole position:\n{}\n",
            standings(rewards.as_slice(), self.seat),
            self.table.show()
        ))?;
        self.reveal()
    }
}
