//! `STATUS.md`: the state of a plan, which people read and edit too.

mod dates;
mod manner;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod vocabulary;

pub(super) use dates::is_after;
use manner::Manner;
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
    manner: Manner,
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
                let title = self.manner.title(key);
                self.sheet.insert(behind, &[title, value.to_owned()]);
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

    /// Sets the state of the plan, as the file writes states.
    pub fn set_state(&mut self, state: State) {
        let before = self.shown_state();
        self.state = state;
        self.set(Key::Status, &state.in_manner_of(&before));
    }

    /// Sets the state of a step, as its cell was written.
    pub fn set_step_state(&mut self, number: u32, state: State) {
        let before = self.step_cell(number, Column::Status).unwrap_or_default();
        self.set_step(number, Column::Status, &state.in_manner_of(&before));
        for row in self.steps.iter_mut().filter(|row| row.number == number) {
            row.state = state;
        }
    }

    /// Sets a moment of the plan, as the file writes moments.
    pub fn set_moment(&mut self, key: Key, now: &str) {
        let moment = self.manner.moment(now).to_owned();
        self.set(key, &moment);
    }

    /// Sets a moment of a step, or takes it away.
    pub fn set_step_moment(&mut self, number: u32, column: Column, now: Option<&str>) {
        let cell = self.step_cell(number, column);
        let is_nothing = cell.is_some_and(|cell| read::filled(&cell).is_none());
        match now {
            Some(now) => {
                let moment = self.manner.moment(now).to_owned();
                self.set_step(number, column, &moment);
            }
            None if is_nothing => {}
            None => {
                let nothing = self.manner.nothing.clone();
                self.set_step(number, column, &nothing);
            }
        }
    }

    /// Sets which steps a field of the plan names, as the file names steps.
    pub fn set_named(&mut self, key: Key, steps: &[u32]) {
        let named = match steps {
            [] => self.manner.nothing.clone(),
            [step] => {
                let name = self.step(*step).map(|row| row.name.as_str());
                self.manner.step(*step, name.unwrap_or_default())
            }
            several => numbers(several),
        };
        // Another way to say the same is left as it is.
        let cell = self.key_cell(key);
        let says_nothing = cell.is_some_and(|cell| read::filled(&cell).is_none());
        if steps.is_empty() && says_nothing {
            return;
        }
        self.set(key, &named);
        // A name of which a cell shows something else may read as other steps; a number never does.
        if !steps.is_empty() && self.named_by(key).as_deref() != Some(steps) {
            self.set(key, &numbers(steps));
        }
    }

    /// The steps that a field of the plan names; none where it names none.
    fn named_by(&self, key: Key) -> Option<Vec<u32>> {
        let cell = read::filled(&self.key_cell(key)?)?;
        read::named(&cell, &self.steps, 0).ok()
    }

    /// Sets the share of completed steps, where the file has one that can be read.
    pub fn set_progress(&mut self) {
        let Some(cell) = self.key_cell(Key::Progress) else {
            return;
        };
        let all = self.steps.len();
        let completed = |row: &&Row| row.state == State::Completed;
        let completed = self.steps.iter().filter(completed).count();
        if let Some(progress) = manner::progress(&cell, completed, all) {
            self.set(Key::Progress, &progress);
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
        // As the row before it is written, or else the plan's own state.
        let last = self.steps.last().map(|row| row.number);
        let manner = last.and_then(|last| self.step_cell(last, Column::Status));
        let manner = manner.unwrap_or_else(|| self.shown_state());
        let mut cells = vec![String::new(); self.width];
        for (column, place) in &self.columns {
            cells[*place] = match column {
                Column::Step => two_digits(number),
                Column::Name => name.to_owned(),
                Column::Status => State::Pending.in_manner_of(&manner),
                Column::Started | Column::Completed => self.manner.nothing.clone(),
                Column::Notes => String::new(),
            };
        }
        let named = [Key::CurrentStep, Key::LastCompleted].map(|key| (key, self.named_by(key)));
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
        // Its name may be what a field says of another step.
        for (key, steps) in named {
            if let Some(steps) = steps
                && self.named_by(key).as_ref() != Some(&steps)
            {
                self.set(key, &numbers(&steps));
            }
        }
        self.set_progress();
    }

    /// The state of the plan as it is written.
    fn shown_state(&self) -> String {
        self.key_cell(Key::Status).unwrap_or_default()
    }

    /// What the cell of a field of the plan holds; none where there is no such field.
    fn key_cell(&self, key: Key) -> Option<String> {
        let (_, at) = self.keys.iter().find(|(known, _)| *known == key)?;
        self.sheet.cells(at.line).get(at.column).cloned()
    }

    /// What a cell of a step holds; none where there is no such cell.
    fn step_cell(&self, number: u32, column: Column) -> Option<String> {
        let (_, place) = self.columns.iter().find(|(known, _)| *known == column)?;
        let line = self.step(number)?.line - 1;
        self.sheet.cells(line).get(*place).cloned()
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
