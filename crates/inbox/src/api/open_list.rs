//! Lists open asks as rows, page by page, with filters and search.

use super::error::ApiError;
use crate::{
    ask_kind::AskKind,
    branches, etag,
    gate::{Gate, Visitor},
    open_asks::{Cursor, Known, Wanted},
    rows::{Gist, OpenRow},
    server::Page,
};
use axum::{
    Extension, Json,
    extract::{Query, State},
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use holdpoint::{
    AskId,
    journal::{AskRecord, JournalError, Search, Status},
};
use holdpoint_ask::open_order::Group;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many asks are read at once while looking for a text.
const CHUNK: usize = 500;
/// The most rows at once: as many as a page that comes back loads again.
const MOST_ROWS: usize = 500;
/// How many agents or workspaces are offered to filter by, those with most asks first.
const MOST_NAMES: usize = 50;

#[derive(Deserialize)]
pub(crate) struct Listing {
    limit: Option<usize>,
    after: Option<String>,
    q: Option<String>,
    agent: Option<String>,
    workspace: Option<String>,
    kind: Option<AskKind>,
}

/// A page of open asks, and what the page says around them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenList {
    /// Due soon by their deadline, then the dangerous, reviews and questions, each oldest first.
    asks: Vec<OpenRow>,
    /// Where the next ones begin; none where there are no more.
    next: Option<String>,
    /// How many are open in all.
    open: usize,
    /// How many of them are wanted, by group.
    groups: BTreeMap<Group, usize>,
    /// What can be filtered by.
    filters: Filters,
    /// As whom the page answers.
    me: Option<String>,
    /// A PIN is set.
    pin_set: bool,
}

#[derive(Serialize)]
struct Filters {
    agents: Vec<Named>,
    workspaces: Vec<Named>,
    kinds: Vec<AskKind>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    asks: usize,
}

/// The server's time is not part of what has changed or not.
#[derive(Serialize)]
struct Timed<T> {
    #[serde(flatten)]
    list: T,
    now: Timestamp,
}

/// A page of open asks.
pub(crate) async fn list(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Query(listing): Query<Listing>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let page = &gate.page;
    let now = page.desk().now();
    let after = listing.after.as_deref().filter(|after| !after.is_empty());
    let after = match after.map(Cursor::parse) {
        Some(None) => {
            let message = "`after` must be the `next` of an earlier answer.";
            return Err(ApiError::bad_request(message));
        }
        known => known.flatten(),
    };
    let given = |name: Option<String>| name.filter(|name| !name.is_empty());
    let wanted = Wanted {
        among: page
            .with_words(&listing.q.clone().unwrap_or_default())
            .await?,
        agent: given(listing.agent),
        folder: given(listing.workspace),
        kind: listing.kind,
    };
    let limit = listing.limit.unwrap_or(50).clamp(1, MOST_ROWS);
    let as_of = after.map_or_else(|| Cursor::as_of(now), |after| after.as_of);
    let known = page.open_asks.now(page.desk().journal().as_ref()).await?;
    let found = known.list(&wanted, as_of);
    let mut groups = BTreeMap::new();
    for (place, _) in &found {
        *groups.entry(place.group).or_default() += 1;
    }
    let (open, filters) = (known.len(), Filters::of(&known));
    let mut rest = found
        .into_iter()
        .skip_while(|(place, _)| after.is_some_and(|after| *place <= after.behind));
    let shown: Vec<(_, Gist)> = rest
        .by_ref()
        .take(limit)
        .map(|(place, gist)| (place, gist.clone()))
        .collect();
    let more = rest.next().is_some();
    drop(rest);
    drop(known);
    let next = shown.last().filter(|_| more).map(|(behind, _)| Cursor {
        as_of,
        behind: *behind,
    });
    let rows = shown.iter().map(|(place, gist)| (gist, place.group));
    let list = OpenList {
        asks: rows_of(rows.collect()).await,
        next: next.map(|next| next.to_string()),
        open,
        groups,
        filters,
        me: page.name_of(&visitor),
        pin_set: page.pin_set(&visitor).await?,
    };
    Ok(unless_known(&headers, list, now))
}

/// The list with the server's time, or that it has not changed.
fn unless_known(headers: &HeaderMap, list: OpenList, now: Timestamp) -> Response {
    let bytes = serde_json::to_vec(&list).unwrap_or_default();
    etag::unless_known(headers, etag::of(&bytes), || {
        Json(Timed { list, now }).into_response()
    })
}

/// The rows of these, with the branches that are checked out in their folders.
async fn rows_of(gists: Vec<(&Gist, Group)>) -> Vec<OpenRow> {
    let folders = gists.iter().filter_map(|(gist, _)| gist.workspace.clone());
    let folders: HashSet<String> = folders.collect();
    let branches = branches::branches(folders.into_iter().collect()).await;
    let row = |(gist, group): (&Gist, Group)| {
        let branch = gist.workspace.as_ref();
        let branch = branch.and_then(|folder| branches.get(folder));
        gist.row(branch.map(String::as_str), group)
    };
    gists.into_iter().map(row).collect()
}

impl Filters {
    /// What all open asks can be filtered by.
    fn of(known: &Known) -> Self {
        let kinds: HashSet<AskKind> = known.all().map(|gist| gist.kind).collect();
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_unstable();
        Self {
            agents: most_first(known.all().map(|gist| gist.agent.as_str())),
            workspaces: most_first(known.all().filter_map(|gist| gist.folder.as_deref())),
            kinds,
        }
    }
}

fn most_first<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Named> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    let named = |(name, asks): (&str, usize)| Named {
        name: name.to_owned(),
        asks,
    };
    counts.into_iter().take(MOST_NAMES).map(named).collect()
}

impl Page {
    /// The row of one open ask.
    pub(crate) async fn row(&self, record: &AskRecord) -> Option<OpenRow> {
        let gist = Gist::new(record);
        let group = gist.waiting().group(Cursor::as_of(self.desk().now()));
        rows_of(vec![(&gist, group)]).await.pop()
    }

    /// The open asks that have all of these words; none where nothing is looked for.
    async fn with_words(&self, line: &str) -> Result<Option<HashSet<AskId>>, JournalError> {
        let words = Search::split(line);
        if words.is_empty() {
            return Ok(None);
        }
        let mut among = HashSet::new();
        let mut before = None;
        loop {
            let search = Search {
                words: words.clone(),
                status: vec![Status::Pending],
                before,
                limit: Some(CHUNK),
                ..Search::default()
            };
            let found = self.desk().journal().search(search).await?;
            among.extend(found.asks.iter().map(|ask| ask.id));
            match found.asks.last() {
                Some(last) if found.more => before = Some(last.id),
                _ => return Ok(Some(among)),
            }
        }
    }
}
