//! What is measured of one server.

use crate::{
    client::{Client, Said},
    figures::Figure,
    process,
    statistics::{median, share_of},
};
use std::{
    collections::HashMap,
    process::Command,
    time::{Duration, Instant},
};

/// One run with so many calls in flight.
#[derive(Debug, Clone)]
pub struct Load {
    /// Calls in flight.
    pub window: usize,
    /// How many were made.
    pub calls: usize,
    /// Calls a second.
    pub rate: f64,
    /// The server's processor time per call, in microseconds.
    pub cpu_us: f64,
    /// What the server caused to be written to the disk per call, in bytes.
    pub disk_bytes: f64,
    /// Microseconds from the call to its result, sorted.
    pub latencies: Vec<u32>,
}

/// Keeps `window` calls in flight for `time`, and answers each question at once.
///
/// # Errors
/// When the server ends, or a call ends without its answer.
pub fn load(client: &mut Client, window: usize, time: Duration) -> anyhow::Result<Load> {
    let (cpu, written) = (process::cpu(client.pid())?, process::written(client.pid())?);
    let mut sent = HashMap::with_capacity(window);
    let mut latencies = Vec::new();
    let began = Instant::now();
    for _ in 0..window {
        sent.insert(client.call(), Instant::now());
    }
    while !sent.is_empty() {
        match client.said()? {
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
        disk_bytes: (process::written(client.pid())? - written) as f64 / calls as f64,
        latencies,
    })
}

impl Load {
    /// The middle of several.
    pub fn middle<'a>(name: String, loads: impl Iterator<Item = &'a Self> + Clone) -> Figure {
        let of = |value: fn(&Self) -> Option<f64>| median(loads.clone().filter_map(value));
        let shown = |value: Option<f64>| value.unwrap_or(f64::NAN);
        let note = format!(
            "p50 {:.2} ms, p99 {:.2} ms, CPU {:.0} µs, disk {:.1} KB a call",
            shown(of(|load| load.latency(0.5))),
            shown(of(|load| load.latency(0.99))),
            shown(of(|load| Some(load.cpu_us))),
            shown(of(|load| Some(load.disk_bytes / 1e3))),
        );
        Figure::new(name, of(|load| Some(load.rate)), "calls/s").note(note)
    }

    /// The time that this share of the calls kept, in milliseconds.
    pub fn latency(&self, share: f64) -> Option<f64> {
        share_of(&self.latencies, share).map(|micros| f64::from(micros) / 1e3)
    }
}

/// What is measured of open asks.
#[derive(Debug, Clone, Copy)]
pub struct Parked {
    /// Bytes for each.
    pub bytes: f64,
    /// How many were opened in a second.
    pub rate: f64,
}

/// How long a start takes, from the spawn to the handshake's answer.
///
/// # Errors
/// When the server does not start.
pub fn start(command: &mut Command) -> anyhow::Result<Duration> {
    let (client, took) = Client::start(command)?;
    client.stop()?;
    Ok(took)
}

/// How much memory an open ask takes: `asks` are left unanswered.
///
/// # Errors
/// When the server does not start, or ends a call.
pub fn parked(command: &mut Command, tool: &'static str, asks: usize) -> anyhow::Result<Parked> {
    const LOT: usize = 64;
    let (mut client, _) = Client::start(command)?;
    client.tool = tool;
    load(&mut client, LOT, Duration::from_secs(1))?;
    let before = process::settled_resident(client.pid())?;
    let (began, mut open) = (Instant::now(), 0);
    while open < asks {
        // A lot at a time: neither side's pipe runs full.
        let lot = LOT.min(asks - open);
        for _ in 0..lot {
            client.call();
        }
        for _ in 0..lot {
            if let Said::Ended(call) = client.said()? {
                anyhow::bail!("call {call} ended and nobody had answered");
            }
        }
        open += lot;
    }
    let rate = asks as f64 / began.elapsed().as_secs_f64();
    let after = process::settled_resident(client.pid())?;
    client.stop()?;
    Ok(Parked {
        bytes: (after as f64 - before as f64) / asks as f64,
        rate,
    })
}
