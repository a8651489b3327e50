//! Tables in a Markdown text that a person may have edited: found, read, and changed cell by cell, so
//! that everything else stays as it is.

/// A text, line by line.
#[derive(Debug, Clone)]
pub(super) struct Sheet {
    lines: Vec<String>,
}

/// Where a table is in it. Lines count from 0.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub header: usize,
    /// The names of the columns, as [`plain`] has them.
    pub columns: Vec<String>,
    pub rows: Vec<usize>,
}

impl Sheet {
    pub fn new(text: &str) -> Self {
        Self {
            lines: text.split('\n').map(str::to_owned).collect(),
        }
    }

    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(String::as_str)
    }

    /// The tables, but not those inside a block of code.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = Vec::new();
        let mut fence: Option<String> = None;
        let mut within = false;
        for (place, line) in self.lines.iter().enumerate() {
            let bare = line.trim();
            if let Some(open) = &fence {
                let closes = bare.starts_with(open.as_str())
                    && bare.chars().all(|char| open.starts_with(char));
                if closes {
                    fence = None;
                }
                continue;
            }
            if let Some(open) = fence_of(bare) {
                (fence, within) = (Some(open), false);
                continue;
            }
            if !bare.contains('|') {
                within = false;
                continue;
            }
            match tables.last_mut().filter(|_| within) {
                Some(table) if place == table.header + 1 => {}
                Some(table) => table.rows.push(place),
                None if self
                    .lines
                    .get(place + 1)
                    .is_some_and(|next| is_delimiter(next)) =>
                {
                    within = true;
                    let columns = self.cells(place).iter().map(|cell| plain(cell)).collect();
                    tables.push(Table {
                        header: place,
                        columns,
                        rows: Vec::new(),
                    });
                }
                None => {}
            }
        }
        tables
    }

    /// The cells of a row, as a person reads them.
    pub fn cells(&self, line: usize) -> Vec<String> {
        let cells = Row::parse(&self.lines[line]).cells;
        let read = |cell: String| cell.trim().replace("\\|", "|");
        cells.into_iter().map(read).collect()
    }

    /// Changes one cell; the others keep every character.
    pub fn set(&mut self, line: usize, column: usize, value: &str) {
        // What says so already keeps its spaces, too.
        if self
            .cells(line)
            .get(column)
            .is_some_and(|cell| cell == value)
        {
            return;
        }
        let mut row = Row::parse(&self.lines[line]);
        while row.cells.len() <= column {
            row.cells.push(" ".into());
        }
        row.cells[column] = format!(" {} ", cell(value));
        self.lines[line] = row.text();
    }

    /// Adds a row behind this line.
    pub fn insert(&mut self, behind: usize, cells: &[String]) {
        let end = if self.lines[behind].ends_with('\r') {
            "\r"
        } else {
            ""
        };
        let cells: Vec<_> = cells.iter().map(|text| cell(text)).collect();
        let row = format!("| {} |{end}", cells.join(" | "));
        self.lines.insert(behind + 1, row);
    }
}

/// A text that fits into a cell.
pub(crate) fn cell(text: &str) -> String {
    let line: Vec<_> = text.split_whitespace().collect();
    let line = line.join(" ");
    let shown = holdpoint_ask::visible(&line);
    let mut written = String::with_capacity(shown.len());
    for (at, char) in shown.char_indices() {
        if char == '|' && separates(&shown, at) {
            written.push('\\');
        }
        written.push(char);
    }
    written
}

/// Whether the bar at this place ends a cell: one behind a backslash is text, unless that is itself behind one.
fn separates(row: &str, bar: usize) -> bool {
    let before = row[..bar].bytes().rev();
    before.take_while(|byte| *byte == b'\\').count() % 2 == 0
}

/// A word as it is compared: without case, emphasis, signs around it, and with `_` for what is
/// between its parts.
pub(super) fn plain(text: &str) -> String {
    let kept = |char: char| {
        if char.is_ascii() {
            char.is_ascii_alphanumeric() || char == '#'
        } else {
            char.is_alphanumeric()
        }
    };
    let mut plain = String::with_capacity(text.len());
    for part in text
        .split(|char| !kept(char))
        .filter(|part| !part.is_empty())
    {
        if !plain.is_empty() {
            plain.push('_');
        }
        plain.push_str(part);
    }
    if plain.is_ascii() {
        plain.make_ascii_lowercase()
    } else {
        plain = plain.to_lowercase()
    }
    plain
}

/// A row, taken apart.
struct Row {
    before: String,
    cells: Vec<String>,
    after: String,
}

impl Row {
    fn parse(line: &str) -> Self {
        let bare = line.trim_end();
        let after = &line[bare.len()..];
        let indent = bare.len() - bare.trim_start().len();
        let (mut before, mut inner) = (bare[..indent].to_owned(), &bare[indent..]);
        let mut end = after.to_owned();
        if let Some(rest) = inner.strip_prefix('|') {
            before.push('|');
            inner = rest;
        }
        if inner.ends_with('|') && separates(inner, inner.len() - 1) {
            inner = &inner[..inner.len() - 1];
            end.insert(0, '|');
        }
        let mut cells = Vec::new();
        let mut start = 0;
        for (bar, _) in inner.match_indices('|') {
            if separates(inner, bar) {
                cells.push(inner[start..bar].to_owned());
                start = bar + 1;
            }
        }
        cells.push(inner[start..].to_owned());
        Self {
            before,
            cells,
            after: end,
        }
    }

    fn text(&self) -> String {
        format!("{}{}{}", self.before, self.cells.join("|"), self.after)
    }
}

/// The fence that a line opens, if any.
fn fence_of(line: &str) -> Option<String> {
    let char = line.chars().next().filter(|char| "`~".contains(*char))?;
    let count = line.chars().take_while(|other| *other == char).count();
    (count >= 3).then(|| char.to_string().repeat(count))
}

fn is_delimiter(line: &str) -> bool {
    let line = line.trim();
    line.contains('-') && line.contains('|') && line.chars().all(|char| "|-: \t".contains(char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_changed_and_nothing_else() {
        let check = |line: &str, column: usize, value: &str, wanted: &str| {
            let mut sheet = Sheet::new(line);
            sheet.set(0, column, value);
            assert_eq!(sheet.text(), wanted, "{line}");
        };
        check("| a |b|  c  |", 1, "x", "| a | x |  c  |");
        check("a | b", 0, "x", " x | b");
        check("| a \\| b | c |\r", 1, "x", "| a \\| b | x |\r");
        check("| a |", 2, "x", "| a | | x |");
        check("| a |", 0, "x | y\nz", "| x \\| y z |");
        check("| a \\\\| b |", 1, "x", "| a \\\\| x |");
        check("| a \\\\|", 0, "x", "| x |");
    }

    #[test]
    fn whatever_a_cell_says_it_stays_one_cell() {
        for text in [
            "|",
            "a|b",
            "a\\|b",
            "a\\\\|b",
            "a\\\\\\|b",
            "a\\",
            "\\\\",
            "||\\||",
        ] {
            let mut sheet = Sheet::new("| a | b |");
            sheet.set(0, 0, text);
            let cells = sheet.cells(0);
            assert_eq!((cells.len(), cells[1].as_str()), (2, "b"), "{text}");
            // Once it was written it is what is written.
            let before = sheet.text();
            sheet.set(0, 0, &cells[0].clone());
            assert_eq!(sheet.text(), before, "{text}");
        }
    }

    #[test]
    fn tables_are_found_where_they_are_shown() {
        let text = "# A\n\n| Step | Name |\n|---|:-:|\n| 1 | a |\n| 2 | b |\n\ntext | more\n\n```md\n| No | Table |\n|---|---|\n```\n**State**|x\n-|-\na|b";
        let sheet = Sheet::new(text);
        let tables = sheet.tables();
        let found: Vec<_> = tables
            .iter()
            .map(|table| (table.header, table.columns.join(","), table.rows.clone()))
            .collect();
        assert_eq!(
            found,
            [
                (2, "step,name".to_owned(), vec![4, 5]),
                (13, "state,x".to_owned(), vec![15]),
            ]
        );
    }
}
