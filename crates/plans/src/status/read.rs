//! From the text to the state. What people add, reorder or write in their own way is fine; what
//! contradicts itself is not, and the line is named.

use super::{
    At, Column, Ends, Flaw, Key, Row, State, Status,
    dates::is_after,
    manner::{BETWEEN_NUMBERS, Manner, between, is_day},
    table::{Sheet, Table, plain},
    two_digits,
};
use holdpoint_ask::visible;

/// The most rows of the table of the steps.
const MOST_ROWS: usize = 999;

impl Status {
    /// Reads the file.
    ///
    /// # Errors
    /// Where something needed is missing, cannot be understood, or contradicts the rest.
    pub fn read(text: &str) -> Result<Self, Flaw> {
        let sheet = Sheet::new(text);
        let tables = sheet.tables();
        let steps = steps_table(&tables)?;
        let (keys, keys_end) = keys(&sheet, &tables, steps)?;
        let columns = columns(steps)?;
        let rows = rows(&sheet, steps, &columns)?;
        let shown = |key: Key| {
            let (_, at) = keys.iter().find(|(known, _)| *known == key)?;
            let cell = sheet.cells(at.line).get(at.column).cloned();
            Some((cell?, at.line + 1))
        };
        let value = |key: Key| {
            let (cell, line) = shown(key)?;
            Some((filled(&cell)?, line))
        };
        let (given, line) = shown(Key::Status).ok_or_else(|| {
            missing(
                "the Current State table says no Status; expected a row like | Status | pending |",
            )
        })?;
        let state = State::read(&given).ok_or_else(|| unknown_state(line, &given))?;
        let current = match value(Key::CurrentStep) {
            Some((text, line)) => named(&text, &rows, line)?,
            None => Vec::new(),
        };
        let last_completed = match value(Key::LastCompleted) {
            Some((text, line)) => named(&text, &rows, line)?.into_iter().next_back(),
            None => None,
        };
        let line_of = |key: Key| value(key).map(|(_, line)| line);
        let text = |key: Key| value(key).map(|(text, _)| text);
        let mut status = Self {
            name: title(&sheet),
            state,
            current,
            last_completed,
            started_at: text(Key::StartedAt),
            last_updated: text(Key::LastUpdated),
            manner: manner(&sheet, &keys, &columns, &rows),
            steps: rows,
            ends: Ends {
                keys: keys_end,
                steps: last_line(steps),
            },
            columns,
            width: steps.columns.len(),
            keys: keys.clone(),
            sheet: sheet.clone(),
        };
        if shown(Key::Progress).is_some() {
            status.take_up();
        }
        status.agrees(line, line_of(Key::CurrentStep), line_of(Key::LastCompleted))?;
        Ok(status)
    }

    /// RiotPlan writes its own table from its steps and leaves some of it behind: the step that was
    /// completed last stays the current one, and a plan whose first step was completed without being
    /// started stays pending. Its files, which show the progress, are read as it means them.
    fn take_up(&mut self) {
        let last = self.last_completed;
        self.current.retain(|step| Some(*step) != last);
        if self.state == State::Pending && self.steps.iter().any(|step| step.state.is_begun()) {
            self.state = State::InProgress;
        }
    }

    /// Whether the plan's own table and its steps tell one story.
    fn agrees(
        &self,
        line: usize,
        current_line: Option<usize>,
        last_line: Option<usize>,
    ) -> Result<(), Flaw> {
        for step in &self.steps {
            consistent(step)?;
        }
        let begun = |step: &&Row| step.state.is_begun();
        let number = |step: &Row| two_digits(step.number);
        if self.state == State::Completed
            && let Some(step) = self.steps.iter().find(|step| !step.state.is_done())
        {
            return Err(flaw(
                line,
                format!(
                    "the plan is completed, but step {} is {} (line {})",
                    number(step),
                    step.state.as_str(),
                    step.line
                ),
            ));
        }
        if self.state == State::Pending
            && let Some(step) = self.steps.iter().find(begun)
        {
            return Err(flaw(
                line,
                format!(
                    "the plan is pending, but step {} is {} (line {})",
                    number(step),
                    step.state.as_str(),
                    step.line
                ),
            ));
        }
        for current in &self.current {
            if let Some(step) = self.step(*current)
                && (step.state == State::Pending || step.state.is_done())
            {
                return Err(flaw(
                    current_line.unwrap_or(line),
                    format!(
                        "the current step is {}, but that step is {} (line {})",
                        number(step),
                        step.state.as_str(),
                        step.line
                    ),
                ));
            }
        }
        if let Some(step) = self.last_completed.and_then(|last| self.step(last))
            && step.state != State::Completed
        {
            return Err(flaw(
                last_line.unwrap_or(line),
                format!(
                    "step {} was completed last, but it is {} (line {})",
                    number(step),
                    step.state.as_str(),
                    step.line
                ),
            ));
        }
        Ok(())
    }
}

/// The table of the steps: it has a column for the step and one for its state.
fn steps_table(tables: &[Table]) -> Result<&Table, Flaw> {
    let has = |table: &Table, column: Column| {
        table
            .columns
            .iter()
            .any(|name| Column::read(name) == Some(column))
    };
    let mut found = tables
        .iter()
        .filter(|table| has(table, Column::Step) && has(table, Column::Status));
    let first = found.next().ok_or_else(|| {
        missing("there is no Step Progress table; expected one with the columns Step, Name, Status, Started, Completed, Notes")
    })?;
    match found.next() {
        Some(second) => Err(flaw(
            second.header + 1,
            format!(
                "there is a second Step Progress table; the first is in line {}",
                first.header + 1
            ),
        )),
        None => Ok(first),
    }
}

type Keys = Vec<(Key, At)>;

/// The rows of the plan's own table, and where it ends: the first table with a row for the status.
fn keys(sheet: &Sheet, tables: &[Table], steps: &Table) -> Result<(Keys, usize), Flaw> {
    let others = tables.iter().filter(|table| table.header != steps.header);
    let keys = others.map(|table| (keys_of(sheet, table), last_line(table)));
    let mut keys: Vec<_> = keys.filter(|(keys, _)| !keys.is_empty()).collect();
    let says = |(keys, _): &(Keys, usize)| keys.iter().any(|(key, _)| *key == Key::Status);
    // Where none has it, the first one lacks it.
    let place = keys.iter().position(says).unwrap_or(0);
    let found = (place < keys.len()).then(|| keys.swap_remove(place));
    let (keys, end) = found.ok_or_else(|| {
        missing("there is no Current State table; expected one with rows like | Status | pending |")
    })?;
    for (place, (key, at)) in keys.iter().enumerate() {
        if let Some((_, first)) = keys[..place].iter().find(|(known, _)| known == key) {
            return Err(flaw(
                at.line + 1,
                format!(
                    "{} is there twice; first in line {}",
                    key.title(),
                    first.line + 1
                ),
            ));
        }
    }
    Ok((keys, end))
}

/// The rows of a table whose first column, or that before the values, names a field of the plan.
fn keys_of(sheet: &Sheet, table: &Table) -> Keys {
    let value = table.columns.iter().position(|name| name == "value");
    let (name, value) = match value {
        Some(0) => (1, 0),
        Some(value) => (0, value),
        None => (0, 1),
    };
    let key = |line: &usize| {
        let key = Key::read(sheet.cells(*line).get(name)?)?;
        let at = At {
            line: *line,
            column: value,
        };
        Some((key, at))
    };
    table.rows.iter().filter_map(key).collect()
}

/// In which manner the file is written.
fn manner(sheet: &Sheet, keys: &Keys, columns: &[(Column, usize)], rows: &[Row]) -> Manner {
    let cell = |line: usize, place: usize| sheet.cells(line).get(place).cloned();
    let of_key = |wanted: &[Key]| -> Vec<String> {
        let wanted = keys.iter().filter(|(key, _)| wanted.contains(key));
        wanted
            .filter_map(|(_, at)| cell(at.line, at.column))
            .collect()
    };
    let moments = [Column::Started, Column::Completed];
    let places = columns
        .iter()
        .filter(|(column, _)| moments.contains(column));
    let places: Vec<_> = places.map(|(_, place)| *place).collect();
    let of_steps = rows.iter().flat_map(|row| {
        let cells = places.iter().map(|place| cell(row.line - 1, *place));
        cells.flatten().collect::<Vec<_>>()
    });
    let named = of_key(&[Key::CurrentStep, Key::LastCompleted]);
    let dated = of_key(&[Key::LastUpdated, Key::StartedAt]);
    let nothing = named.iter().chain(&dated).cloned().chain(of_steps);
    let nothing = nothing
        .into_iter()
        .find(|cell| matches!(cell.as_str(), "-" | "–" | "—"));
    let is_name = |(_, at): &(Key, At)| {
        let name = sheet.cells(at.line).first().cloned();
        name.is_some_and(|name| name.starts_with("**"))
    };
    // Where no field names a step yet, RiotPlan's file is known by its progress.
    let progress = keys.iter().any(|(key, _)| *key == Key::Progress);
    let any_named = named.iter().any(|cell| filled(cell).is_some());
    let between = named.iter().find_map(|cell| between(cell));
    Manner {
        nothing: nothing.unwrap_or_else(|| "-".to_owned()),
        bold: keys.iter().any(is_name),
        days: dated
            .iter()
            .find_map(|cell| filled(cell))
            .is_some_and(|cell| is_day(&cell)),
        between: between.or_else(|| (progress && !any_named).then(|| " - ".to_owned())),
    }
}

fn last_line(table: &Table) -> usize {
    table.rows.last().copied().unwrap_or(table.header + 1)
}

fn columns(table: &Table) -> Result<Vec<(Column, usize)>, Flaw> {
    let mut columns: Vec<(Column, usize)> = Vec::new();
    for (place, name) in table.columns.iter().enumerate() {
        let Some(column) = Column::read(name) else {
            continue;
        };
        if columns.iter().any(|(known, _)| *known == column) {
            return Err(flaw(
                table.header + 1,
                format!("the column {name:?} is there twice"),
            ));
        }
        columns.push((column, place));
    }
    Ok(columns)
}

fn rows(sheet: &Sheet, table: &Table, columns: &[(Column, usize)]) -> Result<Vec<Row>, Flaw> {
    let mut rows: Vec<Row> = Vec::new();
    if table.rows.len() > MOST_ROWS {
        return Err(flaw(
            table.header + 1,
            format!("the table has more than {MOST_ROWS} rows"),
        ));
    }
    for place in &table.rows {
        let (line, mut cells) = (place + 1, sheet.cells(*place));
        if cells.iter().all(|cell| cell.is_empty()) {
            continue;
        }
        let width = table.columns.len();
        if cells.len() > width {
            // A bar in the notes, where they come last, is no further cell.
            let notes_last = columns.contains(&(Column::Notes, width - 1));
            if !notes_last {
                return Err(flaw(
                    line,
                    format!(
                        "there are {} cells, and the table has {width} columns; write a bar in a text as \\|",
                        cells.len()
                    ),
                ));
            }
            let notes = cells.split_off(width - 1).join("|");
            cells.push(notes);
        }
        let cell = |column: Column| {
            let place = columns.iter().find(|(known, _)| *known == column)?.1;
            filled(cells.get(place)?)
        };
        let given = cell(Column::Step).unwrap_or_default();
        let number = digits(&given).filter(|number| *number > 0);
        let number = number.ok_or_else(|| {
            flaw(
                line,
                format!("expected a step's number, and found {given:?}"),
            )
        })?;
        if let Some(first) = rows.iter().find(|row| row.number == number) {
            return Err(flaw(
                line,
                format!(
                    "step {} is there twice; first in line {}",
                    two_digits(number),
                    first.line
                ),
            ));
        }
        let place = columns.iter().find(|(known, _)| *known == Column::Status);
        let state = place.and_then(|(_, place)| cells.get(*place).cloned());
        let state = state.unwrap_or_default();
        rows.push(Row {
            number,
            name: cell(Column::Name).unwrap_or_else(|| format!("Step {number}")),
            state: State::read(&state).ok_or_else(|| unknown_state(line, &state))?,
            started: cell(Column::Started),
            completed: cell(Column::Completed),
            notes: cell(Column::Notes),
            line,
        });
    }
    Ok(rows)
}

/// Whether a step's own cells tell one story.
fn consistent(step: &Row) -> Result<(), Flaw> {
    let number = two_digits(step.number);
    let says = |what: String| Err(flaw(step.line, what));
    match (step.state, &step.started, &step.completed) {
        (State::Pending, Some(at), _) => {
            says(format!("step {number} is pending, but started {at:?}"))
        }
        (State::Pending | State::InProgress, _, Some(at)) => says(format!(
            "step {number} is {}, but completed {at:?}",
            step.state.as_str()
        )),
        (_, Some(started), Some(completed)) if is_after(started, completed) => says(format!(
            "step {number} completed at {completed}, before it started at {started}"
        )),
        _ => Ok(()),
    }
}

/// The steps that a cell names: numbers, with commas between them, or one step's name. What we write begins with the
/// number, so that goes before a name that looks like it.
pub(super) fn named(text: &str, rows: &[Row], line: usize) -> Result<Vec<u32>, Flaw> {
    let is_bare =
        |char: char| char.is_ascii_digit() || char == ' ' || BETWEEN_NUMBERS.contains(&char);
    if text.chars().all(is_bare)
        && let Ok(numbers) = numbered(text, rows, line)
    {
        return Ok(numbers);
    }
    // A number and that step's name, which may hold numbers and commas of its own.
    let both = |row: &&Row| {
        let behind = text.trim_start_matches(|char: char| char.is_ascii_digit());
        digits(text) == Some(row.number) && plain(&visible(behind)) == plain(&visible(&row.name))
    };
    let alone = |row: &&Row| plain(&row.name) == plain(text);
    if let Some(row) = rows.iter().find(both).or_else(|| rows.iter().find(alone)) {
        return Ok(vec![row.number]);
    }
    numbered(text, rows, line)
}

/// The steps whose numbers a cell lists.
fn numbered(text: &str, rows: &[Row], line: usize) -> Result<Vec<u32>, Flaw> {
    let mut numbers = Vec::new();
    for part in text.split(BETWEEN_NUMBERS) {
        match digits(part) {
            Some(number) if rows.iter().any(|row| row.number == number) => numbers.push(number),
            Some(number) => {
                return Err(flaw(
                    line,
                    format!("there is no step {}", two_digits(number)),
                ));
            }
            // What follows a number is its name.
            None if !numbers.is_empty() => break,
            None => return Err(flaw(line, format!("{text:?} names no step"))),
        }
    }
    Ok(numbers)
}

/// The first number in a text.
fn digits(text: &str) -> Option<u32> {
    let start = text.find(|char: char| char.is_ascii_digit())?;
    let digits = text[start..]
        .split(|char: char| !char.is_ascii_digit())
        .next()?;
    digits.parse().ok()
}

/// What a cell holds; none for the many ways to write nothing.
pub(super) fn filled(cell: &str) -> Option<String> {
    let nothing =
        cell.len() < 16 && matches!(plain(cell).as_str(), "" | "none" | "n_a" | "na" | "null");
    (!nothing).then(|| cell.to_owned())
}

/// What the plan is called, by the first heading.
fn title(sheet: &Sheet) -> Option<String> {
    let heading = sheet
        .lines()
        .find_map(|line| line.strip_prefix("# "))?
        .trim();
    let ours = heading.strip_prefix("Status:");
    let others = || {
        heading
            .strip_suffix("Status")
            .or(heading.strip_suffix("Execution Status"))
    };
    let name = ours.or_else(others).unwrap_or(heading);
    let name = name.trim_matches([' ', '-', '–']);
    (!name.is_empty()).then(|| name.to_owned())
}

fn unknown_state(line: usize, given: &str) -> Flaw {
    let known: Vec<_> = State::ALL.map(State::as_str).into();
    flaw(
        line,
        format!(
            "{given:?} is not a status; expected one of {}",
            known.join(", ")
        ),
    )
}

fn flaw(line: usize, what: impl Into<String>) -> Flaw {
    Flaw {
        line: Some(line),
        what: what.into(),
    }
}

fn missing(what: &str) -> Flaw {
    Flaw {
        line: None,
        what: what.into(),
    }
}
