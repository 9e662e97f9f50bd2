//! Tables: play, leave, come back, and nobody sees what is not theirs.

use fogtree_core::{About, Agent, AgentEntry, AgentFailure, Budget, Decision, InfoSet};
use fogtree_table::Registry;
use serde_json::json;

use crate::browser::House;

#[test]
fn a_person_plays_an_agent_to_the_end() {
    let house = House::new("plays");
    let me = house.owner();
    let wanted = json!({"game": "phantom-mnk(m=3,n=3,k=3)", "seats": [null, "flat-mc(iterations=50)"]});
    let (table, links) = me.table(&wanted);
    assert_eq!(links, json!({}));
    let end = me.play_to_the_end(&table);
    assert_eq!(end["all_seen"], true);
    assert!(end["whole"]["rewards"].is_array());
    let record = me.get(&format!("/api/tables/{table}/record")).text();
    assert!(record.starts_with("{\"format\":\"fogtree-record\""), "{record}");
    assert!(!me.got(&format!("/api/tables/{table}/thoughts")).as_array().unwrap().is_empty());
}

#[test]
fn a_table_is_there_after_a_restart() {
    let mut house = House::new("restart");
    let me = house.owner();
    let (table, _) = me.table(&json!({"game": "mnk(m=3,n=3,k=3)", "seats": [null, "random"]}));
    let path = format!("/api/tables/{table}");
    let view = me.wait_for(&table, |v| v["views"][0]["view"]["to_move"] == true);
    let legal = view["views"][0]["view"]["legal"][4]["move"].clone();
    let revision = view["views"][0]["view"]["revision"].clone();
    me.posted(&format!("{path}/move"), &json!({"seat": 0, "move": legal, "revision": revision}));
    let before = me.wait_for(&table, |v| v["views"][0]["view"]["to_move"] == true);
    house.restart();
    let after = me.got(&path);
    assert_eq!(before["views"], after["views"]);
    me.play_to_the_end(&table);
}

/// An agent with a fault.
struct Faulty;

impl Agent for Faulty {
    fn act(&mut self, _: &InfoSet, _: &Budget) -> Result<Decision, AgentFailure> {
        panic!("on purpose");
    }
}

static FAULTY: AgentEntry =
    AgentEntry::new(&About::new("faulty", "Breaks down when it is asked", "this test", &[]), &|_| {
        Ok((Box::new(Faulty), Budget::default()))
    });

#[test]
fn a_panic_in_a_search_ends_that_table_only() {
    let mut registry = Registry::sandboxed();
    registry.add_agent(FAULTY);
    let house = House::of("panic", registry);
    let me = house.owner();
    let (well, _) = me.table(&json!({"game": "mnk(m=3,n=3,k=3)", "seats": [null, "random"]}));
    let (ill, _) = me.table(&json!({"game": "mnk(m=3,n=3,k=3)", "seats": ["faulty", null]}));
    let view = me.wait_for(&ill, |v| v["failed"].is_string());
    assert!(view["failed"].as_str().unwrap().contains("seat 0 broke down"), "{view}");
    let moved = json!({"seat": 1, "move": "a1", "revision": view["views"][0]["view"]["revision"]});
    assert_eq!(me.post(&format!("/api/tables/{ill}/move"), &moved).status, 409);
    assert_eq!(me.play_to_the_end(&well)["over"], true, "others play on, on the same threads");
}
