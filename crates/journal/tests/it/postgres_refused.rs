//! What keeps a journal from being opened in PostgreSQL: one clear sentence for each, in time, without the
//! password, and nothing is made.

use holdpoint_ask::describe::error_chain;
use holdpoint_journal::{PostgresJournal, postgres::inspect};
use std::{
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};
use test_postgres::{Database, Options, Server};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// What everything has to be refused within.
const SOON: Duration = Duration::from_secs(12);

/// A password that must be seen nowhere.
const SECRET: &str = "geheim-0815";

/// Opening it to write, to read and to inspect is refused with these words.
async fn refused(url: &str, wanted: &str) {
    let started = Instant::now();
    let to_write = PostgresJournal::open(url).await.unwrap_err();
    let to_write_took = started.elapsed();
    let to_read = PostgresJournal::open_read_only(url).await.unwrap_err();
    let inspected = inspect(url).await.unwrap_err();
    for error in [&to_write, &to_read, &inspected] {
        let said = error.to_string();
        assert!(said.contains(wanted), "{said}");
        assert!(
            said.starts_with("cannot open the journal at postgres://"),
            "{said}"
        );
        assert!(!said.contains('\n'), "{said}");
        let everything = format!("{} {error:?}", error_chain(error));
        assert!(!everything.contains(SECRET), "{everything}");
        assert!(!everything.contains("owners-secret-word"), "{everything}");
    }
    assert!(to_write_took < SOON, "{to_write_took:?}");
}

/// Opening it to write is refused with these words, and the database is as it was.
async fn refused_to_write(database: &Database, wanted: &str) {
    let before = contents(database).await;
    let error = PostgresJournal::open(&database.url()).await.unwrap_err();
    let said = error.to_string();
    assert!(said.contains(wanted), "{said}");
    assert!(!error_chain(&error).contains(&database.password), "{said}");
    assert_eq!(contents(database).await, before);
}

/// The names of all that is there.
async fn contents(database: &Database) -> Vec<String> {
    let sql = "SELECT n.nspname || '.' || c.relname FROM pg_class c \
               JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname !~ '^pg_|^information' \
               UNION ALL SELECT nspname FROM pg_namespace ORDER BY 1";
    let rows = database.connect().await.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn who_may_not_come_in_is_told_why() {
    let server = Server::shared();
    let database = server.database().await;
    let (address, name) = (database.address, &database.name);
    let url = |who: &str, database: &str| format!("postgres://{who}@{address}/{database}");
    refused(
        &url(&format!("{name}:{SECRET}"), name),
        "the password is wrong",
    )
    .await;
    refused(
        &url(&format!("nobody:{SECRET}"), name),
        "the password is wrong",
    )
    .await;
    let empty = tempfile::NamedTempFile::new().unwrap();
    let nothing = format!("{}?passfile={}", url(name, name), empty.path().display());
    refused(&nothing, "asks for a password, and there is none").await;
    let own = format!("{name}:{}", database.password);
    refused(
        &url(&own, "missing"),
        "\"missing\" does not exist: create it",
    )
    .await;
    let admin = server.admin().await;
    let lock = format!("ALTER ROLE {name} NOLOGIN");
    admin.batch_execute(&lock).await.unwrap();
    refused(&database.url(), "not permitted to log in").await;
}

#[tokio::test]
async fn nobody_there_is_said_in_time() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let silent = listener.local_addr().unwrap();
    let secret = |place: &str| format!("postgres://ada:{SECRET}@{place}");
    // It takes connections and says nothing.
    let slow = secret(&format!("{silent}/team?connect_timeout=1"));
    let started = Instant::now();
    let error = PostgresJournal::open(&slow).await.unwrap_err().to_string();
    assert!(error.contains("did not answer within 6 seconds"), "{error}");
    assert!(started.elapsed() < SOON);
    drop(listener);
    refused(
        &secret(&format!("{silent}/team")),
        "no server listens there",
    )
    .await;
    let unknown = "nowhere.invalid/team?sslmode=disable";
    refused(&secret(unknown), "the name of the host is not known").await;
    refused(&secret("%2Fnowhere/team"), "no socket of a PostgreSQL").await;
    refused(&secret("localhost/team?sslmode=on"), "`sslmode` must be").await;
    refused("postgres://ada:geheim-0815@a@b/team", "%40").await;
}

#[tokio::test]
async fn what_is_not_postgresql_is_refused() {
    let web = imitate(|mut stream| async move {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
    });
    let web = web.await;
    refused(&format!("postgres://ada:{SECRET}@{web}/team"), "PostgreSQL").await;
    for (version, wanted) in [
        (
            "CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)",
            "this is CockroachDB",
        ),
        (
            "PostgreSQL 11.2-YB-2.18.0.0-b0 on x86_64",
            "this is YugabyteDB",
        ),
        (
            "PostgreSQL 8.0.2 on i686, Redshift 1.0.54052",
            "this is Amazon Redshift",
        ),
        ("Something else", "does not call itself PostgreSQL"),
    ] {
        let address = imitate(move |stream| speak(stream, version)).await;
        refused(&format!("postgres://ada:{SECRET}@{address}/team"), wanted).await;
    }
    let old = "PostgreSQL 13.14 (Debian 13.14-1)";
    let address = imitate(move |stream| speak(stream, old)).await;
    let wanted = "does not call itself PostgreSQL";
    refused(&format!("postgres://ada:{SECRET}@{address}/team"), wanted).await;
}

/// Something that listens; each connection is handled by the given function.
async fn imitate<F>(handle: impl Fn(TcpStream) -> F + Send + 'static) -> SocketAddr
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(handle(stream));
        }
    });
    address
}

/// Lets everybody in, and answers every question with its version.
async fn speak(mut stream: TcpStream, version: &'static str) {
    let message = |kind: u8, body: &[u8]| {
        let length = u32::try_from(body.len() + 4).unwrap();
        [&[kind], &length.to_be_bytes()[..], body].concat()
    };
    let ready = message(b'Z', b"I");
    let mut answer = Vec::new();
    let column = [b"version\0", &[0; 6][..], &25_u32.to_be_bytes(), &[0; 8]].concat();
    answer.extend(message(b'T', &[&1_u16.to_be_bytes(), &column[..]].concat()));
    let length = u32::try_from(version.len()).unwrap().to_be_bytes();
    let row = [&1_u16.to_be_bytes()[..], &length, version.as_bytes()].concat();
    answer.extend(message(b'D', &row));
    answer.extend(message(b'C', b"SELECT 1\0"));
    answer.extend(&ready);
    let mut first = true;
    let mut buffer = [0; 4096];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        let is_request_for_tls = length == 8;
        let sent = match (is_request_for_tls, first) {
            (true, _) => b"N".to_vec(),
            (false, true) => {
                first = false;
                [message(b'R', &[0; 4]), ready.clone()].concat()
            }
            (false, false) => answer.clone(),
        };
        if stream.write_all(&sent).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn a_database_that_will_not_do_is_left_as_it_is() {
    let server = Server::shared();
    let admin = server.admin().await;

    let database = server.database().await;
    let client = database.connect().await;
    let other = "CREATE SCHEMA holdpoint; CREATE TABLE holdpoint.head (id text)";
    client.batch_execute(other).await.unwrap();
    refused_to_write(&database, "belongs to something else").await;

    // Tables that an administrator made, and on which a right is missing.
    let database = server.database().await;
    drop(PostgresJournal::open(&database.url()).await.unwrap());
    let client = database.connect().await;
    let revoke = format!("REVOKE INSERT ON holdpoint.events FROM {}", database.name);
    client.batch_execute(&revoke).await.unwrap();
    refused_to_write(
        &database,
        "lacks rights in the schema `holdpoint`: INSERT on events",
    )
    .await;
    let inspected = inspect(&database.url()).await.unwrap();
    assert_eq!(inspected.missing_rights, ["INSERT on events"]);

    let database = server.database().await;
    let name = &database.name;
    let latin = format!(
        "CREATE DATABASE {name}_latin OWNER {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    );
    admin.batch_execute(&latin).await.unwrap();
    let url = format!("{}_latin", database.url());
    let error = PostgresJournal::open(&url).await.unwrap_err().to_string();
    assert!(error.contains("the encoding LATIN1"), "{error}");

    let database = server.database().await;
    let error = PostgresJournal::open_read_only(&database.url()).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("no journal in this database yet"), "{error}");
    assert!(!contents(&database).await.contains(&"holdpoint".to_owned()));
}

#[tokio::test]
async fn a_server_without_a_connection_left_says_so() {
    let options = Options::new().set("max_connections", "4");
    let server = Server::with(options.set("superuser_reserved_connections", "1"));
    let database = server.database().await;
    let mut held = Vec::new();
    for _ in 0..3 {
        held.push(database.connect().await);
    }
    refused(&database.url(), "no connection left (`max_connections`)").await;
}
