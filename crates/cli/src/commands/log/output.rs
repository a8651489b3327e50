//! What is written to standard output.

use anstream::AutoStream;
use serde_json::Value;
use std::{
    fmt::Display,
    io::{self, StdoutLock, Write as _},
};

/// Standard output, with styles only where a terminal shows them, and an error where nobody reads
/// any more.
pub struct Output {
    stream: AutoStream<StdoutLock<'static>>,
    /// JSON is wanted.
    pub json: bool,
}

impl Output {
    /// Standard output.
    pub fn new(json: bool) -> Self {
        Self {
            stream: AutoStream::auto(io::stdout().lock()),
            json,
        }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn line(&mut self, text: impl Display) -> anyhow::Result<()> {
        Ok(writeln!(self.stream, "{text}")?)
    }

    /// Writes a JSON value for people to read too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn value(&mut self, value: &Value) -> anyhow::Result<()> {
        self.line(format_args!("{value:#}"))
    }
}

/// Whether whoever read the output has gone.
pub fn is_closed(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
