//! What would happen to a use of a tool, and why somebody was asked about one.

use super::args::ExplainArgs;
use crate::{
    config::{Environment, JournalArgs},
    find_by_id,
    prompts::{past_uses, real_paths::Disk, rules_files, scopes},
    shell::Shell,
};
use anyhow::{Context, bail};
use holdpoint::{Desk, Origin, journal::AskRecord};
use holdpoint_ask::{describe, short_id, visible};
use holdpoint_policy::{Explanation, Holder, Reason, Rules, ToolUse, Verdict};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{path::Path, process::ExitCode};

/// Explains what would happen to this.
///
/// # Errors
/// When the rules or the record cannot be read, or what is used cannot be understood.
pub async fn run(journal: JournalArgs, asked: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let environment = Environment::from_process();
    let folder = std::env::current_dir().context("cannot find the current folder")?;
    let tool_use = tool_use(asked, &environment, &folder)?;
    let rules = rules_files::load(&environment, &folder)?;
    let desk = Shell::open_own(journal).await?.desk(Vec::new()).await?;
    let holder = Holder {
        principal: Origin::LOCAL.to_owned(),
        client: asked.client.word().to_owned(),
        workspace: Some(tool_use.workspace.clone()),
        ..Holder::default()
    };
    let explained = explained(&desk, &rules, &tool_use, &holder).await?;
    if asked.json {
        println!("{}", as_value(&explained));
    } else {
        println!("{}", visible(&tool_use.summary()));
        print(&explained);
    }
    Ok(ExitCode::from(match explained.ruling.verdict {
        Verdict::Allow => 0,
        Verdict::Deny => 1,
        Verdict::Ask => 3,
    }))
}

/// Says why somebody was asked about a prompt on record.
///
/// # Errors
/// When there is no such ask, or it is not about a prompt.
pub async fn why(journal: JournalArgs, id: &str) -> anyhow::Result<ExitCode> {
    let shell = Shell::open_own(journal).await?;
    let desk = shell.desk(Vec::new()).await?;
    let record = find_by_id::any_ask(shell.journal.as_ref(), id).await?;
    let Some(tool_use) = used(&desk, &record).await? else {
        bail!(
            "{} is not a harness's prompt for a tool: no rule had to do with it",
            short_id(&record.id)
        );
    };
    println!("{}", visible(&tool_use.summary()));
    if let Some(details) = &record.ask.details
        && let Some(said) = details.split("\n\n").last()
    {
        println!(
            "When it was asked: {}",
            visible(&holdpoint_ask::plain_text(said))
        );
    }
    match &record.decision {
        Some(decision) => println!("{}.", visible(&describe::decision(decision))),
        None => println!("It is still open."),
    }
    let environment = Environment::from_process();
    let rules = rules_files::load(&environment, Path::new(&tool_use.folder))?;
    let holder = Holder {
        principal: record.origin.principal.clone(),
        client: record.origin.client_name.clone().unwrap_or_default(),
        workspace: Some(tool_use.workspace.clone()),
        ..Holder::default()
    };
    println!("\nNow:");
    print(&explained(&desk, &rules, &tool_use, &holder).await?);
    Ok(ExitCode::SUCCESS)
}

async fn used(desk: &Desk, record: &AskRecord) -> anyhow::Result<Option<ToolUse>> {
    let Some(call) = record.call else {
        return Ok(None);
    };
    let history = desk.journal().call(call).await?;
    Ok(history.and_then(|history| past_uses::used(&history.call)))
}

async fn explained(
    desk: &Desk,
    rules: &Rules,
    tool_use: &ToolUse,
    holder: &Holder,
) -> anyhow::Result<Explanation> {
    let given = scopes::given(desk).await?;
    let known: Vec<_> = given.into_iter().map(|given| given.scope).collect();
    Ok(rules.explain(tool_use, &Disk, &known, holder, Timestamp::now()))
}

fn tool_use(
    asked: &ExplainArgs,
    environment: &Environment,
    folder: &Path,
) -> anyhow::Result<ToolUse> {
    let what = asked.what.as_str();
    let input = match asked.tool.as_str() {
        "Bash" => json!({ "command": what }),
        "Read" | "Edit" | "Write" | "MultiEdit" => {
            json!({ "file_path": std::path::absolute(what)? })
        }
        "WebFetch" => json!({ "url": what }),
        _ if what.is_empty() => json!({}),
        _ => serde_json::from_str(what).with_context(|| {
            format!(
                "the arguments of {} are given as JSON",
                visible(&asked.tool)
            )
        })?,
    };
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    Ok(ToolUse {
        tool: asked.tool.clone(),
        input,
        folder: shown(folder),
        workspace: shown(&rules_files::workspace_root(folder)),
        home: environment.home().map(shown),
        definition: None,
    })
}

fn print(explained: &Explanation) {
    let ruling = &explained.ruling;
    println!(
        "{}",
        match ruling.verdict {
            Verdict::Allow => "It would be allowed.",
            Verdict::Ask if ruling.danger => "You would be asked, and a yes is dangerous.",
            Verdict::Ask => "You would be asked.",
            Verdict::Deny => "It would be denied.",
        }
    );
    for reason in &ruling.reasons {
        println!("  because: {}", visible(&reason.to_string()));
    }
    if ruling.parts.len() > 1 {
        println!("  its parts:");
        for part in &ruling.parts {
            println!("    {}  ({})", visible(&part.text), visible(&part.why));
        }
    }
    for change in &explained.changes {
        println!("  to change it: {}", visible(change));
    }
}

fn as_value(explained: &Explanation) -> Value {
    let ruling = &explained.ruling;
    let reasons = ruling.reasons.iter().map(Reason::to_string);
    let matched = explained.matched.iter().map(|rule| {
        json!({
            "verdict": rule.verdict, "rule": rule.text, "file": rule.place.file,
            "line": rule.place.line, "because": rule.because, "of": rule.of,
        })
    });
    let parts = ruling.parts.iter();
    let parts =
        parts.map(|part| json!({ "text": part.text, "verdict": part.verdict, "why": part.why }));
    json!({
        "verdict": ruling.verdict,
        "danger": ruling.danger,
        "reasons": reasons.collect::<Vec<_>>(),
        "matched": matched.collect::<Vec<_>>(),
        "parts": parts.collect::<Vec<_>>(),
        "scope": ruling.scope,
        "changes": explained.changes,
    })
}
