//! The scopes that stand: listed, searched, revoked.

use crate::{
    commands::log::times,
    config::JournalArgs,
    prompts::scopes::{self, Given},
    shell::Shell,
};
use anyhow::bail;
use holdpoint::Desk;
use holdpoint_ask::visible;
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
    let fits = |given: &&Given| {
        let text = line(given, &zone).to_lowercase();
        words.iter().all(|word| text.contains(&word.to_lowercase()))
    };
    let found: Vec<_> = given.iter().filter(fits).collect();
    if as_json {
        let scopes: Vec<_> = found.iter().map(|given| as_value(given)).collect();
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
        for given in found {
            println!("{}", line(given, &zone));
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
    let shown = visible(id);
    let [one] = scopes::find(&given, id)[..] else {
        let count = scopes::find(&given, id).len();
        if count == 0 {
            bail!("nothing that is remembered has the id {shown}: `holdpoint rules list` lists it");
        }
        bail!("{count} have an id with {shown} in it: give more of it");
    };
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
        "{}  {}  {}, {place}, {until}; given by {} {}, used {} times",
        given.scope.id,
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
