//! Which part of the screen shows what.

use super::{App, Pane};
use crate::terminal::reader::GUTTER;
use holdpoint::AskId;
use holdpoint_ask::open_order::Group;
use ratatui::layout::Rect;

/// From this width on, the list and the ask are side by side.
const WIDE: u16 = 90;
/// No text is set wider than one reads with ease.
const WIDEST_TEXT: u16 = 110;

/// The parts of the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Areas {
    /// What this is, and how many wait.
    pub title: Rect,
    /// The list; empty where an ask is open.
    pub list: Rect,
    /// The line between both.
    pub between: Rect,
    /// The ask.
    pub text: Rect,
    /// The endings of an ask, its time and comments; empty where none is open.
    pub bar: Rect,
    /// What was done last, or is searched for.
    pub note: Rect,
    /// The keys.
    pub keys: Rect,
}

/// The parts of the screen as it is now.
pub fn areas(app: &App) -> Areas {
    let (columns, rows) = app.size;
    let row = |y: u16| Rect::new(0, y.min(rows.saturating_sub(1)), columns, 1.min(rows));
    let mut areas = Areas {
        title: row(0),
        note: row(rows.saturating_sub(2)),
        keys: row(rows.saturating_sub(1)),
        ..Areas::default()
    };
    let middle = Rect::new(0, 1, columns, rows.saturating_sub(3));
    if app.open.is_some() {
        areas.bar = row(rows.saturating_sub(3));
        areas.text = Rect {
            height: middle.height.saturating_sub(1),
            ..middle
        };
    } else if columns >= WIDE {
        let list = (columns * 2 / 5).clamp(36, 64);
        areas.list = Rect {
            width: list,
            ..middle
        };
        areas.between = Rect::new(list, 1, 1, middle.height);
        areas.text = Rect::new(list + 1, 1, columns - list - 1, middle.height);
    } else if middle.height < 12 {
        // Too low for both: the one that keys go to.
        match app.pane {
            Pane::List => areas.list = middle,
            Pane::Preview => areas.text = middle,
        }
    } else {
        let list = middle.height / 2;
        areas.list = Rect {
            height: list,
            ..middle
        };
        areas.between = Rect::new(0, 1 + list, columns, 1);
        areas.text = Rect::new(0, 2 + list, columns, middle.height - list - 1);
    }
    areas
}

/// How wide text is set in an area of this width.
pub fn text_width(columns: u16) -> usize {
    usize::from(columns.saturating_sub(GUTTER).clamp(8, WIDEST_TEXT))
}

/// A line of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// A heading.
    Heading(Group),
    /// The title of the ask of this number among the listed.
    Title(usize),
    /// What else is said of it.
    About(usize),
}

/// The lines of the list that are seen: those around the cursor.
pub fn rows(app: &App, height: u16) -> Vec<Row> {
    let listed = app.listed();
    let (mut rows, mut group) = (Vec::new(), None);
    for (index, record) in listed.iter().enumerate() {
        let its = record.waiting().group(app.now);
        if group.replace(its) != Some(its) {
            rows.push(Row::Heading(its));
        }
        rows.extend([Row::Title(index), Row::About(index)]);
    }
    let height = usize::from(height);
    let cursor = rows.iter().position(|row| *row == Row::About(app.row()));
    let first = (cursor.unwrap_or_default() + 1).saturating_sub(height);
    rows.into_iter().skip(first).take(height).collect()
}

/// The ask in this row of the list.
pub fn ask_at(app: &App, row: u16) -> Option<AskId> {
    let height = areas(app).list.height;
    match rows(app, height).get(usize::from(row))? {
        Row::Heading(_) => None,
        Row::Title(index) | Row::About(index) => Some(app.listed().get(*index)?.id),
    }
}
