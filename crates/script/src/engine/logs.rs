//! What a script logs with `console`.

use std::sync::{Mutex, PoisonError};

/// How much is kept between two yields; a loop may log for two seconds.
const LINES: usize = 500;
const BYTES: usize = 64 << 10;
/// How much of what is emitted: that can be something that the script made.
const EMITTED_BYTES: usize = 1 << 20;

/// The level of what is emitted.
pub(crate) const EMITTED: &str = "emit";

/// One line that a script logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// `debug`, `log`, `info`, `warn` or `error`; or `emit`.
    pub level: String,
    /// Its text; what was emitted, as JSON.
    pub message: String,
}

#[derive(Debug, Default)]
pub(super) struct Logs(Mutex<Buffer>);

#[derive(Debug, Default)]
struct Buffer {
    lines: Vec<LogLine>,
    bytes: usize,
    emitted_bytes: usize,
    left_out: usize,
}

impl Logs {
    pub fn push(&self, level: &str, message: String) {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let full = buffer.lines.len() >= LINES;
        let (bytes, most) = match level {
            EMITTED => (&mut buffer.emitted_bytes, EMITTED_BYTES),
            _ => (&mut buffer.bytes, BYTES),
        };
        if full || *bytes + message.len() > most {
            buffer.left_out += 1;
            return;
        }
        *bytes += message.len();
        let level = level.to_owned();
        buffer.lines.push(LogLine { level, message });
    }

    pub fn take(&self) -> Vec<LogLine> {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Buffer {
            mut lines,
            left_out,
            ..
        } = std::mem::take(&mut *buffer);
        if left_out > 0 {
            lines.push(LogLine {
                level: "warn".into(),
                message: format!("{left_out} more lines were left out"),
            });
        }
        lines
    }
}
