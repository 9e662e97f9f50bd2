//! What is said of the game, and what it can be asked for.

use fogtree_core::{About, Domain, Param};

use super::board::MOST_STATIONS;
use super::{MOST_ROUNDS, MOST_SEEKERS};
use crate::reward::Reward;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "scotland-yard",
    summary: "Mr X hides on a map of London; the seekers see his tickets, and him only when he surfaces",
    source: "Whitehouse 2014, section 4.2.12; the printed game of 1983",
    params: &[
        Param::new(
            "board",
            "london",
            Domain::Text,
            "london (199 stations), tiny (7), or random, which takes stations and seed",
        ),
        Param::new("file", "", Domain::File, "a file with a board, in lines such as '1 8 taxi'"),
        Param::new(
            "stations",
            "199",
            Domain::Integer(8, MOST_STATIONS as i128),
            "stations of a random board, 8 to 255",
        ),
        Param::new("seed", "1", Domain::Integer(0, u64::MAX as i128), "which random board"),
        Param::new("seekers", "5", Domain::Integer(1, MOST_SEEKERS as i128), "1 to 5"),
        Param::new("rounds", "24", Domain::Integer(1, MOST_ROUNDS as i128), "Mr X's moves, 1 to 24"),
        Param::new("surface", "[3,8,13,18]", Domain::List, "the moves after which Mr X is seen"),
        Param::new("taxi", "10", Domain::Integer(0, 30), "taxi tickets of each seeker, 0 to 30"),
        Param::new("bus", "8", Domain::Integer(0, 30), "bus tickets of each seeker, 0 to 30"),
        Param::new("underground", "4", Domain::Integer(0, 30), "underground tickets of each seeker, 0 to 30"),
        Param::new("x", "[4,3,3]", Domain::List, "Mr X's taxi, bus and underground tickets, 0 to 30"),
        Param::new(
            "black",
            "seekers",
            Domain::Or("seekers", &Domain::Integer(0, 30)),
            "Mr X's black tickets: as many as seekers, or 0 to 30",
        ),
        Param::new(
            "doubles",
            "0",
            Domain::Integer(0, 9),
            "Mr X's double-move cards, 0 to 9; 2 in the printed game",
        ),
        Param::new(
            "team",
            "together",
            Domain::Choice(&["together", "apart"]),
            "who moves the seekers: together (one player), or apart: each has a seat",
        ),
        Param::new(
            "epsilon",
            "0.2",
            Domain::Real(0.0, 1.0),
            "how probably a policy of the game moves at random, 0 to 1",
        ),
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "board=tiny,seekers=1,rounds=3,surface=[2],taxi=3,bus=1,underground=1,x=[3,1,0]",
};
