//! The loader and the writer of map files.

use super::*;

#[test]
fn every_map_is_read_and_written_and_read_again() {
    for (name, file, _) in MAPS {
        let map = Map::read(file.as_bytes()).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(Map::read(&map.write()).unwrap(), map, "{name}");
        assert_eq!(map.write(), file.as_bytes(), "{name} is written as it came");
        assert!(ABOUT.params[0].about.contains(name));
    }
}

const GOOD: &str = "SIZEX[5];SIZEY[3];TURNLIMIT[10];HPTHRESHOLD[0];UNITNUMRED[1];UNITNUMBLUE[1];\n\
                    AUTHOR[x];MAPCOM[y];\n\
                    UNIT[1,1,infantry,0,10,0];\n\
                    UNIT[3,1,infantry,1,9,1];\n\
                    MAP[0,0,0,0,0];\n\
                    MAP[0,1,3,1,0];\n\
                    MAP[0,0,0,0,0];\n";

#[test]
fn line_breaks_order_and_encodings_do_not_matter() {
    let map = Map::read(GOOD.as_bytes()).unwrap();
    assert_eq!((map.columns, map.rows, map.units[1][0].hp, map.units[1][0].acted), (3, 1, 9, true));
    let one_line = GOOD.replace('\n', "");
    assert_eq!(Map::read(one_line.as_bytes()).unwrap(), map);
    let broken = GOOD.replace("infantry", "infan\r\ntry").replace("TURNLIMIT[10]", "TURN\nLIMIT[1\n0]");
    assert_eq!(Map::read(broken.as_bytes()).unwrap(), map);
    let unknown = GOOD.replace("AUTHOR", "WEATHER[fine];AUTHOR");
    assert_eq!(Map::read(unknown.as_bytes()).unwrap(), map);
    // Shift-JIS: the second byte of 0x83 0x5d is a ']', and 0x95 0x5b has a '['.
    let mut japanese = GOOD.as_bytes().to_vec();
    let at = GOOD.find("MAPCOM[y").unwrap() + "MAPCOM[".len();
    japanese.splice(at..=at, [0x83, 0x5d, 0x95, 0x5b, 0xff]);
    let map = Map::read(&japanese).unwrap();
    assert_eq!(map.comment, [0x83, 0x5d, 0x95, 0x5b, 0xff]);
    assert_eq!(Map::read(&map.write()).unwrap(), map);
}

/// What is wrong, and where.
#[test]
fn malformed_maps_are_refused_with_line_and_column() {
    let refused = |from: &str, to: &str| {
        assert!(GOOD.contains(from), "{from}");
        Map::read(GOOD.replacen(from, to, 1).as_bytes()).unwrap_err().to_string()
    };
    let cases = [
        ("SIZEX[5]", "SIZEX[five]", "line 1, column 7: SIZEX must be a number from 3 to 66, not 'five'"),
        (
            "TURNLIMIT[10]",
            "TURNLIMIT[0]",
            "line 1, column 29: TURNLIMIT must be a number from 1 to 1000, not '0'",
        ),
        ("TURNLIMIT[10];", "", "line 8, column 1: the file ends without TURNLIMIT"),
        ("SIZEX[5]", "SIZEX[5", "line 1, column 6: this '[' is never closed by ']' before a ';'"),
        ("SIZEX[5]", "SIZEX5", "line 1, column 1: expected KEY[value];, but there is no '['"),
        (
            "SIZEX[5];",
            "SIZEX[5]SIZEX[5];",
            "line 1, column 7: SIZEX must be a number from 3 to 66, not '5]SIZEX[5'",
        ),
        ("SIZEX[5];", "SIZEX[5]x;", "line 1, column 9: expected ';' after ']'"),
        ("SIZEX[5];", "SIZEX[5];SIZEX[5];", "line 1, column 10: SIZEX is given twice"),
        ("1,1,infantry", "1,1,cavalry", "line 3, column 10: there is no unit 'cavalry'; there are: fighter"),
        (
            "1,1,infantry",
            "1,7,infantry",
            "line 3, column 1: (1,7) is outside the map, whose cells are (1,1) to (3,1)",
        ),
        ("1,1,infantry", "3,1,infantry", "line 4, column 1: two units stand on (3,1)"),
        ("0,10,0]", "0,11,0]", "line 3, column 21: HP must be a number from 1 to 10, not '11'"),
        ("0,10,0]", "2,10,0]", "line 3, column 19: the team must be a number from 0 to 1, not '2'"),
        ("0,10,0]", "0,10,]", "line 3, column 24: 'acted' must be a number from 0 to 1, not ''"),
        ("0,10,0]", "0,10]", "line 3, column 6: expected UNIT[x,y,name,team,HP,acted], not 5 values"),
        ("UNITNUMRED[1]", "UNITNUMRED[2]", "line 1, column 59: UNITNUMRED is 2, but there are 1 such units"),
        ("0,1,3,1,0", "0,1,9,1,0", "line 6, column 9: terrain must be a number from 0 to 6, not '9'"),
        ("0,1,3,1,0", "0,1,3,1", "line 6, column 1: SIZEX is 5, but this row has 4 cells"),
        ("0,1,3,1,0", "1,1,3,1,0", "line 6, column 5: the border of the map must be 0 all round"),
        ("MAP[0,1,3,1,0];\n", "", "line 7, column 1: SIZEY is 3, but there are 2 rows MAP"),
        ("0,1,3,1,0", "0,2,3,1,0", "line 3, column 1: infantry cannot stand on sea"),
        (
            "SIZEX[5];SIZEY[3]",
            "SIZEX[20];SIZEY[20]",
            "line 1, column 17: a map of 18x18 is too large: at most 64 cells",
        ),
        (
            "UNIT[3,1,infantry,1,9,1];\n",
            "",
            "line 1, column 74: UNITNUMBLUE is 1, but there are 0 such units",
        ),
    ];
    for (from, to, expected) in cases {
        let error = refused(from, to);
        assert!(error.starts_with(expected), "{from} -> {to}: {error}, not {expected}");
    }
    let empty = GOOD.replace("UNITNUMBLUE[1]", "UNITNUMBLUE[0]").replace("UNIT[3,1,infantry,1,9,1];\n", "");
    let error = Map::read(empty.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("a side has no units"), "{error}");
    let harmless = GOOD.replace("3,1,infantry", "3,1,fighter");
    let error = Map::read(harmless.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("nobody can win"), "{error}");
}

/// No bytes make the loader panic.
#[test]
fn spoiled_files_are_refused_or_read() {
    let mut rng = rng(3);
    let file = game("").battle().map.write();
    for _ in 0..3000 {
        let mut spoiled = file.clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(spoiled.len() as u32) as usize;
            match rng.below(3) {
                0 => spoiled[at] = rng.bits() as u8,
                1 => drop(spoiled.drain(at..(at + 1 + rng.below(20) as usize).min(spoiled.len()))),
                _ => spoiled.insert(at, b"[];,0919"[rng.below(8) as usize]),
            }
        }
        if let Ok(map) = Map::read(&spoiled) {
            assert_eq!(Map::read(&map.write()).unwrap(), map);
        }
    }
}

#[test]
fn maps_are_named_or_read_from_files() {
    let path = std::env::temp_dir().join(format!("fogtree-{}.tbsmap", std::process::id()));
    std::fs::write(&path, GOOD).unwrap();
    let game = game(&format!("file={}", path.display()));
    assert_eq!(game.battle().map.columns, 3);
    std::fs::write(&path, "SIZEX[5]").unwrap();
    let error = Tubstap::from_params(&params(&format!("file={}", path.display()))).unwrap_err().to_string();
    assert!(error.contains("line 1, column 9: the file ends without SIZEY"), "{error}");
    std::fs::write(&path, vec![b' '; 70_000]).unwrap();
    let error = Tubstap::from_params(&params(&format!("file={}", path.display()))).unwrap_err().to_string();
    assert!(error.contains("larger than 64 kB"), "{error}");
    std::fs::remove_file(&path).unwrap();
    let error = Tubstap::from_params(&params("map=atlantis")).unwrap_err().to_string();
    assert!(error.contains("fujiki, map01"), "{error}");
}

/// Random maps follow from their seed, are symmetric about the centre, let every unit stand where it stands and tanks
/// through, can be written and read, and games on them end (`tubstap/4.4`).
#[test]
fn random_maps_are_fair_and_can_be_played() {
    let mut drawn = std::collections::HashSet::new();
    for (seed, size) in (0..120).zip(["8x8:6", "6x6:4", "8x5:10", "21x3:16", "3x4:2", "3x1:1"].iter().cycle())
    {
        let text = format!("random:{seed}:{size}");
        let map = Draft::parse(&text).unwrap().unwrap().map();
        assert_eq!(map, Draft::parse(&text).unwrap().unwrap().map());
        assert!(map.fault().is_none(), "{text}");
        let cells = map.cells() as u8;
        for cell in 0..cells {
            assert_eq!(map.terrain[usize::from(cell)], map.terrain[usize::from(map.mirrored(cell))]);
        }
        let mut taken = std::collections::HashSet::new();
        for (red, blue) in map.units[0].iter().zip(&map.units[1]) {
            assert_eq!(Placed { cell: map.mirrored(red.cell), ..*red }, *blue);
            assert!(map.terrain[usize::from(red.cell)].cost(red.kind).is_some(), "{text}");
            assert!(taken.insert(red.cell) && taken.insert(blue.cell), "{text}");
        }
        assert_eq!(Map::read(&map.write()).unwrap(), map);
        drawn.insert(format!("{map:?}"));
        let game = game(&format!("map={text}"));
        let mut state = game.start();
        game.policy_playout(&game, Some(1), None, &mut state, &mut rng(seed), &mut Scratch::default());
        assert_eq!(game.turn(&state), Turn::Terminal);
    }
    assert!(drawn.len() > 100, "{} different maps", drawn.len());
    let bad = [
        "random:x",
        "random:1:8",
        "random:1:9x9",
        "random:1:8x8:0",
        "random:1:8x8:17",
        "random:1:3x1:2",
        "random:1:2x2",
        "random:1:8x8:4:4",
        "random:1:0x0",
        "random:1:99999999999999999999x2",
    ];
    for text in bad {
        assert!(Tubstap::from_params(&params(&format!("map={text}"))).is_err(), "{text}");
    }
}
