//! What is found out about a sheet before it is played: whether it can be, and the facts of the game.

use std::sync::OnceLock;

use fogtree_core::{Chance, Facts, Keys, Observer, Player, Purpose, Rng, Rules, Step, Turn, Utility};
use rustc_hash::{FxHashMap, FxHashSet};

use super::options::{Options, Unplayable};
use super::position::{GdlState, Joint, Move};
use super::rules::over;
use super::words::Alphabet;
use super::{GdlGame, Vocabulary};
use crate::explore::{Explored, Kind, explore_until, joint_moves, moves_of};
use crate::knowable::knowable;
use crate::reasoner::{Reasoner, ReasonerError};
use crate::sheet::Sheet;
use crate::term::TermId;

/// What matches of a sheet are like, as far as they were looked at.
#[derive(Default)]
struct Findings {
    /// Several players have a choice somewhere.
    simultaneous: bool,
    /// Chance has, somewhere.
    chance: bool,
    /// Nobody has, somewhere.
    forced: bool,
    /// The sums of the players' goals at the ends.
    sums: FxHashSet<u32>,
    /// The moves of the players and of chance.
    moves: [FxHashSet<TermId>; 2],
}

/// Who is asked about what, and what is found.
struct Study<'a, R> {
    reasoner: &'a R,
    alphabet: &'a Alphabet,
    seats: &'a [usize],
    open: bool,
    /// Whose moves chance makes.
    drawn: usize,
    random: Option<usize>,
    found: Findings,
}

/// Looks at a sheet and makes the game of it.
pub(super) fn game<R: Reasoner + 'static>(
    sheet: &Sheet,
    reasoner: R,
    seats: Vec<usize>,
    random: Option<usize>,
    options: &Options,
) -> Result<GdlGame<R>, Unplayable> {
    let (alphabet, open) = (Alphabet::of(sheet), sheet.is_open());
    let explored = explore_until(&reasoner, options.budget, &|| options.limits.are_late())?;
    let mut study = Study {
        reasoner: &reasoner,
        alphabet: &alphabet,
        seats: &seats,
        open,
        drawn: random.unwrap_or(0),
        random,
        found: Findings::default(),
    };
    let longest = study.states(&explored)?;
    let complete = explored.complete;
    drop(explored);
    if longest.is_none() {
        study.matches(options)?;
    }
    let found = study.found;
    if let Some(effort) = options.knowable.filter(|_| !open)
        && let Some(difference) = knowable(&reasoner, &effort)?.difference
    {
        return Err(Unplayable::Unknowable(Box::new(difference)));
    }

    let chance = match complete {
        true => found.chance || found.forced && !open,
        false => !open,
    };
    let per_step = if random.is_some() { 2 } else { 1 };
    let facts = Facts {
        chance: if chance { Chance::Listed } else { Chance::Never },
        simultaneous: found.simultaneous,
        utility: if found.sums.len() == 1 { Utility::ConstantSum } else { Utility::General },
        ..Facts::open(seats.len(), longest.unwrap_or_else(|| options.steps.saturating_mul(per_step)).max(1))
    };
    let vocabularies = complete.then(|| {
        found.moves.map(|moves| Vocabulary::of(reasoner.terms(), &alphabet, moves.into_iter().collect()))
    });
    let known =
        [false, true].map(|chance| known_moves(&reasoner, &alphabet, &seats, random, &vocabularies, chance));
    let initial = reasoner.initial()?;
    let start = GdlState { fluents: initial.clone(), chosen: Joint::new(), made: 0, now: over(None) };
    let limit = longest.is_none().then_some(options.steps);
    let method = options.method;
    let mut game = GdlGame {
        reasoner,
        alphabet,
        open,
        seats,
        random,
        limit,
        vocabularies,
        known,
        start,
        over: over(None),
        facts,
        method,
        touches: OnceLock::new(),
    };
    game.start = game.stand(initial, 0);
    if !open {
        let secrets = Secrets::of(&game, options);
        game.facts.hidden = secrets.hidden;
        game.facts.hidden_moves = secrets.hidden_moves;
    }
    Ok(game)
}

/// The moves of players, or of chance, whose codes need not be worked out in play.
fn known_moves<R: Reasoner>(
    reasoner: &R,
    alphabet: &Alphabet,
    seats: &[usize],
    random: Option<usize>,
    vocabularies: &Option<[Vocabulary; 2]>,
    chance: bool,
) -> FxHashMap<TermId, Move> {
    if let Some(all) = vocabularies {
        return all[usize::from(chance)].by_name.values().map(|&m| (m.term, m)).collect();
    }
    let drawn = [random.unwrap_or(0)];
    let roles = if chance { &drawn[..] } else { seats };
    let terms = roles.iter().filter_map(|&role| reasoner.known_moves(role)).flatten();
    terms.map(|&term| (term, Move { code: alphabet.code(reasoner.terms(), term), term })).collect()
}

impl<R: Reasoner + 'static> Study<'_, R> {
    fn named(&self, path: &[Vec<TermId>]) -> Vec<String> {
        let name = |&term: &TermId| self.alphabet.name(self.reasoner.terms(), term);
        path.iter().map(|joint| joint.iter().map(name).collect::<Vec<_>>().join(" ")).collect()
    }

    /// Notes what a state asks for; how many steps its joint move takes.
    fn choices(&mut self, moves: &[Vec<TermId>]) -> u32 {
        let players = self.seats.iter().filter(|&&role| moves[role].len() > 1).count();
        let chance = self.random.is_some_and(|role| moves[role].len() > 1);
        for &role in self.seats {
            self.found.moves[0].extend(&moves[role]);
        }
        self.found.moves[1].extend(&moves[self.drawn]);
        self.found.simultaneous |= players > 1;
        self.found.chance |= chance;
        let forced = players == 0 && !chance;
        self.found.forced |= forced;
        u32::from(players > 0) + u32::from(chance) + u32::from(forced && !self.open)
    }

    /// Notes the goals at an end.
    fn end(&mut self, state: &R::State) -> Result<Result<(), ReasonerError>, ReasonerError> {
        let mut sum = 0;
        for &role in self.seats {
            match self.reasoner.goal(state, role) {
                Ok(goal) => sum += u32::from(goal),
                Err(trouble @ ReasonerError::Goal { .. }) => return Ok(Err(trouble)),
                Err(trouble) => return Err(trouble),
            }
        }
        self.found.sums.insert(sum);
        Ok(Ok(()))
    }

    /// Looks at states; the most steps of a match, if these are all and matches cannot go round in circles.
    fn states(&mut self, explored: &Explored<R::State>) -> Result<Option<u32>, Unplayable> {
        let mut steps = vec![0; explored.states.len()];
        for (at, (state, kind)) in explored.states.iter().zip(&explored.kinds).enumerate() {
            match *kind {
                Kind::Terminal => {
                    if let Err(trouble) = self.end(state)? {
                        let moves = self.named(&explored.path(self.reasoner, at)?);
                        return Err(Unplayable::Goal { trouble, moves });
                    }
                }
                Kind::Inner => {
                    if let Ok(moves) = moves_of(self.reasoner, state)? {
                        steps[at] = self.choices(&moves);
                    }
                }
                Kind::Stuck { role } => {
                    let role = self.alphabet.name(self.reasoner.terms(), self.reasoner.roles()[role]);
                    let moves = self.named(&explored.path(self.reasoner, at)?);
                    return Err(Unplayable::Stuck { role, moves });
                }
            }
        }
        let Some(order) = explored.order().ok().filter(|_| explored.complete) else { return Ok(None) };
        let mut longest = vec![0; explored.states.len()];
        for at in order {
            let at = at as usize;
            let rest = explored.followers(at).iter().map(|&next| longest[next as usize]).max().unwrap_or(0);
            longest[at] = rest + steps[at];
        }
        Ok(Some(longest[0]))
    }

    /// Looks at random matches.
    fn matches(&mut self, options: &Options) -> Result<(), Unplayable> {
        let mut rng = options.seed.stream(Purpose::Playout);
        for _ in 0..options.matches.max(1) {
            self.random_match(options, &mut rng)?;
        }
        Ok(())
    }

    fn random_match(&mut self, options: &Options, rng: &mut Rng) -> Result<(), Unplayable> {
        let most = options.steps;
        let (mut state, mut path) = (self.reasoner.initial()?, Vec::new());
        while !self.reasoner.terminal(&state)? {
            if path.len() >= most as usize {
                return Err(Unplayable::TooLong(most));
            }
            if options.limits.are_late() {
                return Err(ReasonerError::Late.into());
            }
            let moves = match moves_of(self.reasoner, &state)? {
                Ok(moves) => moves,
                Err(role) => {
                    let role = self.alphabet.name(self.reasoner.terms(), self.reasoner.roles()[role]);
                    return Err(Unplayable::Stuck { role, moves: self.named(&path) });
                }
            };
            self.choices(&moves);
            let joint: Vec<TermId> = moves.iter().map(|m| *rng.pick(m)).collect();
            state = self.reasoner.next(&state, &joint)?;
            path.push(joint);
        }
        self.end(&state)?.map_err(|trouble| Unplayable::Goal { trouble, moves: self.named(&path) })
    }
}

/// Whether anything is hidden from a player, and whether choices of players are.
///
/// Histories are walked until both are seen or all have been; if there are too many, what was not seen is assumed.
struct Secrets {
    hidden: bool,
    hidden_moves: bool,
}

/// A step's moves, where it leads, and what everybody knows then.
type Branch<R> = (Vec<(Player, Move)>, GdlState<<R as Reasoner>::State>, Keys);

impl Secrets {
    fn of<R: Reasoner + 'static>(game: &GdlGame<R>, options: &Options) -> Secrets {
        let mut histories = options.histories;
        let players = game.seats.len();
        let mut secrets = Secrets { hidden: false, hidden_moves: false };
        let mut sets = FxHashMap::default();
        let mut open = vec![(game.start(), Keys::start(players))];
        while let Some((state, keys)) = open.pop() {
            for p in Player::all(players) {
                let set = (p, keys.of(Observer::Seat(p)));
                let first = sets.entry(set).or_insert_with(|| (keys, state.clone()));
                secrets.hidden |= *first != (keys, state.clone());
            }
            let width = joint_moves_at(game, &state);
            if width > histories.min(1_000) || options.limits.are_late() {
                return Secrets { hidden: true, hidden_moves: players > 1 };
            }
            histories -= width;
            let branches = branches(game, &state, keys);
            secrets.hidden_moves |= is_covert(&branches, game);
            if secrets.hidden && (secrets.hidden_moves || players == 1) {
                break;
            }
            open.extend(branches.into_iter().map(|(_, state, keys)| (state, keys)));
        }
        secrets
    }
}

fn joint_moves_at<R: Reasoner + 'static>(game: &GdlGame<R>, state: &GdlState<R::State>) -> usize {
    match game.turn(state) {
        Turn::Terminal => 0,
        Turn::Chance => state.now.chance().len(),
        _ => {
            let choices: Vec<Vec<TermId>> = (0..game.seats.len())
                .map(|seat| state.now.legal(seat))
                .filter(|moves| !moves.is_empty())
                .map(|m| m.iter().map(|m| m.term).collect())
                .collect();
            joint_moves(&choices)
        }
    }
}

fn branches<R: Reasoner + 'static>(
    game: &GdlGame<R>,
    state: &GdlState<R::State>,
    keys: Keys,
) -> Vec<Branch<R>> {
    let after = |step: Step<'_, GdlGame<R>>| {
        let keys = keys.after(game, state, step);
        let mut next = state.clone();
        game.apply(&mut next, step);
        (next, keys)
    };
    match game.turn(state) {
        Turn::Terminal => Vec::new(),
        Turn::Chance => {
            let draw = |outcome: &Move| {
                let (next, keys) = after(Step::Chance(outcome));
                (Vec::new(), next, keys)
            };
            state.now.chance().iter().map(draw).collect()
        }
        turn => {
            let mut joint = vec![Vec::new()];
            for p in turn.players().iter() {
                let legal = state.now.legal(p.index());
                let with = |moves: &Vec<(Player, Move)>| {
                    let moves = moves.clone();
                    legal.iter().map(move |&m| [&moves[..], &[(p, m)]].concat())
                };
                joint = joint.iter().flat_map(with).collect();
            }
            let choose = |moves: Vec<(Player, Move)>| {
                let (next, keys) = after(Step::Moves(&moves));
                (moves, next, keys)
            };
            joint.into_iter().map(choose).collect()
        }
    }
}

/// Whether two steps differ in one player's choice alone, the match goes on, and another player cannot tell.
fn is_covert<R: Reasoner + 'static>(branches: &[Branch<R>], game: &GdlGame<R>) -> bool {
    // Whose choice it is, what everybody else chose, and what somebody else knows then.
    let mut alike = FxHashSet::default();
    for (moves, next, keys) in branches {
        if game.turn(next) == Turn::Terminal {
            continue;
        }
        for &(mover, _) in moves {
            let rest: Vec<(Player, Move)> = moves.iter().copied().filter(|m| m.0 != mover).collect();
            for other in Player::all(game.seats.len()).filter(|&p| p != mover) {
                let key = keys.of(Observer::Seat(other));
                if !alike.insert((mover, rest.clone(), other, key)) {
                    return true;
                }
            }
        }
    }
    false
}
