//! What leaves the process keeps its form: one example of each type in `tests/wire/*.json`, and the page
//! `docs/json.md`, made from the comments of the types.
//!
//! `FOGTREE_BLESS=1 cargo test -p fogtree-table --test wire` writes both anew.

mod examples;
mod page;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Whether the file is as it should be; if asked to bless, it is made so.
fn is_as_it_should(path: &PathBuf, text: &str) -> bool {
    if std::env::var_os("FOGTREE_BLESS").is_some() {
        fs::write(path, text).expect("the file can be written");
    }
    fs::read_to_string(path).is_ok_and(|found| found == text)
}

/// Compares examples with their golden files, in both directions.
#[derive(Default)]
struct Golden {
    wrong: Vec<&'static str>,
    met: BTreeSet<String>,
}

impl Golden {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(
        &mut self,
        name: &'static str,
        example: &T,
    ) {
        let file = format!("{name}.json");
        let text = serde_json::to_string_pretty(example).expect("plain data") + "\n";
        if !is_as_it_should(&root().join("tests/wire").join(&file), &text) {
            self.wrong.push(name);
        }
        let read: T = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(&read, example, "{name} does not read what it writes");
        self.met.insert(file);
    }
}

#[test]
fn every_type_keeps_its_form() {
    let mut golden = Golden::default();
    examples::all(&mut golden);
    assert!(
        golden.wrong.is_empty(),
        "not as they were (see the top of this test): {}",
        golden.wrong.join(", ")
    );
    let names = fs::read_dir(root().join("tests/wire")).expect("the folder exists");
    let names = names.map(|file| file.expect("an entry").file_name().into_string().expect("a name"));
    let files: BTreeSet<String> = names.filter(|name| name.ends_with(".json")).collect();
    assert_eq!(files, golden.met, "tests/wire holds the examples and nothing else");
}

#[test]
fn the_page_lists_every_field() {
    let page = page::page();
    assert!(
        is_as_it_should(&root().join("../../docs/json.md"), &page),
        "docs/json.md is not as it should be"
    );
    for of in ["Position", "Decision", "SearchTrees", "MatchResult", "Scene"] {
        assert!(page.contains(&format!("\n### {of}\n")), "{of} is not on the page");
    }
}
