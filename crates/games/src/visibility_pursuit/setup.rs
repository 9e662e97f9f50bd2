//! The map that is asked for, and where the units start on it.

use fogtree_core::files::read_text;
use fogtree_core::{BadSpec, Params, Purpose, Seed};

use super::generate;
use super::map::Map;
use super::map_file::{self, Senses};

/// The largest file that is read as a map.
const LARGEST_FILE: u64 = 1 << 18;

/// The map that the parameters ask for.
pub(super) fn map_of(params: &Params) -> Result<Map, BadSpec> {
    let range = match params.text("range") {
        "usual" => None,
        _ => Some(params.number("range")?),
    };
    let senses = Senses { range, stay: params.flag("wait")? };
    let seed = params.number("seed")?;
    let file = params.text("file");
    if !file.is_empty() {
        let text = read_text(file, LARGEST_FILE);
        let text = text.map_err(|why| params.bad("file", format!("a file with a map: {why}")))?;
        return map_file::read(&text, senses).map_err(|why| params.bad("file", format!("a map ({why})")));
    }
    match params.text("map") {
        "maze" => {
            let (width, height) = (params.number("width")?, params.number("height")?);
            let map = Map::grid(&generate::maze(width, height, seed), senses.range_or(10.0), senses.stay);
            map.map_err(|why| params.bad("height", format!("a smaller maze: {why}")))
        }
        "road" => {
            let town = generate::town(params.number("places")?, seed);
            let clear = |a, b| town.is_clear(a, b);
            let map =
                Map::points(town.points.clone(), &town.links, senses.range_or(25.0), senses.stay, clear);
            map.map_err(|why| params.bad("places", format!("another town: {why}")))
        }
        rows => {
            let expected =
                |why| params.bad("map", format!("maze, road or the rows of a grid as in ..#/... ({why})"));
            map_file::grid((1..).zip(rows.split('/')), senses).map_err(expected)
        }
    }
}

/// The first pursuer anywhere, the others so many steps from those before them, or as far as possible; the evader in
/// sight of one of them and as far from all as possible.
pub(super) fn random_start(map: &Map, pursuers: usize, apart: u16, seed: Seed) -> Vec<u16> {
    let mut rng = seed.named("visibility-pursuit").stream(Purpose::Deal);
    let open: Vec<u16> = map.open().iter().collect();
    let mut units: Vec<u16> = vec![*rng.pick(&open)];
    let mut nearest = map.distances(units[0]);
    while units.len() < pursuers {
        let gap = |place: &u16| nearest[usize::from(*place)];
        let far: Vec<u16> = open.iter().copied().filter(|place| gap(place) >= apart).collect();
        let next = if far.is_empty() {
            *open.iter().max_by_key(|place| gap(place)).unwrap_or(&open[0])
        } else {
            *rng.pick(&far)
        };
        units.push(next);
        let more = map.distances(next);
        nearest.iter_mut().zip(more).for_each(|(near, other)| *near = (*near).min(other));
    }
    let mut seen: Vec<u16> = open;
    seen.retain(|&place| units.iter().any(|&unit| map.sight(unit).contains(place)));
    let farthest = seen.iter().map(|&place| nearest[usize::from(place)]).max();
    seen.retain(|&place| Some(nearest[usize::from(place)]) == farthest);
    units.insert(0, *rng.pick(&seen));
    units
}

/// The start that the parameters list.
pub(super) fn listed_start(map: &Map, pursuers: usize, params: &Params) -> Result<Vec<u16>, BadSpec> {
    let words: Vec<String> = params.list("start")?;
    let units: Option<Vec<u16>> = words.iter().map(|word| map.parse(word)).collect();
    units.filter(|units| units.len() == 1 + pursuers).ok_or_else(|| {
        let example = map.open().iter().next().map_or_else(String::new, |place| map.name(place));
        let what = format!("[evader,pursuer,...] with {pursuers} pursuers, places by name as in {example}");
        params.bad("start", format!("{what}, or the seed of a random start"))
    })
}
