//! Rows of lists: what a person chooses an ask by, and no more. The ask itself is read by its id.

use crate::{alike, ask_kind::AskKind};
use holdpoint::{AskId, CallId, Origin, describe, field::Tone, journal::AskRecord, visible};
use holdpoint_ask::open_order::{Group, Waiting};
use jiff::Timestamp;
use serde::Serialize;

/// A row has fewer bytes than this.
pub(crate) const MOST_BYTES: usize = 400;
/// How much of a row the names of the agent and of the place may take.
const LONGEST_NAME: usize = 40;
/// How many characters of a title are kept in memory; a row never shows more.
const LONGEST_TITLE: usize = 200;
const VERDICT_BYTES: usize = 40;

/// An ended or open ask, as lists know it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gist {
    pub id: AskId,
    pub call: Option<CallId>,
    pub title: String,
    pub agent: String,
    pub workspace: Option<String>,
    /// The last part of the workspace.
    pub folder: Option<String>,
    pub kind: AskKind,
    pub dangerous: bool,
    pub agent_gone: bool,
    pub opened_at: Timestamp,
    pub deadline_at: Option<Timestamp>,
    /// What it has in common with those that can be decided with it.
    pub together: Option<String>,
}

/// A row of open asks.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpenRow {
    pub id: AskId,
    title: String,
    agent: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    kind: AskKind,
    #[serde(skip_serializing_if = "is_false")]
    dangerous: bool,
    #[serde(skip_serializing_if = "is_false")]
    agent_gone: bool,
    opened_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_at: Option<Timestamp>,
    group: Group,
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<String>,
}

/// A row of ended asks.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndedRow {
    id: AskId,
    title: String,
    agent: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    kind: AskKind,
    #[serde(skip_serializing_if = "is_false")]
    dangerous: bool,
    opened_at: Timestamp,
    /// When it ended.
    at: Timestamp,
    /// Who decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    outcome: &'static str,
    /// What was decided, in the ask's own words.
    verdict: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tone: Option<Tone>,
}

impl Gist {
    /// What lists know of this ask.
    pub fn new(record: &AskRecord) -> Self {
        let workspace = record.origin.workspace.clone();
        let folder = workspace.as_deref().map(last_part);
        Self {
            id: record.id,
            call: record.call,
            title: record.ask.title().chars().take(LONGEST_TITLE).collect(),
            agent: agent(&record.origin),
            workspace,
            folder,
            kind: AskKind::of(&record.ask),
            dangerous: record.ask.dangerous,
            agent_gone: record.agent_gone && record.decision.is_none(),
            opened_at: record.opened_at,
            deadline_at: record.deadline_at,
            together: alike::short_key(record),
        }
    }

    /// What its place among others depends on.
    pub fn waiting(&self) -> Waiting {
        Waiting {
            id: self.id,
            dangerous: self.dangerous,
            review: self.kind == AskKind::Review,
            opened_at: self.opened_at,
            deadline_at: self.deadline_at,
        }
    }

    /// Its row while it is open.
    pub fn row(&self, branch: Option<&str>, group: Group) -> OpenRow {
        let place = [self.folder.as_deref(), branch];
        let place: Vec<&str> = place.into_iter().flatten().collect();
        let mut row = OpenRow {
            id: self.id,
            title: String::new(),
            agent: cut(&self.agent, LONGEST_NAME),
            place: cut(&place.join(" · "), LONGEST_NAME),
            kind: self.kind,
            dangerous: self.dangerous,
            agent_gone: self.agent_gone,
            opened_at: seconds(self.opened_at),
            deadline_at: self.deadline_at.map(seconds),
            group,
            together: self.together.clone(),
        };
        row.title = cut(&self.title, room(&row));
        row
    }
}

impl EndedRow {
    /// The row of an ask that has ended; none while it is open.
    pub fn new(record: &AskRecord) -> Option<Self> {
        let decision = record.decision.as_ref()?;
        let gist = Gist::new(record);
        let (verdict, tone) = describe::verdict(&record.ask.form, decision);
        let by = decision.answered_by.as_deref();
        let mut row = Self {
            id: gist.id,
            title: String::new(),
            agent: cut(&gist.agent, LONGEST_NAME),
            place: cut(&gist.folder.unwrap_or_default(), LONGEST_NAME),
            kind: gist.kind,
            dangerous: gist.dangerous,
            opened_at: seconds(gist.opened_at),
            at: seconds(decision.at),
            by: by.map(|by| cut(&visible(by), LONGEST_NAME)),
            outcome: decision.outcome.status(),
            verdict: cut(&verdict, VERDICT_BYTES),
            tone,
        };
        row.title = cut(&gist.title, room(&row));
        Some(row)
    }
}

/// Who asks, in a name: the agent's client without its version, else the server.
fn agent(origin: &Origin) -> String {
    let version = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    let without_version = |client: &str| match client.rsplit_once(' ') {
        Some((name, last)) if version(last.trim_start_matches('v')) => Some(name.to_owned()),
        _ => None,
    };
    // A harness's own prompts come from no version of it, under the name that people know.
    let client = origin.client.as_deref().map(|client| {
        let name = without_version(client);
        name.map_or(client.to_owned(), |name| {
            origin.client_name.clone().unwrap_or(name)
        })
    });
    let client = client.or_else(|| origin.client_name.clone());
    let client = client.as_deref();
    let name = client.or(origin.server.as_deref()).unwrap_or("An agent");
    describe::one_line(name)
}

/// The last part of a path, whichever way its slashes lean.
fn last_part(path: &str) -> String {
    let last = path.split(['/', '\\']).rfind(|part| !part.is_empty());
    describe::one_line(last.unwrap_or(path))
}

/// How many bytes are left for the title of a row that has none yet.
fn room(row: &impl Serialize) -> usize {
    let taken = serde_json::to_vec(row).map_or(MOST_BYTES, |bytes| bytes.len());
    (MOST_BYTES - 1).saturating_sub(taken)
}

/// The beginning of a text that has so many bytes in JSON.
fn cut(text: &str, most: usize) -> String {
    const MARK: char = '…';
    let cost = |one: char| match one {
        '"' | '\\' => 2,
        one if one.is_ascii_control() => 6,
        one => one.len_utf8(),
    };
    if text.chars().map(cost).sum::<usize>() <= most {
        return text.to_owned();
    }
    let mut left = most.saturating_sub(MARK.len_utf8());
    let mut kept: String = text
        .chars()
        .take_while(|one| {
            let fits = cost(*one) <= left;
            left = left.saturating_sub(cost(*one));
            fits
        })
        .collect();
    kept.push(MARK);
    kept
}

/// A time without its fraction, which nobody sees in a list.
fn seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{Ask, Decision, Outcome, journal::NewAsk};

    #[test]
    fn the_longest_row_of_the_longest_names_is_small() {
        let long = "\"ä\\🦀 und noch viel mehr".repeat(40);
        let origin = Origin {
            principal: long.clone(),
            server: Some(long.clone()),
            client: Some(long.clone()),
            tool: Some(long.clone()),
            workspace: Some(format!("/home/{long}")),
            ..Origin::default()
        };
        let now = Timestamp::now();
        for dangerous in [false, true] {
            let mut ask = Ask::confirm(long.as_str());
            ask.dangerous = dangerous;
            let new = NewAsk {
                deadline_at: Some(now),
                ..NewAsk::new(ask, origin.clone(), now)
            };
            let mut record = AskRecord::from(new);
            record.agent_gone = true;
            let mut gist = Gist::new(&record);
            gist.together = (!dangerous).then(|| "f".repeat(16));
            let row = gist.row(Some(&long), Group::Dangerous);
            let bytes = serde_json::to_vec(&row).unwrap();
            assert!(bytes.len() < MOST_BYTES, "{}", bytes.len());
            assert!(row.title.chars().count() > 20, "{}", row.title);
            let mut decision = Decision::new(record.id, Outcome::Cancelled, now);
            decision.answered_by = Some(long.clone());
            record.decision = Some(decision);
            let ended = serde_json::to_vec(&EndedRow::new(&record)).unwrap();
            assert!(ended.len() < MOST_BYTES, "{}", ended.len());
        }
    }

    #[test]
    fn an_agent_is_named_without_its_version_and_a_place_by_its_last_part() {
        let named = |client: &str| {
            agent(&Origin {
                client: Some(client.into()),
                ..Origin::default()
            })
        };
        assert_eq!(named("Claude Code 2.1"), "Claude Code");
        assert_eq!(named("codex v1.2.0"), "codex");
        assert_eq!(named("studio"), "studio");
        assert_eq!(named("stu\u{202e}dio"), "stu⟨U+202E⟩dio");
        assert_eq!(agent(&Origin::default()), "An agent");
        assert_eq!(last_part("/home/ann/shop/"), "shop");
        assert_eq!(last_part("C:\\work\\shop"), "shop");
        assert_eq!(last_part("/"), "/");
    }

    #[test]
    fn a_text_is_cut_where_its_bytes_end() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "lo…");
        assert_eq!(cut("\"\"\"\"", 7), "\"\"…");
        assert_eq!(cut("ääää", 7), "ää…");
    }
}
