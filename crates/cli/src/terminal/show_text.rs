//! Shows a text whole: page by page where it is longer than the screen.

use super::{
    discard_input::{self, RawMode, next_event},
    prompt::Stop,
};
use anstyle::Style;
use crossterm::{
    event::{Event, KeyCode, KeyEventKind},
    terminal,
};
use jiff::Timestamp;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use unicode_width::UnicodeWidthStr as _;

/// So many lines are left for the prompt below a text.
const PROMPT_ROWS: usize = 8;
/// How soon it is seen that the question has ended elsewhere.
const POLL: Duration = Duration::from_millis(200);
/// The most that terminals make of a tab.
const WIDEST_TAB: &str = "        ";
const MORE: Style = Style::new().invert();

/// Whether a text fits on the screen together with a prompt.
pub fn fits(text: &str) -> bool {
    let (columns, rows) = terminal::size().unwrap_or((80, 24));
    pages(text, columns.into(), rows.into()).len() == 1
}

/// Shows a text, and gives the moment since which all of it was on the screen. Where it does not fit
/// there, each page waits for a key, and Escape leaves the rest unread.
///
/// # Errors
/// When the person left before the end, `over` fired, or the terminal fails.
pub fn show(
    text: &str,
    now: impl Fn() -> Timestamp,
    over: &CancellationToken,
) -> Result<Timestamp, Stop> {
    let (columns, rows) = terminal::size().unwrap_or((80, 24));
    let pages = pages(text, columns.into(), rows.into());
    let mut shown_at = now();
    for (number, page) in (1..).zip(&pages) {
        anstream::eprint!("{page}");
        shown_at = now();
        if pages.len() > 1 {
            turn(number, pages.len(), over)?;
        }
    }
    Ok(shown_at)
}

/// Waits for the key that turns a page.
fn turn(number: usize, count: usize, over: &CancellationToken) -> Result<(), Stop> {
    let what = if number < count {
        "Space for more"
    } else {
        "Space to go on"
    };
    discard_input::discard()?;
    anstream::eprint!("{MORE} page {number} of {count} · {what}, Esc to leave {MORE:#}");
    let turned = key(over);
    eprint!("\r\u{1b}[2K");
    turned
}

fn key(over: &CancellationToken) -> Result<(), Stop> {
    let _raw = RawMode::enter()?;
    loop {
        if over.is_cancelled() {
            return Err(Stop::Over);
        }
        let Some(event) = next_event(POLL)? else {
            continue;
        };
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Press => match key.code {
                KeyCode::Char(' ') | KeyCode::Enter | KeyCode::PageDown | KeyCode::Down => {
                    return Ok(());
                }
                KeyCode::Esc | KeyCode::Char('q') => return Err(Stop::Left),
                _ => {}
            },
            _ => {}
        }
    }
}

/// The pages of a text; one where it fits on the screen together with a prompt.
fn pages(text: &str, columns: usize, rows: usize) -> Vec<String> {
    let height = |line: &str| {
        let plain = anstream::adapter::strip_str(line).to_string();
        let plain = plain.replace('\t', WIDEST_TAB);
        plain.width().div_ceil(columns.max(1)).max(1)
    };
    let all: usize = text.lines().map(height).sum();
    if all + PROMPT_ROWS <= rows {
        return vec![text.to_owned()];
    }
    let room = rows.saturating_sub(2).max(1);
    let mut pages = Vec::new();
    let (mut page, mut used) = (String::new(), 0);
    for line in text.split_inclusive('\n') {
        let height = height(line.trim_end_matches('\n'));
        if used > 0 && used + height > room {
            pages.push(std::mem::take(&mut page));
            used = 0;
        }
        page.push_str(line);
        used += height;
    }
    pages.push(page);
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_pages() {
        let lines = |count: usize| "a line\n".repeat(count);
        let check = |text: &str, wanted: &[usize]| {
            let pages = pages(text, 10, 24);
            assert_eq!(pages.concat(), text, "nothing is lost");
            let counts: Vec<usize> = pages.iter().map(|page| page.lines().count()).collect();
            assert_eq!(counts, wanted);
        };
        check(&lines(16), &[16]);
        check(&lines(17), &[17]);
        check(&lines(50), &[22, 22, 6]);
        // A line that is wider than the screen takes more than one.
        check(&"two lines wide\n".repeat(12), &[11, 1]);
        check(&"\tone and a half\n".repeat(10), &[7, 3]);
        // Colours take no room.
        check(&"\u{1b}[31mtwo lines!\u{1b}[0m\n".repeat(16), &[16]);
    }
}
