//! The description of the API is that of the server: `docs/openapi.json` is made from the types, knows every route, and
//! real answers are as it says.
//!
//! `FOGTREE_BLESS=1 cargo test -p fogtree-serve --features schema --test openapi` writes it anew.

mod answers;
#[path = "../studio/browser.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod browser;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use fogtree_serve::studio::openapi;
use serde_json::Value;

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json")
}

#[test]
fn the_description_is_made_from_the_types() {
    let text = serde_json::to_string_pretty(&openapi()).unwrap() + "\n";
    if std::env::var_os("FOGTREE_BLESS").is_some() {
        fs::write(committed(), &text).unwrap();
    }
    let found = fs::read_to_string(committed()).unwrap();
    assert!(found == text, "docs/openapi.json is out of date: see the top of this test");
}

/// The sources of the studio.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, all);
        } else {
            *all += &fs::read_to_string(&path).unwrap();
        }
    }
}

/// Method and path of every `.route(path, get(...).post(...))` in a text.
fn routes(text: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    for call in text.split(".route(\"").skip(1) {
        let (path, rest) = call.split_once('"').unwrap();
        let mut depth = 1;
        let end = rest.char_indices().find(|(_, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            depth == 0
        });
        let handlers = &rest[..end.unwrap().0];
        for method in ["get", "post", "put", "delete", "patch"] {
            if handlers.contains(&format!("{method}(")) {
                found.insert((method.to_string(), path.to_string()));
            }
        }
    }
    found
}

#[test]
fn every_route_is_described_and_nothing_else() {
    let mut text = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/studio"), &mut text);
    let served = routes(&text);
    assert!(served.len() > 40 && served.contains(&("delete".to_string(), "/api/tables/{id}".to_string())));
    let document = openapi();
    let methods = |(path, methods): (&String, &Value)| -> Vec<(String, String)> {
        methods.as_object().unwrap().keys().map(|method| (method.clone(), path.clone())).collect()
    };
    let described: BTreeSet<_> = document["paths"].as_object().unwrap().iter().flat_map(methods).collect();
    assert_eq!(described, served);
}

/// Everything that has a name in what is sent and told says what it means.
#[test]
fn every_field_is_explained() {
    let document = openapi();
    let mut silent = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        look(name, schema, &mut silent);
    }
    for (path, methods) in document["paths"].as_object().unwrap() {
        for operation in methods.as_object().unwrap().values() {
            for parameter in operation["parameters"].as_array().unwrap() {
                let name = parameter["name"].as_str().unwrap();
                if parameter["in"] == "query" && parameter["description"].is_null() {
                    silent.push(format!("{path}?{name}"));
                }
            }
        }
    }
    assert!(silent.is_empty(), "without a word:\n{}", silent.join("\n"));
}

fn look(at: &str, schema: &Value, silent: &mut Vec<String>) {
    let fields = schema["properties"].as_object();
    // The comment of a variant is that of its only field.
    let variant = schema["description"].is_string() && fields.is_some_and(|fields| fields.len() == 1);
    for (name, field) in fields.into_iter().flatten() {
        let is_tag = field.get("const").is_some();
        if field["description"].is_null() && !is_tag && !variant {
            silent.push(format!("{at}.{name}"));
        }
        look(&format!("{at}.{name}"), field, silent);
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        for (number, one) in schema[key].as_array().into_iter().flatten().enumerate() {
            look(&format!("{at}/{number}"), one, silent);
        }
    }
    if schema["items"].is_object() {
        look(&format!("{at}[]"), &schema["items"], silent);
    }
}
