//! An ask as people read it in a terminal.

use super::{abilities::Abilities, document::Document, markdown};
use crate::times;
use anstyle::{AnsiColor, Style};
use holdpoint::journal::AskRecord;
use holdpoint_ask::{
    describe::{self, one_line, who_asks},
    short_id, visible,
};
use jiff::Timestamp;

/// What cannot be taken back.
pub const DANGER: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const WRONG: Style = AnsiColor::Red.on_default();

/// The whole ask, as it is printed to standard error.
pub fn render(record: &AskRecord, now: Timestamp) -> String {
    let shown = document(record, &[], now, width(), Abilities::of_stderr());
    format!("{}\n\n", shown.ansi())
}

/// Prints what an ask is about, above prompts for what was read already.
pub fn print_head(record: &AskRecord, now: Timestamp) {
    let (look, width) = (Abilities::of_stderr(), width());
    let mut head = Document::default();
    if let Some(danger) = record.ask.danger() {
        let danger = format!("DANGEROUS: {}", visible(danger));
        head.push_text(&danger, DANGER, width, look);
    }
    let about = about(record, now).join(" · ");
    head.push_text(&about, FAINT, width, look);
    head.push_text(&record.ask.title(), Style::new().bold(), width, look);
    anstream::eprintln!("{}\n", head.ansi());
}

/// The whole ask: who asks, how long it waits, its id, what came of the rounds before, what is asked.
pub fn document(
    record: &AskRecord,
    past: &[AskRecord],
    now: Timestamp,
    width: usize,
    look: Abilities,
) -> Document {
    let mut shown = Document::default();
    if let Some(danger) = record.ask.danger() {
        let danger = format!("DANGEROUS: {}", visible(danger));
        shown.push_text(&danger, DANGER, width, look);
    }
    let mut about = about(record, now);
    about.push(short_id(&record.id));
    shown.push_text(&about.join(" · "), FAINT, width, look);
    if let Some(folder) = &record.origin.workspace {
        let folder = format!("in {}", one_line(folder));
        shown.push_text(&folder, FAINT, width, look);
    }
    for error in &record.last_errors {
        let message = format!("The last answer: {}", visible(&error.message));
        shown.push_text(&message, WRONG, width, look);
    }
    rounds(&mut shown, record, past, width, look);
    let texts = [Some(&record.ask.message), record.ask.details.as_ref()];
    for text in texts.into_iter().flatten() {
        shown.push(Vec::new());
        shown.append(markdown::document(text, width, look));
    }
    shown
}

/// Which round it is, and what came of those before.
fn rounds(
    shown: &mut Document,
    record: &AskRecord,
    past: &[AskRecord],
    width: usize,
    look: Abilities,
) {
    let Some(round) = &record.ask.round else {
        return;
    };
    let line = format!("{}: round {}", one_line(&round.about), round.number);
    shown.push_text(&line, FAINT, width, look);
    for before in past {
        let (Some(round), Some(decision)) = (&before.ask.round, &before.decision) else {
            continue;
        };
        let how = describe::decision_on(&before.ask.form, decision);
        let line = format!("Round {}: {how}", round.number);
        shown.push_text(&line, FAINT, width, look);
        for said in said(before) {
            for line in said.lines() {
                shown.push_text(&format!("  {line}"), FAINT, width, look);
            }
        }
    }
}

/// What a person said with their decision: a reason, texts of the form, comments, that they edited.
pub fn said(record: &AskRecord) -> Vec<String> {
    let Some(decision) = &record.decision else {
        return Vec::new();
    };
    let mut said: Vec<String> = describe::reason(&decision.outcome).into_iter().collect();
    if let holdpoint::Outcome::Accepted(answer) = &decision.outcome {
        for field in &record.ask.form.fields {
            let text = answer.get(&field.name).and_then(|value| value.as_str());
            if let (holdpoint::Kind::Text(_), Some(text)) = (&field.kind, text)
                && !text.trim().is_empty()
            {
                said.push(format!("{}: {}", visible(field.label()), visible(text)));
            }
        }
    }
    let Some(review) = &decision.review else {
        return said;
    };
    let comments = review.text();
    if !comments.is_empty() {
        said.push(visible(&comments).into_owned());
    }
    if let Some(edited) = &review.edited {
        let title = record
            .ask
            .editable
            .as_ref()
            .map(|text| visible(&text.title));
        let title = title.unwrap_or("The text".into());
        let count = edited.text.lines().count();
        said.push(format!("{title}: edited by the person, {count} lines"));
    }
    said
}

/// Who asks, by which tool, since when, and until when, in a few words each.
pub fn about(record: &AskRecord, now: Timestamp) -> Vec<String> {
    let mut about = vec![who_asks(&record.origin)];
    about.extend(record.origin.tool.as_deref().map(one_line));
    about.push(format!("{} ago", times::between(record.opened_at, now)));
    if let Some(at) = record.deadline_at {
        about.push(format!("{} left", times::between(now, at)));
    }
    if record.agent_gone {
        about.push("agent gone".into());
    }
    about
}

/// How wide a text is set: the terminal, but no wider than one reads with ease.
fn width() -> usize {
    let columns = crossterm::terminal::size().map_or(80, |(columns, _)| columns);
    usize::from(columns).clamp(20, 100)
}
