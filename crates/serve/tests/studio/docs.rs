//! The client in `docs/studio.md` plays a game.

use std::process::Command;

use crate::browser::House;

#[test]
fn the_client_in_the_documentation_plays_a_game() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|out| out.status.success()) {
        println!("left out: the client in docs/studio.md, which needs python3");
        return;
    }
    let page = include_str!("../../../../docs/studio.md");
    let (_, rest) = page.split_once("```python\n").unwrap();
    let (client, _) = rest.split_once("```").unwrap();
    assert!(client.lines().count() <= 24, "it is small");
    let house = House::new("client");
    let (at, token) = (house.address(), house.running.as_ref().unwrap().token().unwrap());
    let mut python = Command::new("python3");
    python.args(["-c", client, &format!("http://{at}"), &token]).env("NO_PROXY", "*");
    let told = python.output().unwrap();
    let (out, error) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
    assert!(told.status.success(), "{error}");
    let rewards: Vec<f64> =
        out.trim().strip_prefix("rewards: ").unwrap().split(' ').map(|r| r.parse().unwrap()).collect();
    assert!(rewards.len() == 2 && rewards.iter().sum::<f64>() == 0.0, "{out}");
}
