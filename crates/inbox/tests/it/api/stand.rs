//! A page over a journal in memory, without a socket.

use crate::called::open_ask;
use axum::{
    Router,
    body::Body,
    http::{Request, Response, StatusCode},
};
use holdpoint::{
    Ask, AskId, Desk, Origin, Settings,
    journal::{JournalEngine, NewAsk, SqliteJournal},
};
use holdpoint_inbox::{Browser, Inbox, Keys, Page, scripts::Scripts, server::Site};
use http_body_util::BodyExt;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

pub const HOST: &str = "127.0.0.1:4653";

/// A page, and a browser that may answer.
pub struct Stand {
    pub journal: Arc<dyn JournalEngine>,
    pub stop: CancellationToken,
    pub keys: Keys,
    /// The key that opened the page.
    pub key: String,
    pub browser: Browser,
    pub token: String,
    router: Router,
}

impl Stand {
    pub async fn new() -> Self {
        Self::over(Arc::new(SqliteJournal::in_memory().unwrap()), HOST, false).await
    }

    pub async fn with(scripts: Arc<dyn Scripts>) -> Self {
        Self::set(
            Arc::new(SqliteJournal::in_memory().unwrap()),
            Some(scripts),
            HOST,
            false,
        )
        .await
    }

    pub async fn over(journal: Arc<dyn JournalEngine>, address: &str, tls: bool) -> Self {
        Self::set(journal, None, address, tls).await
    }

    /// One where it takes so long to read an ask.
    pub async fn reading(time: Duration) -> Self {
        let journal = Arc::new(SqliteJournal::in_memory().unwrap());
        let settings = Settings::default().fast_reply(time);
        Self::build(journal, None, HOST, false, settings).await
    }

    /// One over this journal where a program may have so many asks open.
    pub async fn limited(journal: Arc<dyn JournalEngine>, most: usize) -> Self {
        let settings = Settings::default().max_open_asks(most);
        Self::build(journal, None, HOST, false, settings).await
    }

    pub async fn set(
        journal: Arc<dyn JournalEngine>,
        scripts: Option<Arc<dyn Scripts>>,
        address: &str,
        tls: bool,
    ) -> Self {
        let settings = Settings::default().fast_reply(Duration::ZERO);
        Self::build(journal, scripts, address, tls, settings).await
    }

    async fn build(
        journal: Arc<dyn JournalEngine>,
        scripts: Option<Arc<dyn Scripts>>,
        address: &str,
        tls: bool,
        settings: Settings,
    ) -> Self {
        let inbox = Inbox::new(Some("ann".into()), "");
        let desk = Desk::builder(journal.clone())
            .settings(settings)
            .channel(Arc::new(inbox.clone()));
        let stop = CancellationToken::new();
        let desk = desk.build().await.unwrap();
        let page = Page::with_scripts(desk, inbox, scripts, stop.clone());
        let page = page.await.unwrap();
        let keys = page.keys().clone();
        let key = keys.opening_key().unwrap();
        let address = address.parse().unwrap();
        let mut stand = Self {
            journal,
            stop,
            keys,
            key,
            browser: Browser {
                number: String::new(),
                key: String::new(),
            },
            token: String::new(),
            router: page.router(Site {
                address,
                tls,
                public: None,
            }),
        };
        let host = address.to_string();
        let opened = post("/api/session")
            .header("host", host)
            .body(json!({ "key": stand.key }).to_string().into());
        let opened = stand.send(opened.unwrap()).await;
        assert_eq!(opened.status(), 200);
        let opened = json_of(opened).await;
        let text = |name: &str| opened[name].as_str().unwrap().to_owned();
        stand.browser = Browser {
            number: text("browser"),
            key: text("key"),
        };
        let health = Request::get("/api/health").header("host", address.to_string());
        let health = stand.send(health.body(Body::empty()).unwrap()).await;
        let hosting = json_of(health).await["hosting"].take();
        stand.token = stand.browser.token(hosting.as_str().unwrap());
        stand
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.try_get(path).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    pub async fn try_get(&self, path: &str) -> (StatusCode, Value) {
        let request = Request::get(path)
            .header("host", HOST)
            .header("x-holdpoint-token", &self.token);
        let response = self.send(request.body(Body::empty()).unwrap()).await;
        (response.status(), json_of(response).await)
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.try_post(path, body).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub async fn try_post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.try_post_text(path, body.to_string()).await
    }

    pub async fn try_post_text(&self, path: &str, body: String) -> (StatusCode, Value) {
        let request = post(path)
            .header("host", HOST)
            .header("x-holdpoint-token", &self.token)
            .body(body.into());
        let response = self.send(request.unwrap()).await;
        (response.status(), json_of(response).await)
    }

    pub async fn respond(&self, ask: AskId, action: &str, content: Value) -> Value {
        let body =
            json!({ "askId": ask, "action": action, "content": content, "presence": held() });
        self.post("/api/elicitation/respond", body).await
    }

    /// Opens an ask of the tool `elicit_confirm`.
    pub async fn open(&self, ask: Ask) -> AskId {
        self.open_of("elicit_confirm", ask).await
    }

    pub async fn open_of(&self, tool: &str, ask: Ask) -> AskId {
        open(self.journal.as_ref(), tool, ask).await
    }
}

/// What the page says after somebody has held the button.
pub fn held() -> Value {
    json!({ "shownMs": 5_000, "gesture": "held" })
}

pub fn origin(tool: &str) -> Origin {
    Origin {
        principal: "test".into(),
        server: Some("todo-mcp".into()),
        client: Some("mcpdo-test-client 1.0".into()),
        tool: Some(tool.into()),
        workspace: Some("/nowhere".into()),
        ..Origin::default()
    }
}

pub async fn open(journal: &dyn JournalEngine, tool: &str, ask: Ask) -> AskId {
    open_from(journal, origin(tool), ask).await
}

pub async fn open_from(journal: &dyn JournalEngine, origin: Origin, ask: Ask) -> AskId {
    open_at(journal, origin, ask, Timestamp::now()).await
}

pub async fn open_at(
    journal: &dyn JournalEngine,
    origin: Origin,
    ask: Ask,
    opened_at: Timestamp,
) -> AskId {
    let now = Timestamp::now();
    let new = NewAsk {
        deadline_at: Some(now + SignedDuration::from_mins(5)),
        ..NewAsk::new(ask, origin, opened_at)
    };
    let id = new.id;
    open_ask(journal, new).await;
    id
}

pub fn post(path: &str) -> axum::http::request::Builder {
    Request::post(path).header("content-type", "application/json")
}

pub async fn json_of(response: Response<Body>) -> Value {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes)))
}
