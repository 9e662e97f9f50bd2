//! `fogtree play`: a person plays in the terminal and sees what the seat may see, no more.
//!
//! Unless the person gives a seed, it is drawn from the system and promised before the game: the hash that is
//! shown first can be checked with seed and salt, which are told at the end (`fogtree commitment`).

mod choice;
mod end;

use std::io::{BufRead, IsTerminal, Read};
use std::path::Path;

use fogtree_core::files::{read_text, write_whole};
use fogtree_core::text::{Colour, paint};
use fogtree_core::{Commitment, Player, Progress, Seed, Watch};
use fogtree_table::wire::{MoveFindings, Over, SeatView};
use fogtree_table::{Registry, Saved, Seat, Session, Stepped, Thought, usual_agent};
use serde_json::json;

use super::analyse::table_of_moves;
use super::position::seat_of;
use crate::arguments::Play;
use crate::failure::Failure;
use crate::output::{emit, emit_json, emit_line, show_live};
use choice::{Choice, Listing};

const HELP: &str = "\
Type a move by its name, its number in the list, or the places it touches, one after the other (b2 b3). The beginning
of a name is enough if no other move begins so. Or type one of these:
  ?           this help
  moves       all the moves you may make
  view        the position again
  hint        what the computer would do in your place, with what you know
  undo        take your last move back, and all that followed; chance will draw the same again
  why         what the others thought of at their last move (after the game, or with --open)
  save FILE   keep the game for another time: fogtree play --resume FILE
  resign      give up
  quit        stop playing
";

/// What is typed beyond this many bytes is taken for another line.
const LONGEST_LINE: u64 = 1 << 16;
/// Larger files are not read.
const LARGEST_SESSION: u64 = 64 << 20;

/// A person at the terminal.
struct Terminal<'a> {
    registry: &'a Registry,
    session: Session,
    seat: Player,
    open: bool,
    json: bool,
}

/// Plays one game.
pub(crate) fn run(registry: &Registry, arguments: &Play, json: bool) -> Result<(), Failure> {
    let session = match &arguments.resume {
        Some(path) => resumed(registry, path, arguments.against.as_deref())?,
        None => started(registry, arguments)?,
    };
    let person = || session.seats().iter().position(|seat| *seat == Seat::Person);
    let seat = match &arguments.resume {
        Some(path) => {
            let nobody = || Failure::Input(format!("{}: there is no person in this game", path.display()));
            Player(u8::try_from(person().ok_or_else(nobody)?).unwrap_or(0))
        }
        None => Player(arguments.seat),
    };
    let terminal = Terminal { registry, session, seat, open: arguments.open, json };
    terminal.greet()?;
    terminal.play()
}

fn started(registry: &Registry, arguments: &Play) -> Result<Session, Failure> {
    let spec = arguments.game.as_deref().unwrap_or_default();
    let game = registry.game(spec)?;
    let seat = seat_of(&*game, arguments.seat)?;
    let against = arguments.against.as_deref().unwrap_or_else(|| usual_agent(&*game));
    let occupant = |p| if p == seat { Seat::Person } else { Seat::Agent(against.to_string()) };
    let seats: Vec<Seat> = Player::all(game.facts().players).map(occupant).collect();
    Ok(Session::start(registry, spec, &seats, arguments.seed.map(Seed))?)
}

/// The game that was saved. Files may come from elsewhere: programs are run only if they are named on the command line.
fn resumed(registry: &Registry, path: &Path, against: Option<&str>) -> Result<Session, Failure> {
    let bad = |why: String| Failure::Input(format!("{}: {why}", path.display()));
    let text = read_text(path, LARGEST_SESSION).map_err(bad)?;
    let mut saved: Saved =
        serde_json::from_str(&text).map_err(|why| bad(format!("not a saved game: {why}")))?;
    for agent in saved.seats.iter_mut().flatten() {
        match against {
            Some(against) => *agent = against.to_string(),
            None if registry.reaches_outside(agent) => {
                return Err(bad(
                    "an agent of this game runs another program; name it with --against".to_string()
                ));
            }
            None => {}
        }
    }
    Session::resume(registry, &saved).map_err(|why| bad(why.to_string()))
}

/// Prints the hash of a seed and a salt.
pub(crate) fn commitment(seed: u64, salt: String, json: bool) -> Result<(), Failure> {
    let hash = Commitment { seed: Seed(seed), salt }.hash();
    emit_line(&if json { json!({"commitment": hash}).to_string() } else { hash })
}

/// What the person wants.
enum Wish {
    /// The position is another one.
    Moved,
    Quit,
}

impl Terminal<'_> {
    /// Writes to the person; programs are told less.
    fn say(&self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { emit(text) }
    }

    /// Tells why something typed will not do.
    fn refuse(&self, why: &str) -> Result<(), Failure> {
        if self.json { emit_line(&json!({"error": why}).to_string()) } else { emit(&format!("{why}\n")) }
    }

    fn greet(&self) -> Result<(), Failure> {
        let others = self.session.seats().iter().filter_map(|seat| match seat {
            Seat::Agent(spec) => Some(spec.as_str()),
            Seat::Person => None,
        });
        let mut against: Vec<&str> = others.collect();
        against.dedup();
        let cheating = self.session.cheating().next().is_some();
        let cheating = if cheating { " (cheating: it looks at the true state)" } else { "" };
        let game = self.session.view(self.seat).game;
        let seat = self.seat;
        self.say(&format!(
            "{game}: you are player {seat} against {}{cheating}. Type ? for help.\n",
            against.join(", ")
        ))?;
        match self.session.commitment() {
            Some(hash) => {
                self.say(&format!("The seed is settled, and will be told at the end: commitment {hash}\n"))
            }
            None => Ok(()),
        }
    }

    fn play(mut self) -> Result<(), Failure> {
        loop {
            self.let_others_move()?;
            let view = self.session.view(self.seat);
            if let Some(over) = &view.over {
                self.finish(&view, over)?;
                return self.after_the_end();
            }
            if self.json {
                emit_json(&view)?;
            }
            self.show(&view)?;
            if let Wish::Quit = self.ask(&view)? {
                if let Some(Commitment { seed: Seed(seed), salt }) = self.session.promise() {
                    self.say(&format!(
                        "The seed was {seed}; to check the commitment: fogtree commitment {seed} {salt}\n"
                    ))?;
                }
                return self.say("goodbye\n");
            }
        }
    }

    /// Lets chance and agents move; a line says who thinks.
    fn let_others_move(&mut self) -> Result<(), Failure> {
        let live = std::io::stderr().is_terminal();
        loop {
            while let Some(mut thinking) = self.session.next_thinker() {
                let seat = thinking.seat;
                if live {
                    show_live(&format!("player {seat} thinks ..."));
                }
                let show = move |progress: &Progress| {
                    show_live(&format!("player {seat} thinks ... {} iterations", progress.iterations));
                };
                let decision = thinking.think_with(|budget| {
                    budget.watch = live.then(|| Watch::new(show));
                });
                if live {
                    show_live("");
                }
                self.session.decided(thinking, decision)?;
            }
            if self.session.step()? != Stepped::Made {
                return Ok(());
            }
        }
    }

    /// What has happened, and the position.
    fn show(&self, view: &SeatView) -> Result<(), Failure> {
        let told: String =
            self.session.told(self.seat).map(|words| paint(Colour::Dim, &format!("* {words}\n"))).collect();
        self.say(&format!("{told}\n{}\n", view.scene.with_marks(&view.changed)))?;
        if self.open {
            self.say(&format!("\nThe whole position:\n{}\n", self.session.table().true_scene()))?;
        }
        self.say(&format!("{}\n", Listing::of(view).short()))
    }

    fn ask(&mut self, view: &SeatView) -> Result<Wish, Failure> {
        let mut listing = Listing::of(view);
        loop {
            self.say("your move: ")?;
            let Some(line) = read_line()? else { return Ok(Wish::Quit) };
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            match (first, line.trim()) {
                ("", _) => {}
                ("help" | "?", _) => self.say(HELP)?,
                ("moves", _) => self.say(&format!("{}\n", listing.long()))?,
                ("view", _) => self.show(view)?,
                ("quit" | "exit", _) => return Ok(Wish::Quit),
                ("hint", _) => self.hint()?,
                ("why", _) => self.why()?,
                ("save", line) => self.save(line["save".len()..].trim())?,
                ("resign", _) => match self.session.resign(self.seat) {
                    Ok(()) => return Ok(Wish::Moved),
                    Err(why) => self.refuse(&sentence(&why))?,
                },
                ("undo", _) => match self.session.undo(self.seat) {
                    Ok(()) => return Ok(Wish::Moved),
                    Err(why) => self.refuse(&sentence(&why))?,
                },
                (_, typed) => match listing.read(self.seat, typed) {
                    Choice::Move(name) => {
                        self.session.submit(self.seat, &name, view.revision)?;
                        return Ok(Wish::Moved);
                    }
                    Choice::Fewer(fewer) => {
                        listing = fewer;
                        self.say(&format!("{}\n", listing.long()))?;
                    }
                    Choice::None(why) => self.refuse(&format!("You cannot play that. {why}"))?,
                },
            }
        }
    }

    fn hint(&self) -> Result<(), Failure> {
        let agent = self.registry.agent(usual_agent(self.session.game()), self.session.game())?;
        match self.session.hint(self.seat, agent) {
            Ok(thought) if self.json => emit_line(&json!({"hint": thought.chosen}).to_string()),
            Ok(thought) => {
                emit(&format!("The computer would play {}.\n{}", thought.chosen, moves_of(&thought)))
            }
            Err(why) => self.refuse(&sentence(&why)),
        }
    }

    /// What the others thought of at their last decisions.
    fn why(&self) -> Result<(), Failure> {
        if !self.open && !self.session.is_over() {
            return self
                .refuse("That would tell what they know. Ask again after the game, or play with --open.");
        }
        let last = |p: Player| self.session.thoughts().iter().rfind(|t| t.seat == p);
        let thoughts: Vec<&Thought> = Player::all(self.session.seats().len()).filter_map(last).collect();
        if thoughts.is_empty() {
            return self.refuse("Nobody has thought about a move yet.");
        }
        for thought in thoughts {
            self.say(&format!("Player {} played {}.\n{}", thought.seat, thought.chosen, moves_of(thought)))?;
        }
        Ok(())
    }

    fn save(&self, file: &str) -> Result<(), Failure> {
        if file.is_empty() {
            return self.refuse("Say into which file: save FILE");
        }
        let text = serde_json::to_string_pretty(&self.session.save()).expect("sessions serialise");
        let written = write_whole(Path::new(file), |out| std::io::Write::write_all(out, text.as_bytes()));
        match written {
            Ok(()) => self.say(&format!("Saved. Play on with: fogtree play --resume {file}\n")),
            Err(why) => self.refuse(&why),
        }
    }

    fn finish(&self, view: &SeatView, over: &Over) -> Result<(), Failure> {
        if self.json {
            return emit_json(view);
        }
        let told: String =
            self.session.told(self.seat).map(|words| paint(Colour::Dim, &format!("* {words}\n"))).collect();
        emit(&format!("{told}\n{}\nThe whole position:\n{}\n", end::verdict(self.seat, over), over.scene))?;
        if let Some(salt) = &over.salt {
            let seed = over.seed.0;
            emit(&format!(
                "The seed was {seed}; to check the commitment: fogtree commitment {seed} {salt}\n"
            ))?;
        }
        Ok(())
    }

    /// Those who want to know why may still ask.
    fn after_the_end(&self) -> Result<(), Failure> {
        if self.json || !std::io::stdin().is_terminal() {
            return Ok(());
        }
        loop {
            emit("why, save FILE or quit: ")?;
            let Some(line) = read_line()? else { return emit("\n") };
            match line.trim() {
                "why" => self.why()?,
                line if line.starts_with("save ") => self.save(line["save".len()..].trim())?,
                "quit" | "exit" | "" => return Ok(()),
                _ => emit("The game is over.\n")?,
            }
        }
    }
}

/// A line that somebody typed; nothing at the end.
fn read_line() -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut line);
    let count = read.map_err(|e| Failure::Input(format!("cannot read your move: {e}")))?;
    Ok((count > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// The best moves of a decision.
fn moves_of(thought: &Thought) -> String {
    let report = &thought.decision.report;
    if report.moves.is_empty() || report.iterations == 0 {
        return "Nothing was searched.\n".to_string();
    }
    let rows = table_of_moves(&MoveFindings::listed(&thought.legal, report), thought.seat);
    rows.lines().take(9).map(|line| format!("  {line}\n")).collect()
}

/// An error as a sentence.
fn sentence(why: &dyn std::error::Error) -> String {
    let text = why.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
