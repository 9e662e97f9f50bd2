//! Schemas of what is written by hand.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{Key, MAX_PLAYERS, Observation, PerPlayer};

impl JsonSchema for Key {
    fn schema_name() -> Cow<'static, str> {
        "Key".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A name for an information set.",
            "type": "string",
            "pattern": "^[0-9a-f]{32}$",
        })
    }
}

impl JsonSchema for Observation {
    fn schema_name() -> Cow<'static, str> {
        "Observation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "What was seen of a step, in numbers of the game.", "type": "string"})
    }
}

impl<T: JsonSchema> JsonSchema for PerPlayer<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("PerPlayerOf{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": generator.subschema_for::<T>(), "maxItems": MAX_PLAYERS})
    }
}
