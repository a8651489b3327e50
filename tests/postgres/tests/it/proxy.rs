//! The proxy: what it does to connections, and where a COMMIT is stopped.

use std::time::{Duration, Instant};
use test_postgres::{CommitPoint, Database, Direction, Proxy, Server};
use tokio_postgres::{AsyncMessage, Client, Error, NoTls};

/// A database behind a proxy.
struct Stand {
    database: Database,
    proxy: Proxy,
}

impl Stand {
    async fn new() -> Self {
        let server = Server::shared();
        let database = server.database().await;
        let owner = database.connect().await;
        owner
            .batch_execute("CREATE TABLE notes (text text)")
            .await
            .unwrap();
        let proxy = Proxy::to(server.address()).await;
        Self { database, proxy }
    }

    async fn connect(&self) -> Result<Client, Error> {
        let url = self.database.url_at(self.proxy.address());
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
        tokio::spawn(connection);
        Ok(client)
    }

    async fn client(&self) -> Client {
        self.connect().await.unwrap()
    }

    /// How many notes there are, seen without the proxy.
    async fn written(&self) -> i64 {
        let client = self.database.connect().await;
        let row = client.query_one("SELECT count(*) FROM notes", &[]).await;
        row.unwrap().get(0)
    }
}

/// A little while in which nothing comes.
async fn is_silent(waiting: impl Future) -> bool {
    tokio::time::timeout(Duration::from_millis(200), waiting)
        .await
        .is_err()
}

const WRITE: &str = "INSERT INTO notes VALUES ('one')";

#[tokio::test]
async fn a_cut_closes_all_connections_and_lets_new_ones_in() {
    let stand = Stand::new().await;
    let (one, two) = (stand.client().await, stand.client().await);
    one.batch_execute(WRITE).await.unwrap();
    stand.proxy.cut();
    for client in [one, two] {
        assert!(client.batch_execute(WRITE).await.unwrap_err().is_closed());
    }
    stand.client().await.batch_execute(WRITE).await.unwrap();
    assert_eq!(stand.written().await, 2);
}

#[tokio::test]
async fn a_proxy_that_refuses_keeps_what_it_has() {
    let stand = Stand::new().await;
    let client = stand.client().await;
    stand.proxy.refuse();
    assert!(stand.connect().await.is_err());
    client.batch_execute(WRITE).await.unwrap();
    stand.proxy.heal();
    stand.client().await.batch_execute(WRITE).await.unwrap();
}

#[tokio::test]
async fn what_is_held_back_arrives_later() {
    let stand = Stand::new().await;
    let client = stand.client().await;
    stand.proxy.hold();
    let write = client.batch_execute(WRITE);
    let connect = stand.connect();
    tokio::pin!(write, connect);
    assert!(is_silent(&mut write).await && is_silent(&mut connect).await);
    assert_eq!(stand.written().await, 0);
    stand.proxy.heal();
    write.await.unwrap();
    connect.await.unwrap();
    assert_eq!(stand.written().await, 1);
}

#[tokio::test]
async fn what_is_swallowed_never_arrives() {
    for (direction, written) in [(Direction::ToServer, 0), (Direction::ToClient, 1)] {
        let stand = Stand::new().await;
        let client = stand.client().await;
        stand.proxy.swallow(direction);
        let write = client.batch_execute(WRITE);
        tokio::pin!(write);
        assert!(is_silent(&mut write).await, "{direction:?}");
        assert_eq!(stand.written().await, written, "{direction:?}");
        stand.proxy.heal();
        assert!(write.await.is_err(), "{direction:?}");
    }
}

#[tokio::test]
async fn a_lost_notification_loses_nothing_else() {
    let stand = Stand::new().await;
    let url = stand.database.url_at(stand.proxy.address());
    let (client, mut connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Some(Ok(message)) =
            std::future::poll_fn(|context| connection.poll_message(context)).await
        {
            if let AsyncMessage::Notification(notice) = message {
                sender.send(notice.payload().to_owned()).unwrap();
            }
        }
    });
    client.batch_execute("LISTEN news").await.unwrap();
    let notifier = stand.database.connect().await;
    stand.proxy.lose_notifications();
    notifier.batch_execute("NOTIFY news, 'lost'").await.unwrap();
    client.batch_execute(WRITE).await.unwrap();
    stand.proxy.heal();
    notifier
        .batch_execute("NOTIFY news, 'heard'")
        .await
        .unwrap();
    assert_eq!(heard.recv().await.unwrap(), "heard");
}

#[tokio::test]
async fn what_is_held_back_is_also_that_an_end_was_closed() {
    let stand = Stand::new().await;
    let client = stand.client().await;
    client
        .batch_execute("BEGIN; LOCK TABLE notes")
        .await
        .unwrap();
    stand.proxy.hold();
    drop(client);
    let other = stand.database.connect().await;
    let lock = other.batch_execute("BEGIN; LOCK TABLE notes");
    tokio::pin!(lock);
    assert!(is_silent(&mut lock).await, "the server knows");
    stand.proxy.heal();
    lock.await.unwrap();
}

#[tokio::test]
async fn a_delay_is_for_each_way() {
    let stand = Stand::new().await;
    let client = stand.client().await;
    let delay = Duration::from_millis(50);
    stand.proxy.delay(delay);
    let began = Instant::now();
    client.batch_execute(WRITE).await.unwrap();
    assert!(began.elapsed() >= 2 * delay);
}

#[tokio::test]
async fn another_server_is_led_to() {
    let stand = Stand::new().await;
    let client = stand.client().await;
    let other = Server::start();
    let database = other.database().await;
    stand.proxy.lead_to(other.address());
    assert!(client.batch_execute(WRITE).await.is_err());
    let url = database.url_at(stand.proxy.address());
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);
    let row = client
        .query_one("SELECT inet_server_port()", &[])
        .await
        .unwrap();
    assert_eq!(row.get::<_, i32>(0), i32::from(other.address().port()));
}

/// How a client can say COMMIT.
#[derive(Debug, Clone, Copy)]
enum Way {
    Simple,
    Prepared,
    OneBatch,
}

async fn commit(client: &mut Client, way: Way) -> Result<(), Error> {
    match way {
        Way::Simple => {
            let transaction = client.transaction().await?;
            transaction.batch_execute(WRITE).await?;
            transaction.commit().await
        }
        Way::Prepared => {
            client.batch_execute("BEGIN").await?;
            client.batch_execute(WRITE).await?;
            let commit = client.prepare("COMMIT").await?;
            client.execute(&commit, &[]).await.map(drop)
        }
        Way::OneBatch => {
            client
                .batch_execute(&format!("BEGIN; {WRITE}; commit ;"))
                .await
        }
    }
}

#[tokio::test]
async fn a_commit_is_stopped_before_the_server_and_before_the_client() {
    for way in [Way::Simple, Way::Prepared, Way::OneBatch] {
        for (point, before) in [(CommitPoint::Unsent, 0), (CommitPoint::Unanswered, 1)] {
            for passes in [false, true] {
                let case = format!("{way:?} {point:?}, passes: {passes}");
                let stand = Stand::new().await;
                let mut client = stand.client().await;
                let mut stop = stand.proxy.stop_at_commit(point);
                let mut committed = None;
                tokio::select! {
                    ended = commit(&mut client, way) => committed = Some(ended),
                    () = async {
                        stop.reached().await;
                        assert_eq!(stand.written().await, before, "{case}");
                        if passes { stop.pass() } else { stop.cut() }
                        std::future::pending::<()>().await;
                    } => {}
                }
                assert_eq!(committed.unwrap().is_ok(), passes, "{case}");
                let after = if passes { 1 } else { before };
                assert_eq!(stand.written().await, after, "{case}");
                // It was for one commit.
                commit(&mut stand.client().await, way).await.unwrap();
            }
        }
    }
}
