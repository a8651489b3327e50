//! The client's log.
#![allow(deprecated)] // Older clients still have it, newer ones ask for it by request.

use crate::flow::call::Call;
use rmcp::model::LoggingLevel;
use serde_json::Value;
use std::{fmt, sync::Arc};

/// Sends lines to the log of a client that wants them.
///
/// ```
/// # #![allow(deprecated)]
/// use holdpoint::ToolContext;
/// use rmcp::model::LoggingLevel;
///
/// async fn import(cx: &ToolContext, skipped: &[String]) {
///     let log = cx.logger();
///     log.info("the import begins").await;
///     if log.wants(LoggingLevel::Debug) {
///         log.debug(serde_json::json!({ "skipped": skipped })).await;
///     }
///     match skipped.len() {
///         0 => {}
///         1..10 => log.warning("some rows were left out").await,
///         _ => log.error("most rows were left out").await,
///     }
/// }
/// ```
#[derive(Clone)]
pub struct Logger {
    pub(crate) call: Arc<Call>,
}

impl Logger {
    /// A line for whoever looks closely.
    pub async fn debug(&self, message: impl Into<Value>) {
        self.log(LoggingLevel::Debug, message.into()).await;
    }

    /// A line about what happens.
    pub async fn info(&self, message: impl Into<Value>) {
        self.log(LoggingLevel::Info, message.into()).await;
    }

    /// A line about what may be wrong.
    pub async fn warning(&self, message: impl Into<Value>) {
        self.log(LoggingLevel::Warning, message.into()).await;
    }

    /// A line about what is wrong.
    pub async fn error(&self, message: impl Into<Value>) {
        self.log(LoggingLevel::Error, message.into()).await;
    }

    /// Whether the client wants lines of this level now; a line that takes work is made only then.
    pub fn wants(&self, level: LoggingLevel) -> bool {
        let active = self.call.active.get();
        let active = active.filter(|_| !self.call.repeats());
        active.is_some_and(|active| active.wants_log(level))
    }

    pub(crate) async fn log(&self, level: LoggingLevel, message: Value) {
        if self.wants(level)
            && let Some(active) = self.call.active.get()
        {
            active.send_log(level, message).await;
        }
    }
}

impl fmt::Debug for Logger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Logger").field(&self.call.id).finish()
    }
}
