//! What an id, or a part of one, means; and the id that is shown of an ask.

use anyhow::{Context as _, bail};
use holdpoint::{
    AskId, CallId,
    journal::{AskQuery, AskRecord, CallHistory, Journal, JournalEngine, JournalError, RunSearch},
    visible,
};
use holdpoint_ask::{IdPart, describe, short_ids};
use std::fmt::Display;

/// So many are looked at to tell which one a part means.
const LOOKED_AT: usize = 50;
/// So many are listed where a part means several.
const LISTED: usize = 10;
/// So many asks are recent: what is shown of an id tells it from theirs, and from all that are open.
const RECENT: usize = 100;

/// The open ask that this means; or one that has ended, where no open one has it in its id.
///
/// # Errors
/// When there is none, or more than one.
pub async fn open_ask(journal: &dyn Journal, text: &str) -> anyhow::Result<AskRecord> {
    let part = parse(text)?;
    let open = with_part(journal, &part, true).await?;
    let found = if open.is_empty() {
        with_part(journal, &part, false).await?
    } else {
        open
    };
    one_ask(&part, found)?.with_context(|| {
        format!("no ask has an id with {part} in it: `holdpoint inbox` lists what is open")
    })
}

/// The ask that this means, open or not.
///
/// # Errors
/// When there is none, or more than one.
pub async fn any_ask(journal: &dyn Journal, text: &str) -> anyhow::Result<AskRecord> {
    let part = parse(text)?;
    one_ask(&part, with_part(journal, &part, false).await?)?.with_context(|| {
        format!("no ask has an id with {part} in it: `holdpoint log` lists what was asked")
    })
}

/// What an id means that may be an ask's or a run's.
pub enum Found {
    /// An ask.
    Ask(AskId),
    /// A run of a script, or another call.
    Run(Box<CallHistory>),
}

/// The ask, or the run of a script, that this means. A call that is no run is named by its whole id. Nothing where
/// there is none.
///
/// # Errors
/// When there is more than one.
pub async fn ask_or_run(journal: &dyn JournalEngine, text: &str) -> anyhow::Result<Option<Found>> {
    let part = parse(text)?;
    let asks = with_part(journal, &part, false).await?;
    let runs = runs_with_part(journal, &part).await?;
    let asks = asks.into_iter().map(|ask| Candidate {
        id: ask.id.to_string(),
        words: words_of(&ask),
        found: Found::Ask(ask.id),
    });
    let runs = runs.into_iter().map(|run| Candidate {
        id: run.call.id.to_string(),
        words: describe::one_line(run.call.origin.tool.as_deref().unwrap_or("a run")),
        found: Found::Run(Box::new(run)),
    });
    let all: Vec<_> = asks.chain(runs).collect();
    let found = one(&part, all, |one| one.id.clone(), |one| one.words.clone())?;
    Ok(found.map(|one| one.found))
}

/// What a part of an id may mean.
struct Candidate {
    id: String,
    words: String,
    found: Found,
}

async fn runs_with_part(
    journal: &dyn JournalEngine,
    part: &IdPart,
) -> Result<Vec<CallHistory>, JournalError> {
    if let Ok(whole) = part.as_str().parse::<CallId>() {
        return Ok(journal.call(whole).await?.into_iter().collect());
    }
    let search = RunSearch {
        part: Some(part.clone()),
        limit: Some(LOOKED_AT),
        ..RunSearch::default()
    };
    Ok(journal.runs(search).await?.runs)
}

/// The one of these that a part of an id means; none where none has it.
///
/// # Errors
/// When several have it: they are listed, each with its words.
pub fn one<T, I: Display>(
    part: &IdPart,
    found: Vec<T>,
    id: impl Fn(&T) -> I,
    words: impl Fn(&T) -> String,
) -> anyhow::Result<Option<T>> {
    let mut found = part.pick(found, &id);
    if found.len() <= 1 {
        return Ok(found.pop());
    }
    let ids: Vec<I> = found.iter().map(&id).collect();
    let listed = found.iter().zip(short_ids(&ids)).take(LISTED);
    let mut lines: Vec<String> = listed
        .map(|(one, id)| format!("\n  {id}  {}", words(one)))
        .collect();
    if found.len() > LISTED {
        lines.push("\n  …".to_owned());
    }
    bail!(
        "several have {part} in their id: give one of these, or more of it{}",
        lines.concat()
    )
}

/// A part of an id, as somebody wrote it.
///
/// # Errors
/// When it is none.
pub fn parse(text: &str) -> anyhow::Result<IdPart> {
    text.parse().with_context(|| {
        let text = visible(text);
        format!("`{text}` is not an id")
    })
}

/// The id that is shown of this ask: it tells it from all that are open, and from the latest.
///
/// # Errors
/// When the record cannot be read.
pub async fn shown(journal: &dyn Journal, id: AskId) -> Result<String, JournalError> {
    let mut ids = vec![id];
    for (open, limit) in [(true, None), (false, Some(RECENT))] {
        let query = AskQuery {
            open,
            limit,
            ..AskQuery::default()
        };
        let asks = journal.asks(query).await?;
        ids.extend(asks.iter().map(|ask| ask.id));
    }
    Ok(short_ids(&ids).swap_remove(0))
}

async fn with_part(
    journal: &dyn Journal,
    part: &IdPart,
    open: bool,
) -> Result<Vec<AskRecord>, JournalError> {
    if let Ok(whole) = part.as_str().parse::<AskId>() {
        return Ok(journal.ask(whole).await?.into_iter().collect());
    }
    let query = AskQuery {
        open,
        part: Some(part.clone()),
        limit: Some(LOOKED_AT),
        ..AskQuery::default()
    };
    journal.asks(query).await
}

fn one_ask(part: &IdPart, found: Vec<AskRecord>) -> anyhow::Result<Option<AskRecord>> {
    one(part, found, |ask| ask.id, words_of)
}

/// What a list of candidates says of an ask.
fn words_of(ask: &AskRecord) -> String {
    let how = match &ask.decision {
        Some(decision) => describe::decision_on(&ask.ask.form, decision),
        None => "open".to_owned(),
    };
    format!("{} ({how})", ask.ask.title())
}
