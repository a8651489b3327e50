//! A method's arguments, from the command line.

use super::args::RunOptions;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use holdpoint::arguments::{Argument, ArgumentKind, Arguments, ParseError};
use serde_json::{Map, Value};
use std::ffi::OsString;

/// What a command line says to a method.
#[derive(Debug)]
pub struct Given {
    /// The options of `holdpoint run`.
    pub own: RunOptions,
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

/// Reads what stands behind a method's name.
///
/// # Errors
/// When it is wrong, or wants help.
pub fn read(line: Command, known: &Arguments, rest: &[OsString]) -> Result<Given, Wrong> {
    let unknown = match known {
        Arguments::Any => names(rest),
        Arguments::Listed(_) => Vec::new(),
    };
    let line = unknown.iter().fold(command(line, known), |line, name| {
        line.arg(long(name).num_args(0..=1).action(ArgAction::Append))
    });
    let words = std::iter::once(OsString::new()).chain(rest.iter().cloned());
    let matches = line.try_get_matches_from(words).map_err(Wrong::Line)?;
    let own = RunOptions::from_arg_matches(&matches).map_err(Wrong::Line)?;
    let mut arguments = Map::new();
    for argument in known.iter() {
        let wrong = |error| Wrong::Value(format!("--{}: {error}", argument.name));
        if let Some(value) = value(&matches, argument).map_err(wrong)? {
            arguments.insert(argument.name.clone(), value);
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
            .ok_or_else(|| Wrong::Value(format!("--arg {pair}: write it as NAME=VALUE")))?;
        let kind = match (known.get(name), known) {
            (Some(argument), _) => &argument.kind,
            (None, Arguments::Any) => &ArgumentKind::Any,
            (None, Arguments::Listed(_)) => {
                let what = format!("--arg {name}: the method has no such argument");
                return Err(Wrong::Value(what));
            }
        };
        let wrong = |error| Wrong::Value(format!("--arg {name}: {error}"));
        arguments.insert(name.to_owned(), kind.parse(text).map_err(wrong)?);
    }
    Ok(Given { own, arguments })
}

/// The command line of a method.
pub fn command(line: Command, known: &Arguments) -> Command {
    // Otherwise the description of our own options would become the method's.
    let about = line.get_about().cloned().unwrap_or_default();
    let line = RunOptions::augment_args(line.disable_help_flag(true)).about(about);
    let line = line.next_help_heading("Arguments of the method");
    let taken: Vec<String> = line
        .get_arguments()
        .filter_map(|own| own.get_long().map(str::to_owned))
        .collect();
    known
        .iter()
        // They are given with --arg.
        .filter(|argument| !taken.contains(&argument.name))
        .fold(line, |line, argument| line.arg(arg(argument)))
}

fn arg(argument: &Argument) -> Arg {
    let text = argument.description.as_deref().unwrap_or_default();
    let default = argument.default.as_ref().map(|default| match default {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let notes = [
        argument.required.then(|| "required".to_owned()),
        default.map(|default| format!("default: {default}")),
        matches!(argument.kind, ArgumentKind::OneOf(_)).then(|| argument.kind.describe()),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    let help = match notes.as_slice() {
        [] => text.to_owned(),
        notes => format!("{text} [{}]", notes.join("; "))
            .trim_start()
            .to_owned(),
    };
    let type_name = |kind: &ArgumentKind| kind.type_name().unwrap_or("value").to_uppercase();
    let arg = long(&argument.name)
        .help(help)
        .value_name(type_name(&argument.kind));
    match &argument.kind {
        ArgumentKind::Boolean => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true"),
        ArgumentKind::List(item) => arg.value_name(type_name(item)).action(ArgAction::Append),
        kind if kind.type_name() == Some("string") => arg.allow_hyphen_values(true),
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

/// What the command line gives an argument; a list has a word for each of its values.
fn value(matches: &ArgMatches, argument: &Argument) -> Result<Option<Value>, ParseError> {
    let id = format!("script {}", argument.name);
    let Ok(Some(mut words)) = matches.try_get_many::<String>(&id) else {
        return Ok(None);
    };
    match &argument.kind {
        ArgumentKind::List(item) => words.map(|word| item.parse(word)).collect::<Result<_, _>>(),
        kind => match words.next_back() {
            Some(word) => kind.parse(word),
            None => return Ok(None),
        },
    }
    .map(Some)
}

/// The flags of a command line that are not our own.
fn names(rest: &[OsString]) -> Vec<String> {
    let own = RunOptions::augment_args(Command::new("own"));
    let own: Vec<&str> = own.get_arguments().filter_map(Arg::get_long).collect();
    let mut names = Vec::new();
    for word in rest.iter().filter_map(|word| word.to_str()) {
        let Some(name) = word.strip_prefix("--").filter(|name| !name.is_empty()) else {
            continue;
        };
        let name = name.split('=').next().unwrap_or(name);
        if !own.contains(&name) && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// An argument of which nothing is said: a flag alone is true, a repeated one is a list.
fn undeclared(matches: &ArgMatches, name: &str) -> Option<Value> {
    let id = format!("script {name}");
    let words = matches.get_many::<String>(&id).into_iter().flatten();
    let words: Vec<Value> = words
        .filter_map(|word| ArgumentKind::Any.parse(word).ok())
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

    fn check(known: &Arguments, words: &[&str], wanted: Result<Value, &str>) {
        let rest: Vec<OsString> = words.iter().map(OsString::from).collect();
        let got = match read(Command::new("it"), known, &rest) {
            Ok(given) => Ok(Value::Object(given.arguments)),
            Err(Wrong::Value(why)) => Err(why),
            Err(Wrong::Line(error)) => Err(error.to_string()),
        };
        match (got, wanted) {
            (Err(got), Err(wanted)) => assert!(got.contains(wanted), "{words:?}: {got}"),
            (got, wanted) => assert_eq!(got, wanted.map_err(str::to_owned), "{words:?}"),
        }
    }

    fn every_type() -> Arguments {
        let one_of = |values: Value| ArgumentKind::one_of(values.as_array().unwrap().clone());
        let optional = |name: &str, kind| Argument::new(name, kind).optional();
        Arguments::Listed(vec![
            Argument::new("name", ArgumentKind::Text),
            optional("count", ArgumentKind::Integer),
            optional("tempo", ArgumentKind::Number),
            optional("dryRun", ArgumentKind::Boolean),
            optional("tags", ArgumentKind::list(ArgumentKind::Text)),
            optional("sizes", ArgumentKind::list(ArgumentKind::Integer)),
            optional("bump", one_of(json!(["minor", "major"]))),
            optional("level", one_of(json!([1, 2]))),
            optional("any", ArgumentKind::Any),
            optional("json", ArgumentKind::Text),
        ])
    }

    #[test]
    fn each_argument_has_its_type() {
        let check = |words: &[&str], wanted| check(&every_type(), words, wanted);
        check(&[], Ok(json!({})));
        check(&["--name", "Ada"], Ok(json!({ "name": "Ada" })));
        check(&["--name=--x"], Ok(json!({ "name": "--x" })));
        check(&["--name", "- a\n- b"], Ok(json!({ "name": "- a\n- b" })));
        check(&["--name", "7"], Ok(json!({ "name": "7" })));
        check(&["--count", "-7"], Ok(json!({ "count": -7 })));
        check(
            &["--count", "1.5"],
            Err("--count: \"1.5\" is not a whole number"),
        );
        check(&["--tempo", "1.5"], Ok(json!({ "tempo": 1.5 })));
        check(
            &["--tempo", "fast"],
            Err("--tempo: \"fast\" is not a number"),
        );
        check(&["--tempo", "NaN"], Err("is not a number"));
        check(&["--dryRun"], Ok(json!({ "dryRun": true })));
        check(&["--dry-run"], Ok(json!({ "dryRun": true })));
        check(&["--dryRun=false"], Ok(json!({ "dryRun": false })));
        check(&["--dryRun=maybe"], Err("is not true or false"));
        check(
            &["--tags", "a", "--tags", "b,c"],
            Ok(json!({ "tags": ["a", "b,c"] })),
        );
        check(
            &["--sizes", "1", "--sizes", "2"],
            Ok(json!({ "sizes": [1, 2] })),
        );
        check(
            &["--sizes", "x"],
            Err("--sizes: \"x\" is not a whole number"),
        );
        check(&["--bump", "minor"], Ok(json!({ "bump": "minor" })));
        check(
            &["--bump", "huge"],
            Err("\"huge\" is not one of: minor, major"),
        );
        check(&["--level", "2"], Ok(json!({ "level": 2 })));
        check(&["--any", "{\"a\":1}"], Ok(json!({ "any": { "a": 1 } })));
        check(&["--any", "text"], Ok(json!({ "any": "text" })));
        check(&["--nme", "Ada"], Err("--name"));
        check(&["Ada"], Err("Ada"));
    }

    #[test]
    fn a_name_of_ours_is_given_another_way() {
        let rest = ["--json", "--arg", "json=mine", "--arg", "count=3"].map(OsString::from);
        let given = read(Command::new("it"), &every_type(), &rest).unwrap();
        assert!(given.own.json);
        assert_eq!(
            Value::Object(given.arguments),
            json!({ "json": "mine", "count": 3 })
        );
        check(&every_type(), &["--arg", "none=1"], Err("no such argument"));
        check(&every_type(), &["--arg", "none"], Err("NAME=VALUE"));
    }

    #[test]
    fn a_method_that_says_nothing_takes_every_name() {
        let check = |words: &[&str], wanted| check(&Arguments::Any, words, wanted);
        check(
            &["--a", "1", "--b", "--c=x", "--d", "1", "--d", "2", "--json"],
            Ok(json!({ "a": 1, "b": true, "c": "x", "d": [1, 2] })),
        );
        check(&["--a", "-1"], Ok(json!({ "a": -1 })));
    }
}
