//! Answers of a real server, compared with the description.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;

use fogtree_lab::experiment::{Directory, Runner};
use fogtree_serve::studio::openapi;
use fogtree_table::Registry;
use serde_json::{Value, json};

use crate::browser::{Answer, Guest, House};

/// Somebody who asks and compares.
struct Visit {
    guest: Guest,
    document: Value,
    met: Mutex<BTreeSet<(String, String)>>,
}

impl Visit {
    fn described(&self, method: &str, template: &str) -> &Value {
        self.met.lock().unwrap().insert((method.to_string(), template.to_string()));
        let found = &self.document["paths"][template][method];
        assert!(found.is_object(), "{method} {template} is not described");
        found
    }

    /// What is wrong with a value.
    fn compare(&self, what: &str, schema: &Value, value: &Value) {
        let whole = json!({"allOf": [schema], "components": self.document["components"]});
        let validator = jsonschema::validator_for(&whole).unwrap_or_else(|why| panic!("{what}: {why}"));
        let faults: Vec<String> =
            validator.iter_errors(value).map(|e| format!("{} at {}", e, e.instance_path())).collect();
        let shown: String = value.to_string().chars().take(2000).collect();
        assert!(faults.is_empty(), "{what}:\n{}\nin {shown}", faults.join("\n"));
    }

    fn checked(&self, method: &str, template: &str, path: &str, answer: &Answer) -> Value {
        let described = self.described(method, template);
        let status = answer.status.to_string();
        let expected = &described["responses"][&status];
        assert!(expected.is_object(), "{method} {path} answers {status}: {answer:?}");
        let Some(content) = expected["content"].as_object() else {
            assert!(answer.body.is_empty(), "{path}");
            return Value::Null;
        };
        let kind = answer.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
        let (named, content) = content.iter().next().unwrap();
        // What the page is made of has many kinds.
        assert!(template == "/{*path}" || kind == named, "{path}: {kind} is no {named}");
        if kind != "application/json" {
            return Value::from(answer.text());
        }
        let told = answer.json();
        self.compare(&format!("{method} {path}"), &content["schema"], &told);
        told
    }

    fn get(&self, template: &str, path: &str) -> Value {
        self.checked("get", template, path, &self.guest.get(path))
    }

    fn post(&self, template: &str, path: &str, body: &Value) -> Value {
        if let Some(content) = self.described("post", template)["requestBody"]["content"].as_object()
            && let Some(json) = content.get("application/json")
        {
            self.compare(&format!("what is sent to {path}"), &json["schema"], body);
        }
        self.checked("post", template, path, &self.guest.ask("POST", path, Some(body)))
    }

    fn delete(&self, template: &str, path: &str) {
        self.checked("delete", template, path, &self.guest.ask("DELETE", path, None));
    }

    /// Listens until an event of this name, and compares all of them.
    fn listen(&self, template: &str, path: &str, until: &str) {
        let described = self.described("get", template)["responses"]["200"]["x-events"].clone();
        let mut events = self.guest.listen(path);
        while let Some((name, data)) = events.next() {
            assert!(described[&name].is_object(), "{path} tells of {name}, which is not described");
            self.compare(&format!("{name} of {path}"), &described[&name], &data);
            if name == until {
                return;
            }
        }
        panic!("{path} ends without {until}");
    }

    /// Begins a job; answers its path.
    fn begun(&self, path: &str, field: &str, body: &Value) -> String {
        let told = self.post(path, path, body);
        format!(
            "/api/{field}{}/{}",
            if field.ends_with('h') { "es" } else { "s" },
            told[field].as_str().unwrap()
        )
    }
}

const EXPERIMENT: &str = r#"
title = "small"
seed = 7
[agents]
random = "random"
search = "is-mcts"
[[cells]]
game = "kuhn-poker"
seats = ["random", "random"]
games = 4
[[curves]]
game = "kuhn-poker"
agents = ["search"]
iterations = 100
runs = 1
"#;

#[test]
fn real_answers_are_as_described() {
    let folder = std::env::temp_dir().join(format!("fogtree-openapi-{}", std::process::id()));
    let registry = Registry::standard();
    let directory = Directory::new(folder.join("runs/small"));
    let plan = directory.prepare_text("file", EXPERIMENT, None, &registry).unwrap();
    let store = directory.store(&plan).unwrap();
    let runner = Runner { plan: &plan, registry: &registry, store: &store, threads: 1 };
    runner.run(&Default::default(), &mut |_| {}).unwrap();
    fs::create_dir_all(folder.join("records")).unwrap();
    let house = House::with("openapi", |settings| {
        settings.experiments = folder.join("runs");
        settings.records = Some(folder.join("records"));
    });
    let visit = Visit { guest: house.owner(), document: openapi(), met: Mutex::default() };
    for path in ["/api/me", "/api/games", "/api/agents", "/api/solvers", "/api/openapi.json", "/"] {
        visit.get(path, path);
    }
    visit.get("/{*path}", "/index.html");
    visit.get("/api/picture", "/api/picture?game=hearts&moves=5&theme=dark");
    for game in ["leduc-poker", "hearts", "tree", "random-game", "scotland-yard"] {
        visit.get("/api/setup", &format!("/api/setup?game={game}"));
    }
    let invited = visit.post("/api/invite", "/api/invite", &json!({}));
    let key = invited["link"].as_str().unwrap().split_once("key=").unwrap().1.to_string();
    visit.post("/api/enter", "/api/enter", &json!({"key": key}));
    tables(&visit);
    let place = json!({"of": "moves", "game": "phantom-mnk(m=3,n=3,k=3)", "moves": "a1 b2"});
    let look = json!({"place": place, "seat": 0});
    visit.post("/api/position", "/api/position", &look);
    visit.post("/api/worlds", "/api/worlds?theme=dark", &json!({"place": place, "seat": 0, "count": 20}));
    searches(&visit, &place);
    solves(&visit);
    records(&visit, &folder.join("records"));
    visit.get("/api/experiments", "/api/experiments");
    visit.get("/api/experiments/{name}", "/api/experiments/small?theme=dark");
    visit.get("/api/experiments/{name}/report", "/api/experiments/small/report");
    let asked: BTreeSet<_> = visit.met.into_inner().unwrap();
    let paths = visit.document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().unwrap().keys().map(|method| (method.clone(), path.clone())).collect::<Vec<_>>()
    });
    assert_eq!(asked, all.collect(), "every route is asked");
    drop(house);
    fs::remove_dir_all(&folder).unwrap();
}

fn tables(visit: &Visit) {
    let wanted = json!({"game": "leduc-poker", "seats": [null, null], "sit": [0], "seed": null,
        "clock": {"seconds": 600}});
    let made = visit.post("/api/tables", "/api/tables", &wanted);
    let link = made["links"]["1"].as_str().unwrap();
    let nobody = Guest::new(visit.guest.address);
    visit.checked("get", "/seat/{key}", link, &nobody.get(link));
    let path = format!("/api/tables/{}", made["table"].as_str().unwrap());
    visit.get("/api/tables/{id}", &path);
    visit.post("/api/tables/{id}/resign", &format!("{path}/resign"), &json!({"seat": 0}));
    visit.get("/api/tables/{id}", &path);
    visit.delete("/api/tables/{id}", &path);
    let wanted = json!({"game": "leduc-poker", "seats": [null, "mo-ismcts(iterations=200)"], "open": true});
    let made = visit.post("/api/tables", "/api/tables", &wanted);
    let id = made["table"].as_str().unwrap();
    let path = format!("/api/tables/{id}");
    visit.listen("/api/tables/{id}/live", &format!("{path}/live"), "table");
    visit.post("/api/tables/{id}/pace", &format!("{path}/pace"), &json!({"delay": 1}));
    let seen = visit.guest.wait_for(id, |view| view["views"][0]["view"]["to_move"] == true);
    let seat = &seen["views"][0]["view"];
    let choice = json!({"seat": 0, "move": seat["legal"][0]["move"], "revision": seat["revision"]});
    visit.post("/api/tables/{id}/move", &format!("{path}/move"), &choice);
    visit.post("/api/tables/{id}/undo", &format!("{path}/undo"), &json!({"seat": 0}));
    visit.guest.play_to_the_end(id);
    visit.get("/api/tables", "/api/tables");
    visit.get("/api/tables/{id}", &format!("{path}?theme=dark"));
    visit.get("/api/tables/{id}/thoughts", &format!("{path}/thoughts"));
    let record = visit.get("/api/tables/{id}/record", &format!("{path}/record"));
    assert!(record.as_str().unwrap().contains("fogtree-record"));
    let over = json!({"place": {"of": "table", "table": id}, "agent": "mo-ismcts", "time": 20});
    let review = visit.begun("/api/reviews", "review", &over);
    visit.listen("/api/reviews/{id}/live", &format!("{review}/live"), "end");
    visit.get("/api/reviews/{id}", &review);
    visit.delete("/api/reviews/{id}", &review);
}

fn searches(visit: &Visit, place: &Value) {
    let agents =
        ["mo-ismcts(iterations=500)", "pimc(iterations=20)", "random", "mt-mo-ismcts(iterations=300)"];
    let search =
        visit.begun("/api/searches", "search", &json!({"place": place, "seat": 0, "agents": agents}));
    visit.listen("/api/searches/{id}/live", &format!("{search}/live"), "end");
    visit.get("/api/searches/{id}", &search);
    let of = |rest: &str| format!("{search}/0/{rest}");
    visit.get("/api/searches/{id}/{agent}/tree", &of("tree?depth=3&top=4"));
    visit.get("/api/searches/{id}/{agent}/tree", &of("tree?node=1"));
    visit.get("/api/searches/{id}/{agent}/line", &of("line?theme=dark"));
    visit.get("/api/searches/{id}/{agent}/convergence", &of("convergence"));
    visit.delete("/api/searches/{id}", &search);
    let failing = json!({"place": place, "seat": 0, "agents": ["policy(name=uniform)"], "time": 50});
    let search = visit.begun("/api/searches", "search", &failing);
    visit.listen("/api/searches/{id}/live", &format!("{search}/live"), "end");
    visit.get("/api/searches/{id}", &search);
}

fn solves(visit: &Visit) {
    let solve = visit.begun("/api/solves", "solve", &json!({"game": "kuhn-poker", "iterations": 100}));
    visit.listen("/api/solves/{id}/live", &format!("{solve}/live"), "end");
    visit.get("/api/solves/{id}", &format!("{solve}?theme=dark"));
    visit.get("/api/solves/{id}/strategy", &format!("{solve}/strategy?count=5&find=you"));
    visit.delete("/api/solves/{id}", &solve);
    let wanted = json!({"game": "kuhn-poker", "agent": "random", "samples": 5});
    let exploit = visit.begun("/api/exploits", "solve", &wanted);
    visit.listen("/api/solves/{id}/live", &format!("{exploit}/live"), "end");
    visit.get("/api/solves/{id}", &exploit);
    let large = visit.begun("/api/solves", "solve", &json!({"game": "hearts", "time": 100}));
    visit.listen("/api/solves/{id}/live", &format!("{large}/live"), "end");
    assert_eq!(visit.get("/api/solves/{id}", &large)["state"], "failed");
}

fn records(visit: &Visit, folder: &std::path::Path) {
    let tables = visit.guest.got("/api/tables");
    let over = tables.as_array().unwrap().iter().find(|table| table["over"] == true).unwrap();
    let text = visit.guest.get(&format!("/api/tables/{}/record", over["table"].as_str().unwrap())).text();
    fs::write(folder.join("one.jsonl"), &text).unwrap();
    visit.get("/api/records", "/api/records");
    let replay = visit.post("/api/records/{name}/open", "/api/records/one.jsonl/open", &Value::Null);
    visit.get("/api/replays/{id}", &format!("/api/replays/{}", replay["replay"].as_str().unwrap()));
    // A record of no steps is one line of JSON.
    let header = text.lines().next().unwrap();
    visit.post("/api/replays", "/api/replays", &serde_json::from_str(header).unwrap());
}
