//! Serves the studio.
//!
//! ```text
//! cargo run --release -p studio                      speaks MCP over stdio
//! cargo run --release -p studio -- 127.0.0.1:8080    serves /mcp
//! ```

use anyhow::Context;
use clap::Parser;
use holdpoint::{Desk, Holdpoint, HttpService, Settings, http_settings};
use std::{net::SocketAddr, path::PathBuf, time::Duration};
use studio::{Studio, clips::Clips};

/// A music studio for agents: people choose, name, rate and delete its clips.
#[derive(Parser)]
struct Args {
    /// Serve /mcp at this address instead of stdio; port 0 takes a free one.
    address: Option<SocketAddr>,

    /// Where asks and decisions are recorded: sqlite:PATH or memory:. A relative path is one below
    /// Holdpoint's own folder of this user; by default it is .journal.db in the folder of the clips.
    #[arg(long, value_name = "URL")]
    journal: Option<String>,

    /// The folder of the clips.
    #[arg(long, value_name = "DIR", default_value = "studio-clips")]
    clips: PathBuf,

    /// An answer that comes faster does not count; what is dangerous takes two and a half times as long.
    #[arg(long, value_name = "MS", default_value_t = 400)]
    fast_reply_ms: u64,

    /// How long a question waits, in seconds.
    #[arg(long, value_name = "S", default_value_t = 300)]
    timeout_seconds: u64,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .with_writer(std::io::stderr)
        .init();
    let args = Args::parse();
    let clips = Clips::open(&args.clips)
        .with_context(|| format!("cannot use the folder {}", args.clips.display()))?;
    let beside = std::path::absolute(args.clips.join(".journal.db"))?;
    let journal = args
        .journal
        .unwrap_or_else(|| format!("sqlite:{}", beside.display()));
    let settings = Settings::default()
        .fast_reply(Duration::from_millis(args.fast_reply_ms))
        .timeout(Duration::from_secs(args.timeout_seconds));
    let desk = Desk::builder(holdpoint::journal::open(&journal).await?)
        .settings(settings)
        .park_for_watchers()
        .build()
        .await?;
    let server = Holdpoint::new(desk, Studio::new(clips))?;
    let Some(address) = args.address else {
        return Ok(server.serve_stdio().await?);
    };
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .with_context(|| format!("cannot listen on {address}"))?;
    println!("http://{}/mcp", listener.local_addr()?);
    let service = HttpService::new(server, http_settings());
    let app = axum::Router::new().route_service("/mcp", service);
    axum::serve(listener, app)
        .with_graceful_shutdown(async { drop(tokio::signal::ctrl_c().await) })
        .await?;
    Ok(())
}
