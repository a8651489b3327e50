//! The open asks, as they come and go.

use holdpoint::{
    Desk,
    journal::{AskQuery, AskRecord, JournalError},
};
use jiff::Timestamp;
use tokio::{sync::watch, task::JoinHandle};

/// So many are shown; one answers from the top.
const MOST: usize = 200;
/// So many are put in order: where still more are open, the dangerous ones and the newest.
const MOST_READ: usize = 2_000;

/// What is open now.
#[derive(Debug, Clone, Default)]
pub struct Open {
    /// The most urgent first; not all of them where there are very many.
    pub asks: Vec<AskRecord>,
    /// How many there are in all.
    pub count: u64,
    /// How many permissions are remembered.
    pub remembered: usize,
}

impl Open {
    /// Says that permissions are remembered, and where they are listed; nothing where there are none.
    pub fn remembered_words(&self) -> Option<String> {
        let what = match self.remembered {
            0 => return None,
            1 => "1 remembered permission".to_owned(),
            count => format!("{count} remembered permissions"),
        };
        Some(format!("{what}: holdpoint rules list"))
    }
}

/// The open asks of every process that shares the journal, kept up to date.
#[derive(Debug)]
pub struct List {
    open: watch::Receiver<Open>,
    following: JoinHandle<()>,
}

impl List {
    /// Reads the list, and follows it.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn follow(desk: Desk) -> Result<Self, JournalError> {
        let mut commits = desk.journal().commits();
        let (shown, open) = watch::channel(now(&desk).await?);
        let following = tokio::spawn(async move {
            while commits.changed().await.is_ok() {
                match now(&desk).await {
                    Ok(open) => drop(shown.send_replace(open)),
                    Err(error) => tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the journal cannot be read"
                    ),
                }
            }
        });
        Ok(Self { open, following })
    }

    /// What is open, and what will be.
    pub fn watch(&self) -> watch::Receiver<Open> {
        self.open.clone()
    }
}

impl Drop for List {
    fn drop(&mut self) {
        self.following.abort();
    }
}

/// What is open now.
///
/// # Errors
/// When the journal cannot be read.
pub async fn now(desk: &Desk) -> Result<Open, JournalError> {
    let journal = desk.journal();
    let query = |dangerous, limit| AskQuery {
        open: true,
        dangerous: Some(dangerous),
        limit: Some(limit),
        ..AskQuery::default()
    };
    let mut asks = journal.asks(query(true, MOST_READ)).await?;
    let rest = MOST_READ - asks.len();
    if rest > 0 {
        asks.extend(journal.asks(query(false, rest)).await?);
    }
    sort(&mut asks, desk.now());
    asks.truncate(MOST);
    Ok(Open {
        asks,
        count: journal.open_asks().await?,
        remembered: desk.remembered().await?.len(),
    })
}

/// Puts open asks in their order at this time, as the page has it.
pub fn sort(asks: &mut [AskRecord], now: Timestamp) {
    asks.sort_by_cached_key(|record| record.waiting().place(now));
}
