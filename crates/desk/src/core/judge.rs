//! From a reply to a verdict. Pure: what is decided here is journaled by the desk.

use super::channel::Delivery;
use crate::Settings;
use holdpoint_ask::{Answer, Ask, AskId, ChannelKind, Decision, FieldError, Kind, Outcome, Reply};
use jiff::Timestamp;
use serde_json::Value;
use std::fmt;

/// An ask at the moment of a reply.
pub(crate) struct Case<'a> {
    pub id: AskId,
    pub ask: &'a Ask,
    pub opened_at: Timestamp,
    pub shown_at: Timestamp,
    pub refusals: u32,
    /// Where a secret is sealed to; needed only where the flow runs in another process.
    pub seal_to: Option<[u8; 32]>,
    /// Another surface than the client shows it too.
    pub elsewhere: bool,
}

/// Who replies, and through what.
#[derive(Clone)]
pub struct Replier {
    /// The channel.
    pub channel: ChannelKind,
    /// The client's name and version, or the operating-system user.
    pub name: Option<String>,
    /// The PIN that they gave.
    pub pin: Option<String>,
    /// The agent inside which they run, as far as a surface can tell.
    pub inside_agent: Option<String>,
}

impl Replier {
    /// Who replies, and through what.
    pub fn new(channel: ChannelKind, name: Option<String>) -> Self {
        Self {
            channel,
            name,
            pin: None,
            inside_agent: None,
        }
    }

    /// With this PIN.
    pub fn with_pin(mut self, pin: impl Into<String>) -> Self {
        self.pin = Some(pin.into());
        self
    }

    /// From inside this agent: nothing dangerous is answered so.
    pub fn inside(mut self, agent: impl Into<String>) -> Self {
        self.inside_agent = Some(agent.into());
        self
    }

    /// The agent's own client, which may answer for the person.
    pub(crate) fn is_client(&self) -> bool {
        matches!(self.channel, ChannelKind::Client | ChannelKind::Url)
    }
}

impl fmt::Debug for Replier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replier")
            .field("channel", &self.channel)
            .field("name", &self.name)
            .field("inside_agent", &self.inside_agent)
            .finish_non_exhaustive()
    }
}

/// What to do with a reply.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It ends the ask.
    Settle(Decision, Option<Answer>),
    /// It is invalid and counts as a try.
    Refuse(Vec<FieldError>),
    /// It is invalid; a person corrects it where it was typed.
    Correct(Vec<FieldError>),
    /// It came too fast to be a person's: it settles nothing.
    TooFast(Option<Decision>),
    /// Nothing was answered yet: the person agreed to open the page, and answers there.
    Opened,
}

/// Judges what a channel brought back. The only maker of an accepted outcome.
pub(crate) fn judge(
    case: &Case<'_>,
    settings: &Settings,
    from: &Replier,
    delivery: Delivery,
    now: Timestamp,
) -> Verdict {
    let by_client = from.is_client();
    let fast = by_client && elapsed_ms(case.shown_at, now) < settings.fast_reply.as_millis() as u64;
    let decision = |outcome| Decision {
        channel: Some(from.channel),
        answered_by: from.name.clone(),
        fast,
        ..unanswered(case.id, case.opened_at, outcome, now)
    };
    if fast && case.ask.dangerous {
        let nobody = (!case.elsewhere).then(|| {
            unanswered(
                case.id,
                case.opened_at,
                Outcome::Unreachable {
                    why: "the client answered faster than a person can read, and no inbox shows the question".into(),
                },
                now,
            )
        });
        return Verdict::TooFast(nobody);
    }
    let errors = match delivery {
        Delivery::Parked => return Verdict::Opened,
        Delivery::Replied(Reply::Decline { reason }) => {
            return Verdict::Settle(decision(Outcome::Declined { reason }), None);
        }
        Delivery::Replied(Reply::Cancel) => {
            return Verdict::Settle(decision(Outcome::Cancelled), None);
        }
        Delivery::Replied(Reply::Accept { .. }) if from.channel == ChannelKind::Url => {
            return match visited(case.ask) {
                Some(answer) => {
                    Verdict::Settle(decision(Outcome::Accepted(answer.clone())), Some(answer))
                }
                None => Verdict::Opened,
            };
        }
        Delivery::Replied(Reply::Accept { content }) => match case.ask.form.validate(&content) {
            Ok(answer) => {
                let said_no = said_no(case.ask, &answer);
                let outcome = if said_no {
                    Outcome::Declined { reason: None }
                } else {
                    Outcome::Accepted(case.ask.form.redact(&answer))
                };
                let decision = Decision {
                    said_no,
                    ..decision(outcome)
                };
                return Verdict::Settle(decision, Some(answer));
            }
            Err(errors) => errors,
        },
        Delivery::Garbled(what) => vec![FieldError {
            field: String::new(),
            message: format!("The client's reply is not valid MCP: {what}"),
        }],
    };
    if !by_client {
        Verdict::Correct(errors)
    } else if case.refusals < settings.reasks {
        Verdict::Refuse(errors)
    } else {
        Verdict::Settle(decision(Outcome::Invalid { errors }), None)
    }
}

/// A decision that no reply made.
pub(crate) fn unanswered(
    ask: AskId,
    opened_at: Timestamp,
    outcome: Outcome,
    now: Timestamp,
) -> Decision {
    Decision {
        ask,
        outcome,
        channel: None,
        answered_by: None,
        at: now,
        duration_ms: elapsed_ms(opened_at, now),
        fast: false,
        said_no: false,
    }
}

/// A form that is one confirm, answered with no, was declined.
fn said_no(ask: &Ask, answer: &Answer) -> bool {
    match ask.form.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Confirm) => {
            answer.get(&field.name) != Some(&Value::Bool(true))
        }
        _ => false,
    }
}

/// The answer of a form that asks for nothing but to visit one address, which is what was opened.
fn visited(ask: &Ask) -> Option<Answer> {
    match ask.form.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Link(_)) => {
            Some(Answer::from_iter([(field.name.clone(), Value::Bool(true))]))
        }
        _ => None,
    }
}

fn elapsed_ms(from: Timestamp, to: Timestamp) -> u64 {
    (to.as_millisecond() - from.as_millisecond()).max(0) as u64
}
