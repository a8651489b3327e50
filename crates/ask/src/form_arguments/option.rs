//! One option of a choice, as agents and programs write it: a string, or a value with its label.

use crate::field::Pick;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::{borrow::Cow, fmt};

/// One option.
#[derive(Debug, Clone)]
pub struct PickArgument(Pick);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Full {
    value: String,
    label: Option<String>,
    description: Option<String>,
}

impl<'de> Deserialize<'de> for PickArgument {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = PickArgument;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an object with value, label and description")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<PickArgument, E> {
                Ok(PickArgument(Pick::new(value)))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PickArgument, A::Error> {
                let full = Full::deserialize(MapAccessDeserializer::new(map))?;
                Ok(PickArgument(Pick {
                    ending: None,
                    value: full.value,
                    label: full.label,
                    description: full.description,
                    recommended: false,
                }))
            }
        }

        from.deserialize_any(Either)
    }
}

impl JsonSchema for PickArgument {
    fn schema_name() -> Cow<'static, str> {
        "Option".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "properties": {
                        "value": { "type": "string" },
                        "label": { "type": "string" },
                        "description": { "type": "string" },
                    },
                    "required": ["value"],
                },
            ],
        })
    }
}

/// Several names; one alone is taken too.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "expected a string, or a list of strings")]
pub enum Names {
    /// One alone.
    One(String),
    /// A list of them.
    Many(Vec<String>),
}

impl JsonSchema for Names {
    fn schema_name() -> Cow<'static, str> {
        "Names".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<String>>::json_schema(generator)
    }
}

impl Names {
    /// As a list.
    pub fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(name) => vec![name],
            Self::Many(names) => names,
        }
    }
}

/// The options, with a badge on the recommended ones.
///
/// # Errors
/// With the name that none of them has.
pub fn picks(options: Vec<PickArgument>, recommended: Option<Names>) -> Result<Vec<Pick>, String> {
    let mut picks: Vec<_> = options.into_iter().map(|option| option.0).collect();
    for name in recommended.map(Names::into_vec).unwrap_or_default() {
        match picks.iter_mut().find(|pick| pick.value == name) {
            Some(pick) => pick.recommended = true,
            None => return Err(format!("{name:?} is not the value of an option")),
        }
    }
    Ok(picks)
}
