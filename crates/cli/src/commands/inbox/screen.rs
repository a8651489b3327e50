//! The list on a screen: choosing one, while others come and go.

use super::list::Open;
use crate::terminal::{ask_text, discard_input, prompt::Stop, reply::run_blocking};
use anstyle::Style;
use crossterm::{
    cursor, event,
    event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers},
    execute, terminal,
};
use holdpoint::AskId;
use holdpoint::journal::AskRecord;
use holdpoint_ask::short_ids;
use jiff::Timestamp;
use std::{
    collections::HashSet,
    fmt::Write as _,
    io::{self, Write as _},
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// How soon something new is shown.
const POLL: Duration = Duration::from_millis(200);
/// How often ages and deadlines are.
const TICK: Duration = Duration::from_secs(1);

const TITLE: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const CURSOR: Style = Style::new().invert();

/// What the person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picked {
    /// To read this one.
    Ask(AskId),
    /// To end.
    End,
}

/// Shows the list until the person chooses. The note is what was done last.
pub async fn pick(open: watch::Receiver<Open>, note: String) -> anyhow::Result<Picked> {
    run_blocking(move || {
        // A fault shows itself below; an interrupt ends the list.
        if let Err(Stop::Interrupted) = discard_input::discard() {
            return Ok(Picked::End);
        }
        let _screen = Screen::enter()?;
        Shown::new(open, note).run()
    })
    .await
}

/// The other screen of the terminal, for as long as this lives.
struct Screen;

impl Screen {
    fn enter() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Self;
        execute!(io::stderr(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stderr(), cursor::Show, terminal::LeaveAlternateScreen);
        let _ = terminal::disable_raw_mode();
    }
}

struct Shown {
    open: watch::Receiver<Open>,
    asks: Vec<AskRecord>,
    count: u64,
    remembered: Option<String>,
    /// All that were ever shown here: only what is new rings.
    known: HashSet<AskId>,
    /// The ask under the cursor; it stays there when others come and go.
    at: Option<AskId>,
    note: String,
}

impl Shown {
    fn new(open: watch::Receiver<Open>, note: String) -> Self {
        let mut shown = Self {
            open,
            asks: Vec::new(),
            count: 0,
            remembered: None,
            known: HashSet::new(),
            at: None,
            note,
        };
        shown.update();
        shown
    }

    fn run(mut self) -> anyhow::Result<Picked> {
        let mut drawn = None;
        loop {
            let changed = self.open.has_changed().unwrap_or(false);
            let was_at = self.at;
            if changed && self.update() {
                io::stderr().write_all(b"\x07")?;
            }
            if self.at != was_at {
                // A key that is on its way was meant for the ask that was here.
                discard_input::discard_now()?;
            }
            let due = drawn.is_none_or(|at: Instant| at.elapsed() >= TICK);
            if changed || due {
                self.draw()?;
                drawn = Some(Instant::now());
            }
            if !event::poll(POLL)? {
                continue;
            }
            match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Press => {
                    if let Some(picked) = self.key(key) {
                        return Ok(picked);
                    }
                    drawn = None;
                }
                Event::Resize(..) => drawn = None,
                _ => {}
            }
        }
    }

    /// Updates the list; whether something is new.
    fn update(&mut self) -> bool {
        let was_at = self.cursor();
        let open = self.open.borrow_and_update().clone();
        self.count = open.count;
        self.remembered = open.remembered_words();
        self.asks = open.asks;
        let there = |at: &AskId| self.asks.iter().any(|ask| ask.id == *at);
        if !self.at.as_ref().is_some_and(there) {
            let next = was_at.min(self.asks.len().saturating_sub(1));
            self.at = self.asks.get(next).map(|ask| ask.id);
        }
        let before = self.known.len();
        self.known.extend(self.asks.iter().map(|ask| ask.id));
        self.known.len() > before
    }

    fn cursor(&self) -> usize {
        let at = self.asks.iter().position(|ask| Some(ask.id) == self.at);
        at.unwrap_or_default()
    }

    fn key(&mut self, key: KeyEvent) -> Option<Picked> {
        let last = self.asks.len().saturating_sub(1);
        let page = usize::from(terminal::size().map_or(24, |size| size.1)) / ROWS_EACH;
        let to = match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(Picked::End);
            }
            KeyCode::Char('q') | KeyCode::Esc => return Some(Picked::End),
            KeyCode::Enter => return self.at.map(Picked::Ask),
            KeyCode::Up | KeyCode::Char('k') => self.cursor().saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.cursor() + 1,
            KeyCode::PageUp => self.cursor().saturating_sub(page),
            KeyCode::PageDown => self.cursor() + page,
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => return None,
        };
        self.at = self.asks.get(to.min(last)).map(|ask| ask.id);
        None
    }

    fn draw(&self) -> io::Result<()> {
        let (columns, rows) = terminal::size().unwrap_or((80, 24));
        let page = self.page(usize::from(columns), usize::from(rows), Timestamp::now());
        let mut text = String::from("\x1b[H");
        for line in page {
            let _ = write!(text, "{line}\x1b[K\r\n");
        }
        text.push_str("\x1b[J");
        // Colours only where they are wanted; moving the cursor is not a colour.
        let mut out = io::stderr().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// The lines of the screen; the last line is left free.
    fn page(&self, columns: usize, rows: usize, now: Timestamp) -> Vec<String> {
        let mut lines = vec![format!(
            "{TITLE}Holdpoint{TITLE:#} · {}",
            match self.count {
                0 => "nothing waits for you".to_owned(),
                1 => "1 ask waits for you".to_owned(),
                count => format!("{count} asks wait for you"),
            }
        )];
        let note = cut(&self.note, columns);
        lines.push(format!("{FAINT}{note}{FAINT:#}"));
        if let Some(remembered) = &self.remembered {
            let remembered = cut(remembered, columns);
            lines.push(format!("{FAINT}{remembered}{FAINT:#}"));
        }
        let room = rows.saturating_sub(3 + lines.len()) / ROWS_EACH;
        let cursor = self.cursor();
        let first = (cursor + 1).saturating_sub(room.max(1));
        let ids: Vec<AskId> = self.asks.iter().map(|ask| ask.id).collect();
        let listed = self.asks.iter().zip(short_ids(&ids)).enumerate();
        for (index, (ask, id)) in listed.skip(first).take(room.max(1)) {
            lines.extend(row(ask, &id, index == cursor, columns, now));
        }
        let keys = if self.asks.is_empty() {
            "new asks appear here · q to quit"
        } else {
            "↑↓ to move · Enter to read and answer · q to quit"
        };
        lines.push(String::new());
        lines.push(format!("{FAINT}{keys}{FAINT:#}"));
        lines
    }
}

const ROWS_EACH: usize = 2;

fn row(
    ask: &AskRecord,
    id: &str,
    here: bool,
    columns: usize,
    now: Timestamp,
) -> [String; ROWS_EACH] {
    let mark = if here { '›' } else { ' ' };
    let danger = if ask.ask.dangerous {
        "⚠ DANGEROUS "
    } else {
        ""
    };
    let width = columns.saturating_sub(4 + danger.chars().count());
    let line = cut(&ask.ask.title(), width);
    let line = if here {
        format!("{CURSOR}{line}{CURSOR:#}")
    } else {
        line
    };
    let style = colour(ask_text::DANGER);
    let mut about = ask_text::about(ask, now);
    about.insert(0, id.to_owned());
    let about = cut(&about.join(" · "), columns.saturating_sub(5));
    [
        format!("{mark} {style}{danger}{style:#}{line}"),
        format!("    {FAINT}{about}{FAINT:#}"),
    ]
}

/// The style without its colour, where the person wants none.
fn colour(style: Style) -> Style {
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        style.fg_color(None)
    } else {
        style
    }
}

/// As much of a line as there is room for.
fn cut(text: &str, width: usize) -> String {
    use unicode_width::UnicodeWidthChar as _;
    let mut used = 0;
    let mut kept = String::new();
    for char in text.chars() {
        used += char.width().unwrap_or(0);
        if used >= width {
            kept.push('…');
            break;
        }
        kept.push(char);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit() {
        assert_eq!(cut("short", 10), "short");
        assert_eq!(cut("much too long", 6), "much …");
        assert_eq!(cut("東京東京", 6), "東京…");
    }
}
