//! Events in words.

use crate::{Event, EventKind};
use holdpoint_ask::visible;
use jiff::Timestamp;
use serde_json::Value;

impl Event {
    /// What it says beside the question and its decision, with times as `local` writes them; nothing
    /// where it says no more than that.
    pub fn describe(&self, local: &dyn Fn(Timestamp) -> String) -> Option<String> {
        let body = &self.body;
        Some(match self.kind {
            EventKind::Refused if body["takesAway"] == true => {
                "it was taken from the client, whose replies do not count any more".to_owned()
            }
            EventKind::Refused => {
                let errors = body["errors"].as_array().into_iter().flatten();
                let errors = errors.filter_map(|error| error["message"].as_str());
                let errors: Vec<_> = errors.map(|error| visible(error).into_owned()).collect();
                let channel = body["channel"].as_str().unwrap_or_default();
                format!("a reply ({channel}) did not fit: {}", errors.join(" "))
            }
            EventKind::Extended => {
                let by = visible(body["by"].as_str().unwrap_or("somebody")).into_owned();
                let until = body["deadlineAt"].as_i64();
                let until = until.and_then(|millis| jiff::Timestamp::from_millisecond(millis).ok());
                match until {
                    Some(until) => format!("{by} extended it until {}", local(until)),
                    None => format!("{by} removed its deadline"),
                }
            }
            EventKind::TakenOver => "another process took the call over".to_owned(),
            EventKind::AgentGone => "the agent went away; the ask stayed open".to_owned(),
            EventKind::AgentBack => "the agent came back".to_owned(),
            EventKind::TooFast => format!(
                "a reply{} came too fast for a person, and did not count",
                from(body)
            ),
            EventKind::NotTaken => {
                let why = body["why"].as_str().unwrap_or("no presence");
                format!(
                    "a reply{} did not count: {}",
                    from(body),
                    why.replace('_', " ")
                )
            }
            EventKind::Shown => format!("it was shown{}", from(body)),
            EventKind::LossAccepted => {
                format!(
                    "it was accepted{} that the end of the record is lost",
                    from(body)
                )
            }
            EventKind::Pruned => {
                let before = body["before"].as_i64();
                let before = before.and_then(|at| Timestamp::from_millisecond(at).ok());
                let before = before.map(|at| format!(" from before {}", local(at)));
                let events = body["events"].as_u64().unwrap_or_default();
                format!(
                    "the bodies of {events} events{} were pruned{}",
                    before.unwrap_or_default(),
                    from(body)
                )
            }
            EventKind::PinSet => "a PIN was set".to_owned(),
            EventKind::PinCleared => "the PIN was cleared".to_owned(),
            EventKind::WrongPin => "a wrong PIN was given".to_owned(),
            EventKind::PinGiven => "the right PIN was given".to_owned(),
            EventKind::AgentAnswered => {
                let agent = visible(body["agent"].as_str().unwrap_or("an agent")).into_owned();
                match body["command"].as_str() {
                    Some(command) => {
                        format!("`holdpoint {command}` was tried, and refused: {agent}")
                    }
                    None => format!("an answer came from an agent, and did not count: {agent}"),
                }
            }
            EventKind::TokenMade => {
                let may = body["may"].as_array().into_iter().flatten();
                let may: Vec<_> = may.filter_map(Value::as_str).collect();
                let may = visible(&may.join(" and ")).into_owned();
                format!(
                    "the token {} was made{}: it may {may}",
                    name(body),
                    from(body)
                )
            }
            EventKind::TokenRevoked => {
                format!("the token {} was revoked{}", name(body), from(body))
            }
            _ => return None,
        })
    }
}

/// What something is called.
fn name(body: &Value) -> String {
    let name = body["name"].as_str().unwrap_or("?");
    format!("`{}`", visible(name))
}

/// Through which channel something came, and from whom, as far as its event says.
fn from(body: &Value) -> String {
    let by = body["by"].as_str().map(|by| format!(" by {}", visible(by)));
    let channel = body["channel"]
        .as_str()
        .map(|channel| format!(" ({channel})"));
    [by, channel].into_iter().flatten().collect()
}
