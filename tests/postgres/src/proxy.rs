//! A proxy before a server, which does to connections what networks do.

mod commit_stop;
mod connection;
mod messages;

pub use commit_stop::{CommitPoint, CommitStop};

use commit_stop::Stops;
use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    net::TcpListener,
    sync::watch,
    task::{AbortHandle, JoinHandle},
};

/// A proxy on loopback. It knows PostgreSQL's messages, so it sees a COMMIT go by, but not inside TLS.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the client.
    ToServer,
    /// From the server.
    ToClient,
}

/// What all connections have in common.
struct Shared {
    target: Mutex<SocketAddr>,
    weather: watch::Sender<Weather>,
    connections: Mutex<Vec<AbortHandle>>,
    stops: Stops,
}

/// What happens to what goes by.
#[derive(Debug, Default)]
struct Weather {
    refuses: bool,
    holds: bool,
    swallows: Option<Direction>,
    loses_notifications: bool,
    delay: Duration,
}

impl Proxy {
    /// Starts a proxy that leads to this server.
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let shared = Arc::new(Shared {
            target: Mutex::new(target),
            weather: watch::Sender::default(),
            connections: Mutex::default(),
            stops: Stops::default(),
        });
        Self {
            address: listener.local_addr().unwrap(),
            accepting: tokio::spawn(accept(listener, shared.clone())),
            shared,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes all connections now.
    pub fn cut(&self) {
        for connection in self.shared.connections.lock().unwrap().drain(..) {
            connection.abort();
        }
    }

    /// Leads new connections to another server, and closes the others.
    pub fn lead_to(&self, target: SocketAddr) {
        *self.shared.target.lock().unwrap() = target;
        self.cut();
    }

    /// Closes new connections at once, until all is well again. Those that there are stay.
    pub fn refuse(&self) {
        self.change(|weather| weather.refuses = true);
    }

    /// Holds everything back, new connections too, and delivers it when all is well again, as a network does that
    /// was parted.
    pub fn hold(&self) {
        self.change(|weather| weather.holds = true);
    }

    /// Throws away what goes this way, and closes nothing.
    pub fn swallow(&self, direction: Direction) {
        self.change(|weather| weather.swallows = Some(direction));
    }

    /// Throws away what other sessions notify, and nothing else.
    pub fn lose_notifications(&self) {
        self.change(|weather| weather.loses_notifications = true);
    }

    /// Delays each message, both ways.
    pub fn delay(&self, delay: Duration) {
        self.change(|weather| weather.delay = delay);
    }

    /// Makes all well again. Connections that have lost something are closed.
    pub fn heal(&self) {
        if self.shared.weather.borrow().swallows.is_some() {
            self.cut();
        }
        self.change(|weather| *weather = Weather::default());
    }

    /// Stops the connection on which the next COMMIT comes by, at this point.
    pub fn stop_at_commit(&self, point: CommitPoint) -> CommitStop {
        self.shared.stops.add(point)
    }

    fn change(&self, change: impl FnOnce(&mut Weather)) {
        self.shared.weather.send_modify(change);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.cut();
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        let (client, _) = listener.accept().await.unwrap();
        if shared.weather.borrow().refuses {
            continue;
        }
        let connection = tokio::spawn(connection::serve(client, shared.clone()));
        let mut connections = shared.connections.lock().unwrap();
        connections.retain(|connection| !connection.is_finished());
        connections.push(connection.abort_handle());
    }
}

impl Shared {
    /// Waits until something may go this way, and says whether it arrives.
    async fn lets_through(&self, direction: Direction) -> bool {
        let mut weather = self.weather.subscribe();
        let delay = weather.borrow().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match weather.wait_for(|weather| !weather.holds).await {
            Ok(weather) => weather.swallows != Some(direction),
            Err(_) => false,
        }
    }
}
