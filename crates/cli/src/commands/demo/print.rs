//! What `holdpoint demo` prints.

use crate::{
    own_command::shell_word,
    terminal::{abilities::Abilities, markdown},
    times,
};
use anstream::println;
use anstyle::{AnsiColor, Style};
use holdpoint::{
    ChannelKind,
    journal::{AskQuery, AskRecord, Event, EventKind, JournalEngine},
};
use holdpoint_ask::describe;
use rmcp::model::CallToolResult;
use serde_json::{Value, json};
use std::path::Path;

const TITLE: Style = AnsiColor::Cyan.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const WIDTH: usize = 76;

/// The agent's call.
pub fn asks(tool: &str, arguments: &Value) {
    println!(
        "{TITLE}Holdpoint{TITLE:#}: an agent asks, a person decides, and it is on the record."
    );
    title("1. The agent asks, over MCP");
    println!("{FAINT}tools/call{FAINT:#} {tool}");
    println!("{arguments:#}");
}

/// What the person is shown, or would be: where the answer is given beforehand nobody sees it.
pub fn decide(message: &str, given: bool) {
    title(if given {
        "2. A person would decide; here the flag --answer does"
    } else {
        "2. The person decides"
    });
    println!(
        "{}\n",
        markdown::render(message, WIDTH, Abilities::of_stdout())
    );
}

/// What they said.
pub fn answered(content: &Value, given: bool) {
    if given {
        println!("{FAINT}given by the flag --answer, and by nobody who read it:{FAINT:#} {content}")
    } else {
        println!("\n{FAINT}you answered:{FAINT:#} {content}")
    }
}

/// Where they can decide as well.
pub fn or_there(address: &str) {
    println!("{FAINT}Answer here, or on the page:{FAINT:#} {address}\n");
}

/// They decided on the page.
pub fn answered_there() {
    println!("{FAINT}answered on the page{FAINT:#}");
}

/// They said nothing.
pub fn dismissed() {
    println!("\n{FAINT}dismissed: no answer, so no yes{FAINT:#}");
}

/// They stopped it all.
pub fn stopped() {
    anstream::eprintln!("\nStopped: nobody decided, so nothing is approved. Nothing is kept.");
}

/// What the agent got.
pub fn result(result: &CallToolResult) {
    title("3. What the agent was told");
    let none = json!(null);
    println!("{:#}", result.structured_content.as_ref().unwrap_or(&none));
}

/// What is on the record.
pub async fn recorded(journal: &dyn JournalEngine) -> anyhow::Result<()> {
    title("4. What is on the record");
    let events = journal.events(0, 100).await?;
    let asks = journal.asks(AskQuery::default()).await?;
    let decided = asks.first().map(decision).unwrap_or_default();
    // That the call ended is recorded too, but the agent need not wait for it; and so are the steps that led to the ask.
    let is_step = |kind| matches!(kind, EventKind::StepStarted | EventKind::StepFinished);
    let shown = |event: &&Event| event.kind != EventKind::Finished && !is_step(event.kind);
    for event in events.iter().filter(shown) {
        let (seq, at, kind) = (event.seq, times::here(event.at), event.kind.as_str());
        let hash = event.hash.to_string();
        println!(
            "{seq:>3}  {at}  {BOLD}{kind:<8}{BOLD:#}  {}",
            words(event, &decided)
        );
        println!("     {FAINT}hash {:.16}…{FAINT:#}", hash);
    }
    match journal.verify().await?.flaws.first() {
        None => println!(
            "\nEach hash covers the one before it, and the chain holds.\nThe numbers in between are the tool's own steps."
        ),
        Some(flaw) => println!("\nThe chain is broken at {}: {}", flaw.seq, flaw.what),
    }
    Ok(())
}

/// What was decided, and by whom: an answer that was given beforehand is nobody's word.
fn decision(ask: &AskRecord) -> String {
    let Some(decision) = &ask.decision else {
        return String::new();
    };
    if decision.channel == Some(ChannelKind::Preset) {
        let (verdict, _) = describe::verdict(&ask.ask.form, decision);
        return format!("{verdict} by a program, with the flag --answer: no person's word");
    }
    describe::decision_on(&ask.ask.form, decision)
}

/// An event in a line.
fn words(event: &Event, decided: &str) -> String {
    let body = &event.body;
    let text = |at: &str| body.pointer(at).and_then(Value::as_str).unwrap_or("?");
    match event.kind {
        EventKind::Called => format!(
            "{} · {}, for {}",
            text("/origin/server"),
            text("/origin/tool"),
            text("/origin/client")
        ),
        EventKind::Asked => {
            let title = text("/ask/message").lines().next().unwrap_or_default();
            title.trim_start_matches(['#', ' ']).to_owned()
        }
        EventKind::Decided => decided.to_owned(),
        _ => String::new(),
    }
}

/// What to do now, with commands that work here; the journal is kept in this folder.
pub fn next(holdpoint: &str, kept: Option<&Path>) {
    title("Next");
    if let Some(folder) = kept {
        let journal = folder.join("journal.db").display().to_string();
        let journal = shell_word(&format!("sqlite:{journal}"));
        let folder = shell_word(&folder.display().to_string());
        println!("Read this record, which is apart from your own and kept until you remove it:");
        println!("  {holdpoint} log --journal {journal}");
        println!("  {holdpoint} log verify --journal {journal}");
        println!("  rm -r {folder}");
    } else {
        println!("Decide yourself, in a terminal; of this record nothing is kept:");
        println!("  {holdpoint} demo");
    }
    println!("Register it with your agent's client, in your project's folder:");
    println!("  {holdpoint} init vscode      (`{holdpoint} init --help` lists all clients)");
}

fn title(text: &str) {
    let rule = "─".repeat(WIDTH.saturating_sub(text.chars().count() + 4));
    println!("\n{TITLE}── {text} {rule}{TITLE:#}");
}
