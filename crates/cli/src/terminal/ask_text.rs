//! An ask as people read it in a terminal.

use super::{look::Look, markdown};
use anstyle::{AnsiColor, Style};
use holdpoint::journal::AskRecord;
use holdpoint_ask::{
    describe::{duration, one_line, who_asks},
    visible,
};
use jiff::Timestamp;
use std::{fmt::Write as _, time::Duration};

/// What cannot be taken back.
pub const DANGER: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const WRONG: Style = AnsiColor::Red.on_default();

/// The whole ask: who asks, how long it waits, what is asked.
pub fn render(record: &AskRecord, now: Timestamp) -> String {
    let mut text = String::new();
    if let Some(danger) = record.ask.danger() {
        let danger = visible(danger);
        let _ = writeln!(text, "{DANGER}DANGEROUS: {danger}{DANGER:#}");
    }
    let _ = writeln!(text, "{FAINT}{}{FAINT:#}", about(record, now).join(" · "));
    if let Some(folder) = &record.origin.workspace {
        let _ = writeln!(text, "{FAINT}in {}{FAINT:#}", one_line(folder));
    }
    for error in &record.last_errors {
        let message = visible(&error.message);
        let _ = writeln!(text, "{WRONG}The last answer: {message}{WRONG:#}");
    }
    let shown = markdown::render(&record.ask.shown(), width(), Look::of_stderr());
    let _ = writeln!(text, "\n{shown}\n");
    text
}

/// Who asks, by which tool, since when, and until when, in a few words each.
pub fn about(record: &AskRecord, now: Timestamp) -> Vec<String> {
    let mut about = vec![who_asks(&record.origin)];
    about.extend(record.origin.tool.as_deref().map(one_line));
    about.push(format!("{} ago", time_between(record.opened_at, now)));
    if let Some(at) = record.deadline_at {
        about.push(format!("{} left", time_between(now, at)));
    }
    if record.agent_gone {
        about.push("agent gone".into());
    }
    about
}

/// How long it is from one moment to a later one, in one unit; no time at all where it is not later.
pub fn time_between(from: Timestamp, to: Timestamp) -> String {
    let seconds = to.duration_since(from).as_secs();
    duration(Duration::from_secs(seconds.max(0).unsigned_abs()))
}

/// How wide a text is set: the terminal, but no wider than one reads with ease.
fn width() -> usize {
    let columns = crossterm::terminal::size().map_or(80, |(columns, _)| columns);
    usize::from(columns).clamp(20, 100)
}
