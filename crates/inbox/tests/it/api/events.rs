//! Live events.

use super::{stand::*, workshop::Workshop};
use axum::{
    body::{Body, BodyDataStream},
    http::{Request, Response},
};
use futures::StreamExt;
use holdpoint::{Ask, journal};
use serde_json::{Value, json};
use std::time::Duration;

/// The events of one tab.
pub struct Tab {
    stream: BodyDataStream,
    text: String,
}

#[derive(Debug, PartialEq)]
pub struct Heard {
    pub name: String,
    pub id: u64,
    pub data: Value,
}

impl Tab {
    pub async fn open(stand: &Stand, last: Option<u64>) -> Self {
        let mut request = Request::get("/api/events")
            .header("host", HOST)
            .header("x-holdpoint-token", &stand.token);
        if let Some(last) = last {
            request = request.header("last-event-id", last.to_string());
        }
        Self::of(stand.send(request.body(Body::empty()).unwrap()).await)
    }

    pub fn of(response: Response<Body>) -> Self {
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            stream: response.into_body().into_data_stream(),
            text: String::new(),
        }
    }

    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let heard = field("event: ").map(|name| Heard {
                    name: name.to_owned(),
                    id: field("id: ").unwrap().parse().unwrap(),
                    data: serde_json::from_str(field("data: ").unwrap()).unwrap(),
                });
                self.text = rest.to_owned();
                match heard {
                    Some(heard) => return Some(heard),
                    None => continue,
                }
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.stream.next());
            let chunk = chunk.await.expect("an event in time")?;
            self.text
                .push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
        }
    }

    pub async fn hear(&mut self, name: &str) -> Heard {
        let heard = self.next().await.expect("the stream goes on");
        assert_eq!(heard.name, name, "{heard:?}");
        heard
    }
}

#[tokio::test]
async fn a_tab_hears_of_everything_and_resumes() {
    let stand = Stand::new().await;
    stand.open(Ask::confirm("Before")).await;
    let mut tab = Tab::open(&stand, None).await;
    assert_eq!(tab.hear("progress").await.data, json!({ "open": 1 }));

    let ask = stand.open(Ask::confirm("Go on?")).await;
    let opened = tab.hear("elicitation").await;
    assert_eq!(opened.data["id"], json!(ask));
    assert_eq!(opened.data["title"], "Go on?");
    assert_eq!(opened.data["group"], "soon");
    assert!(opened.data["call"].is_string() && opened.data["form"].is_null());
    assert_eq!(tab.hear("progress").await.data["open"], 2);

    stand
        .post(&format!("/api/asks/{ask}/extend"), json!({ "minutes": 1 }))
        .await;
    let longer = tab.hear("elicitation").await;
    assert_ne!(longer.data["deadlineAt"], opened.data["deadlineAt"]);

    stand
        .respond(ask, "accept", json!({ "confirmed": true }))
        .await;
    let settled = tab.hear("settled").await;
    assert_eq!(settled.data["id"], json!(ask));
    assert_eq!(settled.data["decision"]["answeredBy"], "ann");
    assert_eq!(tab.hear("progress").await.data["open"], 1);

    let mut again = Tab::open(&stand, Some(opened.id)).await;
    again.hear("progress").await;
    assert_eq!(
        again.hear("settled").await,
        settled,
        "what was missed, once"
    );

    stand.stop.cancel();
    assert_eq!(tab.next().await, None, "the stream ends with the page");
}

#[tokio::test]
async fn a_tab_far_behind_is_told_to_read_anew() {
    let stand = Stand::new().await;
    for _ in 0..5_100 {
        stand.open(Ask::confirm("Go on?")).await;
    }
    let mut tab = Tab::open(&stand, Some(3)).await;
    tab.hear("progress").await;
    tab.hear("reset").await;
    assert_eq!(tab.hear("progress").await.data["open"], 5_100);
}

#[tokio::test]
async fn what_another_process_does_is_heard_too() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    let stand = Stand::over(journal::open(&url).await.unwrap(), HOST, false).await;
    let mut tab = Tab::open(&stand, None).await;
    tab.hear("progress").await;
    // Another connection to the file is another process to SQLite.
    let elsewhere = journal::open(&url).await.unwrap();
    let ask = open(elsewhere.as_ref(), "elicit_confirm", Ask::confirm("Go on?")).await;
    assert_eq!(tab.hear("elicitation").await.data["id"], json!(ask));
}

#[tokio::test]
async fn scripts_and_their_runs_are_heard_of() {
    let workshop = Workshop::new();
    let stand = Stand::with(workshop.clone()).await;
    let mut tab = Tab::open(&stand, None).await;
    tab.hear("progress").await;
    workshop.change(|scripts| scripts.truncate(2));
    tab.hear("scripts").await;
    let begin = json!({ "script": "tools", "method": "fails" });
    let begun = stand.post("/api/scripts/runs", begin).await;
    loop {
        let heard = tab.hear("run").await;
        assert_eq!(heard.data["id"], begun["id"]);
        if heard.data["ended"] == true {
            break;
        }
    }
}
