//! One ask as entries: asked, decided and executed are separate, since a yes is not yet an action.

use holdpoint::{
    Origin, Outcome,
    journal::{AskHistory, AskRecord, Event, EventKind, GrantRecord},
    visible,
};
use holdpoint_ask::describe;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Something that was done after the decision.
pub struct Executed {
    /// When it was started or used.
    pub at: Timestamp,
    /// What.
    pub what: Action,
    /// When it ended; none where that is not known.
    pub ended: Option<Timestamp>,
}

/// What was done.
pub enum Action {
    /// A step of the call, with its result where it ended.
    Step {
        /// Its name.
        name: String,
        /// What was done, in words.
        label: Option<String>,
        /// What came of it, in words.
        end_label: Option<String>,
        /// What came of it.
        result: Option<Value>,
    },
    /// A grant was used.
    Grant(GrantRecord),
}

/// What was done after the ask was decided, in order. Before that, steps only prepared it.
pub fn executed(history: &AskHistory) -> Vec<Executed> {
    let place = |kind| history.events.iter().position(|event| event.kind == kind);
    let Some(decided) = place(EventKind::Decided) else {
        return Vec::new();
    };
    let after = &history.events[decided..];
    let started = after
        .iter()
        .filter(|event| event.kind == EventKind::StepStarted);
    let mut executed: Vec<_> = started
        .map(|start| {
            let same = |event: &&Event| {
                event.kind == EventKind::StepFinished
                    && event.body["name"] == start.body["name"]
                    && event.body["occurrence"] == start.body["occurrence"]
            };
            let end = after.iter().find(same);
            Executed {
                at: start.at,
                what: Action::Step {
                    name: start.body["name"].as_str().unwrap_or_default().to_owned(),
                    label: text(start, "label"),
                    end_label: end.and_then(|end| text(end, "label")),
                    result: end.map(|end| end.body["result"].clone()),
                },
                ended: end.map(|end| end.at),
            }
        })
        .collect();
    let used = history.grants.iter().filter_map(|grant| {
        let at = grant.redeemed_at?;
        Some(Executed {
            at,
            what: Action::Grant(grant.clone()),
            ended: Some(at),
        })
    });
    executed.extend(used);
    executed.sort_by_key(|action| action.at);
    executed
}

impl Executed {
    /// In a few words.
    pub fn describe(&self) -> String {
        match &self.what {
            Action::Step {
                name,
                label,
                end_label,
                ..
            } => {
                let label = label.as_deref().unwrap_or(name);
                step_words(label, end_label.as_deref(), self.ended.is_some())
            }
            Action::Grant(grant) => format!("{} (its grant was used)", visible(&grant.purpose)),
        }
    }

    fn json(&self) -> Value {
        match &self.what {
            Action::Step {
                name,
                label,
                end_label,
                result,
            } => json!({
                "at": self.at, "step": name, "label": label, "cameTo": end_label,
                "endedAt": self.ended, "result": result,
            }),
            Action::Grant(grant) => json!({
                "at": self.at, "grant": grant.id, "purpose": grant.purpose, "digest": grant.digest,
            }),
        }
    }
}

/// A step in words: what was done, and what came of it.
pub fn step_words(label: &str, end_label: Option<&str>, ended: bool) -> String {
    let label = describe::one_line(label);
    match (end_label, ended) {
        (_, false) => format!("{label} (started; its end is not recorded)"),
        (Some(end), true) => format!("{label} ({})", describe::one_line(end)),
        (None, true) => label,
    }
}

fn text(event: &Event, name: &str) -> Option<String> {
    event.body[name].as_str().map(str::to_owned)
}

/// The ask as JSON: what was asked, decided and executed.
pub fn json(history: &AskHistory) -> Value {
    let AskRecord {
        id,
        call,
        digest,
        ask,
        origin,
        opened_at,
        deadline_at,
        decision,
        ..
    } = &history.ask;
    let decided = decision.as_ref().map(|decision| {
        let content = match &decision.outcome {
            Outcome::Accepted(answer) => json!(answer),
            _ => Value::Null,
        };
        json!({
            "at": decision.at,
            "outcome": decision.outcome.status(),
            "content": content,
            "reason": describe::reason(&decision.outcome),
            "channel": decision.channel,
            "answeredBy": decision.answered_by,
            "durationMs": decision.duration_ms,
            "fast": decision.fast,
        })
    });
    let executed: Vec<_> = executed(history).iter().map(Executed::json).collect();
    json!({
        "id": id,
        "call": call,
        "status": decision.as_ref().map_or("pending", |decision| decision.outcome.status()),
        "server": origin.server,
        "tool": origin.tool,
        "client": origin.client,
        "workspace": origin.workspace,
        "asked": {
            "at": opened_at,
            "message": ask.message,
            "details": ask.details,
            "form": ask.form,
            "dangerous": ask.dangerous,
            "deadlineAt": deadline_at,
            "digest": digest,
        },
        "decided": decided,
        "executed": executed,
    })
}

/// Where something came from, before what it says: the tool with its server, and the client.
pub fn from(origin: &Origin) -> String {
    let tool = tool_name(origin.server.as_deref(), origin.tool.as_deref());
    let client = origin.client.as_deref();
    let client = client.map(|name| format!("for {}", line(&describe::one_line(name), 40)));
    let from: Vec<_> = [tool, client].into_iter().flatten().collect();
    if from.is_empty() {
        return String::new();
    }
    format!("{}: ", from.join(", "))
}

/// A tool with its server before it, since tools of two servers can have one name; none where there
/// is neither.
pub fn tool_name(server: Option<&str>, tool: Option<&str>) -> Option<String> {
    let names = [(server, 24), (tool, 40)];
    let names = names
        .into_iter()
        .filter_map(|(name, most)| Some(line(&describe::one_line(name?), most)));
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| names.join(" · "))
}

/// The first line of a text, no longer than this, with nothing hidden in it.
pub fn line(text: &str, most: usize) -> String {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let first = visible(first.unwrap_or_default().trim());
    if first.chars().count() <= most {
        return first.into_owned();
    }
    let short: String = first.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", short.trim_end())
}
