//! A method's arguments, from the command line.

use super::args::Own;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Map, Value};
use std::ffi::OsString;

/// What a command line says to a method.
#[derive(Debug)]
pub struct Given {
    /// What it is told beside the arguments.
    pub own: Own,
    /// The arguments that were given, each of its type.
    pub arguments: Map<String, Value>,
}

/// Why a command line says nothing.
#[derive(Debug)]
pub enum Wrong {
    /// It is wrong, or wants help: clap has the words.
    Line(clap::Error),
    /// A value does not fit its argument.
    Value(String),
}

/// The arguments of a method: a JSON Schema of an object.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a>(pub &'a Map<String, Value>);

impl<'a> Schema<'a> {
    /// Every argument with its own schema.
    pub fn properties(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let properties = self.0.get("properties").and_then(Value::as_object);
        let all = properties.into_iter().flatten();
        all.map(|(name, schema)| (name.as_str(), schema))
    }

    /// Whether a call without this one is refused.
    pub fn requires(self, name: &str) -> bool {
        let required = self.0.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|it| it == name))
    }

    /// Nothing is said of the arguments: every name is taken.
    fn is_open(self) -> bool {
        self.properties().next().is_none()
            && self.0.get("additionalProperties") != Some(&Value::Bool(false))
    }
}

/// Reads what stands behind a method's name.
///
/// # Errors
/// When it is wrong, or wants help.
pub fn read(line: Command, schema: Schema<'_>, rest: &[OsString]) -> Result<Given, Wrong> {
    let unknown = if schema.is_open() {
        names(rest)
    } else {
        Vec::new()
    };
    let line = unknown.iter().fold(command(line, schema), |line, name| {
        line.arg(long(name).num_args(0..=1).action(ArgAction::Append))
    });
    let words = std::iter::once(OsString::new()).chain(rest.iter().cloned());
    let matches = line.try_get_matches_from(words).map_err(Wrong::Line)?;
    let own = Own::from_arg_matches(&matches).map_err(Wrong::Line)?;
    let mut arguments = Map::new();
    for (name, about) in schema.properties() {
        if let Some(value) = value(&matches, name, about).map_err(Wrong::Value)? {
            arguments.insert(name.to_owned(), value);
        }
    }
    for name in &unknown {
        if let Some(value) = undeclared(&matches, name) {
            arguments.insert(name.clone(), value);
        }
    }
    for pair in &own.arg {
        let (name, text) = pair
            .split_once('=')
            .ok_or_else(|| Wrong::Value(format!("--arg {pair}: it is written NAME=VALUE")))?;
        let about = schema.properties().find(|(it, _)| *it == name);
        let read = match about {
            Some((_, about)) => typed(about, text).map_err(|why| format!("--arg {name}: {why}")),
            None if schema.is_open() => Ok(anything(text)),
            None => Err(format!("--arg {name}: there is no such argument")),
        };
        arguments.insert(name.to_owned(), read.map_err(Wrong::Value)?);
    }
    Ok(Given { own, arguments })
}

/// The command line of a method.
pub fn command(line: Command, schema: Schema<'_>) -> Command {
    // It would be told as what the method is about.
    let about = line.get_about().cloned().unwrap_or_default();
    let line = Own::augment_args(line.disable_help_flag(true)).about(about);
    let line = line.next_help_heading("Arguments of the method");
    let taken: Vec<String> = line
        .get_arguments()
        .filter_map(|own| own.get_long().map(str::to_owned))
        .collect();
    schema
        .properties()
        // They are given with --arg.
        .filter(|(name, _)| !taken.iter().any(|own| own == name))
        .fold(line, |line, (name, about)| {
            line.arg(arg(name, about, schema.requires(name)))
        })
}

fn arg(name: &str, about: &Value, required: bool) -> Arg {
    let text = about["description"].as_str().unwrap_or_default();
    let notes = [
        required.then(|| "required".to_owned()),
        about
            .get("default")
            .map(|it| format!("default: {}", plain(it))),
        options(about).map(|options| format!("one of: {}", options.join(", "))),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    let help = match notes.as_slice() {
        [] => text.to_owned(),
        notes => format!("{text} [{}]", notes.join("; "))
            .trim_start()
            .to_owned(),
    };
    let arg = long(name).help(help).value_name(kind(about).to_uppercase());
    match kind(about) {
        "boolean" => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        "array" => {
            let each = about.get("items").map_or("value", kind);
            arg.value_name(each.to_uppercase())
                .action(ArgAction::Append)
        }
        "string" => arg.allow_hyphen_values(true),
        _ => arg,
    }
}

fn long(name: &str) -> Arg {
    let arg = Arg::new(format!("script {name}")).long(name.to_owned());
    let arg = arg.allow_negative_numbers(true);
    match kebab(name) {
        kebab if kebab == name => arg,
        kebab => arg.alias(kebab),
    }
}

/// `dryRun` as it is written in a shell.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(if char == '_' {
            '-'
        } else {
            char.to_ascii_lowercase()
        });
    }
    kebab
}

fn kind(about: &Value) -> &str {
    about["type"].as_str().unwrap_or("value")
}

fn options(about: &Value) -> Option<Vec<String>> {
    let options = about.get("enum")?.as_array()?;
    Some(options.iter().map(plain).collect())
}

/// A value as one writes it in a shell.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn value(matches: &ArgMatches, name: &str, about: &Value) -> Result<Option<Value>, String> {
    let id = format!("script {name}");
    let Ok(Some(mut words)) = matches.try_get_many::<String>(&id) else {
        return Ok(None);
    };
    let wrong = |why: String| format!("--{name}: {why}");
    if kind(about) != "array" {
        let word = words.next_back();
        return word
            .map(|word| typed(about, word))
            .transpose()
            .map_err(wrong);
    }
    let each = about.get("items").unwrap_or(&Value::Null);
    let list: Result<Vec<Value>, String> = words.map(|word| typed(each, word)).collect();
    list.map(|list| Some(list.into())).map_err(wrong)
}

/// The value that a word stands for.
///
/// # Errors
/// One sentence, in words for a person.
pub fn typed(about: &Value, word: &str) -> Result<Value, String> {
    if let Some(options) = about.get("enum").and_then(Value::as_array) {
        let found = options.iter().find(|option| plain(option) == word);
        let names = || self::options(about).unwrap_or_default().join(", ");
        return found
            .cloned()
            .ok_or_else(|| format!("{word:?} is none of: {}", names()));
    }
    match kind(about) {
        "string" => Ok(word.into()),
        "integer" => match word.parse::<i64>() {
            Ok(whole) => Ok(whole.into()),
            Err(_) => Err(format!("{word:?} is no whole number")),
        },
        "number" => {
            let number = word.parse().ok().and_then(serde_json::Number::from_f64);
            number
                .map(Value::Number)
                .ok_or_else(|| format!("{word:?} is no number"))
        }
        "boolean" => match word {
            "true" | "yes" => Ok(true.into()),
            "false" | "no" => Ok(false.into()),
            _ => Err(format!("{word:?} is neither true nor false")),
        },
        "array" => {
            let each = about.get("items").unwrap_or(&Value::Null);
            let words = word
                .split(',')
                .map(str::trim)
                .filter(|word| !word.is_empty());
            words.map(|word| typed(each, word)).collect()
        }
        _ => Ok(anything(word)),
    }
}

/// JSON where it is JSON, else the text itself.
fn anything(word: &str) -> Value {
    serde_json::from_str(word).unwrap_or_else(|_| word.into())
}

/// The names of a command line that are none of ours.
fn names(rest: &[OsString]) -> Vec<String> {
    let own = Own::augment_args(Command::new("own"));
    let own: Vec<&str> = own.get_arguments().filter_map(Arg::get_long).collect();
    let mut names = Vec::new();
    for word in rest.iter().filter_map(|word| word.to_str()) {
        let Some(name) = word.strip_prefix("--").filter(|it| !it.is_empty()) else {
            continue;
        };
        let name = name.split('=').next().unwrap_or(name);
        if !own.contains(&name) && !names.iter().any(|it| it == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// An argument of which nothing is said: a flag alone is true, a repeated one is a list.
fn undeclared(matches: &ArgMatches, name: &str) -> Option<Value> {
    let id = format!("script {name}");
    let words: Vec<Value> = matches
        .get_many::<String>(&id)
        .into_iter()
        .flatten()
        .map(|word| anything(word))
        .collect();
    match words.len() {
        0 => matches.contains_id(&id).then_some(Value::Bool(true)),
        1 => words.into_iter().next(),
        _ => Some(words.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(schema: Value, words: &[&str], wanted: Result<Value, &str>) {
        let schema = schema.as_object().unwrap();
        let rest: Vec<OsString> = words.iter().map(OsString::from).collect();
        let got = match read(Command::new("it"), Schema(schema), &rest) {
            Ok(given) => Ok(Value::Object(given.arguments)),
            Err(Wrong::Value(why)) => Err(why),
            Err(Wrong::Line(error)) => Err(error.to_string()),
        };
        match (got, wanted) {
            (Err(got), Err(wanted)) => assert!(got.contains(wanted), "{words:?}: {got}"),
            (got, wanted) => assert_eq!(got, wanted.map_err(str::to_owned), "{words:?}"),
        }
    }

    fn every_type() -> Value {
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "count": { "type": "integer" },
                "tempo": { "type": "number" },
                "dryRun": { "type": "boolean" },
                "tags": { "type": "array", "items": { "type": "string" } },
                "sizes": { "type": "array", "items": { "type": "integer" } },
                "bump": { "type": "string", "enum": ["minor", "major"] },
                "level": { "enum": [1, 2] },
                "any": {},
                "json": { "type": "string" },
            },
            "required": ["name"],
        })
    }

    #[test]
    fn each_argument_has_its_type() {
        let check = |words: &[&str], wanted| check(every_type(), words, wanted);
        check(&[], Ok(json!({})));
        check(&["--name", "Ada"], Ok(json!({ "name": "Ada" })));
        check(&["--name=--x"], Ok(json!({ "name": "--x" })));
        check(&["--name", "- a\n- b"], Ok(json!({ "name": "- a\n- b" })));
        check(&["--name", "7"], Ok(json!({ "name": "7" })));
        check(&["--count", "-7"], Ok(json!({ "count": -7 })));
        check(
            &["--count", "1.5"],
            Err("--count: \"1.5\" is no whole number"),
        );
        check(&["--tempo", "1.5"], Ok(json!({ "tempo": 1.5 })));
        check(&["--tempo", "fast"], Err("--tempo: \"fast\" is no number"));
        check(&["--tempo", "NaN"], Err("is no number"));
        check(&["--dryRun"], Ok(json!({ "dryRun": true })));
        check(&["--dry-run"], Ok(json!({ "dryRun": true })));
        check(&["--dryRun=false"], Ok(json!({ "dryRun": false })));
        check(&["--dryRun=maybe"], Err("neither true nor false"));
        check(
            &["--tags", "a", "--tags", "b,c"],
            Ok(json!({ "tags": ["a", "b,c"] })),
        );
        check(
            &["--sizes", "1", "--sizes", "2"],
            Ok(json!({ "sizes": [1, 2] })),
        );
        check(&["--sizes", "x"], Err("--sizes: \"x\" is no whole number"));
        check(&["--bump", "minor"], Ok(json!({ "bump": "minor" })));
        check(
            &["--bump", "huge"],
            Err("\"huge\" is none of: minor, major"),
        );
        check(&["--level", "2"], Ok(json!({ "level": 2 })));
        check(&["--any", "{\"a\":1}"], Ok(json!({ "any": { "a": 1 } })));
        check(&["--any", "text"], Ok(json!({ "any": "text" })));
        check(&["--nme", "Ada"], Err("--name"));
        check(&["Ada"], Err("Ada"));
    }

    #[test]
    fn a_name_of_ours_is_given_another_way() {
        let schema = every_type();
        let rest = ["--json", "--arg", "json=mine", "--arg", "count=3"].map(OsString::from);
        let given = read(
            Command::new("it"),
            Schema(schema.as_object().unwrap()),
            &rest,
        )
        .unwrap();
        assert!(given.own.json);
        assert_eq!(
            Value::Object(given.arguments),
            json!({ "json": "mine", "count": 3 })
        );
        check(every_type(), &["--arg", "none=1"], Err("no such argument"));
        check(every_type(), &["--arg", "none"], Err("NAME=VALUE"));
    }

    #[test]
    fn a_method_that_says_nothing_takes_every_name() {
        let check = |words: &[&str], wanted| check(json!({ "type": "object" }), words, wanted);
        check(
            &["--a", "1", "--b", "--c=x", "--d", "1", "--d", "2", "--json"],
            Ok(json!({ "a": 1, "b": true, "c": "x", "d": [1, 2] })),
        );
        check(&["--a", "-1"], Ok(json!({ "a": -1 })));
    }
}
