//! `STATUS.md`: the state of a plan, which people read and edit too.

mod dates;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod vocabulary;

use table::Sheet;
pub(super) use table::cell;
pub(super) use vocabulary::{Column, Key, State};

/// A plan's state, as its file says it.
#[derive(Debug, Clone)]
pub(super) struct Status {
    /// What the plan is called.
    pub name: Option<String>,
    pub state: State,
    /// The steps that are under way.
    pub current: Vec<u32>,
    pub last_completed: Option<u32>,
    pub started_at: Option<String>,
    pub last_updated: Option<String>,
    /// In the order of the file.
    pub steps: Vec<Row>,
    sheet: Sheet,
    keys: Vec<(Key, At)>,
    /// The last line of each of the two tables.
    ends: Ends,
    columns: Vec<(Column, usize)>,
    width: usize,
}

/// One step, as the file says it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub number: u32,
    pub name: String,
    pub state: State,
    pub started: Option<String>,
    pub completed: Option<String>,
    pub notes: Option<String>,
    /// Where, counted from 1.
    pub line: usize,
}

#[derive(Debug, Clone, Copy)]
struct At {
    line: usize,
    column: usize,
}

#[derive(Debug, Clone, Copy)]
struct Ends {
    keys: usize,
    steps: usize,
}

/// Why a file cannot be taken for a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Where, counted from 1; none where something is missing as a whole.
    pub line: Option<usize>,
    pub what: String,
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "STATUS.md, line {line}: {}", self.what),
            None => write!(f, "STATUS.md: {}", self.what),
        }
    }
}

/// What stands in a cell that is empty.
pub(super) const NOTHING: &str = "–";

impl Status {
    /// The file as it is now, with all that was edited in it.
    pub fn text(&self) -> String {
        self.sheet.text()
    }

    pub fn step(&self, number: u32) -> Option<&Row> {
        self.steps.iter().find(|step| step.number == number)
    }

    /// Sets a field of the plan; one that a person took out comes back.
    pub fn set(&mut self, key: Key, value: &str) {
        match self.keys.iter().find(|(known, _)| *known == key) {
            Some((_, at)) => self.sheet.set(at.line, at.column, value),
            None => {
                let behind = self.ends.keys;
                self.sheet
                    .insert(behind, &[key.title().to_owned(), value.to_owned()]);
                self.moved(behind);
                let at = At {
                    line: behind + 1,
                    column: 1,
                };
                self.ends.keys = at.line;
                self.keys.push((key, at));
            }
        }
    }

    /// Sets a cell of a step. A column that a person took out stays out.
    pub fn set_step(&mut self, number: u32, column: Column, value: &str) {
        let place = self.columns.iter().find(|(known, _)| *known == column);
        let line = self.step(number).map(|step| step.line - 1);
        if let (Some((_, place)), Some(line)) = (place, line) {
            self.sheet.set(line, *place, value);
        }
    }

    /// Adds a step at the end of the table.
    pub fn add_step(&mut self, number: u32, name: &str) {
        let mut cells = vec![String::new(); self.width];
        for (column, place) in &self.columns {
            cells[*place] = match column {
                Column::Step => two_digits(number),
                Column::Name => name.to_owned(),
                Column::Status => State::Pending.as_str().to_owned(),
                Column::Started | Column::Completed => NOTHING.to_owned(),
                Column::Notes => String::new(),
            };
        }
        let behind = self.ends.steps;
        self.sheet.insert(behind, &cells);
        self.moved(behind);
        self.ends.steps = behind + 1;
        self.steps.push(Row {
            number,
            name: name.to_owned(),
            state: State::Pending,
            started: None,
            completed: None,
            notes: None,
            line: behind + 2,
        });
    }

    /// A line was added behind this one.
    fn moved(&mut self, behind: usize) {
        let lines = self.keys.iter_mut().map(|(_, at)| &mut at.line);
        let lines = lines.chain([&mut self.ends.keys, &mut self.ends.steps]);
        for line in lines.filter(|line| **line > behind) {
            *line += 1;
        }
        for row in self.steps.iter_mut().filter(|row| row.line - 1 > behind) {
            row.line += 1;
        }
    }
}

/// A step's number as files and tables have it.
pub(super) fn two_digits(number: u32) -> String {
    format!("{number:02}")
}

/// Several of them.
pub(super) fn numbers(numbers: &[u32]) -> String {
    let numbers: Vec<_> = numbers.iter().map(|number| two_digits(*number)).collect();
    numbers.join(", ")
}
