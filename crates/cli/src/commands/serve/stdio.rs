//! Serving over standard input and output.

use super::hold_until_ready::HoldUntilReady;
use anyhow::Context;
use holdpoint::Holdpoint;
use rmcp::{ServerHandler, ServiceExt, service::ServerInitializeError};
use tokio::sync::oneshot;

/// Serves until the client closes standard input, or `stop` is there. Asks that are open then stay
/// open in the journal: nobody has answered them.
///
/// The client is greeted while `page` still looks for its place; nobody is asked before it has one.
///
/// # Errors
/// When the client does not speak MCP, or `page` fails.
pub async fn run<H: ServerHandler>(
    server: Holdpoint<H>,
    page: impl Future<Output = anyhow::Result<()>>,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let (ready, told) = oneshot::channel();
    let page = async {
        page.await?;
        let _ = ready.send(());
        Ok(())
    };
    let serve = async {
        let transport = HoldUntilReady::new(holdpoint::stdio(), told);
        let running = match server.serve(transport).await {
            Ok(running) => running,
            // A client that only looked whether the program starts.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(error).context("the client does not speak MCP"),
        };
        running.waiting().await?;
        Ok(())
    };
    tokio::select! {
        served = async { tokio::try_join!(serve, page) } => served.map(drop),
        () = stop => {
            tracing::info!("stopping; open asks stay open");
            Ok(())
        }
    }
}
