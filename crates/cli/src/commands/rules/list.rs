//! The scopes that stand: listed, searched, revoked.

use crate::{
    config::JournalArgs,
    find_by_id,
    prompts::scopes::{self, Given},
    shell::Shell,
    times,
};
use anyhow::Context as _;
use holdpoint::Desk;
use holdpoint_ask::{short_ids, visible};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Lists them, those with these words in them.
///
/// # Errors
/// When the record cannot be read.
pub async fn run(
    journal: JournalArgs,
    words: &[String],
    as_json: bool,
) -> anyhow::Result<ExitCode> {
    let (_, given) = given(journal).await?;
    let zone = TimeZone::system();
    let ids: Vec<_> = given.iter().map(|given| given.remembered.id).collect();
    let lines = given
        .iter()
        .zip(short_ids(&ids))
        .map(|(given, id)| (given, format!("{id}  {}", line(given, &zone))));
    let fits = |(given, line): &(&Given, String)| {
        let text = format!("{} {line}", given.scope.id).to_lowercase();
        words.iter().all(|word| text.contains(&word.to_lowercase()))
    };
    let found: Vec<_> = lines.filter(fits).collect();
    if as_json {
        let scopes: Vec<_> = found.iter().map(|(given, _)| as_value(given)).collect();
        println!("{}", json!({ "scopes": scopes }));
    } else if found.is_empty() {
        eprintln!(
            "Nothing is remembered{}.",
            if words.is_empty() {
                ""
            } else {
                " with these words"
            }
        );
    } else {
        for (_, line) in found {
            println!("{line}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Revokes the one that this means. That tightens: whoever runs it may.
///
/// # Errors
/// When none or several are meant, or the record cannot be kept.
pub async fn revoke(journal: JournalArgs, id: &str) -> anyhow::Result<ExitCode> {
    let (desk, given) = given(journal).await?;
    let part = find_by_id::parse(id)?;
    let with_part = given
        .iter()
        .filter(|given| part.is_in(&given.remembered.id));
    let covers = |given: &&Given| visible(&given.scope.covers.to_string()).into_owned();
    let one = find_by_id::one(
        &part,
        with_part.collect(),
        |given| given.remembered.id,
        covers,
    )?;
    let one = one.with_context(|| {
        format!("nothing that is remembered has an id with {part} in it: `holdpoint rules list` lists it")
    })?;
    desk.revoke_remembered(one.remembered.id).await?;
    eprintln!("Revoked: {}", visible(&one.scope.covers.to_string()));
    Ok(ExitCode::SUCCESS)
}

async fn given(journal: JournalArgs) -> anyhow::Result<(Desk, Vec<Given>)> {
    let shell = Shell::open_own(journal).await?;
    let desk = shell.desk(Vec::new()).await?;
    let given = scopes::given(&desk).await?;
    Ok((desk, given))
}

fn line(given: &Given, zone: &TimeZone) -> String {
    let holder = &given.scope.holder;
    let place = match (&holder.session, &holder.workspace) {
        (Some(_), _) => "in one session".to_owned(),
        (None, Some(workspace)) => format!("in {}", visible(workspace)),
        (None, None) => "everywhere".to_owned(),
    };
    let until = match given.scope.until {
        Some(until) => format!("until {}", times::local(until, zone)),
        None => "until revoked".to_owned(),
    };
    let decision = given.remembered.ask.decision.as_ref();
    let by = decision.and_then(|decision| decision.answered_by.as_deref());
    format!(
        "{}  {}, {place}, {until}; given by {} {}, used {} times",
        visible(&given.scope.covers.to_string()),
        holder.client,
        visible(by.unwrap_or("somebody")),
        times::local(given.remembered.given_at, zone),
        given.used.times,
    )
}

fn as_value(given: &Given) -> Value {
    json!({
        "id": given.scope.id,
        "covers": given.scope.covers,
        "pattern": given.scope.covers.to_string(),
        "holder": given.scope.holder,
        "until": given.scope.until,
        "askId": given.remembered.ask.id,
        "givenAt": given.remembered.given_at,
        "used": given.used,
    })
}
