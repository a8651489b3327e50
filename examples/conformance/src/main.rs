//! The fixture server that MCP's official conformance suite tests.
//!
//! ```text
//! cargo run --release -p conformance -- 127.0.0.1:8080
//! ```
//!
//! serves `/mcp` for both protocol eras. The fixtures' names and texts are the suite's:
//!
//! - [`tools`]: content, errors, progress, logging, schemas and headers
//! - [`elicitation`]: everything that asks a person, in both eras
//! - [`sampling`]: what asks the client itself, a model or its roots
//! - [`tasks`]: the tasks extension
//! - [`prompts`], [`resources`]
//! - [`server`]: the handler that ties them together

mod elicitation;
mod prompts;
mod resources;
mod sampling;
mod server;
mod tasks;
mod tools;

use std::{net::SocketAddr, time::Duration};

use anyhow::Context;
use clap::Parser;
use holdpoint::{ClientProfile, Desk, Holdpoint, HttpService, Settings, http_settings};
use tokio::net::TcpListener;

use crate::server::Fixtures;

/// Serves the fixtures of MCP's conformance suite at /mcp.
#[derive(Parser)]
struct Args {
    /// Where to listen; port 0 takes a free one.
    #[arg(default_value = "127.0.0.1:0")]
    address: SocketAddr,

    /// Where asks and decisions are recorded.
    #[arg(long, value_name = "URL", default_value = "memory:")]
    journal: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let listener = TcpListener::bind(args.address)
        .await
        .with_context(|| format!("cannot listen on {}", args.address))?;
    println!("http://{}/mcp", listener.local_addr()?);

    // The suite's person is a program, which answers at once.
    let settings = Settings::default().fast_reply(Duration::ZERO);
    let journal = holdpoint::journal::open(&args.journal).await?;
    // And selects nothing by itself: it is to be sent the plain forms that the suite checks.
    let mut plain = ClientProfile::default();
    plain.preselects_first = false;
    let mut desk = Desk::builder(journal).settings(settings);
    for client in ["conformance-test-client", "conformance-client"] {
        desk = desk.profile(client, plain.clone());
    }
    let desk = desk.build().await?;
    let server = Holdpoint::new(desk, Fixtures::new())?;
    let local = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
    let service = HttpService::new(server, http_settings().with_allowed_origins(local));
    axum::serve(listener, axum::Router::new().route_service("/mcp", service))
        .with_graceful_shutdown(async {
            let _ = tokio::signal::ctrl_c().await;
        })
        .await?;
    Ok(())
}
