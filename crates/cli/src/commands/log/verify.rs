//! `holdpoint log verify`: has anybody changed the record?

use super::{Common, Record, output::Output};
use clap::Args;
use holdpoint::{
    Digest,
    journal::{Verified, rules::Head},
};
use serde_json::{Value, json};
use std::process::ExitCode;

/// How many events are read at once.
const CHUNK: usize = 1000;

/// The arguments of `holdpoint log verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// A head that you kept elsewhere: check that it is still in the chain. Somebody who rewrote the
    /// whole record could not put it there.
    #[arg(long, value_name = "HASH")]
    pub head: Option<Digest>,

    /// How it is read and printed.
    #[command(flatten)]
    pub common: Common,
}

/// Checks it. A flaw is exit code 1.
///
/// # Errors
/// When the record cannot be read.
pub async fn run(record: &Record, out: &mut Output, args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let found = record.with_notice(record.journal.verify()).await?;
    let kept = match args.head {
        Some(head) => Some((head, place_of(record, head).await?)),
        None => None,
    };
    let kept_is_there = kept.is_none_or(|(_, place)| place.is_some());
    let sound = found.flaws.is_empty() && found.lost.is_none() && kept_is_there;
    if out.json {
        let kept = kept.map(|(head, seq)| json!({ "head": head, "seq": seq }));
        let mut value = json!({ "ok": sound, "journal": record.url });
        add_json(&found, &mut value);
        value["kept"] = json!(kept);
        out.value(&value)?;
    } else {
        for flaw in &found.flaws {
            out.line(format_args!("event {}: {}", flaw.seq, flaw.what))?;
        }
        match kept {
            Some((head, Some(seq))) => out.line(format_args!("kept  {head} is event {seq}"))?,
            Some((head, None)) => out.line(format_args!("kept  {head} is not in the chain"))?,
            None => {}
        }
        if let Some(mark) = found.lost {
            out.line(format_args!("lost  {}", describe_loss(mark)))?;
        }
        let state = if sound {
            "the chain is whole"
        } else if found.flaws.is_empty() && kept_is_there {
            "the chain is whole, and its end is missing: `holdpoint journal check` says what to do"
        } else {
            "the record was changed: keep this file, and compare it with a backup"
        };
        let pruned = describe_pruned(found.pruned);
        out.line(format_args!("{} events{pruned}: {state}", found.events))?;
        if let Some(head) = found.head {
            out.line(format_args!("head  {head}"))?;
        }
    }
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Adds what a verification found to a JSON object.
pub fn add_json(found: &Verified, value: &mut Value) {
    let flaws = found.flaws.iter();
    let flaws: Vec<_> = flaws
        .map(|flaw| json!({ "seq": flaw.seq, "what": flaw.what }))
        .collect();
    let lost = found
        .lost
        .map(|mark| json!({ "seq": mark.seq, "hash": mark.hash }));
    value["events"] = found.events.into();
    value["head"] = json!(found.head);
    value["pruned"] = found.pruned.into();
    value["flaws"] = flaws.into();
    value["lost"] = json!(lost);
}

/// How many bodies were pruned, in words behind the number of events; nothing where none was.
pub fn describe_pruned(pruned: u64) -> String {
    match pruned {
        0 => String::new(),
        pruned => format!(", the bodies of {pruned} were pruned"),
    }
}

/// What it means that the mark beside a journal names an event that the journal does not hold.
pub fn describe_loss(mark: Head) -> String {
    format!(
        "the journal once came to event {}, and does not hold that event any more: its log was lost, \
         or an older copy was put in its place",
        mark.seq
    )
}

/// The event that has this hash.
async fn place_of(record: &Record, hash: Digest) -> anyhow::Result<Option<u64>> {
    let mut after = 0;
    loop {
        let events = record.journal.events(after, CHUNK).await?;
        if let Some(event) = events.iter().find(|event| event.hash == hash) {
            return Ok(Some(event.seq));
        }
        match events.last() {
            Some(last) => after = last.seq,
            None => return Ok(None),
        }
    }
}
