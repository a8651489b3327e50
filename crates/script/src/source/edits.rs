//! A source with parts of it blanked, so that everything else keeps its line and its column; and what
//! was inserted, so that a place in the result is found in the source.

/// Changes to a source, collected in any order.
#[derive(Debug)]
pub(super) struct Edits<'s> {
    text: &'s str,
    blanks: Vec<Blank>,
    insertions: Vec<(usize, String)>,
}

#[derive(Debug)]
struct Blank {
    start: usize,
    end: usize,
    /// What stands in the place of its first character.
    first: Option<char>,
    /// What stands in the place of its last one.
    last: Option<char>,
}

/// The source as the engine compiles it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Code {
    pub text: String,
    /// By place.
    inserted: Vec<Inserted>,
}

/// Text that is not in the source.
#[derive(Debug, Clone, PartialEq)]
struct Inserted {
    line: u32,
    /// The column in the source of what comes behind it.
    column: u32,
    width: u32,
}

impl<'s> Edits<'s> {
    pub fn new(text: &'s str) -> Self {
        Self {
            text,
            blanks: Vec::new(),
            insertions: Vec::new(),
        }
    }

    /// Leaves only spaces and the ends of lines.
    pub fn blank(&mut self, start: usize, end: usize) {
        self.blank_as(start, end, None, None);
    }

    /// Like [`Self::blank`], with a character in the first or the last place.
    pub fn blank_as(&mut self, start: usize, end: usize, first: Option<char>, last: Option<char>) {
        if start < end {
            self.blanks.push(Blank {
                start,
                end,
                first,
                last,
            });
        }
    }

    /// Blanks a whole statement or member; a semicolon keeps what stands before and behind it apart.
    pub fn erase(&mut self, start: usize, end: usize) {
        self.blank_as(start, end, Some(';'), None);
    }

    /// Puts a semicolon at the end of what is blanked up to here: the type that stood there ended the
    /// statement, and without it the next line might go on with it.
    pub fn end_statement(&mut self, end: usize) {
        let ending = self.blanks.iter_mut().rev().find(|blank| blank.end == end);
        let inserted = self.insertions.iter().rfind(|(at, _)| *at == end);
        if let Some((_, text)) = inserted {
            if ending.is_some() && !text.ends_with(';') {
                self.insert(end, ";");
            }
        } else if let Some(blank) = ending
            && blank.first != Some(';')
            && blank.last.is_none()
        {
            blank.last = Some(';');
        }
    }

    /// Inserts text without line ends.
    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.insertions.push((at, text.into()));
    }

    pub fn finish(mut self) -> Code {
        self.blanks.sort_by_key(|blank| (blank.start, blank.end));
        self.insertions.sort_by_key(|(at, _)| *at);
        let inserted = inserted(self.text, &self.insertions);
        let mut text = String::with_capacity(self.text.len() + 64);
        let mut insertions = self.insertions.into_iter().peekable();
        let mut copy = |text: &mut String, start: usize, end: usize, upto: bool| {
            let mut from = start;
            let due = |at: usize| at < end || (upto && at == end);
            while let Some((at, new)) = insertions.next_if(|(at, _)| due(*at)) {
                text.push_str(&self.text[from..at.max(from)]);
                text.push_str(&new);
                from = at.max(from);
            }
            text.push_str(&self.text[from..end]);
        };
        let mut at = 0;
        for blank in self.blanks {
            // One inside another has nothing left to blank.
            if blank.start < at {
                continue;
            }
            copy(&mut text, at, blank.start, true);
            blank.write(&self.text[blank.start..blank.end], &mut text);
            at = blank.end;
        }
        copy(&mut text, at, self.text.len(), true);
        Code { text, inserted }
    }
}

impl Blank {
    fn write(&self, text: &str, out: &mut String) {
        let last = text.char_indices().next_back().map(|(index, _)| index);
        for (index, character) in text.char_indices() {
            let kept = matches!(character, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}');
            let put = match (self.first, self.last) {
                (Some(first), _) if index == 0 => Some(first),
                (_, Some(end)) if Some(index) == last => Some(end),
                _ => None,
            };
            out.push(put.unwrap_or(if kept { character } else { ' ' }));
        }
    }
}

fn inserted(source: &str, insertions: &[(usize, String)]) -> Vec<Inserted> {
    let (mut line, mut line_start, mut seen) = (1, 0, 0);
    let place = |(at, text): &(usize, String)| {
        for (index, _) in source[seen..*at].match_indices('\n') {
            line += 1;
            line_start = seen + index + 1;
        }
        seen = *at;
        Inserted {
            line,
            column: source[line_start..*at].chars().count() as u32 + 1,
            width: text.chars().count() as u32,
        }
    };
    insertions.iter().map(place).collect()
}

impl Code {
    /// A source that needs no change.
    pub fn unchanged(source: &str) -> Self {
        Self {
            text: source.to_owned(),
            inserted: Vec::new(),
        }
    }

    /// The column in the source, for a line and column in [`Self::text`]. Lines are the same.
    pub fn source_column(&self, line: u32, column: u32) -> u32 {
        let mut column = column;
        for inserted in self
            .inserted
            .iter()
            .filter(|inserted| inserted.line == line)
        {
            if column < inserted.column {
                break;
            }
            column = inserted.column.max(column.saturating_sub(inserted.width));
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::Edits;

    #[test]
    fn what_is_blanked_keeps_the_rest_in_place() {
        let source = "let größe: Größe\t= 1;\ntype\r\nA = 1; b";
        let mut edits = Edits::new(source);
        let annotation = source.find(':').unwrap();
        edits.blank(annotation, source.find('=').unwrap());
        let alias = source.find("type").unwrap();
        edits.erase(alias, source.find(" b").unwrap());
        let code = edits.finish();
        assert_eq!(code.text, "let größe       \t= 1;\n;   \r\n       b");
    }

    #[test]
    fn columns_are_found_behind_what_was_inserted() {
        let mut edits = Edits::new("a b\nc d");
        edits.insert(2, "xyz");
        edits.insert(6, "1");
        edits.insert(6, "23");
        let code = edits.finish();
        assert_eq!(code.text, "a xyzb\nc 123d");
        let check = |line, column, source| {
            assert_eq!(code.source_column(line, column), source, "{line}:{column}");
        };
        check(1, 1, 1);
        check(1, 4, 3);
        check(1, 6, 3);
        check(1, 7, 4);
        check(2, 1, 1);
        check(2, 6, 3);
        check(3, 9, 9);
    }

    #[test]
    fn a_type_at_the_end_of_a_statement_leaves_a_semicolon() {
        let source = "let a = b as any\n(c)";
        let mut edits = Edits::new(source);
        edits.blank(9, 16);
        edits.end_statement(16);
        assert_eq!(edits.finish().text, "let a = b      ;\n(c)");
    }
}
