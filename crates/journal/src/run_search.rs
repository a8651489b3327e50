//! Finding runs of scripts by what they did, for people. Asks are found by a [`Search`](crate::Search).

use crate::{
    CallHistory,
    search::{
        occurs,
        text::{fold, leaves},
    },
};
use holdpoint_ask::{CallId, IdPart};
use jiff::Timestamp;

/// Which runs to find. Everything that is set must hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunSearch {
    /// Each of these occurs somewhere in what the run did, in what it was given or in where it came
    /// from, within a word too. Case and accents do not matter.
    pub words: Vec<String>,
    /// Occurs in the server's name.
    pub server: Option<String>,
    /// Occurs in the tool's name.
    pub tool: Option<String>,
    /// Occurs in the client's name and version.
    pub client: Option<String>,
    /// Begun then or later.
    pub since: Option<Timestamp>,
    /// Begun before that.
    pub until: Option<Timestamp>,
    /// Has this part in its id.
    pub part: Option<IdPart>,
    /// Begun before this one, for paging back.
    pub before: Option<CallId>,
    /// At most so many; all where there is none.
    pub limit: Option<usize>,
}

/// What a search for runs found.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct FoundRuns {
    /// The runs with their asks and steps, last begun first.
    pub runs: Vec<CallHistory>,
    /// Whether there are more behind the last of them.
    pub more: bool,
}

impl FoundRuns {
    /// Adds the next run that fits; false when the limit is reached.
    pub fn push(&mut self, run: CallHistory, limit: Option<usize>) -> bool {
        if limit.is_some_and(|limit| self.runs.len() >= limit) {
            self.more = true;
            return false;
        }
        self.runs.push(run);
        true
    }
}

/// A search for runs prepared for checking many.
#[derive(Debug)]
pub struct RunMatcher<'a> {
    search: &'a RunSearch,
    pub(crate) words: Vec<String>,
    server: Option<String>,
    tool: Option<String>,
    client: Option<String>,
}

impl<'a> RunMatcher<'a> {
    /// Prepares a search.
    pub fn new(search: &'a RunSearch) -> Self {
        Self {
            search,
            words: search.words.iter().map(|word| fold(word)).collect(),
            server: search.server.as_deref().map(fold),
            tool: search.tool.as_deref().map(fold),
            client: search.client.as_deref().map(fold),
        }
    }

    /// Whether the search finds this call, wherever a page begins and ends.
    pub fn fits(&self, history: &CallHistory) -> bool {
        let (call, search) = (&history.call, self.search);
        let origin = &call.origin;
        call.run
            && search.part.as_ref().is_none_or(|part| part.is_in(&call.id))
            && search.since.is_none_or(|since| call.opened_at >= since)
            && search.until.is_none_or(|until| call.opened_at < until)
            && occurs(self.server.as_deref(), origin.server.as_deref())
            && occurs(self.tool.as_deref(), origin.tool.as_deref())
            && occurs(self.client.as_deref(), origin.client.as_deref())
            && self.fits_words(history)
    }

    fn fits_words(&self, history: &CallHistory) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let text = fold(&text_of(history));
        self.words.iter().all(|word| text.contains(word.as_str()))
    }
}

/// What a run is, where it came from, what it was given and what it did, one piece a line.
pub(crate) fn text_of(history: &CallHistory) -> String {
    let mut text = String::with_capacity(512);
    let mut add = |piece: &str| {
        text.push_str(piece);
        text.push('\n');
    };
    let call = &history.call;
    let origin = &call.origin;
    for piece in [
        &origin.server,
        &origin.tool,
        &origin.client,
        &origin.workspace,
    ] {
        piece.as_deref().into_iter().for_each(&mut add);
    }
    add(&call.flow_version);
    leaves(&call.arguments, &mut add);
    for step in &history.steps {
        add(step.label.as_deref().unwrap_or(&step.name));
        step.end_label.as_deref().into_iter().for_each(&mut add);
    }
    text
}
