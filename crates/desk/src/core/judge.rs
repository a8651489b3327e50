//! From a reply to a verdict. Pure: what is decided here is journaled by the desk.

use super::evidence::{Need, Refusal, Says};
use crate::Settings;
use holdpoint_ask::{
    Answer, Ask, AskId, ChannelKind, Decision, FieldError, Kind, Origin, Outcome, Presence, Reply,
    Review,
};
use jiff::Timestamp;
use serde_json::Value;
use std::fmt;

/// An ask at the moment of a reply.
pub(crate) struct Case<'a> {
    pub id: AskId,
    pub ask: &'a Ask,
    /// In whose name it was asked.
    pub asked_by: &'a str,
    pub opened_at: Timestamp,
    pub refusals: u32,
    /// A reply of the client's did not count before: none of it does any more.
    pub taken_from_client: bool,
    /// Where a secret is sealed to; needed only where the flow runs in another process.
    pub seal_to: Option<[u8; 32]>,
    /// Another surface than the client shows it too.
    pub elsewhere: bool,
    /// The address that a client opens is where it is answered.
    pub page: bool,
}

/// Who replies, through what, and what shows that it is a person.
///
/// ```
/// use holdpoint::{ChannelKind, Gesture, Presence, Replier};
///
/// let shown_at = "2026-07-28T09:30:00Z".parse()?;
/// let presence = Presence::seen(shown_at, Gesture::Held);
/// let ann = Replier::new(ChannelKind::Inbox, Some("ann".into()), presence).with_pin("4711");
/// assert!(!format!("{ann:?}").contains("4711"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Replier {
    /// The channel.
    pub channel: ChannelKind,
    /// The client's name and version, the operating-system user, or the token's name.
    pub name: Option<String>,
    /// The person, where the surface knows them by a key of their own. It is never what they say of themselves.
    pub person: Option<String>,
    /// The PIN that they gave.
    pub pin: Option<String>,
    /// What shows that a person replies.
    pub presence: Presence,
}

impl Replier {
    /// Who replies, through what, and what shows that it is a person.
    pub fn new(channel: ChannelKind, name: Option<String>, presence: Presence) -> Self {
        Self {
            channel,
            name,
            person: None,
            pin: None,
            presence,
        }
    }

    /// As this person, whom the surface knows by a key of their own: the answer is recorded as theirs, and their
    /// PIN counts.
    ///
    /// ```
    /// use holdpoint::{ChannelKind, Presence, Replier};
    ///
    /// let ann = Replier::new(ChannelKind::Inbox, None, Presence::default()).as_person("ann");
    /// assert_eq!(ann.name.as_deref(), Some("ann"));
    /// ```
    pub fn as_person(mut self, person: impl Into<String>) -> Self {
        let person = person.into();
        self.name = Some(person.clone());
        self.person = Some(person);
        self
    }

    /// With this PIN.
    pub fn with_pin(mut self, pin: impl Into<String>) -> Self {
        self.pin = Some(pin.into());
        self
    }

    /// Whether a program replies to what it asked itself, by the same token: that is nobody's decision.
    fn is_asker(&self, asked_by: &str) -> bool {
        let asker = asked_by.strip_prefix(Origin::TOKEN);
        self.channel == ChannelKind::Token && self.name.as_deref() == asker && asker.is_some()
    }

    /// The agent's own client, which may answer for the person.
    pub(crate) fn is_client(&self) -> bool {
        Self::is_of_client(self.channel)
    }

    /// Whether what comes through this channel comes from the agent's own client.
    pub(crate) fn is_of_client(channel: ChannelKind) -> bool {
        matches!(channel, ChannelKind::Client | ChannelKind::Url)
    }
}

impl fmt::Debug for Replier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replier")
            .field("channel", &self.channel)
            .field("name", &self.name)
            .field("presence", &self.presence)
            .finish_non_exhaustive()
    }
}

/// What came from a channel.
#[derive(Debug)]
pub(crate) enum Received {
    /// A reply, unchecked.
    Reply(Reply),
    /// What came is not a reply at all; what was wrong with it.
    Garbled(String),
}

/// What to do with a reply.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// It ends the ask.
    Settle(Decision, Option<Answer>),
    /// It is invalid and counts as a try.
    Refuse {
        errors: Vec<FieldError>,
        /// What of it was valid and decides nothing.
        kept: Answer,
    },
    /// It is invalid; a person corrects it where it was typed.
    Correct(Vec<FieldError>),
    /// It does not show that a person gave it. It settles nothing; the ask stays where it is.
    NotTaken(Refusal),
    /// A client's reply that no person gave: the ask is taken from the client and goes on elsewhere, or
    /// ends so where nobody else can be asked.
    TakeAway(Refusal, Option<Decision>),
    /// Nothing was answered yet: the person agreed to open the page, and answers there.
    Opened,
}

/// Judges what a channel brought back. The only maker of an accepted outcome.
pub(crate) fn judge(
    case: &Case<'_>,
    settings: &Settings,
    from: &Replier,
    received: Received,
    now: Timestamp,
) -> Verdict {
    if case.taken_from_client && from.is_client() {
        return Verdict::NotTaken(Refusal::TakenAway);
    }
    if from.is_asker(case.asked_by) {
        return Verdict::NotTaken(Refusal::OwnAsk);
    }
    let need = Need::for_reply(from.channel, case.ask, settings);
    let lacks = |says: Says| need.refuse(case.ask, settings, &from.presence, says, now);
    let says = match &received {
        Received::Reply(Reply::Decline { .. } | Reply::Cancel) => Says::No,
        _ => Says::Something,
    };
    // What is not a reply at all counts as a try, whoever sent it.
    if matches!(received, Received::Reply(_))
        && let Some(refusal) = lacks(says)
    {
        return not_taken(case, from, refusal, now);
    }
    let decision = |outcome| {
        let mut decision = unanswered(case.id, case.opened_at, outcome, now);
        decision.channel = Some(from.channel);
        decision.answered_by = from.name.clone();
        decision.presence = Some(from.presence.clone());
        decision
    };
    let (errors, content) = match received {
        Received::Reply(Reply::Decline { reason }) => {
            return Verdict::Settle(decision(Outcome::Declined { reason }), None);
        }
        Received::Reply(Reply::Cancel) => {
            return Verdict::Settle(decision(Outcome::Cancelled), None);
        }
        // An address that was opened is not yet what was to be done there.
        Received::Reply(Reply::Accept { .. }) if from.channel == ChannelKind::Url => {
            return if case.elsewhere || case.page {
                Verdict::Opened
            } else {
                let why = "the address was opened, and nobody can say here what was done there";
                let outcome = Outcome::Unreachable { why: why.into() };
                let end = unanswered(case.id, case.opened_at, outcome, now);
                Verdict::Settle(end, None)
            };
        }
        Received::Reply(Reply::Accept { content }) => match case.ask.form.validate(&content) {
            Ok(answer) if said_no(case.ask, &answer) => {
                let mut declined = decision(Outcome::Declined { reason: None });
                declined.said_no = true;
                return Verdict::Settle(declined, Some(answer));
            }
            Ok(answer) => {
                if !case.ask.form.says_no(&answer)
                    && let Some(refusal) = lacks(Says::Yes)
                {
                    return not_taken(case, from, refusal, now);
                }
                let accepted = Outcome::Accepted(case.ask.form.redact(&answer));
                return Verdict::Settle(decision(accepted), Some(answer));
            }
            Err(errors) => (errors, content),
        },
        Received::Garbled(what) => {
            let error = FieldError::new("", format!("The client's reply is not valid MCP: {what}"));
            (vec![error], Answer::new())
        }
    };
    if !from.is_client() {
        Verdict::Correct(errors)
    } else if case.refusals < settings.reasks {
        let kept = case.ask.form.settings_in(&content);
        Verdict::Refuse { errors, kept }
    } else if case.elsewhere && case.ask.form.is_undecided(&content) {
        // Again and again nobody has decided there: a form that a client sends back by itself.
        not_taken(case, from, Refusal::Untouched, now)
    } else {
        Verdict::Settle(decision(Outcome::Invalid { errors }), None)
    }
}

/// Adds what the person said beside a reply that ends the ask. An edited text goes with an answer alone: a
/// person who turns the question down approves no text.
pub(crate) fn add_review(
    ask: &Ask,
    decision: &mut Decision,
    review: Review,
) -> Result<(), Vec<FieldError>> {
    if review.is_empty() {
        return Ok(());
    }
    let review = ask.check_review(review)?;
    if review.edited.is_some() && !matches!(decision.outcome, Outcome::Accepted(_)) {
        let what = "An edited text goes with an answer: take the edit back, or approve it.";
        return Err(vec![FieldError::new("edited", what)]);
    }
    decision.review = (!review.is_empty()).then(|| Box::new(review));
    Ok(())
}

/// A client is asked no more where its reply is not taken; a surface of the person's own stays.
fn not_taken(case: &Case<'_>, from: &Replier, refusal: Refusal, now: Timestamp) -> Verdict {
    if !from.is_client() {
        return Verdict::NotTaken(refusal);
    }
    let nobody = (!case.elsewhere).then(|| {
        let why = format!("{}, and no inbox shows the question", refusal.reason());
        unanswered(case.id, case.opened_at, Outcome::Unreachable { why }, now)
    });
    Verdict::TakeAway(refusal, nobody)
}

/// A decision that no reply made.
pub(crate) fn unanswered(
    ask: AskId,
    opened_at: Timestamp,
    outcome: Outcome,
    now: Timestamp,
) -> Decision {
    let mut decision = Decision::new(ask, outcome, now);
    decision.duration_ms = elapsed_ms(opened_at, now);
    decision
}

/// A form that is one confirm, answered with no, was declined. One that may be left out and was is neither.
fn said_no(ask: &Ask, answer: &Answer) -> bool {
    match ask.form.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Confirm) => {
            answer.get(&field.name) == Some(&Value::Bool(false))
        }
        _ => false,
    }
}

fn elapsed_ms(from: Timestamp, to: Timestamp) -> u64 {
    (to.as_millisecond() - from.as_millisecond()).max(0) as u64
}

#[cfg(test)]
mod tests;
