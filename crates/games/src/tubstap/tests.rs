use fogtree_core::testing::{Options, accept, check_play, check_tree};

use super::*;

fn game(params: &str) -> Tubstap {
    let spec = format!("tubstap({params})").parse().unwrap();
    Tubstap::from_params(&ABOUT.params(&spec).unwrap()).unwrap()
}

#[test]
fn tiny_laws() {
    accept(&check_tree(&game(ABOUT.tiny), &Options::default()));
}

#[test]
fn default_laws() {
    accept(&check_play(&game(""), &Options::default()));
}
