//! Asks an address whether a Holdpoint page is there.

use serde::Deserialize;
use std::{net::SocketAddr, time::Duration};
use ureq::Agent;

/// A page on this machine answers sooner than this.
const TIMEOUT: Duration = Duration::from_secs(1);
/// No answer of ours has more bytes.
const LONGEST: u64 = 4096;

/// What a page says of itself.
#[derive(Debug, Clone, Deserialize)]
pub struct Health {
    /// Its version.
    #[serde(rename = "holdpoint")]
    pub version: String,
    /// What names its journal.
    pub journal: String,
}

/// Asks the page at this address about itself; none where there is no page of ours.
pub async fn health(address: SocketAddr) -> Option<Health> {
    let asked = tokio::task::spawn_blocking(move || ask(address));
    asked.await.ok().flatten()
}

fn ask(address: SocketAddr) -> Option<Health> {
    // No proxy and no redirects: only what listens at this very address may answer.
    let config = Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .proxy(None)
        .max_redirects(0)
        .build();
    let url = format!("http://{address}/api/health");
    let mut answer = Agent::new_with_config(config).get(url).call().ok()?;
    if answer.status() != 200 || !answer.headers().contains_key("holdpoint-api") {
        return None;
    }
    let body = answer.body_mut().with_config().limit(LONGEST);
    serde_json::from_str(&body.read_to_string().ok()?).ok()
}
