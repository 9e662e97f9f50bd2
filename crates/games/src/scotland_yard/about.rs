//! What is said of the game, and what it can be asked for.

use fogtree_core::{About, Param};

use crate::reward::Reward;

/// What `fogtree games` says of it.
pub static ABOUT: About = About {
    name: "scotland-yard",
    summary: "Mr X hides on a map of London; the seekers see his tickets, and him only when he surfaces",
    source: "Whitehouse 2014, section 4.2.12; the printed game of 1983",
    params: &[
        Param {
            name: "board",
            default: "london",
            about: "london (199 stations), tiny (7), or random, which takes stations and seed",
        },
        Param { name: "file", default: "", about: "a file with a board, in lines such as '1 8 taxi'" },
        Param { name: "stations", default: "199", about: "stations of a random board, 8 to 255" },
        Param { name: "seed", default: "1", about: "which random board" },
        Param { name: "seekers", default: "5", about: "1 to 5" },
        Param { name: "rounds", default: "24", about: "Mr X's moves, 1 to 24" },
        Param { name: "surface", default: "[3,8,13,18]", about: "the moves after which Mr X is seen" },
        Param { name: "taxi", default: "10", about: "taxi tickets of each seeker, 0 to 30" },
        Param { name: "bus", default: "8", about: "bus tickets of each seeker, 0 to 30" },
        Param { name: "underground", default: "4", about: "underground tickets of each seeker, 0 to 30" },
        Param { name: "x", default: "[4,3,3]", about: "Mr X's taxi, bus and underground tickets, 0 to 30" },
        Param {
            name: "black",
            default: "seekers",
            about: "Mr X's black tickets: as many as seekers, or 0 to 30",
        },
        Param {
            name: "doubles",
            default: "0",
            about: "Mr X's double-move cards, 0 to 9; 2 in the printed game",
        },
        Param {
            name: "team",
            default: "together",
            about: "who moves the seekers: together (one player), or apart: each has a seat",
        },
        Param {
            name: "epsilon",
            default: "0.2",
            about: "how probably a policy of the game moves at random, 0 to 1",
        },
        Reward::PARAM,
    ],
    presets: &[],
    tiny: "board=tiny,seekers=1,rounds=3,surface=[2],taxi=3,bus=1,underground=1,x=[3,1,0]",
};
