//! The fields of a form, as agents and programs write them.

use super::option::{Names, PickArgument, picks};
use super::secret_name::{self, NO_SECRETS};
use crate::{
    Field, Kind,
    field::{Choice, Choices, DateRange, File, Integer, Link, Number, Rating, Text, Toggle},
    given_arguments::{Misfit, parse_value, unknown_argument},
    nearest::nearest,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// A field, unread: which rules it may have depends on its kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub struct FieldArgument(Map<String, Value>);

/// What every field has.
#[derive(Deserialize)]
struct About {
    name: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    help: Option<String>,
    #[serde(default)]
    required: Option<bool>,
}

/// The rules that every choice has; the rest is in the kinds themselves.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    options: Vec<PickArgument>,
    #[serde(default)]
    allow_other: Option<bool>,
    #[serde(default)]
    recommended: Option<Names>,
}

const ABOUT: [&str; 5] = ["name", "kind", "title", "help", "required"];
const KINDS: [Rules; 11] = [
    (
        "text",
        &[
            "minLength",
            "maxLength",
            "format",
            "pattern",
            "multiline",
            "placeholder",
            "default",
        ],
    ),
    ("toggle", &["default"]),
    ("confirm", &[]),
    (
        "choice",
        &["options", "allowOther", "recommended", "default"],
    ),
    (
        "choices",
        &[
            "options",
            "allowOther",
            "recommended",
            "default",
            "min",
            "max",
        ],
    ),
    ("number", &["min", "max", "step", "unit", "default"]),
    ("integer", &["min", "max", "step", "unit", "default"]),
    ("rating", &["max", "lowLabel", "highLabel"]),
    ("date", &["min", "max", "default"]),
    ("date-time", &["min", "max", "default"]),
    ("file", &["accept", "maxBytes"]),
];

/// Kinds that only a person asks for, in a script of their own: a secret goes to that script and is stored nowhere.
const PERSONS_KINDS: [Rules; 2] = [("secret", &[]), ("link", &["url"])];

/// A kind, and the rules that it may have.
type Rules = (&'static str, &'static [&'static str]);

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asker {
    /// An agent or a program: what is filled in goes to it, and into the record.
    Program,
    /// A person, by a script of theirs.
    Person,
}

impl Asker {
    fn kinds(self) -> impl Iterator<Item = Rules> {
        let more = match self {
            Self::Program => &[][..],
            Self::Person => &PERSONS_KINDS,
        };
        KINDS.iter().chain(more).copied()
    }
}

impl FieldArgument {
    /// The field; `place` is where it stands among the arguments.
    ///
    /// # Errors
    /// When it is not one, or a program asks for a secret.
    pub(super) fn read(self, place: &str, asker: Asker) -> Result<Field, Misfit> {
        let mut given = self.0;
        given.retain(|_, value| !value.is_null());
        let (kind, rules) = kind_of(&given, place, asker)?;
        let known = || ABOUT.iter().chain(rules).copied();
        if let Some(name) = given
            .keys()
            .find(|name| !known().any(|known| known == *name))
        {
            let Misfit { what, .. } = unknown_argument(name, known());
            return Err(Misfit {
                what: format!("{what} (kind {kind})"),
                ..Misfit::new(format!("{place}.{name}"), "")
            });
        }
        let of = |names: &[&str]| -> Value {
            let wanted = |(name, _): &(&String, _)| names.contains(&name.as_str());
            let part: Map<String, Value> = given.iter().filter(wanted).map(own).collect();
            part.into()
        };
        let about: About = parse_value(of(&ABOUT), place)?;
        let kind = build(kind, of(rules), place)?;
        let is_text = matches!(kind, Kind::Text(_));
        if asker == Asker::Program && is_text && secret_name::is_secret(&about.name) {
            return Err(Misfit::new(format!("{place}.name"), NO_SECRETS));
        }
        let mut field = Field::new(about.name, kind);
        field.title = about.title;
        field.help = about.help;
        field.required = about.required.unwrap_or(true);
        Ok(field)
    }
}

fn own((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

fn kind_of(given: &Map<String, Value>, place: &str, asker: Asker) -> Result<Rules, Misfit> {
    let place = format!("{place}.kind");
    let names = || asker.kinds().map(|(name, _)| name);
    let listed = || names().collect::<Vec<_>>().join(", ");
    let wanted = match given.get("kind") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(_) => {
            return Err(Misfit::new(place, format!("expected one of {}", listed())));
        }
        None => {
            return Err(Misfit::new(
                place,
                format!("is missing: one of {}", listed()),
            ));
        }
    };
    if asker == Asker::Program && matches!(wanted, "secret" | "password") {
        return Err(Misfit::new(place, NO_SECRETS));
    }
    let known = asker.kinds().find(|(name, _)| *name == wanted);
    known.ok_or_else(|| {
        let meant = match nearest(wanted, names()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("there are {}", listed()),
        };
        Misfit::new(place, format!("is not a kind of field; {meant}"))
    })
}

fn build(kind: &str, rules: Value, place: &str) -> Result<Kind, Misfit> {
    Ok(match kind {
        "text" => Kind::Text(parse_value::<Text>(rules, place)?),
        "toggle" => Kind::Toggle(parse_value::<Toggle>(rules, place)?),
        "choice" => Kind::Choice(parse_value::<Choice>(choosing(rules, place)?, place)?),
        "choices" => Kind::Choices(parse_value::<Choices>(choosing(rules, place)?, place)?),
        "number" => Kind::Number(parse_value::<Number>(rules, place)?),
        "integer" => Kind::Integer(parse_value::<Integer>(rules, place)?),
        "rating" => Kind::Rating(parse_value::<Rating>(rules, place)?),
        "date" => Kind::Date(parse_value::<DateRange>(rules, place)?),
        "date-time" => Kind::DateTime(parse_value::<DateRange>(rules, place)?),
        "file" => Kind::File(parse_value::<File>(rules, place)?),
        "secret" => Kind::Secret,
        "link" => Kind::Link(parse_value::<Link>(rules, place)?),
        _ => Kind::Confirm,
    })
}

/// The rules of a choice, with its options as the form itself writes them.
fn choosing(mut rules: Value, place: &str) -> Result<Value, Misfit> {
    let options: Options = parse_value(rules.clone(), place)?;
    let picks = picks(options.options, options.recommended)
        .map_err(|what| Misfit::new(format!("{place}.recommended"), what))?;
    if let Some(rules) = rules.as_object_mut() {
        rules.retain(|name, _| matches!(name.as_str(), "default" | "min" | "max"));
    }
    rules["options"] = json!(picks);
    rules["other"] = options.allow_other.unwrap_or(false).into();
    Ok(rules)
}

impl JsonSchema for FieldArgument {
    fn schema_name() -> Cow<'static, str> {
        "Field".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kinds: Vec<_> = KINDS.iter().map(|(name, _)| *name).collect();
        let text = || json!({ "type": "string" });
        let texts = || json!({ "type": "array", "items": text() });
        let number = || json!({ "type": "integer" });
        let yes = || json!({ "type": "boolean" });
        let bound = || json!({ "type": ["number", "string"] });
        // Which kind has which rule is told once, beside the kind; the names say the rest.
        let rules = "choice(s): options, allowOther, recommended; choices, number, integer, date, date-time: min, max; number, integer: step, unit; text: minLength, maxLength, format, pattern, multiline, placeholder; rating: max, lowLabel, highLabel; file: accept (.png), maxBytes";
        json_schema!({
            "type": "object",
            "properties": {
                "name": text(),
                "kind": { "type": "string", "enum": kinds, "description": rules },
                "title": text(),
                "help": text(),
                "required": { "type": "boolean", "description": "Default true" },
                "default": { "description": "Unchanged it approves nothing" },
                "options": { "type": "array", "items": generator.subschema_for::<PickArgument>() },
                "allowOther": yes(),
                "recommended": texts(),
                "min": bound(),
                "max": bound(),
                "step": { "type": "number" },
                "unit": text(),
                "minLength": number(),
                "maxLength": number(),
                "format": { "type": "string", "enum": ["email", "uri", "date", "date-time"] },
                "pattern": text(),
                "multiline": yes(),
                "placeholder": text(),
                "lowLabel": text(),
                "highLabel": text(),
                "accept": texts(),
                "maxBytes": number(),
            },
            "required": ["name", "kind"],
        })
    }
}
