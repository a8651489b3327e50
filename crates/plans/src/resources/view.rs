//! Asks and decisions as their own agent may see them, and nobody else's.

use super::Viewer;
use holdpoint::{
    AskId, Origin,
    journal::{AskQuery, AskRecord, JournalError, Search},
};
use holdpoint_ask::visible;
use serde_json::{Value, json};

/// How many decisions are recent.
const RECENT: usize = 50;
/// How many asks are read at once, and how many of such readings are made for recent decisions.
const PAGE: usize = 256;
const PAGES: usize = 8;

impl Viewer {
    /// Whether this is theirs.
    pub(super) fn owns(&self, origin: &Origin) -> bool {
        origin.is_seen_by(&self.origin)
    }

    fn query(&self) -> AskQuery {
        AskQuery {
            principal: Some(self.origin.principal.clone()),
            ..AskQuery::default()
        }
    }
}

/// The asks that nobody has answered, the most urgent first.
pub(super) async fn open(viewer: &Viewer) -> Result<Value, JournalError> {
    let query = AskQuery {
        open: true,
        ..viewer.query()
    };
    let mut asks = viewer.desk.journal().asks(query).await?;
    asks.retain(|ask| viewer.owns(&ask.origin));
    let now = viewer.desk.now();
    asks.sort_by_cached_key(|ask| ask.waiting().place(now));
    let own: Vec<_> = asks.iter().map(ask_json).collect();
    Ok(json!({ "asks": own }))
}

/// The last decisions, newest first.
pub(super) async fn recent(viewer: &Viewer) -> Result<Value, JournalError> {
    let mut query = AskQuery {
        limit: Some(PAGE),
        ..viewer.query()
    };
    let mut decided: Vec<AskRecord> = Vec::new();
    for _ in 0..PAGES {
        let page = viewer.desk.journal().asks(query.clone()).await?;
        let last = page.len() < PAGE;
        query.before = page.last().map(|ask| ask.id);
        let own = page
            .into_iter()
            .filter(|ask| ask.decision.is_some() && viewer.owns(&ask.origin));
        decided.extend(own);
        if last || decided.len() >= RECENT {
            break;
        }
    }
    decided.sort_by_key(|ask| std::cmp::Reverse(ask.decision.as_ref().map(|decision| decision.at)));
    decided.truncate(RECENT);
    let decisions: Vec<_> = decided.iter().map(ask_json).collect();
    Ok(json!({ "decisions": decisions }))
}

/// One ask. Another's, and one that never was, look the same.
pub(super) async fn ask(viewer: &Viewer, id: AskId) -> Result<Option<Value>, JournalError> {
    let ask = viewer.desk.journal().ask(id).await?;
    let own = ask.filter(|ask| viewer.owns(&ask.origin));
    Ok(own.map(|ask| {
        let mut value = ask_json(&ask);
        value["details"] = json!(ask.ask.details.as_deref().map(visible));
        value["fields"] = json!(ask.ask.form);
        value
    }))
}

/// The ids of their asks, open and decided, the last opened first, at most so many; and whether there
/// are more.
pub(super) async fn ids(viewer: &Viewer, most: usize) -> Result<(Vec<AskId>, bool), JournalError> {
    let search = Search {
        seen_by: Some(viewer.origin.clone()),
        limit: Some(most),
        ..Search::default()
    };
    let found = viewer.desk.journal().search(search).await?;
    let ids = found.asks.iter().map(|ask| ask.id);
    Ok((ids.collect(), found.more))
}

fn ask_json(record: &AskRecord) -> Value {
    let mut value = json!({
        "askId": record.id,
        "status": record.decision.as_ref().map_or("pending", |decision| decision.outcome.status()),
        "tool": record.origin.tool,
        "message": visible(&record.ask.message),
        "dangerous": record.ask.dangerous,
        "openedAt": record.opened_at,
        "deadlineAt": record.deadline_at,
    });
    if let Some(decision) = &record.decision {
        value["decidedAt"] = json!(decision.at);
        value["channel"] = json!(decision.channel);
        value["answeredBy"] = json!(decision.answered_by);
        value["durationMs"] = json!(decision.duration_ms);
        value["outcome"] = json!(decision.outcome);
    }
    if let Some(value) = value.as_object_mut() {
        value.retain(|_, value| !value.is_null());
    }
    value
}
