//! The counts of one group as a table: how each ended, and how long people took.

use super::stats::percent;
use crate::times::millis;
use anstyle::Style;
use holdpoint::journal::stats::Ended;
use std::fmt::Write as _;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

const TITLES: [&str; 7] = [
    "asks",
    "ended",
    "accepted",
    "timed out",
    "p50",
    "p90",
    "average",
];

/// One line for each group, and one for all of them together.
pub fn table(groups: &[(String, u64, Ended)], asks: u64, all: &Ended) -> String {
    let mut lines = vec![(String::new(), TITLES.map(str::to_owned))];
    let named = |(name, asks, ended): &(String, u64, Ended)| (name.clone(), cells(*asks, ended));
    lines.extend(groups.iter().map(named));
    lines.push(("all".to_owned(), cells(asks, all)));
    let width = |text: &str| text.chars().count();
    let names = lines.iter().map(|(name, _)| width(name)).max();
    let widths: Vec<_> = (0..TITLES.len())
        .map(|column| lines.iter().map(|(_, cells)| width(&cells[column])).max())
        .collect();
    let last = lines.len() - 1;
    let mut page = String::new();
    for (place, (name, cells)) in lines.iter().enumerate() {
        let style = match place {
            0 => DIM,
            place if place == last => BOLD,
            _ => Style::new(),
        };
        let _ = write!(page, "{style}{name:<width$}", width = names.unwrap_or(0));
        for (cell, width) in cells.iter().zip(&widths) {
            let _ = write!(page, "  {cell:>width$}", width = width.unwrap_or(0));
        }
        let end = if place == last { "" } else { "\n" };
        let _ = write!(page, "{style:#}{end}");
    }
    page
}

fn cells(asks: u64, ended: &Ended) -> [String; TITLES.len()] {
    let rate = |rate: Option<f64>| rate.map_or("–".to_owned(), percent);
    let time = |time: Option<u64>| time.map_or("–".to_owned(), millis);
    let response = ended.response;
    [
        asks.to_string(),
        ended.asks.to_string(),
        rate(ended.success_rate),
        rate(ended.timed_out_rate),
        time(response.map(|response| response.p50_ms)),
        time(response.map(|response| response.p90_ms)),
        time(response.map(|response| response.mean_ms)),
    ]
}
