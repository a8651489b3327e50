//! Servers: started, killed, paused, followed; and none that outlives its tests.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    os::unix::fs::MetadataExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use test_postgres::{Database, Options, Server, Tls};
use tokio_postgres::{Client, NoTls, error::SqlState};

#[tokio::test]
async fn a_database_is_its_owners() {
    let began = Instant::now();
    let server = Server::shared();
    let started = began.elapsed();
    // Whoever reaches its socket may be the administrator.
    let folder = fs::metadata(server.socket_folder()).unwrap();
    assert_eq!(folder.mode() & 0o777, 0o700);
    let [one, two] = [server.database().await, server.database().await];
    println!(
        "started in {started:?}, two databases in {:?}",
        began.elapsed() - started
    );
    let owner = one.connect().await;
    owner
        .batch_execute("CREATE TABLE notes (text text)")
        .await
        .unwrap();
    owner
        .batch_execute("CREATE EXTENSION pg_trgm")
        .await
        .unwrap();
    assert_ne!(one.url(), two.url());
    two.connect()
        .await
        .batch_execute("CREATE TABLE notes (text text)")
        .await
        .unwrap();
    let refused = owner.batch_execute("CREATE ROLE other").await.unwrap_err();
    assert_eq!(refused.code(), Some(&SqlState::INSUFFICIENT_PRIVILEGE));
    let wrong = one.url().replace(&one.password, "wrong");
    let refused = tokio_postgres::connect(&wrong, NoTls).await.err().unwrap();
    assert_eq!(refused.code(), Some(&SqlState::INVALID_PASSWORD));
}

#[tokio::test]
async fn what_was_committed_is_there_after_a_kill_and_a_restart() {
    let server = Server::start();
    let database = server.database().await;
    let address = server.address();
    write(&database.connect().await, "before the kill").await;
    server.kill();
    assert!(
        tokio_postgres::connect(&database.url(), NoTls)
            .await
            .is_err()
    );
    server.launch();
    write(&database.connect().await, "before the restart").await;
    server.restart();
    assert_eq!(server.address(), address);
    assert_eq!(written(&database.connect().await).await, 2);
}

#[tokio::test]
async fn a_paused_server_answers_when_it_is_resumed() {
    let server = Server::start();
    let client = server.database().await.connect().await;
    server.pause();
    let answer = write(&client, "late");
    tokio::pin!(answer);
    let soon = tokio::time::timeout(Duration::from_millis(100), &mut answer);
    assert!(soon.await.is_err(), "it answered");
    server.resume();
    answer.await;
}

#[tokio::test]
async fn a_promoted_standby_has_what_was_acknowledged() {
    let primary = Server::start();
    let database = primary.database().await;
    let standby = primary.standby();
    primary.wait_for_standby_at_commit().await;
    let client = database.connect().await;
    write(&client, "on both").await;
    let at_standby = Database {
        address: standby.address(),
        ..database
    };
    let reader = at_standby.connect().await;
    let refused = reader
        .batch_execute("CREATE TABLE more ()")
        .await
        .unwrap_err();
    assert_eq!(refused.code(), Some(&SqlState::READ_ONLY_SQL_TRANSACTION));
    primary.kill();
    standby.promote().await;
    let client = at_standby.connect().await;
    write(&client, "after it").await;
    assert_eq!(written(&client).await, 2);
}

#[tokio::test]
async fn tls_and_the_disk_are_by_choice() {
    let check = async |options: Options, fsync: &str, ssl: &str, plain: bool| {
        let server = Server::with(options);
        let admin = server.admin().await;
        let setting = async |name: &str| {
            let row = admin.query_one(&format!("SHOW {name}"), &[]).await;
            row.unwrap().get::<_, String>(0)
        };
        assert_eq!(
            (setting("fsync").await, setting("ssl").await),
            (fsync.into(), ssl.into())
        );
        assert_eq!(setting("max_connections").await, "7");
        let over_tcp = tokio_postgres::connect(&server.admin_url(), NoTls).await;
        assert_eq!(over_tcp.is_ok(), plain);
        assert!(server.authority().exists());
    };
    let options = || Options::new().set("max_connections", "7");
    check(options(), "off", "off", true).await;
    check(options().tls(Tls::Offered), "off", "on", true).await;
    check(options().durable().tls(Tls::Required), "on", "on", false).await;
}

/// Starts servers and waits to be killed. Without a task it does nothing.
#[test]
fn killed_process() {
    if env::var_os("STARTS_SERVERS").is_none() {
        return;
    }
    let (running, paused, killed) = (Server::start(), Server::start(), Server::start());
    paused.pause();
    killed.kill();
    for server in [&running, &paused, &killed] {
        println!("> {}", server.socket_folder().display());
    }
    thread::sleep(Duration::from_secs(60));
}

#[test]
fn no_server_outlives_a_killed_test() {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "server::killed_process", "--nocapture"])
        .env("STARTS_SERVERS", "yes")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let folders = lines.filter_map(|line| Some(line.unwrap().split_once("> ")?.1.to_owned()));
    let folders: Vec<_> = folders.take(3).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folders.len(), 3);
    let began = Instant::now();
    for folder in folders {
        while is_used(&folder) {
            assert!(
                began.elapsed() < Duration::from_secs(30),
                "{folder} is there"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Whether this folder is there, or a process has it among its arguments.
fn is_used(folder: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap();
    let mut arguments =
        processes.filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("cmdline")).ok());
    Path::new(folder).exists() || arguments.any(|text| text.contains(folder))
}

async fn write(client: &Client, text: &str) {
    let table = "CREATE TABLE IF NOT EXISTS notes (text text)";
    client.batch_execute(table).await.unwrap();
    let insert = format!("INSERT INTO notes VALUES ('{text}')");
    client.batch_execute(&insert).await.unwrap();
}

async fn written(client: &Client) -> i64 {
    let rows = client.query_one("SELECT count(*) FROM notes", &[]).await;
    rows.unwrap().get(0)
}
