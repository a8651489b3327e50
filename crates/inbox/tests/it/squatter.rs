//! Another program at the page's port, while nobody serves the page.

use axum::{Router, routing::get};
use holdpoint::{Desk, journal};
use holdpoint_inbox::{
    Inbox,
    page_host::{self, PageConfig},
};
use holdpoint_testkit::eventually;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_replayed_answer_to_the_health_check_is_not_our_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let journal = journal::open(&format!("sqlite:{}", path.display())).await;
    let journal = journal.unwrap();
    let inbox = Inbox::new(Some("ann".into()), "");
    let desk = Desk::builder(journal.clone()).channel(Arc::new(inbox.clone()));
    let desk = desk.build().await.unwrap();
    let config = PageConfig::at("127.0.0.1:0".parse().unwrap());
    let stop = CancellationToken::new();
    page_host::host(desk, inbox, config, stop.clone())
        .await
        .unwrap();
    let found = page_host::find(journal.as_ref()).await.unwrap();
    let address = found.expect("the page is served");
    let url = format!("{address}/api/health?challenge=00");
    let asked = tokio::task::spawn_blocking(move || ureq::get(url).call());
    let mut answer = asked.await.unwrap().unwrap();
    let said = answer.body_mut().read_to_string().unwrap();

    stop.cancel();
    let place = address.trim_start_matches("http://").to_owned();
    let listener = eventually("the port", async || TcpListener::bind(&place).await.ok()).await;
    let squatter = get(move || async move { ([("holdpoint-api", "1")], said) });
    let squatter = Router::new().route("/api/health", squatter);
    tokio::spawn(axum::serve(listener, squatter).into_future());
    let found = page_host::find(journal.as_ref()).await.unwrap();
    assert_eq!(found, None, "nobody is handed a key for that address");
}
