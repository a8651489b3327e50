//! Ways to reach a person.

use super::{end_signal::EndSignal, judge::Replier, reply_result::ReplyResult};
use crate::AskError;
use holdpoint_ask::{
    Answer, Ask, AskId, ChannelKind, Decision, FieldError, Origin, Presence, Reply, describe,
};
use holdpoint_journal::{AskRecord, BoxFuture, InClient, NewAsk};
use jiff::Timestamp;
use std::{
    fmt,
    sync::{Arc, Weak},
};

/// A way to reach a person.
///
/// A channel of an author's own (a chat, a ticket, a phone) counts as a program that answers for
/// somebody: what it brings settles an ordinary ask, and nothing dangerous.
///
#[doc = include_str!("../../docs/channel.md")]
pub trait Channel: Send + Sync + fmt::Debug {
    /// Which way it is; for one of your own `ChannelKind::author("name")`.
    fn kind(&self) -> ChannelKind;

    /// Whether it can show this ask to somebody. One of an author's own, which settles nothing dangerous, is
    /// not given what is, unless it says otherwise.
    fn reaches(&self, ask: &Ask) -> bool {
        !(ask.dangerous && matches!(self.kind(), ChannelKind::Author(_)))
    }

    /// Shows the ask. It replies at once, or parks it and the reply comes later through
    /// [`Showing::reply_handle`]. It takes the ask off its surface when [`Showing::ended`] says so.
    ///
    /// Where it fails, the ask is left to the other channels; where there is none, it ends
    /// `unreachable` with the reason.
    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>>;
}

/// An ask on its way to a person.
///
#[doc = include_str!("../../docs/showing.md")]
#[derive(Clone)]
pub struct Showing {
    pub(crate) new: Arc<NewAsk>,
    /// Its name within its call, another one after each invalid reply.
    pub(crate) key: String,
    pub(crate) errors: Vec<FieldError>,
    /// What was valid in the reply before and decides nothing: a form is filled in with it.
    pub(crate) kept: Option<Answer>,
    pub(crate) ended: EndSignal,
    pub(crate) in_client: InClient,
    pub(crate) shown_at: Timestamp,
    /// Where replies to it go; nowhere where it is only laid out.
    pub(crate) replies_to: ReplyTo,
    pub(crate) after_restart: bool,
}

impl Showing {
    /// The ask's id.
    pub fn id(&self) -> AskId {
        self.new.id
    }

    /// What is asked.
    pub fn ask(&self) -> &Ask {
        &self.new.ask
    }

    /// Who asks.
    pub fn origin(&self) -> &Origin {
        &self.new.origin
    }

    /// When it times out; never where there is none.
    pub fn deadline_at(&self) -> Option<Timestamp> {
        self.new.deadline_at
    }

    /// Its name within its call, another one after each invalid reply.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What was wrong with the reply before; empty at first.
    pub fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// When the channel was given it to show.
    pub fn shown_at(&self) -> Timestamp {
        self.shown_at
    }

    /// Whether the agent's client shows it too.
    pub fn in_client(&self) -> bool {
        self.in_client != InClient::NotShown
    }

    /// Whether a process that is gone has shown it before: a chat may hold an older message of it.
    pub fn is_after_restart(&self) -> bool {
        self.after_restart
    }

    /// Whether the ask has ended.
    pub fn is_ended(&self) -> bool {
        self.ended.is_set()
    }

    /// Waits until the ask has ended, and gives the decision; none where its flow was lost to a fault or
    /// to another process.
    pub async fn ended(&self) -> Option<Decision> {
        self.ended.wait().await.cloned()
    }

    /// Where the reply goes when it comes, now or later.
    pub fn reply_handle(&self) -> ReplyHandle {
        ReplyHandle {
            ask: self.id(),
            to: self.replies_to.clone(),
        }
    }

    /// The text to show: who asks, what was wrong with the last reply, the danger, then the ask. Hidden
    /// characters in it are made visible.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n", describe::who_asks(self.origin()));
        if !self.errors.is_empty() {
            text.push_str("The last answer could not be accepted:\n");
            for error in &self.errors {
                text.push_str(&format!("- {}\n", error.message));
            }
            text.push('\n');
        }
        if let Some(danger) = self.ask().danger() {
            text.push_str(&format!("Dangerous: {danger}\n\n"));
        }
        text.push_str(&self.ask().shown());
        holdpoint_ask::visible(&text).into_owned()
    }

    /// As [`Self::from_record`], as the agent's client was shown it when it was opened.
    pub(crate) fn as_opened(record: AskRecord) -> Self {
        Self {
            in_client: record.in_client,
            ..Self::from_record(record)
        }
    }

    /// An ask whose flow does not run in this process.
    pub(crate) fn from_record(record: AskRecord) -> Self {
        let key = wire_key(&record.key, record.refusals);
        let errors = record.last_errors.clone();
        Self {
            shown_at: record.opened_at,
            new: Arc::new(opened_before(record)),
            key,
            errors,
            kept: None,
            ended: EndSignal::default(),
            in_client: InClient::NotShown,
            replies_to: ReplyTo::nowhere(),
            after_restart: false,
        }
    }
}

impl fmt::Debug for Showing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without what was valid in the reply before: it is somebody's answer.
        f.debug_struct("Showing")
            .field("id", &self.id())
            .field("key", &self.key)
            .field("message", &self.ask().message)
            .field("errors", &self.errors)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

/// Where a channel's replies to one ask go. It can be kept for as long as the person takes; a reply
/// after the end gets the recorded decision.
///
#[doc = include_str!("../../docs/reply_handle.md")]
#[derive(Debug, Clone)]
pub struct ReplyHandle {
    ask: AskId,
    to: ReplyTo,
}

impl ReplyHandle {
    /// The ask that it answers.
    pub fn ask(&self) -> AskId {
        self.ask
    }

    /// Takes a reply: the first valid one wins, across all channels and processes. An invalid one
    /// leaves the ask open, and says what is wrong with it.
    ///
    /// # Errors
    /// When the desk is gone or the record cannot be kept; then nothing was decided.
    pub async fn reply(&self, reply: ChannelReply) -> Result<ReplyResult, AskError> {
        let gone = AskError::Unknown(self.ask);
        let desk = self.to.desk.upgrade().ok_or(gone)?;
        let from = reply.from(self.to.kind);
        desk.take_reply(self.ask, from, reply.reply).await
    }
}

/// What takes replies: the desk, as far as a channel has to do with it.
pub(crate) trait ReplyTaker: Send + Sync {
    fn take_reply(
        self: Arc<Self>,
        ask: AskId,
        from: Replier,
        reply: Reply,
    ) -> BoxFuture<'static, Result<ReplyResult, AskError>>;
}

/// The desk and the channel that a reply comes through.
#[derive(Clone)]
pub(crate) struct ReplyTo {
    /// Weak: a channel keeps handles, and the desk keeps its channels.
    pub desk: Weak<dyn ReplyTaker>,
    pub kind: ChannelKind,
}

impl ReplyTo {
    /// For an ask that is only laid out.
    pub fn nowhere() -> Self {
        Self {
            desk: Weak::<Nobody>::new(),
            kind: ChannelKind::Client,
        }
    }
}

/// Takes nothing.
struct Nobody;

impl ReplyTaker for Nobody {
    fn take_reply(
        self: Arc<Self>,
        ask: AskId,
        _from: Replier,
        _reply: Reply,
    ) -> BoxFuture<'static, Result<ReplyResult, AskError>> {
        Box::pin(async move { Err(AskError::Unknown(ask)) })
    }
}

impl fmt::Debug for ReplyTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReplyTo").field(&self.kind).finish()
    }
}

/// A reply, unchecked, who gave it, and what shows that a person did.
///
#[doc = include_str!("../../docs/channel_reply.md")]
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChannelReply {
    /// What came back.
    pub reply: Reply,
    /// Who gave it, as it is recorded.
    pub by: Option<String>,
    /// What shows that a person gave it.
    pub presence: Presence,
}

impl ChannelReply {
    /// A reply of which nothing more is known.
    pub fn new(reply: Reply) -> Self {
        let (by, presence) = (None, Presence::default());
        Self {
            reply,
            by,
            presence,
        }
    }

    /// An accepted form with these values; JSON that is not an object is an empty form.
    pub fn accept(content: serde_json::Value) -> Self {
        let content = match content {
            serde_json::Value::Object(content) => content,
            _ => Answer::new(),
        };
        Self::new(Reply::Accept { content })
    }

    /// A no, with its reason if there is one.
    pub fn decline(reason: Option<String>) -> Self {
        Self::new(Reply::Decline { reason })
    }

    /// The question was dismissed.
    pub fn cancel() -> Self {
        Self::new(Reply::Cancel)
    }

    /// Who gave it.
    pub fn by(mut self, name: impl Into<String>) -> Self {
        self.by = Some(name.into());
        self
    }

    /// What shows that a person gave it.
    pub fn with_presence(mut self, presence: Presence) -> Self {
        self.presence = presence;
        self
    }

    pub(crate) fn from(&self, kind: ChannelKind) -> Replier {
        Replier::new(kind, self.by.clone(), self.presence.clone())
    }
}

/// What came of showing an ask. Parking it is a normal result.
///
/// ```
/// use holdpoint::{ChannelReply, Delivery};
///
/// fn pressed(yes: Option<bool>) -> Delivery {
///     match yes {
///         Some(true) => Delivery::Replied(ChannelReply::accept(serde_json::json!({ "confirmed": true }))),
///         Some(false) => Delivery::Replied(ChannelReply::decline(None)),
///         None => Delivery::Parked,
///     }
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Delivery {
    /// A reply.
    Replied(ChannelReply),
    /// What came back is not a reply at all; what was wrong with it.
    Garbled(String),
    /// It is shown; the reply comes later.
    Parked,
}

/// Why a channel could not go on showing an ask.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeliveryError {
    /// The other side is gone. An agent's client may come back; the ask stays open for the person.
    #[error("the other side is gone")]
    Gone,
    /// The other side cannot show it, for this reason.
    #[error("{0}")]
    Failed(String),
}

/// The key under which a client sees an ask after so many invalid replies.
pub(crate) fn wire_key(key: &str, refusals: u32) -> String {
    match refusals {
        0 => key.to_owned(),
        n => format!("{key}-again-{n}"),
    }
}

/// A recorded ask, as it was opened.
pub(crate) fn opened_before(record: AskRecord) -> NewAsk {
    NewAsk {
        id: record.id,
        call: record.call,
        key: record.key,
        digest: record.digest,
        occurrence: record.occurrence,
        ask: record.ask,
        origin: record.origin,
        opened_at: record.opened_at,
        deadline_at: record.deadline_at,
        epoch: 0,
        seal_to: record.seal_to,
        in_client: record.in_client,
    }
}
