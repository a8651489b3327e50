//! What a script logs with `console`.

use std::sync::{Mutex, PoisonError};

/// How much is kept between two yields; a loop may log for two seconds.
const LINES: usize = 500;
const BYTES: usize = 64 << 10;

/// One line that a script logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// `debug`, `log`, `info`, `warn` or `error`.
    pub level: String,
    /// What it said.
    pub message: String,
}

#[derive(Debug, Default)]
pub(super) struct Logs(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    lines: Vec<LogLine>,
    bytes: usize,
    left_out: usize,
}

impl Logs {
    pub fn take_in(&self, level: &str, message: String) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.bytes + message.len();
        if kept.lines.len() >= LINES || bytes > BYTES {
            kept.left_out += 1;
            return;
        }
        kept.bytes = bytes;
        let level = level.to_owned();
        kept.lines.push(LogLine { level, message });
    }

    pub fn take(&self) -> Vec<LogLine> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept {
            mut lines,
            left_out,
            ..
        } = std::mem::take(&mut *kept);
        if left_out > 0 {
            lines.push(LogLine {
                level: "warn".into(),
                message: format!("{left_out} more log lines were left out"),
            });
        }
        lines
    }
}
