//! Asking an address whether Holdpoint is there.

use serde::Deserialize;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// A page of this machine answers sooner.
const PATIENCE: Duration = Duration::from_secs(1);
/// No answer that is ours is longer.
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

/// What the page at this address says of itself; none where there is none.
pub async fn health(address: SocketAddr) -> Option<Health> {
    let asked = async {
        let mut stream = TcpStream::connect(address).await.ok()?;
        let request =
            format!("GET /api/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        stream.take(LONGEST).read_to_end(&mut answer).await.ok()?;
        let answer = String::from_utf8(answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let ours = head.starts_with("HTTP/1.1 200") && head.contains("holdpoint-api:");
        ours.then(|| serde_json::from_str(body).ok()).flatten()
    };
    tokio::time::timeout(PATIENCE, asked).await.ok().flatten()
}
