//! What is measured of a server over HTTP.

use crate::{
    http_client::{Era, HttpClient, HttpServer, Question},
    measure::Load,
    process,
};
use futures::future::try_join_all;
use std::{
    cell::Cell,
    time::{Duration, Instant},
};

/// So many clients call one after the other for `time`, and answer each question at once; each has one call in
/// flight.
///
/// # Errors
/// When the server ends, or a call ends without its answer.
pub async fn load(
    server: &HttpServer,
    era: Era,
    token: Option<&str>,
    window: usize,
    time: Duration,
) -> anyhow::Result<Load> {
    let connect = || HttpClient::connect(server.address(), era, token);
    let clients = try_join_all((0..window).map(|_| connect())).await?;
    let (cpu, written) = (process::cpu(server.pid())?, process::written(server.pid())?);
    let (began, last) = (Instant::now(), Cell::new(0));
    let each = clients.into_iter().map(|mut client| {
        let last = &last;
        async move {
            let mut latencies = Vec::new();
            while began.elapsed() < time {
                let sent = Instant::now();
                last.set(last.get() + 1);
                let call = last.get();
                let question = client.ask(call).await?;
                client.answer(call, &question).await?;
                latencies.push(sent.elapsed().as_micros() as u32);
            }
            anyhow::Ok(latencies)
        }
    });
    let mut latencies = try_join_all(each).await?.concat();
    let took = began.elapsed();
    latencies.sort_unstable();
    let calls = latencies.len();
    let cpu = process::cpu(server.pid())? - cpu;
    Ok(Load {
        window,
        calls,
        rate: calls as f64 / took.as_secs_f64(),
        cpu_us: cpu.as_secs_f64() * 1e6 / calls as f64,
        disk_bytes: (process::written(server.pid())? - written) as f64 / calls as f64,
        latencies,
    })
}

/// Sessions with an ask open in each.
#[derive(Debug)]
pub struct Waiting {
    clients: Vec<(HttpClient, Question)>,
    /// Bytes for each session before anything was asked in it.
    pub idle_bytes: f64,
    /// Bytes for each once an ask was open in it.
    pub open_bytes: f64,
}

/// Begins so many sessions, and then asks in each. The tokens take turns.
///
/// # Errors
/// When a session cannot be begun, or does not ask.
pub async fn wait_in_sessions(
    server: &HttpServer,
    tokens: &[String],
    sessions: usize,
) -> anyhow::Result<Waiting> {
    let before = process::settled_resident(server.pid())?;
    let mut clients = Vec::new();
    for number in 0..sessions {
        let token = (!tokens.is_empty()).then(|| tokens[number % tokens.len()].as_str());
        clients.push(HttpClient::connect(server.address(), Era::Older, token).await?);
    }
    let idle = process::resident(server.pid())?;
    let mut waiting = Vec::new();
    for (number, mut client) in clients.into_iter().enumerate() {
        let question = client.ask(1_000_000_000 + number as u64).await?;
        waiting.push((client, question));
    }
    let open = process::settled_resident(server.pid())?;
    let each = |now: u64| (now as f64 - before as f64) / sessions as f64;
    Ok(Waiting {
        clients: waiting,
        idle_bytes: each(idle),
        open_bytes: each(open),
    })
}

impl Waiting {
    /// Answers every one of them, and sees that each gets its own answer.
    ///
    /// # Errors
    /// When one does not.
    pub async fn answer(self) -> anyhow::Result<usize> {
        let count = self.clients.len();
        for (number, (mut client, question)) in self.clients.into_iter().enumerate() {
            client
                .answer(1_000_000_000 + number as u64, &question)
                .await?;
        }
        Ok(count)
    }
}

/// How long a list of the tools takes, in milliseconds, sorted: one after the other for `time`.
///
/// # Errors
/// When it is not given.
pub async fn lists(
    server: &HttpServer,
    token: Option<&str>,
    time: Duration,
) -> anyhow::Result<Vec<f64>> {
    let mut client = HttpClient::connect(server.address(), Era::Older, token).await?;
    let (began, mut taken) = (Instant::now(), Vec::new());
    while began.elapsed() < time {
        let sent = Instant::now();
        client.list_tools().await?;
        taken.push(sent.elapsed().as_secs_f64() * 1e3);
    }
    taken.sort_by(f64::total_cmp);
    Ok(taken)
}
