//! Makes the description: modules say what their routes take and answer, in types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Where definitions are in the document.
const DEFINITIONS: &str = "/components/schemas";

const ABOUT: &str = "Everything that the page of the studio can do. Send the token that `fogtree serve` keeps in its data \
     folder as `Authorization: Bearer TOKEN`. Seats are counted from 0. Numbers that are not finite are null. Wherever \
     an answer has pictures, the parameter `theme` chooses their colours. `docs/studio.md` shows how it is used.";

/// All routes.
pub(crate) struct Api {
    sent: SchemaGenerator,
    told: SchemaGenerator,
    paths: Map<String, Value>,
}

/// A route that is being described.
pub(crate) struct Route<'a> {
    api: &'a mut Api,
    path: &'static str,
    method: &'static str,
}

/// The sentence of a refusal.
#[derive(JsonSchema)]
#[schemars(rename = "Error")]
#[allow(dead_code, reason = "only its form is of interest")]
struct Refused {
    /// One clear sentence.
    error: String,
}

impl Api {
    pub(crate) fn new() -> Api {
        let settings = || SchemaSettings::draft2020_12().with(|s| s.definitions_path = DEFINITIONS.into());
        Api {
            sent: settings().for_deserialize().into_generator(),
            told: settings().for_serialize().into_generator(),
            paths: Map::new(),
        }
    }

    pub(crate) fn get(&mut self, path: &'static str, summary: &str) -> Route<'_> {
        self.route("get", path, summary)
    }

    pub(crate) fn post(&mut self, path: &'static str, summary: &str) -> Route<'_> {
        self.route("post", path, summary)
    }

    pub(crate) fn delete(&mut self, path: &'static str, summary: &str) -> Route<'_> {
        self.route("delete", path, summary)
    }

    fn route(&mut self, method: &'static str, path: &'static str, summary: &str) -> Route<'_> {
        let words = path.split('/').filter(|word| !word.is_empty() && *word != "api");
        let words: Vec<String> = words.map(|word| word.replace(['{', '}', '.'], "_")).collect();
        let named = path.split('/').filter_map(|word| word.strip_prefix('{')?.strip_suffix('}'));
        let parameters = named.map(|name| {
            let schema = if name == "agent" {
                json!({"type": "integer", "minimum": 0})
            } else {
                json!({"type": "string"})
            };
            json!({"name": name, "in": "path", "required": true, "schema": schema})
        });
        let refused = self.told.subschema_for::<Refused>();
        let operation = json!({
            "operationId": format!("{method}_{}", words.join("_").replace("__", "_").trim_matches('_')),
            "summary": summary,
            "tags": [words.first().map_or("page", String::as_str)],
            "parameters": parameters.collect::<Vec<_>>(),
            "responses": {"default": {
                "description": "Why not.",
                "content": {"application/json": {"schema": refused}},
            }},
        });
        let methods = self.paths.entry(path).or_insert_with(|| json!({}));
        methods[method] = operation;
        Route { api: self, path, method }
    }

    /// The whole description.
    pub(crate) fn document(mut self) -> Value {
        let mut schemas = self.told.take_definitions(true);
        let mut sent = Value::Object(self.sent.take_definitions(true));
        let differs =
            |(name, schema): &(&String, &Value)| schemas.get(*name).is_some_and(|told| told != *schema);
        let named = sent.as_object().into_iter().flatten().filter(differs).map(|(name, _)| name.clone());
        // What may be left out when it is sent is always told: such things have two forms.
        for name in named.collect::<Vec<_>>() {
            let (old, new) = (format!("#{DEFINITIONS}/{name}"), format!("#{DEFINITIONS}/{name}Sent"));
            point_elsewhere(&mut sent, &old, &new);
            for operation in self.paths.values_mut().flat_map(|methods| methods.as_object_mut()) {
                operation.values_mut().for_each(|one| point_elsewhere(&mut one["requestBody"], &old, &new));
            }
            let fields = sent.as_object_mut().expect("definitions have names");
            let schema = fields.remove(&name).expect("it was found");
            fields.insert(format!("{name}Sent"), schema);
        }
        schemas.extend(sent.as_object().cloned().unwrap_or_default());
        for operation in self.paths.values_mut().flat_map(|methods| methods.as_object_mut()) {
            operation.values_mut().flat_map(Value::as_object_mut).for_each(|one| {
                one.retain(|_, value| !value.is_null());
            });
        }
        let tokens = "The token of whoever started the studio, or of a guest.";
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Fogtree studio",
                "version": env!("CARGO_PKG_VERSION"),
                "description": ABOUT,
                "license": {"name": env!("CARGO_PKG_LICENSE")},
            },
            "security": [{"token": []}],
            "paths": self.paths,
            "components": {
                "schemas": schemas,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": tokens}},
            },
        })
    }
}

impl Route<'_> {
    fn operation(&mut self) -> &mut Value {
        &mut self.api.paths[self.path][self.method]
    }

    fn answer(mut self, status: &str, description: &str, content: Option<Value>) -> Self {
        let mut answer = json!({"description": description});
        if let Some(content) = content {
            answer["content"] = content;
        }
        self.operation()["responses"][status] = answer;
        self
    }

    /// Anybody may ask.
    pub(crate) fn for_all(mut self) -> Self {
        self.operation()["security"] = json!([]);
        self
    }

    /// The parameters behind the question mark.
    pub(crate) fn asks<T: JsonSchema>(mut self) -> Self {
        let schema = T::json_schema(&mut self.api.sent).to_value();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let fields = schema["properties"].as_object().cloned().unwrap_or_default();
        for (name, mut field) in fields {
            let about = field.as_object_mut().and_then(|field| field.remove("description"));
            let required = required.contains(&Value::from(name.as_str()));
            let mut parameter = json!({"name": name, "in": "query", "required": required, "schema": field});
            if let Some(about) = about {
                parameter["description"] = about;
            }
            let parameters = self.operation()["parameters"].as_array_mut().expect("it was made so");
            parameters.push(parameter);
        }
        self
    }

    /// The body, as JSON.
    pub(crate) fn sends<T: JsonSchema>(mut self) -> Self {
        let schema = self.api.sent.subschema_for::<T>();
        let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
        self.operation()["requestBody"] = body;
        self
    }

    /// The body, as text.
    pub(crate) fn sends_text(mut self, about: &str) -> Self {
        let content = json!({"text/plain": {"schema": {"type": "string"}}});
        self.operation()["requestBody"] = json!({"required": true, "description": about, "content": content});
        self
    }

    /// The answer, as JSON.
    pub(crate) fn answers<T: JsonSchema>(self) -> Self {
        let schema = self.api.told.subschema_for::<T>();
        self.answer("200", "As asked.", Some(json!({"application/json": {"schema": schema}})))
    }

    /// The answer is an object with one text in it.
    pub(crate) fn answers_field(self, name: &str) -> Self {
        let schema = json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
        self.answer("200", "As asked.", Some(json!({"application/json": {"schema": schema}})))
    }

    /// The answer, in another form.
    pub(crate) fn answers_text(self, kind: &str) -> Self {
        let schema = if kind == "application/json" { json!({}) } else { json!({"type": "string"}) };
        self.answer("200", "As asked.", Some(json!({kind: {"schema": schema}})))
    }

    /// There is nothing to answer.
    pub(crate) fn answers_nothing(self) -> Self {
        self.answer("204", "Done.", None)
    }

    /// The answer leads to another page.
    pub(crate) fn redirects(self) -> Self {
        self.answer("303", "To the page, with a cookie.", None)
    }

    /// The answer is a stream of server-sent events; after this, each is described.
    pub(crate) fn streams(self) -> Self {
        let schema = json!({"type": "string", "description": "Server-sent events, listed in x-events."});
        self.answer("200", "Events.", Some(json!({"text/event-stream": {"schema": schema}})))
    }

    /// An event of the stream, with its data.
    pub(crate) fn event<T: JsonSchema>(mut self, name: &str) -> Self {
        let schema = serde_json::to_value(self.api.told.subschema_for::<T>()).expect("plain data");
        let events = &mut self.operation()["responses"]["200"]["x-events"];
        if events.is_null() {
            *events = json!({});
        }
        events[name] = schema;
        self
    }
}

/// Has whatever points at one definition point at another.
fn point_elsewhere(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text == old => *text = new.to_string(),
        Value::Array(items) => items.iter_mut().for_each(|item| point_elsewhere(item, old, new)),
        Value::Object(fields) => fields.values_mut().for_each(|field| point_elsewhere(field, old, new)),
        _ => {}
    }
}

/// Data of an event that says nothing.
#[derive(JsonSchema)]
#[schemars(inline)]
pub(crate) struct Nothing {}
