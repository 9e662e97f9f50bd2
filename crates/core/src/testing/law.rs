//! The laws, one by one, and what is said of a game that breaks one.

use std::fmt;

macro_rules! laws {
    ($($(#[$section:meta])* $name:ident: $statement:literal,)*) => {
        /// Something that must hold for every game.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Law {
            $(#[doc = $statement] $name,)*
        }

        impl Law {
            /// Every law.
            pub const ALL: &[Law] = &[$(Law::$name,)*];

            /// What the law says.
            pub const fn statement(self) -> &'static str {
                match self {
                    $(Law::$name => $statement,)*
                }
            }
        }
    };
}

laws! {
    FactsSane: "There are 1 to 16 players, a finite range of rewards, and at least one step.",
    FactsChance: "The part of chance is as declared: never, always listed, or sampled.",
    FactsSimultaneous: "Several players choose at the same time if and only if the facts say so.",
    FactsHidden: "Some player knows less than the whole state if and only if the facts say so.",
    FactsHiddenMoves: "Some player's choice ever looks like another to somebody if and only if the facts say so.",
    TurnSeats: "Turns are of seats that exist; a simultaneous turn is of at least one.",
    Longest: "Every game ends within the declared number of steps.",

    ActionsNonEmpty: "A seat to move has a legal action.",
    ActionsRising: "Legal actions are listed in strictly rising order, hence once each.",
    Appends: "`actions` and `chance` append to the list they are given.",
    RejectsIllegal: "Checked play makes every legal step, refuses others and leaves the state alone.",
    Deterministic: "Asking twice gives one answer: clones, steps, observations, draws with one seed, be the sampler new or used.",

    ChanceSum: "Probabilities of chance are positive and sum to 1.",
    ChancePossible: "`is_possible` agrees with the listed outcomes, and what is drawn is possible.",
    ChanceFrequencies: "`sample_chance` draws outcomes as often as `chance` says.",
    RandomAction: "`random_action` draws every legal action equally often, and nothing else.",
    Playout: "`playout` leaves the state at an end of the game and returns its rewards.",
    PlayoutFrequencies: "`playout` reaches every end as often as uniformly random play does.",

    RewardCount: "There is one reward per player.",
    RewardRange: "Rewards are finite and within the declared range.",
    RewardSum: "Rewards add up as declared.",
    Evaluation: "`evaluate` guesses a finite number within the reward range.",

    NameWord: "Names of actions, outcomes, roles and hidden values are single words.",
    NameParses: "The name of an action or outcome is read back as the same.",
    NameDistinct: "Different actions have different names; so have outcomes, and hidden values.",
    NameGarbage: "A text that is not a name is not read as an action or outcome.",
    CodeDistinct: "Different actions have different codes.",
    CodeRange: "Every code is below `codes()`.",
    CodeDecodes: "A game that decodes knows every action by its code.",
    CodesRising: "Where there are `codes()`, the codes of legal actions rise with the actions.",
    Explain: "Observations are put in words.",
    View: "What is known, and the whole state, are drawn as something to look at.",
    Scene: "Scenes are bounded and their spots distinct; different legal moves touch different spots that are there.",
    Record: "A recorded game replays to the same state and keys.",
    KnownJson: "What is known is written as JSON and read back as the same.",
    InfoSetJson: "An information set is written as JSON and read back as the same.",

    SameKnown: "An observer that cannot tell two histories apart knows the same in both.",
    SameText: "An observer that cannot tell two histories apart is shown and sent the same text in both.",
    LegalFromKnown: "What a seat may do depends only on what it knows.",
    PerfectRecall: "Histories in which an observer did or saw different things have different keys.",
    PublicIsCommon: "The public sees only what every seat sees.",
    KnownSuffices: "What a seat knows at a decision settles which states are possible, and how likely.",
    SampleKnown: "In a drawn world the observer knows what it knew.",
    SampleWeight: "Every drawn world has a positive, finite weight.",
    SampleSupport: "Worlds are the states of the information set; at a decision all where the seat moves.",
    SampleFrequencies: "Worlds, by weight, come as often as chance makes them; players' moves do not weigh.",
    Enumerate: "`enumerate` lists the states of the information set with the shares they are drawn with.",

    HiddenValue: "The hidden part has one of its values wherever it is settled, which it is somewhere.",
    HiddenPrivate: "Values that a seat cannot tell apart are the same to it in private.",
    HiddenPrior: "The prior believes in every possible value and no other; at first, as chance made them.",
    HiddenBelief: "A belief carried along keeps every possible value and no other, or begins anew.",
    HiddenSample: "Worlds with a given value agree with what is known, as often as chance makes them.",

    Tensors: "Numbers for learning are within -1 and 1, equal for equal knowledge, others for other legal moves.",

    TooLarge: "The tiny instance can be enumerated: it is small enough, and its chance is listed.",
    Vacuous: "There is something to test: games end, players choose, worlds are drawn.",
    Panics: "Nothing panics.",
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}: {}", self.statement())
    }
}

/// A law that a game breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// Where and how it is broken: the first case found, and how many there are.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n    {}", self.law, self.what)
    }
}
