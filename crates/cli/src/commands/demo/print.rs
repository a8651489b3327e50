//! What `holdpoint demo` prints.

use crate::{
    terminal::{abilities::Abilities, markdown},
    times,
};
use anstream::println;
use anstyle::{AnsiColor, Style};
use holdpoint::journal::{Event, EventKind, JournalEngine};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};

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

/// What the person is shown.
pub fn decide(message: &str) {
    title("2. The person decides");
    println!(
        "{}\n",
        markdown::render(message, WIDTH, Abilities::of_stdout())
    );
}

/// What they said.
pub fn answered(content: &Value, given: bool) {
    if given {
        println!("{FAINT}answered by --answer:{FAINT:#} {content}")
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
    // That the call ended is recorded too, but the agent need not wait for it.
    let shown = |event: &&Event| event.kind != EventKind::Finished;
    for event in events.iter().filter(shown) {
        let (seq, at, kind) = (event.seq, times::here(event.at), event.kind.as_str());
        let hash = event.hash.to_string();
        println!("{seq:>3}  {at}  {BOLD}{kind:<8}{BOLD:#}  {}", words(event));
        println!("     {FAINT}hash {:.16}…{FAINT:#}", hash);
    }
    match journal.verify().await?.flaws.first() {
        None => println!("\nEach hash covers the one before it, and the chain holds."),
        Some(flaw) => println!("\nThe chain is broken at {}: {}", flaw.seq, flaw.what),
    }
    Ok(())
}

/// An event in a line.
fn words(event: &Event) -> String {
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
        EventKind::Decided => {
            let answer = &body["outcome"]["detail"];
            let answer = if answer.is_null() {
                String::new()
            } else {
                format!(" {answer}")
            };
            let fast = if body["fast"] == true {
                ", marked as faster than a person"
            } else {
                ""
            };
            let took = times::millis(body["durationMs"].as_u64().unwrap_or_default());
            format!("{}{answer} after {took}{fast}", text("/outcome/status"))
        }
        EventKind::StepStarted | EventKind::StepFinished => text("/name").to_owned(),
        _ => String::new(),
    }
}

/// What to do now.
pub fn next() {
    title("Next");
    println!("Register it with your agent's client, in your project's folder:");
    println!("  holdpoint init vscode      (`holdpoint init --help` lists all clients)");
}

fn title(text: &str) {
    let rule = "─".repeat(WIDTH.saturating_sub(text.chars().count() + 4));
    println!("\n{TITLE}── {text} {rule}{TITLE:#}");
}
