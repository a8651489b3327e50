//! Connections that read.

use super::{connect::Address, flush, sql_error::read_error};
use crate::JournalError;
use deadpool_postgres::{
    Client, Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime,
};
use std::{
    error::Error as _,
    time::{Duration, Instant},
};

/// How many reads go on at once; the others wait for their turn.
const MOST: usize = 8;

/// How long a read waits for a connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it waits before it tries again.
const PAUSE: Duration = Duration::from_millis(100);

/// A pool of connections that read.
#[derive(Clone)]
pub(super) struct Readers(Pool);

impl std::fmt::Debug for Readers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Readers")
    }
}

impl Readers {
    /// Makes a pool that connects when it is first needed.
    pub fn new(address: &Address) -> Result<Self, JournalError> {
        let manager = Manager::from_config(
            address.config.clone(),
            address.tls.clone(),
            ManagerConfig {
                recycling_method: RecyclingMethod::Fast,
            },
        );
        let pool = Pool::builder(manager)
            .max_size(MOST)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .build()
            .map_err(|error| {
                JournalError::open(&address.shown, "no connections can be made").with_source(error)
            })?;
        Ok(Self(pool))
    }

    /// Reads, and once more where the connection turns out to be broken: the server was restarted, or another
    /// one has taken its place.
    pub async fn read<T, F>(&self, read: impl Fn(Client) -> F) -> Result<T, JournalError>
    where
        F: Future<Output = Result<T, JournalError>>,
    {
        let began = Instant::now();
        loop {
            let done = match self.get().await {
                Ok(client) => read(client).await,
                Err(error) => Err(error),
            };
            match done {
                Err(error) if is_broken(&error) && began.elapsed() < PATIENCE => {
                    tokio::time::sleep(PAUSE).await;
                }
                done => return done,
            }
        }
    }

    /// A connection of its own for one read, or for several at one moment (`build_transaction`).
    pub async fn get(&self) -> Result<Client, JournalError> {
        self.0.get().await.map_err(|error| match error {
            PoolError::Backend(error) => read_error(error),
            PoolError::Timeout(_) => JournalError::read(format!(
                "PostgreSQL gave no connection within {} seconds: it is down, cannot be reached or \
                 has none left (`max_connections`)",
                PATIENCE.as_secs()
            )),
            error => JournalError::read("no connection to PostgreSQL").with_source(error),
        })
    }
}

fn is_broken(error: &JournalError) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    cause.is_some_and(flush::is_broken)
}
