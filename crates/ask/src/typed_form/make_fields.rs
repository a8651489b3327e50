//! Makes the fields of a type's form.

use super::{
    TypedError,
    layout::{InnerStruct, Layout, LeftOut, List, Place},
    type_schema::{Plain, TypeSchema, fields_of, is_struct},
};
use crate::{
    Field, Form, Kind,
    field::Text,
    schema_property::{self, Property, Read},
    validate,
};
use serde_json::{Value, json};
use std::mem;

/// Makes the form of a struct, and says where the values of its fields belong.
pub(super) fn make_fields(
    schema: &TypeSchema,
    own: &Property,
) -> Result<(Form, Layout), TypedError> {
    let mut made = Made {
        schema,
        form: Form::new(),
        layout: Layout::default(),
    };
    for (name, property, required) in fields_of(own) {
        let plain = schema.plain(property).map_err(|why| at(name, why))?;
        if is_struct(&plain.keys) {
            made.add_struct(name, &plain, required)?;
        } else {
            let field = made.parse(name, plain, required)?;
            made.add(None, name, field)?;
        }
    }
    Ok((made.form, made.layout))
}

/// What was made so far.
struct Made<'a> {
    schema: &'a TypeSchema,
    form: Form,
    layout: Layout,
}

/// A field of the form, and how its value comes back.
struct Parsed {
    field: Field,
    list: Option<List>,
    left_out: LeftOut,
    /// Its path in the type.
    path: String,
}

impl Made<'_> {
    /// Adds the fields of a struct inside the type, under names and titles that begin with its own.
    fn add_struct(&mut self, name: &str, outer: &Plain, required: bool) -> Result<(), TypedError> {
        let optional = outer.nullable || !required;
        if let Some(default) = outer.keys.get("default")
            && !says_nothing(default, &outer.keys)
        {
            let why = "has a default as a whole: give its fields defaults of their own";
            return Err(at(name, why));
        }
        let index = self.layout.structs.len();
        self.layout.structs.push(InnerStruct {
            name: name.to_owned(),
            nullable: outer.nullable,
        });
        let said = |key: &str| {
            let text = outer.keys.get(key).and_then(Value::as_str);
            text.filter(|text| !text.trim().is_empty())
        };
        let heading = said("title").map_or_else(|| capitalized(&in_words(name)), str::to_owned);
        let mut about = said("description");
        for (inner, property, required) in fields_of(&outer.keys) {
            let path = format!("{name}.{inner}");
            let plain = self.schema.plain(property).map_err(|why| at(&path, why))?;
            if is_struct(&plain.keys) {
                let why = "is a struct in a struct inside the type: put `#[serde(flatten)]` on one of the two, or ask for it on its own";
                return Err(at(&path, why));
            }
            let mut parsed = self.parse(&path, plain, required)?;
            if optional && parsed.field.required {
                let why = format!(
                    "may be left out, but its field {inner:?} may not: make each of its fields an Option, or require the whole"
                );
                return Err(at(name, why));
            }
            let field = &mut parsed.field;
            field.name = format!("{name}_{inner}");
            let title = field.title.take().unwrap_or_else(|| in_words(inner));
            field.title = Some(format!("{heading}: {title}"));
            // What is said of the struct stands once, where it begins.
            if let Some(about) = about.take() {
                let help = field.help.take().unwrap_or_default();
                field.help = Some(format!("{} {help}", ended(about)).trim_end().to_owned());
            }
            self.add(Some(index), inner, parsed)?;
        }
        Ok(())
    }

    /// Parses one field of the type, or of a struct in it.
    fn parse(&self, path: &str, plain: Plain, required: bool) -> Result<Parsed, TypedError> {
        let nullable = plain.nullable;
        let parsed = parse_field(self.schema, path, plain.keys, required && !nullable);
        let (field, list) = parsed.map_err(|why| at(path, why))?;
        let left_out = match field.kind {
            _ if !field.decides() => LeftOut::Absent,
            _ if nullable => LeftOut::Is(Value::Null),
            Kind::Choices(_) => LeftOut::Is(json!([])),
            _ => LeftOut::Undecided,
        };
        Ok(Parsed {
            field,
            list,
            left_out,
            path: path.to_owned(),
        })
    }

    fn add(&mut self, inside: Option<usize>, name: &str, parsed: Parsed) -> Result<(), TypedError> {
        let Parsed {
            field,
            list,
            left_out,
            path,
        } = parsed;
        let mut others = self.layout.places.iter();
        if let Some(other) = others.find(|place| place.field == field.name) {
            let why = format!(
                "is asked as {:?}, and so is the field {:?}: rename one of the two",
                field.name, other.path
            );
            return Err(at(&path, why));
        }
        self.layout.places.push(Place {
            field: field.name.clone(),
            inside,
            name: name.to_owned(),
            path,
            list,
            left_out,
        });
        self.form = mem::take(&mut self.form).field(field);
        Ok(())
    }
}

fn at(field: &str, why: impl Into<String>) -> TypedError {
    TypedError::Field {
        field: field.to_owned(),
        why: why.into(),
    }
}

/// Brings the property into the one shape that fields are parsed from, and parses it.
fn parse_field(
    schema: &TypeSchema,
    name: &str,
    mut keys: Property,
    required: bool,
) -> Read<(Field, Option<List>)> {
    let kind = keys.get("type").and_then(Value::as_str);
    if kind == Some("object") && !keys.contains_key("oneOf") && !keys.contains_key("anyOf") {
        return Err("is a map: use a struct, which has a field for each key".into());
    }
    if keys.contains_key("prefixItems") {
        return Err("is a tuple: give each of its parts a field of its own".into());
    }
    // `serde(default)` writes the empty value as the default: that fills nothing in.
    if keys.get("default").is_some_and(is_empty) {
        keys.remove("default");
    }
    if let Some(items) = keys.get("items") {
        let items = schema.plain(items)?.keys;
        if schema_property::parse_options(&items)?.is_none() {
            check_texts(&items)?;
            return parse_list(name, &keys, required).map(|(field, list)| (field, Some(list)));
        }
        keys.insert("items".into(), items.into());
    }
    if !keys.contains_key("type") && schema_property::parse_options(&keys)?.is_some() {
        keys.insert("type".into(), "string".into());
    }
    Ok((schema_property::parse_field(name, &keys, required)?, None))
}

/// Checks that the values of a list are texts of any kind, each of which is a line.
fn check_texts(items: &Property) -> Read<()> {
    let what = match items.get("type").and_then(Value::as_str) {
        Some("string") => {
            let rules = ["format", "pattern", "minLength", "maxLength"];
            if rules.iter().any(|rule| items.contains_key(*rule)) {
                return Err("is a list of texts with a rule for each, which lines are not checked for: use Vec<String>".into());
            }
            return Ok(());
        }
        Some("number" | "integer") => "numbers",
        Some("boolean") => "booleans",
        Some("array") => "lists",
        Some("object") if is_struct(items) => "structs",
        _ => "values that are not texts",
    };
    Err(format!(
        "is a list of {what}: use a list of texts (Vec<String>) or of an enum, or ask for each on its own"
    ))
}

/// Parses a list of texts as a text that has a line for each.
fn parse_list(name: &str, keys: &Property, required: bool) -> Read<(Field, List)> {
    let list = List {
        min: schema_property::count(keys, "minItems")?,
        unique: keys.get("uniqueItems") == Some(&Value::Bool(true)),
    };
    let default = keys.get("default").map(as_lines).transpose()?;
    let words = keys
        .iter()
        .filter(|(key, _)| ["title", "description"].contains(&key.as_str()));
    let mut text: Property = words
        .map(|(key, word)| (key.clone(), word.clone()))
        .collect();
    text.insert("type".into(), "string".into());
    let mut field = schema_property::parse_field(name, &text, required)?;
    field.kind = Kind::Text(Text {
        multiline: true,
        min_lines: list.min.filter(|min| *min > 0),
        max_lines: schema_property::count(keys, "maxItems")?,
        default,
        ..Text::default()
    });
    let about = field.help.take().map(|help| ended(&help) + " ");
    field.help = Some(about.unwrap_or_default() + "One per line.");
    Ok((field, list))
}

/// The default of a list, as lines that read back as the same list.
fn as_lines(default: &Value) -> Read<String> {
    let values = default.as_array().into_iter().flatten();
    let text: Vec<_> = values.map_while(Value::as_str).collect();
    let text = text.join("\n");
    if json!(validate::lines(&text).collect::<Vec<_>>()) == *default {
        Ok(text)
    } else {
        Err("has a default that is not a list of lines".into())
    }
}

/// Whether the default of a whole struct says no more than the defaults of its fields.
fn says_nothing(default: &Value, keys: &Property) -> bool {
    let own = |name: &str| keys.get("properties")?.get(name)?.get("default");
    match default {
        Value::Null => true,
        Value::Object(values) => values
            .iter()
            .all(|(name, value)| is_empty(value) || own(name) == Some(value)),
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}

/// A name as a person writes it: `zip_code` and `zipCode` as "zip code".
pub(super) fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut rest = name.chars().peekable();
    let mut lower_before = false;
    while let Some(char) = rest.next() {
        let begins = lower_before && char.is_uppercase();
        lower_before = char.is_lowercase();
        match char {
            '_' | '-' => words.push(' '),
            char if begins => {
                words.push(' ');
                match rest.peek() {
                    Some(next) if next.is_lowercase() => words.extend(char.to_lowercase()),
                    _ => words.push(char),
                }
            }
            char => words.push(char),
        }
    }
    words.trim().to_owned()
}

fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest.clone()).collect()
}

/// The text with a full stop, if it has none.
fn ended(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '?', '!', ':']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}
