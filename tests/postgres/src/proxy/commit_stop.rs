//! Stopping a connection at a COMMIT.

use std::{io, sync::Mutex};
use tokio::sync::oneshot;

/// Where a connection is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitPoint {
    /// The server has not seen the COMMIT.
    Unsent,
    /// The server has committed and said so, and the client has not heard it.
    Unanswered,
}

/// A stop that a connection will come to. Dropped, it closes a connection that has come to it.
pub struct CommitStop {
    reached: Option<oneshot::Receiver<()>>,
    pass: oneshot::Sender<()>,
}

impl CommitStop {
    /// Waits until a connection has come to it.
    pub async fn reached(&mut self) {
        if let Some(reached) = &mut self.reached {
            reached.await.expect("the proxy is there");
        }
        self.reached = None;
    }

    /// Closes the connection that has come to it.
    pub fn cut(self) {}

    /// Lets the connection go on.
    pub fn pass(self) {
        let _ = self.pass.send(());
    }
}

/// The stops that no connection has come to yet, in order.
#[derive(Default)]
pub struct Stops(Mutex<Vec<Stop>>);

struct Stop {
    point: CommitPoint,
    reached: oneshot::Sender<()>,
    passed: oneshot::Receiver<()>,
}

impl Stops {
    pub fn add(&self, point: CommitPoint) -> CommitStop {
        let (reached, is_reached) = oneshot::channel();
        let (pass, passed) = oneshot::channel();
        let stop = Stop {
            point,
            reached,
            passed,
        };
        self.0.lock().unwrap().push(stop);
        CommitStop {
            reached: Some(is_reached),
            pass,
        }
    }

    /// Comes to a point, and waits there where a stop is for it.
    pub async fn at(&self, point: CommitPoint) -> io::Result<()> {
        let stop = {
            let mut stops = self.0.lock().unwrap();
            stops.retain(|stop| !stop.reached.is_closed());
            let found = stops.iter().position(|stop| stop.point == point);
            found.map(|index| stops.remove(index))
        };
        let Some(stop) = stop else { return Ok(()) };
        let _ = stop.reached.send(());
        let passed = stop.passed.await;
        passed.map_err(|_| io::ErrorKind::ConnectionAborted.into())
    }
}
