//! Ways to reach a person.

use super::open_ask::InClient;
use futures::future::BoxFuture;
use holdpoint_ask::{Answer, Ask, AskId, ChannelKind, FieldError, Origin, Presence, Reply};
use holdpoint_journal::{AskRecord, NewAsk};
use jiff::Timestamp;
use std::{fmt, sync::Arc};
use tokio_util::sync::CancellationToken;

/// A way to reach a person.
pub trait Channel: Send + Sync + fmt::Debug {
    /// Which way it is.
    fn kind(&self) -> ChannelKind;

    /// Whether it can show this ask to somebody.
    fn reaches(&self, ask: &Ask) -> bool;

    /// Who its replies are recorded as: a client's name and version, or a user.
    fn answers_as(&self) -> Option<String>;

    /// Shows the ask. It replies at once, or parks it and the reply comes later through
    /// [`Desk::reply`](crate::Desk::reply), perhaps from another process. While it waits for a
    /// reply it watches [`Showing::ended`], and takes the ask off its surface then.
    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>>;
}

/// An ask on its way to a person.
#[derive(Debug, Clone)]
pub struct Showing {
    pub(crate) new: Arc<NewAsk>,
    /// Its name within its call, another one after each invalid reply.
    pub key: String,
    /// What was wrong with the reply before; empty at first.
    pub errors: Vec<FieldError>,
    /// What was valid in it and decides nothing: a form is filled in with it.
    pub(crate) kept: Option<Answer>,
    /// Fires when the ask ended, however that came about.
    pub ended: CancellationToken,
    pub(crate) in_client: InClient,
    pub(crate) shown_at: Timestamp,
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

    /// When the channel was given it to show.
    pub fn shown_at(&self) -> Timestamp {
        self.shown_at
    }

    /// Whether the agent's client shows it too.
    pub fn in_client(&self) -> bool {
        self.in_client != InClient::NotShown
    }

    /// An ask that is open in another process.
    pub(crate) fn from_record(record: AskRecord) -> Self {
        let key = wire_key(&record.key, record.refusals);
        let errors = record.last_errors.clone();
        Self {
            shown_at: record.opened_at,
            new: Arc::new(opened_before(record)),
            key,
            errors,
            kept: None,
            ended: CancellationToken::new(),
            in_client: InClient::NotShown,
        }
    }

    /// The text to show: what was wrong with the last reply, if anything, then the ask.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.errors.is_empty() {
            text.push_str("The last answer could not be accepted:\n");
            for error in &self.errors {
                text.push_str(&format!("- {}\n", error.message));
            }
            text.push('\n');
        }
        text.push_str(&self.new.ask.shown());
        text
    }
}

/// What came of showing an ask. Parking it is a normal result.
#[derive(Debug)]
pub enum Delivery {
    /// A reply, unchecked, and what shows that a person gave it.
    Replied(Reply, Presence),
    /// What came back is not a reply at all; what was wrong with it.
    Garbled(String),
    /// It is shown; the reply comes later.
    Parked,
}

/// Why a channel could not go on showing an ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryError {
    /// The other side is gone. The ask stays open for the person.
    Gone,
    /// The other side cannot show it, for this reason.
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
        in_client: false,
    }
}
