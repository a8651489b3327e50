//! A figure, with what is wanted of it: how the programs of the benchmark hand their results on, and the one
//! table that is made of them.
//!
//! A program keeps `{"figures":[{"name","value","unit","wanted","met"}, …]}`, with a `note` where one helps.

use serde::{Deserialize, Serialize};
use std::{fs, path::Path};

/// One thing that was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What it is.
    pub name: String,
    /// None where it could not be measured: the note says why.
    pub value: Option<f64>,
    /// In what it is counted.
    #[serde(default)]
    pub unit: String,
    /// What is wanted, in words; none where it is only told.
    #[serde(default)]
    pub wanted: Option<String>,
    /// Whether it is as wanted.
    #[serde(default)]
    pub met: Option<bool>,
    /// What else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What a program keeps.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Figures {
    /// In the order of the table.
    pub figures: Vec<Figure>,
}

impl Figure {
    /// A figure that is only told.
    pub fn new(name: impl Into<String>, value: impl Into<Option<f64>>, unit: &str) -> Self {
        Self {
            name: name.into(),
            // JSON has no other numbers.
            value: value.into().filter(|value| value.is_finite()),
            unit: unit.to_owned(),
            wanted: None,
            met: None,
            note: None,
        }
    }

    /// One that cannot be had here.
    pub fn absent(name: impl Into<String>, unit: &str, why: impl Into<String>) -> Self {
        Self::new(name, None, unit).note(why)
    }

    /// It is to be this or more.
    pub fn at_least(self, least: f64) -> Self {
        self.wants("at least", least, |value| value >= least)
    }

    /// It is to be this or less.
    pub fn at_most(self, most: f64) -> Self {
        self.wants("at most", most, |value| value <= most)
    }

    /// It is to be less than this.
    pub fn under(self, bound: f64) -> Self {
        self.wants("under", bound, |value| value < bound)
    }

    /// Says more of it.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    fn wants(mut self, words: &str, bound: f64, is_met: impl Fn(f64) -> bool) -> Self {
        self.wanted = Some(format!("{words} {}", grouped(bound, plain_digits(bound))));
        self.met = self.value.map(is_met);
        self
    }

    fn result(&self) -> &'static str {
        match (self.met, &self.wanted) {
            (Some(true), _) => "met",
            (Some(false), _) => "MISSED",
            (None, Some(_)) => "not measured",
            (None, None) => "",
        }
    }

    fn measured(&self) -> String {
        match self.value {
            Some(value) => grouped(value, digits(value)),
            None => "n/a".into(),
        }
    }
}

impl Figures {
    /// These.
    pub fn new(figures: Vec<Figure>) -> Self {
        Self { figures }
    }

    /// Prints them, and keeps them in this file if there is one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn report(&self, file: Option<&Path>) -> anyhow::Result<()> {
        print!("{}", table(self.figures.iter().map(|figure| ("", figure))));
        if let Some(file) = file {
            fs::write(file, serde_json::to_string_pretty(self)? + "\n")?;
        }
        Ok(())
    }
}

/// The table, in Markdown; with each figure goes the part that it is of.
pub fn table<'a>(figures: impl Iterator<Item = (&'a str, &'a Figure)>) -> String {
    const HEAD: [&str; 6] = ["figure", "measured", "unit", "wanted", "", "note"];
    let mut rows = vec![HEAD.map(str::to_owned)];
    for (part, figure) in figures {
        let name = match part {
            "" => figure.name.clone(),
            part if figure.name.starts_with(&format!("{part}: ")) => figure.name.clone(),
            part => format!("{part}: {}", figure.name),
        };
        rows.push([
            name,
            figure.measured(),
            figure.unit.clone(),
            figure.wanted.clone().unwrap_or_default(),
            figure.result().to_owned(),
            figure.note.clone().unwrap_or_default(),
        ]);
    }
    let wide = |row: &[String; 6], column: usize| row[column].chars().count();
    let widths: [usize; 6] =
        std::array::from_fn(|column| rows.iter().map(|row| wide(row, column)).max().unwrap_or(0));
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            // The last column is long and ragged.
            let width = if column == 5 { 0 } else { widths[column] };
            text += &format!("| {cell:<width$} ");
        }
        text += "|\n";
        if at == 0 {
            text += &widths[..5]
                .iter()
                .map(|width| format!("|{}", "-".repeat(width + 2)))
                .collect::<String>();
            text += "|---|\n";
        }
    }
    text
}

/// Three figures that count, and no more.
fn digits(value: f64) -> usize {
    match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    }
}

/// As many as the number was written with.
fn plain_digits(value: f64) -> usize {
    let text = value.to_string();
    text.split_once('.').map_or(0, |(_, after)| after.len())
}

/// The number with its thousands apart.
fn grouped(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let (whole, rest) = match text.find('.') {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    let sign = usize::from(whole.starts_with('-'));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > sign && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_met_or_missed_by_its_own_bound() {
        let check = |figure: Figure, wanted: &str, result: &str| {
            assert_eq!(figure.wanted.as_deref(), Some(wanted));
            assert_eq!(figure.result(), result);
        };
        let figure = |value| Figure::new("rate", value, "x");
        check(figure(Some(0.65)).at_least(0.65), "at least 0.65", "met");
        check(figure(Some(0.64)).at_least(0.65), "at least 0.65", "MISSED");
        check(figure(Some(1.3)).at_most(1.3), "at most 1.3", "met");
        check(figure(Some(50.0)).under(50.0), "under 50", "MISSED");
        check(figure(None).under(1_000.0), "under 1,000", "not measured");
        check(
            figure(Some(f64::NAN)).at_most(1.0),
            "at most 1",
            "not measured",
        );
    }

    #[test]
    fn what_another_program_kept_is_read_with_less_than_all_of_it() {
        let kept = r#"{"figures":[{"name":"start-up","value":12.5,"unit":"ms","wanted":"under 100","met":true}]}"#;
        let read: Figures = serde_json::from_str(kept).unwrap();
        let start = Figure::new("start-up", 12.5, "ms").under(100.0);
        assert_eq!(read.figures, [start]);
    }

    #[test]
    fn the_table_names_part_value_bound_and_result() {
        let figures = [
            Figure::new("64 in flight", 12_345.678, "calls/s").note("p50 2 ms"),
            Figure::new("ratio", 0.5, "x").at_least(0.65),
            Figure::absent("newer era", "calls/s", "it does not speak it"),
        ];
        let table = table(figures.iter().map(|figure| ("stdio", figure)));
        let wanted = "\
| figure              | measured | unit    | wanted        |        | note |
|---------------------|----------|---------|---------------|--------|---|
| stdio: 64 in flight | 12,346   | calls/s |               |        | p50 2 ms |
| stdio: ratio        | 0.500    | x       | at least 0.65 | MISSED |  |
| stdio: newer era    | n/a      | calls/s |               |        | it does not speak it |
";
        assert_eq!(table, wanted);
    }
}
