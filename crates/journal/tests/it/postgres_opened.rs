//! What is opened in PostgreSQL: the primary among several hosts, a standby only to look at it, and how a
//! server is set up.

use crate::fixture::ask_of;
use holdpoint_ask::Ask;
use holdpoint_journal::{
    Journal, PostgresJournal, Write,
    postgres::{Schema, inspect},
};
use test_postgres::{Options, Server};

#[tokio::test]
async fn the_primary_is_found_among_the_hosts_and_a_standby_is_only_read() {
    let primary = Server::start();
    let database = primary.database().await;
    let journal = PostgresJournal::open(&database.url()).await.unwrap();
    let standby = primary.standby();
    let at_standby = database.url_at(standby.address());
    let error = PostgresJournal::open(&at_standby)
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("use the address of the primary"), "{error}");

    // Named one after the other, the one that can be written is found.
    let both = format!("@{},{}/", standby.address(), database.address);
    let both = database
        .url()
        .replace(&format!("@{}/", database.address), &both);
    let found = inspect(&both).await.unwrap();
    assert!(!found.is_read_only);
    let again = PostgresJournal::open(&both).await.unwrap();
    let ask = Write::OpenAsk(ask_of(None, Ask::confirm("Deploy?")));
    again.commit(vec![ask]).await.unwrap();

    // What was committed is there to be read once the standby has it.
    let read = PostgresJournal::open_read_only(&at_standby).await.unwrap();
    let head = journal.head().await.unwrap();
    let mut seen = 0;
    for _ in 0..1_000 {
        seen = read.head().await.unwrap();
        if seen == head {
            break;
        }
    }
    assert_eq!(seen, head);
    let inspected = inspect(&at_standby).await.unwrap();
    assert!(inspected.is_read_only);
    let error = read.commit(Vec::new()).await.unwrap_err().to_string();
    assert!(error.contains("only to look at it"), "{error}");
}

#[tokio::test]
async fn a_server_is_inspected() {
    let options = Options::new().set("synchronous_commit", "off");
    let server = Server::with(options.set("max_connections", "23"));
    let database = server.database().await;
    let found = inspect(&database.url()).await.unwrap();
    assert_eq!(found.schema, Schema::Missing);
    assert_eq!(found.missing_rights, [""; 0]);
    assert!(!found.is_pooled && !found.is_read_only);
    // The test's server does not wait for its disk.
    assert!(!found.fsync && !found.full_page_writes);
    assert_eq!(found.synchronous_commit, "off");
    assert!(found.clock_offset.unsigned_abs().as_secs() < 5);
    assert_eq!(found.max_connections, 23);
    assert!(found.used_connections >= 2);
    assert!(!found.place.contains(&database.password));
    drop(PostgresJournal::open(&database.url()).await.unwrap());
    let found = inspect(&database.url()).await.unwrap();
    let made = Schema::Made {
        version: found.known_version,
        lowest_writer: 1,
    };
    assert_eq!(found.schema, made);
}
