use fogtree_core::testing::{Options, check_tree};

use super::*;

fn game(params: &str) -> VisibilityPursuit {
    let spec = format!("visibility-pursuit({params})").parse().expect("well-formed");
    let (about, spec) = About::find([&ABOUT].into_iter(), "game", &spec).expect("it exists");
    VisibilityPursuit::from_params(&about.params(&spec).expect("its parameters exist"))
        .expect("it can be built")
}

#[test]
fn laws_quick() {
    for p in [
        ABOUT.tiny,
        "map=...../.###./.....,range=1,steps=2,pursuers=2,start=[1.1,2.1,5.3],apart=0,objective=unseen",
        "map=..#../.....,range=1.5,steps=3,pursuers=1,start=[1.1,5.1],wait=no,objective=end-size",
        "map=road,places=12,range=6,steps=3,pursuers=1,start=3,reward=log",
    ] {
        let t = std::time::Instant::now();
        let faults = check_tree(&game(p), &Options::default());
        eprintln!("{p} {:?}", t.elapsed());
        for f in &faults {
            eprintln!("{f}");
        }
        assert!(faults.is_empty());
    }
}
