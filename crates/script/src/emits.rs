//! What a script emits, sent to the MCP client that called it.

use futures::{FutureExt, future::BoxFuture};
use holdpoint::{Emit, Emits, Level, ToolContext};
use serde_json::{Value, json};

/// Sends what a script emits to the MCP client of a call: progress on its token, the rest in its log.
pub struct ToClient(
    /// The call.
    pub ToolContext,
);

impl Emits for ToClient {
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()> {
        async move {
            let cx = &self.0;
            match &emit {
                Emit::Progress { value, message } => {
                    cx.progress(*value, Some(1.0), message.as_deref()).await;
                    return;
                }
                Emit::Status { message, .. } => {
                    // Where progress is shown, its message is too; how far it has come stays as it is.
                    cx.progress(0.0, Some(1.0), Some(message)).await;
                }
                Emit::Thinking { active, message } => {
                    if let Some(message) = message.as_deref().filter(|_| *active) {
                        cx.progress(0.0, Some(1.0), Some(message)).await;
                    }
                    return;
                }
                _ => {}
            }
            let log = cx.logger();
            match (emit.level(), log_line(&emit)) {
                (Level::Debug, line) => log.debug(line).await,
                (Level::Info, line) => log.info(line).await,
                (Level::Warning, line) => log.warning(line).await,
                (Level::Error, line) => log.error(line).await,
            }
        }
        .boxed()
    }
}

/// An event as a line of a client's log; an artifact's content is in the result.
fn log_line(emit: &Emit) -> Value {
    match emit {
        Emit::Artifact(artifact) => json!({
            "emit": "artifact", "title": artifact.title, "type": artifact.kind,
        }),
        other => serde_json::to_value(other).unwrap_or_default(),
    }
}
