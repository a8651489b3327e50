//! `--asks`: what a method would ask, without asking anybody and without doing anything.

use anstyle::Style;
use holdpoint::{Answer, Field, Kind, visible};
use holdpoint_script::{
    Effect, Memory, Method, Program, Resume, ScriptAsk, Start, Thrown, TurnEnd, Yield,
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use std::sync::Arc;

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// A script that yields more often than this asks in a loop that no stand-in ends.
const MOST: usize = 1_000;

/// One path through a method: what it asks and would do.
struct DryRun {
    asks: Vec<ScriptAsk>,
    /// What would be done on it, in a few words each.
    effects: Vec<String>,
    /// Why it ended before the method did.
    cut: Option<String>,
}

/// Lists what the method would ask on one path through it.
pub async fn run(
    program: &Arc<Program>,
    method: &Method,
    arguments: Map<String, Value>,
    as_json: bool,
) {
    let dry_run = walk(program, method, arguments).await;
    if as_json {
        println!("{}", json(method, &dry_run))
    } else {
        anstream::print!("{}", text(method, &dry_run))
    }
}

async fn walk(program: &Arc<Program>, method: &Method, arguments: Map<String, Value>) -> DryRun {
    let mut dry_run = DryRun {
        asks: Vec::new(),
        effects: Vec::new(),
        cut: None,
    };
    let now = Timestamp::now();
    let mut arguments = arguments;
    method.arguments.fill_defaults(&mut arguments);
    let start = Start {
        method: method.name.clone(),
        arguments,
        seed: 0,
        now,
    };
    let (mut running, mut turn) = match program.start(start).await {
        Ok(started) => started,
        Err(failed) => {
            dry_run.cut = Some(failed.to_string());
            return dry_run;
        }
    };
    for _ in 0..MOST {
        let TurnEnd::Yielded(value) = turn.end else {
            return dry_run;
        };
        let with = match Yield::read(value) {
            Ok(yielded) => Resume::Value(dry_run.stand_in(yielded)),
            Err(error) => Resume::Throw(Thrown {
                message: error.to_string(),
                ..Thrown::default()
            }),
        };
        turn = match running.resume(with, now).await {
            Ok(turn) => turn,
            Err(failed) => {
                dry_run.cut = Some(failed.to_string());
                return dry_run;
            }
        };
    }
    dry_run.cut = Some(format!("it goes on after {MOST} yields"));
    dry_run
}

impl DryRun {
    /// Notes what was yielded, and gives what a person or the world might have.
    fn stand_in(&mut self, yielded: Yield) -> Value {
        match yielded {
            Yield::Ask(ask) => self.answer(*ask),
            Yield::Together(asks) => asks.into_iter().map(|ask| self.answer(ask)).collect(),
            Yield::Emit(_) | Yield::Sleep(_) => Value::Null,
            Yield::Memory(memory) => match memory {
                Memory::Get(_) | Memory::Set { .. } | Memory::Clear => Value::Null,
                Memory::Has(_) | Memory::Delete(_) => false.into(),
                Memory::Keys => json!([]),
            },
            Yield::Checkpoint(state) => state,
            Yield::Effect(effect) => {
                let (words, result) = nothing(&effect);
                self.effects.push(words);
                result
            }
        }
    }

    fn answer(&mut self, ask: ScriptAsk) -> Value {
        let fields = ask.ask.form.fields.iter();
        let answer: Answer = fields
            .map(|field| (field.name.clone(), plausible(field)))
            .collect();
        let value = ask.value(answer);
        self.asks.push(ask);
        value
    }
}

/// An effect in a few words, and the result of one that does nothing.
fn nothing(effect: &Effect) -> (String, Value) {
    let result = match effect {
        Effect::Run(_) => json!({ "code": 0, "stdout": "", "stderr": "" }),
        Effect::Read(_) => "".into(),
        Effect::Write(_) => Value::Null,
        Effect::Fetch(_) => json!({ "status": 200, "headers": {}, "body": "" }),
    };
    (visible(&effect.to_string()).into_owned(), result)
}

/// What a person might answer: what is filled in at first, or else the first that fits.
fn plausible(field: &Field) -> Value {
    match &field.kind {
        Kind::Text(text) => match &text.default {
            Some(default) => default.as_str().into(),
            None => "x".repeat(text.min_length.unwrap_or(0) as usize).into(),
        },
        Kind::Secret => "".into(),
        Kind::Toggle(toggle) => toggle.default.unwrap_or(false).into(),
        Kind::Confirm | Kind::Link(_) => true.into(),
        Kind::Choice(choice) => {
            let first = choice.options.first().map(|option| option.value.clone());
            choice.default.clone().or(first).into()
        }
        Kind::Choices(choices) => {
            let first = choices
                .options
                .iter()
                .take(1)
                .map(|option| option.value.clone());
            choices
                .default
                .clone()
                .unwrap_or_else(|| first.collect())
                .into()
        }
        Kind::Number(number) => number.default.or(number.min).unwrap_or(0.0).into(),
        Kind::Integer(integer) => integer.default.or(integer.min).unwrap_or(0).into(),
        Kind::Rating(rating) => rating.max.into(),
        Kind::Date(range) => {
            let set = range.default.clone().or_else(|| range.min.clone());
            set.unwrap_or_else(|| "2026-07-28".into()).into()
        }
        Kind::DateTime(range) => {
            let set = range.default.clone().or_else(|| range.min.clone());
            set.unwrap_or_else(|| "2026-07-28T09:30:00Z".into()).into()
        }
        Kind::File(_) => json!({ "name": "", "size": 0, "sha256": "", "path": "" }),
    }
}

fn json(method: &Method, dry_run: &DryRun) -> Value {
    let ask = |ask: &ScriptAsk| {
        json!({
            "id": ask.id(),
            "ask": ask.kind.as_str(),
            "message": ask.ask.message,
            "required": ask.required,
            "dangerous": ask.ask.dangerous,
            "fields": ask.ask.form.fields,
        })
    };
    json!({
        "method": method.name,
        "asks": dry_run.asks.iter().map(ask).collect::<Vec<_>>(),
        "effects": dry_run.effects,
        "endedEarly": dry_run.cut,
    })
}

fn text(method: &Method, dry_run: &DryRun) -> String {
    let mut text = match dry_run.asks.len() {
        0 => format!("{} asks nothing", method.name),
        _ => format!("{} asks", method.name),
    };
    text.push_str(" on one path through it; other answers may lead to other questions.\n");
    for ask in &dry_run.asks {
        let danger = if ask.ask.dangerous { ", dangerous" } else { "" };
        let optional = if ask.required { "" } else { ", optional" };
        let id = visible(ask.id().unwrap_or("(no id)"));
        let message = visible(&ask.ask.message).replace('\n', " ");
        text.push_str(&format!(
            "  {BOLD}{id}{BOLD:#} {FAINT}{}{danger}{optional}{FAINT:#} {message}\n",
            ask.kind
        ));
        for line in rules(ask) {
            text.push_str(&format!("      {line}\n"));
        }
    }
    if !dry_run.effects.is_empty() {
        text.push_str("It would also, once a person permits it:\n");
        for effect in &dry_run.effects {
            text.push_str(&format!("  {}\n", effect.replace('\n', " ")));
        }
    }
    if let Some(cut) = &dry_run.cut {
        text.push_str(&format!("It ended early: {}\n", visible(cut)));
    }
    text.push_str("Nobody was asked, and nothing was done.\n");
    text
}

/// What can be chosen, and the fields of a form.
fn rules(ask: &ScriptAsk) -> Vec<String> {
    let fields = &ask.ask.form.fields;
    let one = fields.len() == 1;
    let options = |field: &Field| match &field.kind {
        Kind::Choice(choice) => Some(&choice.options).cloned(),
        Kind::Choices(choices) => Some(&choices.options).cloned(),
        _ => None,
    };
    let line = |field: &Field| {
        let options = options(field).unwrap_or_default();
        let values: Vec<String> = options
            .iter()
            .map(|option| visible(&option.value).into_owned())
            .collect();
        match (one, values.is_empty()) {
            (true, true) => None,
            (true, false) => Some(values.join(" | ")),
            (false, true) => Some(visible(field.label()).into_owned()),
            (false, false) => Some(format!(
                "{}: {}",
                visible(field.label()),
                values.join(" | ")
            )),
        }
    };
    fields.iter().filter_map(line).collect()
}
