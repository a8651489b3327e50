//! How fast people find something in a long record on PostgreSQL, with `pg_trgm` and without.
//!
//! ```sh
//! cargo run --release -p bench --bin search -- [ASKS] [ADDRESS]
//! ```
//!
//! Without an address the server is one of the program's own on loopback. The journal is filled up to so many asks
//! first, many of them in one commit, and verified.

use bench::{figures::Figures, journal_load::fill, journal_search};
use holdpoint::journal::{Journal as _, JournalEngine, PostgresJournal};
use std::{error::Error, sync::Arc, time::Instant};
use test_postgres::{Options, Server};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let asks = args.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let server;
    let address = match args.next() {
        Some(address) => address,
        None => {
            server = Server::with(Options::new().durable());
            server.database().await.url()
        }
    };
    let journal = PostgresJournal::open(&address).await?;
    let have = journal.head().await? as usize / 4;
    let journal: Arc<dyn JournalEngine> = Arc::new(journal);
    let started = Instant::now();
    fill(&*journal, have..asks.max(have)).await?;
    println!(
        "filling                  {:>8.1} s ({} asks)",
        started.elapsed().as_secs_f64(),
        asks.max(have) - have
    );
    println!("\nwith pg_trgm");
    let mut figures = vec![journal_search::fill_index(&*journal).await?];
    figures.extend(journal_search::measure(&*journal).await?);
    Figures::new(figures).report(None)?;

    println!("\nwithout");
    let (client, connection) = tokio_postgres::connect(&address, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    client
        .batch_execute("DROP INDEX holdpoint.index_texts_trigrams")
        .await?;
    // Whoever only looks does not make the index again.
    let plain = PostgresJournal::open_read_only(&address).await?;
    Figures::new(journal_search::measure(&plain).await?).report(None)?;

    let started = Instant::now();
    let verified = journal.verify().await?;
    assert_eq!(verified.flaws, []);
    let took = started.elapsed().as_secs_f64();
    println!(
        "\nverify                   {took:>8.1} s ({} events, {:.0} /s)",
        verified.events,
        verified.events as f64 / took
    );
    Ok(())
}
