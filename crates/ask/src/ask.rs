//! A question to a person.

use crate::{
    Digest, Form,
    describe::first_line,
    field::Pick,
    remember::Remember,
    review::{EditableText, Round},
};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What is typed for a yes to a dangerous ask that names no word of its own.
const DEFAULT_WORD: &str = "confirm";

/// A question to a person: what is shown, what is asked for, how much is at stake, how long it waits.
///
/// ```
/// use holdpoint_ask::Ask;
/// use std::time::Duration;
///
/// let ask = Ask::confirm("Deploy to production?")
///     .details("```diff\n- old\n+ new\n```")
///     .dangerous()
///     .deadline(Duration::from_secs(600));
/// assert!(ask.dangerous);
/// assert_eq!((ask.word(), ask.danger()), ("confirm", Some("This cannot be undone.")));
///
/// let ask = ask
///     .with_word("production")
///     .consequence("The old version can be deployed again.")
///     .in_person()
///     .key("deploy");
/// assert!(ask.is_word("Production "));
/// assert_eq!(ask.title(), "Deploy to production?");
/// assert_eq!(Ask::confirm("## Drop `orders`?\n\nAll of it.").title(), "Drop orders?");
/// assert_eq!(ask.clone().titled("Deploy 2.4").title(), "Deploy 2.4");
/// assert_ne!(ask.digest(), Ask::confirm("Deploy to production?").digest());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Ask {
    /// The question, as short Markdown.
    pub message: String,
    /// More to read before answering, as Markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// What is asked for.
    pub form: Form,
    /// A name of the author's own for it within its call; a number where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// A yes cannot be taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dangerous: bool,
    /// What is typed for a yes to it where it is dangerous; [`Ask::word`] gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// What a yes leads to and whether that can be undone, in the asker's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consequence: Option<String>,
    /// It counts only from a surface of the person's own, never from the agent's client.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_person: bool,
    /// What lists call it; [`Ask::title`] gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Box<str>>,
    /// Which showing of the same thing it is, where that is shown again and again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<Box<Round>>,
    /// A text that the person may edit, and approve so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editable: Option<Box<EditableText>>,
    /// What the person may have remembered with their yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remember: Option<Box<Remember>>,
    /// How long it waits, in milliseconds; the desk's own time where there is none.
    #[serde(
        default,
        rename = "timeoutMs",
        with = "millis",
        skip_serializing_if = "Option::is_none"
    )]
    pub timeout: Option<Duration>,
}

/// Where an ask comes from. The desk fills it in; a flow cannot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Origin {
    /// The server that asks, by the name that its author set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// In whose name the agent calls.
    pub principal: String,
    /// The agent's client, with its version: for people and the record. It binds nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// The client's name alone, which is the same after an update of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_name: Option<String>,
    /// The tool or prompt that asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The folder that the agent works in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
}

impl Origin {
    /// The principal of whoever calls without saying who they are, on the machine of the journal.
    pub const LOCAL: &str = "local";
    /// What the principal of a person's own shell begins with.
    pub const SHELL: &str = "shell:";
    /// What the principal of a program with a token begins with; the token's name follows.
    pub const TOKEN: &str = "token:";
    /// What the principal of a person's own page begins with.
    pub const PAGE: &str = "inbox:";

    /// Whether this is a surface of the person whose journal it is, and not a principal who was told apart
    /// from others by a token.
    pub fn is_owners(&self) -> bool {
        let own = [Self::SHELL, Self::PAGE];
        self.principal == Self::LOCAL || own.iter().any(|own| self.principal.starts_with(own))
    }

    /// Whether both are of one server, principal, client and workspace. An answer, a step or a call
    /// of one is good for no other.
    pub fn is_bound_like(&self, other: &Self) -> bool {
        self.server == other.server
            && self.principal == other.principal
            && self.client_name == other.client_name
            && self.workspace == other.workspace
    }

    /// Whether what comes from here is shown to a caller from there: both are of one server, principal
    /// and workspace. Another client of the same principal may read of an answer, which is good for it
    /// all the same only where [`is_bound_like`](Self::is_bound_like) says so.
    pub fn is_seen_by(&self, caller: &Self) -> bool {
        self.server == caller.server
            && self.principal == caller.principal
            && self.workspace == caller.workspace
    }
}

impl Ask {
    /// Asks for whatever the form says.
    pub fn new(message: impl Into<String>, form: Form) -> Self {
        Self {
            message: message.into(),
            details: None,
            form,
            key: None,
            dangerous: false,
            word: None,
            consequence: None,
            in_person: false,
            title: None,
            round: None,
            editable: None,
            remember: None,
            timeout: None,
        }
    }

    /// Asks for a yes or a no.
    pub fn confirm(message: impl Into<String>) -> Self {
        Self::new(message, Form::confirm())
    }

    /// Asks for one of several options.
    pub fn choose<P: Into<Pick>>(
        message: impl Into<String>,
        options: impl IntoIterator<Item = P>,
    ) -> Self {
        Self::new(message, Form::choice(options))
    }

    /// More to read before answering, as Markdown.
    pub fn details(mut self, details: impl Into<String>) -> Self {
        self.details = Some(details.into());
        self
    }

    /// Names it within its call. An answer to it may then also be given beforehand, unless the
    /// ask is dangerous or one of its fields decides.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// A yes to this cannot be taken back.
    pub fn dangerous(mut self) -> Self {
        self.dangerous = true;
        self
    }

    /// What is typed for a yes to it where it is dangerous: 3 to 32 letters or digits, such as the
    /// name of what is dropped.
    pub fn with_word(mut self, word: impl Into<String>) -> Self {
        self.word = Some(word.into());
        self
    }

    /// Says what a yes leads to and whether that can be undone, in place of "This cannot be undone."
    pub fn consequence(mut self, consequence: impl Into<String>) -> Self {
        self.consequence = Some(consequence.into());
        self
    }

    /// Counts only from a surface of the person's own, the page or a terminal: the agent's client is
    /// not shown it.
    pub fn in_person(mut self) -> Self {
        self.in_person = true;
        self
    }

    /// What lists call it: one line that says what is to be decided.
    pub fn titled(mut self, title: impl Into<Box<str>>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Which showing of the same thing it is.
    pub fn in_round(mut self, round: Round) -> Self {
        self.round = Some(Box::new(round));
        self
    }

    /// Lets the person edit this text, and approve it so.
    pub fn editable(mut self, text: EditableText) -> Self {
        self.editable = Some(Box::new(text));
        self
    }

    /// What lists call it, in one visible line: its own title, or the first line of its message.
    pub fn title(&self) -> String {
        first_line(self.title.as_deref().unwrap_or(&self.message)).replace('`', "")
    }

    /// What is typed for a yes to it where it is dangerous.
    pub fn word(&self) -> &str {
        self.word.as_deref().unwrap_or(DEFAULT_WORD)
    }

    /// Whether this is its word, as a person types it.
    pub fn is_word(&self, typed: &str) -> bool {
        is_word(typed, self.word())
    }

    /// What is said about the danger of a yes; none where it is not dangerous.
    pub fn danger(&self) -> Option<&str> {
        let said = self.consequence.as_deref();
        self.dangerous
            .then(|| said.unwrap_or("This cannot be undone."))
    }

    /// How long it waits for an answer.
    pub fn deadline(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The message with the details below it, as one Markdown text.
    pub fn shown(&self) -> String {
        match &self.details {
            Some(details) => format!("{}\n\n{details}", self.message),
            None => self.message.clone(),
        }
    }

    /// The digest of exactly what is asked: the same ask has the same one in every process.
    pub fn digest(&self) -> Digest {
        // A number that JSON has no word for cannot pass `check`; its digest must not panic yet.
        Digest::hash_json(self)
            .unwrap_or_else(|_| Digest::hash_bytes(format!("{self:?}").as_bytes()))
    }
}

/// Whether this was typed for the word: people type it in large letters too, and with a space behind.
pub(crate) fn is_word(typed: &str, word: &str) -> bool {
    typed.trim().to_lowercase() == word.to_lowercase()
}

mod millis {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_u64(time.as_millis() as u64),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}
