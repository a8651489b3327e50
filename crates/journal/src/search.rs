//! Finding asks by what they say, for people, and for agents among their own. What a process acts on it
//! reads with [`AskQuery`](crate::AskQuery), which compares rows and no texts.

use crate::{AskRecord, JournalError};
use holdpoint_ask::{AskId, ChannelKind, Origin};
use jiff::Timestamp;
use std::time::Duration;
use text::{fold, text_of};

pub(crate) mod text;
mod when;

pub use when::When;

/// Which asks to find. Everything that is set must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Search {
    /// Only what a caller from here may see; everything where there is none. See
    /// [`Origin::is_seen_by`].
    pub seen_by: Option<Origin>,
    /// Each of these occurs somewhere in what was shown, in where it came from or in the answer,
    /// within a word too. Case and accents do not matter.
    pub words: Vec<String>,
    /// Occurs in the server's name.
    pub server: Option<String>,
    /// Occurs in the tool's name.
    pub tool: Option<String>,
    /// Occurs in the client's name and version.
    pub client: Option<String>,
    /// Its status is one of these; empty for any.
    pub status: Vec<Status>,
    /// Through which channel it was answered.
    pub channel: Option<ChannelKind>,
    /// Opened then or later.
    pub since: Option<Timestamp>,
    /// Opened before that.
    pub until: Option<Timestamp>,
    /// Took longer than this from opening to decision.
    pub slower_than: Option<Duration>,
    /// Opened before this one, for paging back; it is an error if there is no such ask, or if
    /// `seen_by` may not see it.
    pub before: Option<AskId>,
    /// At most so many; all where there is none.
    pub limit: Option<usize>,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The asks, last opened first.
    pub asks: Vec<AskRecord>,
    /// Whether there are more behind the last of them.
    pub more: bool,
}

impl Found {
    /// These asks, and whether there are more.
    pub fn new(asks: Vec<AskRecord>, more: bool) -> Self {
        Self { asks, more }
    }
}

/// The status of an ask: its outcome, or that it is still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Status {
    /// It is open.
    Pending,
    /// It has a valid answer.
    Accepted,
    /// The person said no.
    Declined,
    /// The person dismissed it.
    Cancelled,
    /// The deadline passed.
    TimedOut,
    /// No channel reached anyone.
    Unreachable,
    /// The replies stayed invalid.
    Invalid,
    /// It was withdrawn.
    Withdrawn,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Pending,
        Self::Accepted,
        Self::Declined,
        Self::Cancelled,
        Self::TimedOut,
        Self::Unreachable,
        Self::Invalid,
        Self::Withdrawn,
    ];

    fn from_record(ask: &AskRecord) -> Self {
        let word = match &ask.decision {
            None => return Self::Pending,
            Some(decision) => decision.outcome.status(),
        };
        Self::parse(word).expect("every outcome has a status")
    }

    /// The status that has this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// The word for it that agents get.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Unreachable => "unreachable",
            Self::Invalid => "invalid",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl AskRecord {
    /// Its status.
    pub fn status(&self) -> Status {
        Status::from_record(self)
    }
}

impl Search {
    /// Splits a line into words at blanks; what is in double quotes stays together.
    ///
    /// ```
    /// # use holdpoint_journal::Search;
    /// assert_eq!(Search::split("deploy \"to production\""), ["deploy", "to production"]);
    /// ```
    pub fn split(line: &str) -> Vec<String> {
        let parts = line.split('"').enumerate();
        let words = parts.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        let words = words.filter(|word| !word.trim().is_empty());
        words.map(str::to_owned).collect()
    }

    /// Whether this ask would be found, wherever the page begins and ends.
    pub fn fits(&self, ask: &AskRecord) -> bool {
        Matcher::new(self).fits(ask)
    }

    /// Whether whoever searches may see an ask from here.
    pub fn sees(&self, origin: &Origin) -> bool {
        let caller = self.seen_by.as_ref();
        caller.is_none_or(|caller| origin.is_seen_by(caller))
    }

    /// Whether an ask of this status can be found.
    pub(crate) fn wants(&self, status: Status) -> bool {
        self.status.is_empty() || self.status.contains(&status)
    }
}

/// A search prepared for checking many asks.
#[derive(Debug)]
pub struct Matcher<'a> {
    search: &'a Search,
    pub(crate) words: Vec<String>,
    server: Option<String>,
    tool: Option<String>,
    client: Option<String>,
}

impl<'a> Matcher<'a> {
    /// Prepares a search.
    pub fn new(search: &'a Search) -> Self {
        Self {
            search,
            words: search.words.iter().map(|word| fold(word)).collect(),
            server: search.server.as_deref().map(fold),
            tool: search.tool.as_deref().map(fold),
            client: search.client.as_deref().map(fold),
        }
    }

    /// Whether the search finds this ask, wherever a page begins and ends.
    pub fn fits(&self, ask: &AskRecord) -> bool {
        let (search, decision) = (self.search, ask.decision.as_ref());
        let took = decision.map(|decision| Duration::from_millis(decision.duration_ms));
        let through = decision.and_then(|decision| decision.channel);
        search.sees(&ask.origin)
            && search.wants(ask.status())
            && (search.channel.is_none() || through == search.channel)
            && search.since.is_none_or(|since| ask.opened_at >= since)
            && search.until.is_none_or(|until| ask.opened_at < until)
            && search
                .slower_than
                .is_none_or(|least| took.is_some_and(|took| took > least))
            && self.fits_server(ask.origin.server.as_deref())
            && self.fits_tool(ask.origin.tool.as_deref())
            && self.fits_client(ask.origin.client.as_deref())
            && self.fits_words(ask)
    }

    /// Whether an ask of this server can be found.
    pub fn fits_server(&self, name: Option<&str>) -> bool {
        occurs(self.server.as_deref(), name)
    }

    /// Whether an ask of this tool can be found.
    pub fn fits_tool(&self, name: Option<&str>) -> bool {
        occurs(self.tool.as_deref(), name)
    }

    /// Whether an ask of this client can be found.
    pub fn fits_client(&self, name: Option<&str>) -> bool {
        occurs(self.client.as_deref(), name)
    }

    fn fits_words(&self, ask: &AskRecord) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let text = fold(&text_of(ask));
        self.words.iter().all(|word| text.contains(word.as_str()))
    }
}

pub(crate) fn occurs(part: Option<&str>, name: Option<&str>) -> bool {
    part.is_none_or(|part| name.is_some_and(|name| fold(name).contains(part)))
}

/// The first whole millisecond that is not before this.
pub(crate) fn millis_from(time: Timestamp) -> i64 {
    let millis = time.as_millisecond();
    let whole = Timestamp::from_millisecond(millis).is_ok_and(|whole| whole >= time);
    if whole { millis } else { millis + 1 }
}

impl Found {
    /// Adds the next ask that fits; false when the limit is reached.
    pub fn push(&mut self, ask: AskRecord, limit: Option<usize>) -> bool {
        if limit.is_some_and(|limit| self.asks.len() >= limit) {
            self.more = true;
            return false;
        }
        self.asks.push(ask);
        true
    }
}

/// The error of a search that pages back from an ask which does not exist, or which is another's.
pub fn no_such_page(before: AskId) -> JournalError {
    JournalError::read(format!("there is no ask {before} to page back from"))
}
