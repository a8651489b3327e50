//! Serving over standard input and output.

use anyhow::Context;
use holdpoint::Holdpoint;
use rmcp::{ServerHandler, ServiceExt, service::ServerInitializeError};

/// Serves until the client closes standard input, or `stop` is there. Asks that are open then stay
/// open in the journal: nobody has answered them.
///
/// # Errors
/// When what comes in is no MCP.
pub async fn run<H: ServerHandler>(
    server: Holdpoint<H>,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let serve = async {
        let running = match server.serve(holdpoint::stdio()).await {
            Ok(running) => running,
            // A client that only looked whether the program starts.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(error).context("the client does not speak MCP"),
        };
        running.waiting().await?;
        Ok(())
    };
    tokio::select! {
        served = serve => served,
        () = stop => {
            tracing::info!("stopping; open asks stay open");
            Ok(())
        }
    }
}
