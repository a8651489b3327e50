//! What is measured of one server.

use crate::{
    client::{Client, Said},
    process,
};
use serde::Serialize;
use std::{
    collections::HashMap,
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

/// One run with so many calls in flight.
#[derive(Debug, Clone, Serialize)]
pub struct Load {
    /// Calls in flight.
    pub window: usize,
    /// How many were made.
    pub calls: usize,
    /// Calls a second.
    pub rate: f64,
    /// The server's processor time per call, in microseconds.
    pub cpu_us: f64,
    /// Microseconds from the call to its result, sorted.
    #[serde(skip)]
    pub latencies: Vec<u32>,
}

/// Keeps `window` calls in flight for `time`, and answers each question at once.
pub fn load(client: &mut Client, window: usize, time: Duration) -> anyhow::Result<Load> {
    let cpu = process::cpu(client.pid())?;
    let mut sent = HashMap::with_capacity(window);
    let mut latencies = Vec::new();
    let began = Instant::now();
    for _ in 0..window {
        sent.insert(client.call(), Instant::now());
    }
    while !sent.is_empty() {
        match client.next()? {
            Said::Asked(id, call) => client.answer(&id, call),
            Said::Ended(call) => {
                let now = Instant::now();
                if let Some(at) = sent.remove(&call) {
                    latencies.push((now - at).as_micros() as u32);
                }
                if now - began < time {
                    sent.insert(client.call(), now);
                }
            }
        }
    }
    let took = began.elapsed();
    let calls = latencies.len();
    latencies.sort_unstable();
    Ok(Load {
        window,
        calls,
        rate: calls as f64 / took.as_secs_f64(),
        cpu_us: (process::cpu(client.pid())? - cpu).as_secs_f64() * 1e6 / calls as f64,
        latencies,
    })
}

/// How long a start takes, from the spawn to the handshake's answer.
pub fn start(command: &mut Command) -> anyhow::Result<Duration> {
    let (client, took) = Client::start(command)?;
    client.stop()?;
    Ok(took)
}

/// How much memory an open ask takes, in bytes: `asks` are left unanswered.
pub fn parked(command: &mut Command, tool: &'static str, asks: usize) -> anyhow::Result<f64> {
    const LOT: usize = 64;
    let (mut client, _) = Client::start(command)?;
    client.tool = tool;
    load(&mut client, LOT, Duration::from_secs(1))?;
    sleep(Duration::from_millis(500));
    let before = process::resident(client.pid())?;
    let mut open = 0;
    while open < asks {
        // A lot at a time: neither side's pipe runs full.
        let lot = LOT.min(asks - open);
        for _ in 0..lot {
            client.call();
        }
        for _ in 0..lot {
            if let Said::Ended(call) = client.next()? {
                anyhow::bail!("call {call} ended and nobody had answered");
            }
        }
        open += lot;
    }
    sleep(Duration::from_millis(500));
    let after = process::resident(client.pid())?;
    client.stop()?;
    Ok((after as f64 - before as f64) / asks as f64)
}
