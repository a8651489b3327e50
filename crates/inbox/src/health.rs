//! Asks an address whether this journal's page is there.

use crate::{
    keys::{Keys, same},
    opening_keys::hex,
};
use serde::Deserialize;
use std::{net::SocketAddr, time::Duration};
use ureq::Agent;

/// A page on this machine answers sooner than this.
const TIMEOUT: Duration = Duration::from_secs(1);
/// No answer of ours has more bytes.
const LONGEST: u64 = 4096;

#[derive(Deserialize)]
struct Health {
    /// What its key makes of the challenge.
    proof: String,
}

/// Whether the page of these keys is at this address. It has to prove that with a challenge that is new each
/// time: what it once answered can be repeated by anybody who listens there now.
pub(crate) async fn is_ours(address: SocketAddr, keys: &Keys) -> bool {
    let mut challenge = [0; 32];
    if getrandom::fill(&mut challenge).is_err() {
        return false;
    }
    let challenge = hex(&challenge);
    let expected = keys.prove(address.port(), &challenge);
    let asked = tokio::task::spawn_blocking(move || ask(address, &challenge));
    let health = asked.await.ok().flatten();
    health.is_some_and(|health| same(&health.proof, &expected))
}

fn ask(address: SocketAddr, challenge: &str) -> Option<Health> {
    // No proxy and no redirects: only what listens at this very address may answer.
    let config = Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .proxy(None)
        .max_redirects(0)
        .build();
    let url = format!("http://{address}/api/health?challenge={challenge}");
    let mut answer = Agent::new_with_config(config).get(url).call().ok()?;
    if answer.status() != 200 || !answer.headers().contains_key("holdpoint-api") {
        return None;
    }
    let body = answer.body_mut().with_config().limit(LONGEST);
    serde_json::from_str(&body.read_to_string().ok()?).ok()
}
