//! An ask as people read it in a terminal.

use super::markdown;
use anstyle::{AnsiColor, Style};
use holdpoint::journal::AskRecord;
use holdpoint_ask::visible;
use jiff::Timestamp;
use std::fmt::Write as _;

/// What cannot be taken back.
pub const DANGER: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const WRONG: Style = AnsiColor::Red.on_default();

/// The whole ask: who asks, how long it waits, what is asked.
pub fn whole(record: &AskRecord, now: Timestamp) -> String {
    let mut text = String::new();
    if record.ask.dangerous {
        let _ = writeln!(
            text,
            "{DANGER}DANGEROUS: a yes cannot be taken back{DANGER:#}"
        );
    }
    let _ = writeln!(text, "{FAINT}{}{FAINT:#}", about(record, now).join(" · "));
    if let Some(folder) = &record.origin.workspace {
        let _ = writeln!(text, "{FAINT}in {}{FAINT:#}", line(folder));
    }
    for error in &record.last_errors {
        let message = visible(&error.message);
        let _ = writeln!(text, "{WRONG}The last answer: {message}{WRONG:#}");
    }
    let shown = markdown::rendered(&record.ask.shown(), width());
    let _ = writeln!(text, "\n{shown}\n");
    text
}

/// Who asks, since when, and until when, in a few words each.
pub fn about(record: &AskRecord, now: Timestamp) -> Vec<String> {
    let mut about = vec![who(record)];
    about.push(format!("{} ago", span(millis(record.opened_at, now))));
    if let Some(at) = record.deadline_at {
        about.push(format!("{} left", span(millis(now, at))));
    }
    if record.agent_gone {
        about.push("agent gone".into());
    }
    about
}

/// Who asks.
pub fn who(record: &AskRecord) -> String {
    let origin = &record.origin;
    let client = origin.client.as_deref().map(line);
    let client = client.unwrap_or_else(|| "somebody".into());
    match &origin.tool {
        Some(tool) => format!("{client}, {}", line(tool)),
        None => client,
    }
}

/// The question's first line, without Markdown's marks.
pub fn first_line(record: &AskRecord) -> String {
    let mut lines = record.ask.message.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty()).unwrap_or_default();
    line(&first.trim_start_matches(['#', ' ']).replace("**", ""))
}

/// A time in one unit.
pub fn span(millis: i64) -> String {
    match millis.max(0) / 1_000 {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

/// Text of an agent's as one visible line.
fn line(text: &str) -> String {
    visible(text).replace(['\n', '\r', '\t'], " ")
}

fn millis(from: Timestamp, to: Timestamp) -> i64 {
    to.as_millisecond() - from.as_millisecond()
}

/// How wide a text is set: the terminal, but no wider than one reads with ease.
fn width() -> usize {
    let columns = crossterm::terminal::size().map_or(80, |(columns, _)| columns);
    usize::from(columns).clamp(20, 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let check = |seconds: i64, wanted: &str| assert_eq!(span(seconds * 1_000), wanted);
        check(-5, "0 s");
        check(119, "119 s");
        check(120, "2 min");
        check(7_200, "2 h");
        check(3 * 86_400, "3 d");
    }
}
