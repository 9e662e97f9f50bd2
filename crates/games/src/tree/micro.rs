//! The micro games of the sources, small enough to be solved on paper, as built-in files.

/// Names and texts of the built-in trees.
///
/// | name | from | what it shows |
/// |---|---|---|
/// | `non-locality` | equilibrium 3.10 | play in one part of the tree decides what is right in another |
/// | `modified-non-locality` | equilibrium 3.10 | the same, but right beliefs are enough |
/// | `long-non-locality` | gdl 5.3 | an informed opponent gives away where the game is |
/// | `coin` | ismcts 2.5 | strategy fusion: a guess looks free |
/// | `ismcts-a` | ismcts 3.14 (a) | strategy fusion, worked through |
/// | `ismcts-b` | ismcts 3.14 (b) | opponents whose moves depend on what is hidden |
/// | `matching-pennies` | textbooks | a simultaneous move as a hidden one |
/// | `kuhn` | ismcts 4.13 | Kuhn poker as a Gambit file |
pub const ALL: &[(&str, &str)] = &[
    ("non-locality", include_str!("../../data/trees/non-locality.json")),
    ("modified-non-locality", include_str!("../../data/trees/modified-non-locality.json")),
    ("long-non-locality", include_str!("../../data/trees/long-non-locality.json")),
    ("coin", include_str!("../../data/trees/coin.json")),
    ("ismcts-a", include_str!("../../data/trees/ismcts-a.json")),
    ("ismcts-b", include_str!("../../data/trees/ismcts-b.json")),
    ("matching-pennies", include_str!("../../data/trees/matching-pennies.efg")),
    ("kuhn", include_str!("../../data/trees/kuhn.efg")),
];
