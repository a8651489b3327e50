//! A text that is longer than the screen, read over the whole of it before a prompt.

use super::{
    abilities::Abilities,
    discard_input::{self, fault, next_event},
    document::Document,
    full_screen::{self, FullScreen},
    prompt::Stop,
    reader::{self, Drawing, GUTTER, Reader},
};
use anstyle::{AnsiColor, Style};
use crossterm::{
    event::{Event, KeyCode, KeyEventKind},
    terminal,
};
use jiff::Timestamp;
use ratatui::{Frame, layout::Rect};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How soon it is seen that the question has ended elsewhere.
const POLL: Duration = Duration::from_millis(100);
const BAR: Style = Style::new().invert();
const ACCENT: Style = AnsiColor::Cyan.on_default().bold();
/// No text is set wider than one reads with ease.
const WIDEST: u16 = 100;

/// Shows a text until the person has seen its end and goes on; gives the moment since which that was on the
/// screen. `document` sets the text into a width.
///
/// # Errors
/// When the person left before the end, `over` fired, or the terminal fails.
pub fn read(
    document: impl Fn(usize) -> Document,
    now: impl Fn() -> Timestamp,
    over: &CancellationToken,
) -> Result<Timestamp, Stop> {
    discard_input::discard()?;
    let look = Abilities::of_screen();
    let mut screen = FullScreen::enter(false).map_err(fault)?;
    let (mut columns, mut rows) = terminal::size().unwrap_or((80, 24));
    let set = |columns: u16| document(usize::from(columns.saturating_sub(GUTTER).clamp(8, WIDEST)));
    let mut reader = Reader::new(set(columns));
    let mut shown_at = None;
    loop {
        // A change of size that comes together with a key is not always told.
        let size = terminal::size().unwrap_or((columns, rows));
        if size != (columns, rows) {
            (columns, rows) = size;
            reader.replace(set(columns));
        }
        reader.resize(rows.saturating_sub(1));
        if over.is_cancelled() || !full_screen::is_shown() {
            return Err(Stop::Over);
        }
        let drawn = screen.terminal.draw(|frame| draw(frame, &reader, look));
        drawn.map_err(fault)?;
        if reader.shows_end() {
            shown_at.get_or_insert_with(&now);
        }
        let Some(event) = next_event(POLL)? else {
            continue;
        };
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Press => {
                match (key.code, shown_at) {
                    (KeyCode::Esc | KeyCode::Char('q'), _) => return Err(Stop::Left),
                    (KeyCode::Enter | KeyCode::Char(' '), Some(at)) if reader.shows_end() => {
                        return Ok(at);
                    }
                    (KeyCode::Enter, _) => reader.go(reader::Move::HalfPages(2)),
                    _ => drop(reader.key(key)),
                }
                // Keys that come all at once turn one page.
                discard_input::discard_now().map_err(fault)?;
            }
            _ => {}
        }
    }
}

fn draw(frame: &mut Frame<'_>, reader: &Reader, look: Abilities) {
    let area = frame.area();
    let how = Drawing {
        look,
        focused: true,
        accent: reader::style(look.style(ACCENT)),
        is_marked: &|_| false,
        found: "",
    };
    let rows = area.height.saturating_sub(1);
    let text = Rect::new(area.x, area.y, area.width, rows);
    reader.draw(text, frame.buffer_mut(), &how);
    let keys = if reader.shows_end() {
        "Space to go on, Esc to leave"
    } else {
        "Space for more, Esc to leave"
    };
    let bar = format!(" {}% {} {keys} ", reader.percent(), look.pick("·", "-"));
    let style = reader::style(look.style(BAR));
    let width = usize::from(area.width);
    frame
        .buffer_mut()
        .set_stringn(area.x, rows, bar, width, style);
}
