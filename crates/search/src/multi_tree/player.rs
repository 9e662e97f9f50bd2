//! The player that searches with several trees, infers and bluffs.

use std::sync::Arc;
use std::time::Instant;

use fogtree_core::{
    Agent, AgentFailure, BeliefReport, Budget, Decision, InfoSet, Model, Move, Observer, Player, Purpose,
    Report, Rng, Seed, world::Beliefs,
};

use super::belief::summary;
use super::bluff::{Temptation, bluffing_scores};
use super::engine::{Engine, Extent, Part, Streams};
use super::filter::{Filter, Found};
use super::{OutsiderEvidence, SelfDeterminization, Settings, Trees};
use crate::kit::determinize::Determinizer;
use crate::kit::root::RootTable;

/// The MT-MO-ISMCTS player. In games without a hidden part it plays MO-ISMCTS: then there is nothing to infer and
/// nobody to bluff.
pub struct MtMoIsmcts {
    game: Arc<dyn Model>,
    settings: Settings,
    engine: Engine,
    filter: Option<Filter>,
    /// How often each move was tried whatever the searcher could be.
    popularity: Vec<u64>,
    seed: Seed,
    ties: Rng,
}

impl MtMoIsmcts {
    /// A player of a game.
    pub fn new(game: &Arc<dyn Model>, settings: Settings) -> MtMoIsmcts {
        let has_part = game.hidden_part().is_some();
        let self_determinization = if has_part && settings.trees == Trees::PerSecret {
            settings.self_determinization
        } else {
            SelfDeterminization::True
        };
        let inference = settings.inference.filter(|_| has_part);
        let settings = Settings { self_determinization, inference, ..settings };
        MtMoIsmcts {
            game: Arc::clone(game),
            settings,
            engine: Engine::new(&**game, settings),
            filter: None,
            popularity: Vec::new(),
            seed: Seed(0),
            ties: Seed(0).stream(Purpose::Ties),
        }
    }

    /// How likely it thought each value of the hidden part at its last decision; `None` if the game has no hidden
    /// part or it has not been asked.
    pub fn belief(&self) -> Option<&[f64]> {
        self.filter.as_ref().map(|filter| &*filter.phi)
    }

    /// The same for an outsider, as the player imagines one.
    pub fn outside_belief(&self) -> Option<&[f64]> {
        self.filter.as_ref().map(|filter| &*filter.psi)
    }

    /// Brings the beliefs up to a decision.
    fn update(&mut self, part: &dyn Beliefs, info: &InfoSet) {
        let found = Found { own: &self.engine.own, outside: &self.engine.outside };
        match self.filter.as_mut().filter(|filter| filter.leads_to(info)) {
            Some(filter) => filter.update(&*self.game, part, info, self.settings.inference, found),
            None => self.filter = Some(Filter::new(&*self.game, part, info)),
        }
    }

    /// The worlds for a part of the search.
    fn worlds(&self, part: Option<&dyn Beliefs>, what: Part, info: &InfoSet) -> Determinizer {
        let game = &*self.game;
        let (Some(part), Some(filter)) = (part, &self.filter) else {
            return Determinizer::new(game, info);
        };
        match what {
            _ if let Some(truth) = &info.truth => {
                Determinizer::all_but_hidden(game, &info.known, &filter.phi, &*truth.world())
            }
            Part::Outside => {
                let (known, me) = ((&info.known, &filter.public), (info.seat, filter.private(part)));
                Determinizer::outside(game, part, known, me, &filter.psi)
            }
            Part::Own | Part::AgainstHabits if self.settings.inference.is_some() => {
                Determinizer::believed(game, &info.known, &filter.phi)
            }
            Part::Own | Part::AgainstHabits => Determinizer::new(game, info),
        }
    }

    /// Searches, in one part or in two.
    fn search(
        &mut self,
        part: Option<&dyn Beliefs>,
        info: &InfoSet,
        budget: &Budget,
        table: &mut RootTable,
    ) -> Extent {
        let began = Instant::now();
        let private = part.and_then(|part| self.filter.as_ref()?.private(part));
        self.engine.begin(part, info, private, budget.explain);
        let (outside, then) = match self.settings.self_determinization {
            SelfDeterminization::True => (0.0, Part::Own),
            SelfDeterminization::Pure => (1.0, Part::Own),
            SelfDeterminization::Split | SelfDeterminization::Bluffing => {
                (self.settings.self_share, Part::Own)
            }
            SelfDeterminization::TwoStep => (self.settings.self_share, Part::AgainstHabits),
        };
        let mut whole = Extent::default();
        let first = Budget {
            iterations: budget.iterations.map(|n| (n as f64 * outside).round() as u64),
            time: budget.time.map(|t| t.mul_f64(outside)),
            ..budget.clone()
        };
        if outside > 0.0 && first.iterations != Some(0) {
            let mut worlds = self.worlds(part, Part::Outside, info);
            // Neither the searcher's secret nor what it did with it may change what an outsider is taken to believe.
            let streams = Streams::of(self.seed.named("outside").number(info.events.len() as u64));
            let kept = self.engine.exchange(streams);
            whole = self.engine.run(&*self.game, part, Part::Outside, &mut worlds, &first, table);
            self.engine.exchange(kept);
        }
        self.popularity = self.engine.popularity(&info.legal);
        let rest = Budget { watch: budget.watch.clone(), ..budget.after(whole.iterations, began.elapsed()) };
        if outside < 1.0 && rest.iterations != Some(0) {
            let mut worlds = self.worlds(part, then, info);
            let more = self.engine.run(&*self.game, part, then, &mut worlds, &rest, table);
            whole = Extent {
                iterations: whole.iterations + more.iterations,
                depth: whole.depth.max(more.depth),
                made: whole.made + more.made,
            };
        }
        if self.settings.outsider_evidence == OutsiderEvidence::Merged {
            self.popularity = self.engine.popularity(&info.legal);
        }
        let found = Found { own: &self.engine.own, outside: &self.engine.outside };
        if let Some(filter) = &mut self.filter {
            filter.follow((self.engine.own_root(), Engine::public_root()), found);
        }
        whole
    }

    /// The move to make after a search.
    fn choose(&mut self, info: &InfoSet, table: &RootTable) -> Move {
        if self.settings.self_determinization != SelfDeterminization::Bluffing {
            return self.settings.last.of(table, info.seat, &mut self.ties);
        }
        let popularity = &self.popularity;
        let tempting = |i: usize| match table.visits(i) {
            0 => Temptation { visits: 0, mean: 0.0, deviation: 0.0, popularity: popularity[i] },
            visits => Temptation {
                visits,
                mean: table.mean(i, info.seat),
                deviation: table.deviation(i, info.seat),
                popularity: popularity[i],
            },
        };
        let scores = bluffing_scores(&(0..table.len()).map(tempting).collect::<Vec<_>>());
        table.best(&mut self.ties, |i| scores[i])
    }

    /// What is believed, for reports.
    fn beliefs(&self, part: Option<&dyn Beliefs>, seat: Player) -> Vec<BeliefReport> {
        let (Some(part), Some(filter)) = (part, &self.filter) else { return Vec::new() };
        let mut beliefs = vec![BeliefReport { of: Observer::Seat(seat), values: summary(part, &filter.phi) }];
        if self.settings.self_determinization.looks_outside() {
            beliefs.push(BeliefReport { of: Observer::Public, values: summary(part, &filter.psi) });
        }
        beliefs
    }
}

impl Agent for MtMoIsmcts {
    fn start(&mut self, _seat: Player, seed: Seed) {
        self.seed = seed;
        self.ties = seed.stream(Purpose::Ties);
        self.engine.seed(seed.named("thread").number(0));
        self.filter = None;
    }

    fn act(&mut self, info: &InfoSet, budget: &Budget) -> Result<Decision, AgentFailure> {
        let game = Arc::clone(&self.game);
        let part = game.hidden_part();
        if let Some(part) = part {
            self.update(part, info);
        }
        let beliefs = self.beliefs(part, info.seat);
        if let [action] = info.legal[..] {
            return Ok(Decision { action, report: Report { beliefs, ..Report::default() } });
        }
        let began = Instant::now();
        let mut table = RootTable::new(&info.legal, game.facts().players);
        let extent = self.search(part, info, budget, &mut table);
        let time = began.elapsed();
        let action = self.choose(info, &table);
        let draws = self.settings.self_determinization != SelfDeterminization::Bluffing;
        let mixed = self.settings.last.mixed(&table).filter(|_| draws);
        let told = self.engine.tell(&*game, action);
        let report = Report {
            moves: table.reports_of_worlds(),
            iterations: extent.iterations,
            nodes: self.engine.nodes(),
            depth: extent.depth as u32,
            time,
            tried: Some(self.engine.tried()),
            bytes: Some(self.engine.bytes()),
            mean_depth: Some(extent.made as f64 / extent.iterations.max(1) as f64),
            profile: told.profile,
            line: told.line,
            trees: told.trees,
            beliefs,
            mixed,
            ..Report::default()
        };
        Ok(Decision { action, report })
    }
}
