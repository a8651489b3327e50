//! Tables with lines, in whatever width there is.

use super::{plain, quote};
use crate::terminal::{
    document::{Document, Line, Span, wrap},
    look::Look,
};
use anstyle::Style;
use holdpoint_ask::review::Place;
use pulldown_cmark::Alignment;

/// A column is not made narrower than this; where that is too wide, the rows become lists.
const NARROWEST: usize = 4;
const FAINT: Style = Style::new().dimmed();

/// A table whose cells come one after another.
pub struct Table {
    sides: Vec<Alignment>,
    /// The first is the head.
    rows: Vec<Row>,
}

struct Row {
    cells: Vec<Vec<Span>>,
    /// The line of the Markdown.
    line: usize,
}

/// The corners and lines of a table.
struct Frame {
    across: &'static str,
    down: &'static str,
    top: [&'static str; 3],
    middle: [&'static str; 3],
    bottom: [&'static str; 3],
}

const DRAWN: Frame = Frame {
    across: "─",
    down: "│",
    top: ["┌", "┬", "┐"],
    middle: ["├", "┼", "┤"],
    bottom: ["└", "┴", "┘"],
};
const ASCII: Frame = Frame {
    across: "-",
    down: "|",
    top: ["+", "+", "+"],
    middle: ["+", "+", "+"],
    bottom: ["+", "+", "+"],
};

impl Table {
    /// One without rows, whose columns are set to these sides.
    pub fn new(sides: Vec<Alignment>) -> Self {
        let rows = Vec::new();
        Self { sides, rows }
    }

    /// Begins a row, which is in this line of the Markdown.
    pub fn row(&mut self, line: usize) {
        let cells = Vec::new();
        self.rows.push(Row { cells, line });
    }

    /// Adds a cell to it.
    pub fn cell(&mut self, text: Vec<Span>) {
        if let Some(row) = self.rows.last_mut() {
            row.cells.push(text);
        }
    }

    /// The table in this width.
    pub fn document(mut self, width: usize, look: Look, headings: &[String]) -> Document {
        let columns = self.sides.len();
        for row in &mut self.rows {
            row.cells.resize(columns, Vec::new());
        }
        match self.widths(width) {
            Some(widths) => self.drawn(&widths, look, headings),
            None => self.listed(width, look, headings),
        }
    }

    /// The width of each column; none where they do not fit side by side.
    fn widths(&self, width: usize) -> Option<Vec<usize>> {
        let columns = self.sides.len();
        let room = width.checked_sub(3 * columns + 1)?;
        if columns == 0 || room < columns * NARROWEST {
            return None;
        }
        let wanted = |column: usize| {
            let cells = self.rows.iter().map(|row| &row.cells[column]);
            let widths = cells.map(|cell| cell.iter().map(Span::width).sum::<usize>());
            widths.max().unwrap_or(0).max(1)
        };
        let mut widths: Vec<usize> = (0..columns).map(wanted).collect();
        let mut excess = widths.iter().sum::<usize>().saturating_sub(room);
        while excess > 0 {
            let widest = widths.iter_mut().max()?;
            *widest -= 1;
            excess -= 1;
        }
        Some(widths)
    }

    fn drawn(&self, widths: &[usize], look: Look, headings: &[String]) -> Document {
        let frame = look.pick(&DRAWN, &ASCII);
        let faint = look.style(FAINT);
        let rule = |[left, cross, right]: [&str; 3]| {
            let parts: Vec<String> = widths
                .iter()
                .map(|width| frame.across.repeat(width + 2))
                .collect();
            let line = format!("{left}{}{right}", parts.join(cross));
            vec![Span::new(line, faint)]
        };
        let bar = || Span::new(frame.down, faint);
        let cells: Vec<Vec<Vec<Vec<Span>>>> = self
            .rows
            .iter()
            .map(|row| {
                let cells = row.cells.iter().zip(widths);
                cells
                    .map(|(cell, width)| wrap::words(cell, *width))
                    .collect()
            })
            .collect();
        // Where a row takes several lines, lines are between the rows too.
        let tall = cells
            .iter()
            .any(|row| row.iter().any(|cell| cell.len() > 1));
        let mut document = Document::default();
        document.push(rule(frame.top));
        for (index, (row, cells)) in self.rows.iter().zip(&cells).enumerate() {
            if index == 1 || (tall && index > 1) {
                document.push(rule(frame.middle));
            }
            let block = document.block(row.place(headings), row.quote());
            let height = cells.iter().map(Vec::len).max().unwrap_or(1);
            for at in 0..height {
                let mut spans = vec![bar()];
                for ((cell, width), side) in cells.iter().zip(widths).zip(&self.sides) {
                    let text = cell.get(at).cloned().unwrap_or_default();
                    spans.extend(aligned(text, *width, *side));
                    spans.push(bar());
                }
                let block = Some(block);
                document.lines.push(Line {
                    spans,
                    jump: None,
                    block,
                });
            }
        }
        document.push(rule(frame.bottom));
        document
    }

    /// Each row as a list of its cells, where there is no room for columns.
    fn listed(&self, width: usize, look: Look, headings: &[String]) -> Document {
        let mut document = Document::default();
        let Some((head, rows)) = self.rows.split_first() else {
            return document;
        };
        for row in rows {
            if !document.lines.is_empty() {
                let rule = look.pick("─", "-").repeat(width.min(8));
                document.push(vec![Span::new(rule, look.style(FAINT))]);
            }
            let block = document.block(row.place(headings), row.quote());
            for (name, cell) in head.cells.iter().zip(&row.cells) {
                let mut spans = name.clone();
                spans.push(Span::plain(": "));
                spans.extend(cell.iter().cloned());
                for spans in wrap::words(&spans, width) {
                    let block = Some(block);
                    document.lines.push(Line {
                        spans,
                        jump: None,
                        block,
                    });
                }
            }
        }
        document
    }
}

impl Row {
    fn place(&self, headings: &[String]) -> Place {
        let mut place = Place::below(headings.iter().cloned());
        place.line = Some(self.line as u32);
        place
    }

    fn quote(&self) -> String {
        let cells: Vec<String> = self.cells.iter().map(|cell| plain(cell)).collect();
        quote(&cells.join(" | "))
    }
}

/// A cell with a space on both sides, at its side of the column.
fn aligned(text: Vec<Span>, width: usize, side: Alignment) -> Vec<Span> {
    let used: usize = text.iter().map(Span::width).sum();
    let free = width.saturating_sub(used);
    let left = match side {
        Alignment::Right => free,
        Alignment::Center => free / 2,
        Alignment::Left | Alignment::None => 0,
    };
    let mut spans = vec![Span::plain(" ".repeat(left + 1))];
    spans.extend(text);
    spans.push(Span::plain(" ".repeat(free - left + 1)));
    spans
}
