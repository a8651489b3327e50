//! The ask that a short id means.

use anyhow::bail;
use holdpoint::{
    AskId,
    journal::{AskQuery, AskRecord, Journal},
};
use holdpoint_ask::visible;

/// Shorter ones are never shown: they are hard to tell apart by eye.
const SHORTEST: usize = 8;

/// The ask with this id, or the only open one whose id begins so.
///
/// # Errors
/// When there is none, or more than one.
pub async fn ask(journal: &dyn Journal, id: &str) -> anyhow::Result<AskRecord> {
    let id = id.trim().to_lowercase();
    if let Ok(whole) = id.parse::<AskId>()
        && let Some(record) = journal.ask(whole).await?
    {
        return Ok(record);
    }
    let query = AskQuery {
        open: true,
        ..AskQuery::default()
    };
    let begins = |record: &AskRecord| !id.is_empty() && record.id.to_string().starts_with(&id);
    let mut found = journal.asks(query).await?;
    found.retain(begins);
    let shown = visible(&id);
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => bail!("no open ask has the id {shown}: `holdpoint inbox` lists them"),
        many => bail!("{many} open asks have an id that begins with {shown}: give more of it"),
    }
}

/// As much of each id as no other of these has.
pub fn short(ids: &[AskId]) -> Vec<String> {
    let texts: Vec<String> = ids.iter().map(AskId::to_string).collect();
    let alone = |text: &str, length: usize| {
        let start = &text[..length];
        texts
            .iter()
            .filter(|other| other.starts_with(start))
            .count()
            == 1
    };
    texts
        .iter()
        .map(|text| {
            let length = (SHORTEST..text.len()).find(|length| alone(text, *length));
            text[..length.unwrap_or(text.len())].to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_ids_are_told_apart() {
        let ids: Vec<AskId> = [
            "0197a8e0-0000-7000-8000-000000000001",
            "0197a8e0-0001-7000-8000-000000000001",
            "0297a8e0-0001-7000-8000-000000000001",
        ]
        .map(|id| id.parse().unwrap())
        .to_vec();
        assert_eq!(short(&ids), ["0197a8e0-0000", "0197a8e0-0001", "0297a8e0"]);
    }
}
