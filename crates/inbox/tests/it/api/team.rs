//! One page for a team: two processes serve it at one address, over one journal.

use super::{events::Tab, stand::*};
use axum::{
    Router,
    body::Body,
    http::{Request, Response},
};
use holdpoint::{
    Ask, AskId, Desk, Field, Form, Kind, Outcome, Settings,
    field::File,
    journal::{self, JournalEngine},
};
use holdpoint_inbox::{
    Browser, Inbox, Keys, Page,
    people::People,
    server::Site,
    tokens::{May, Tokens},
};
use holdpoint_testkit::eventually;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

pub const PUBLIC: &str = "ask.example.com";

/// One process that serves the page.
pub struct Replica {
    pub journal: Arc<dyn JournalEngine>,
    pub desk: Desk,
    pub keys: Keys,
    router: Router,
    _stop: tokio_util::sync::DropGuard,
}

/// A browser that was let in, and the token that it made.
pub struct Session {
    pub browser: Browser,
    pub token: String,
}

impl Replica {
    pub async fn over(url: &str, port: u16) -> Self {
        Self::reading(url, port, Duration::ZERO).await
    }

    /// One where it takes so long to read an ask.
    pub async fn reading(url: &str, port: u16, time: Duration) -> Self {
        let journal = open_at(url).await;
        let inbox = Inbox::new(Some("service".into()), "");
        let desk = Desk::builder(journal.clone())
            .settings(Settings::default().fast_reply(time))
            .channel(Arc::new(inbox.clone()));
        let desk = desk.build().await.unwrap();
        let stop = CancellationToken::new();
        let page = Page::new(desk.clone(), inbox, stop.clone()).await.unwrap();
        let site = Site {
            address: ([127, 0, 0, 1], port).into(),
            tls: false,
            public: Some(format!("https://{PUBLIC}").parse().unwrap()),
        };
        Self {
            journal,
            desk,
            keys: page.keys().clone(),
            router: page.router(site),
            _stop: stop.drop_guard(),
        }
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Opens the page with this key.
    pub async fn try_open(&self, key: &str) -> Result<Session, Value> {
        let request = post("/api/session")
            .header("host", PUBLIC)
            .body(json!({ "key": key }).to_string().into());
        let response = self.send(request.unwrap()).await;
        let (status, body) = (response.status(), json_of(response).await);
        if status != 200 {
            return Err(body);
        }
        let text = |name: &str| body[name].as_str().unwrap().to_owned();
        let browser = Browser {
            number: text("browser"),
            key: text("key"),
        };
        let token = browser.token(&self.hosting().await);
        Ok(Session { browser, token })
    }

    pub async fn hosting(&self) -> String {
        let request = Request::get("/api/health").header("host", PUBLIC);
        let health = self.send(request.body(Body::empty()).unwrap()).await;
        let hosting = json_of(health).await["hosting"].take();
        hosting.as_str().unwrap().to_owned()
    }

    pub async fn get(&self, token: &str, path: &str) -> (u16, Value) {
        let request = Request::get(path)
            .header("host", PUBLIC)
            .header("x-holdpoint-token", token);
        let response = self.send(request.body(Body::empty()).unwrap()).await;
        (response.status().as_u16(), json_of(response).await)
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> (u16, Value) {
        let request = post(path)
            .header("host", PUBLIC)
            .header("origin", format!("https://{PUBLIC}"))
            .header("x-holdpoint-token", token)
            .body(body.to_string().into());
        let response = self.send(request.unwrap()).await;
        (response.status().as_u16(), json_of(response).await)
    }

    pub async fn answer(
        &self,
        token: &str,
        ask: AskId,
        content: Value,
        pin: Option<&str>,
    ) -> Value {
        let body = json!({
            "askId": ask, "action": "accept", "content": content, "pin": pin, "presence": held(),
        });
        let (status, told) = self.post(token, "/api/elicitation/respond", body).await;
        assert_eq!(status, 200, "{told}");
        told
    }

    pub async fn ask(&self, ask: Ask) -> AskId {
        open(self.journal.as_ref(), "elicit_confirm", ask).await
    }

    pub async fn add(&self, name: &str) -> Keys {
        let people = People::new(self.journal.clone());
        self.keys.of(&people.add(name).await.unwrap())
    }
}

async fn open_at(url: &str) -> Arc<dyn JournalEngine> {
    #[cfg(unix)]
    if url.starts_with("postgres:") {
        let opened = journal::PostgresJournal::open(url).await;
        return Arc::new(opened.unwrap());
    }
    journal::open(url).await.unwrap()
}

/// A journal in a file of its own.
pub fn in_file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.db");
    let url = format!("sqlite:{}", path.display());
    (folder, url)
}

async fn two(url: &str) -> (Replica, Replica) {
    (
        Replica::over(url, 4653).await,
        Replica::over(url, 4654).await,
    )
}

/// Stories, over the journal at an address: in a file, and in a PostgreSQL database of their own.
macro_rules! over_every_engine {
    ($($story:ident)*) => {
        mod in_a_file {
            $(#[tokio::test]
            async fn $story() {
                let (_folder, url) = crate::api::team::in_file();
                super::$story(&url).await;
            })*
        }

        #[cfg(unix)]
        mod in_postgres {
            $(#[tokio::test]
            async fn $story() {
                let database = test_postgres::Server::shared().database().await;
                super::$story(&database.url()).await;
            })*
        }
    };
}
pub(super) use over_every_engine;

over_every_engine! {
    a_browser_that_one_let_in_is_let_in_by_both
    a_key_opens_the_page_at_one_of_them_once
    a_token_of_a_program_is_good_and_revoked_at_both
    what_is_answered_at_one_is_heard_at_the_other
    a_file_that_one_took_answers_at_the_other
    reading_at_one_counts_at_the_other
    a_removed_person_is_out_at_both
}

async fn a_browser_that_one_let_in_is_let_in_by_both(url: &str) {
    let (a, b) = two(url).await;
    let ann = a.add("ann").await.opening_key().unwrap();
    for key in [a.keys.opening_key().unwrap(), ann] {
        let session = a.try_open(&key).await.unwrap();
        assert_eq!(a.hosting().await, b.hosting().await);
        for replica in [&a, &b] {
            let (status, told) = replica.get(&session.token, "/api/asks").await;
            assert_eq!(status, 200, "{told}");
        }
        // After a restart too.
        let again = Replica::over(url, 4655).await;
        assert_eq!(again.get(&session.token, "/api/asks").await.0, 200);
        let elsewhere = session.browser.token("another number");
        assert_eq!(b.get(&elsewhere, "/api/asks").await.0, 401);
    }
    let other = Replica::over("memory:", 4653).await;
    let stranger = other.keys.opening_key().unwrap();
    let stranger = other.try_open(&stranger).await.unwrap();
    assert_eq!(b.get(&stranger.token, "/api/asks").await.0, 401);
}

async fn a_key_opens_the_page_at_one_of_them_once(url: &str) {
    let (a, b) = two(url).await;
    let ann = a.add("ann").await;
    for keys in [a.keys.clone(), ann] {
        let key = keys.opening_key().unwrap();
        let (one, two) = tokio::join!(a.try_open(&key), b.try_open(&key));
        assert!(one.is_ok() != two.is_ok(), "one of them got in");
        for replica in [&a, &b] {
            let told = replica.try_open(&key).await.err().unwrap();
            assert_eq!(told["error"]["code"], "used_key");
        }
    }
}

async fn a_token_of_a_program_is_good_and_revoked_at_both(url: &str) {
    let (a, b) = two(url).await;
    let tokens = Tokens::new(a.journal.clone());
    let shown = tokens.create("phone", &[May::Answer]).await.unwrap();
    let asks = async |replica: &Replica| {
        let request = Request::get("/api/asks")
            .header("host", PUBLIC)
            .header("authorization", format!("Bearer {shown}"));
        let response = replica.send(request.body(Body::empty()).unwrap()).await;
        response.status().as_u16()
    };
    assert_eq!((asks(&a).await, asks(&b).await), (200, 200));
    let tokens = Tokens::new(b.journal.clone());
    assert!(tokens.revoke("phone").await.unwrap());
    assert_eq!((asks(&a).await, asks(&b).await), (401, 401));
}

async fn what_is_answered_at_one_is_heard_at_the_other(url: &str) {
    let (a, b) = two(url).await;
    let ann = a.add("ann").await.opening_key().unwrap();
    let ann = a.try_open(&ann).await.unwrap();
    let request = Request::get("/api/events")
        .header("host", PUBLIC)
        .header("x-holdpoint-token", &ann.token);
    let mut tab = Tab::of(b.send(request.body(Body::empty()).unwrap()).await);
    tab.hear("progress").await;
    let ask = a.ask(Ask::confirm("Go on?")).await;
    assert_eq!(tab.hear("elicitation").await.data["id"], json!(ask));
    tab.hear("progress").await;
    let told = a
        .answer(&ann.token, ask, json!({ "confirmed": true }), None)
        .await;
    assert_eq!(told["result"], "settled");
    let heard = tab.hear("settled").await;
    assert_eq!(heard.data["id"], json!(ask));
    assert_eq!(heard.data["decision"]["answeredBy"], "ann", "{heard:?}");
    let record = b.journal.ask(ask).await.unwrap().unwrap();
    assert_eq!(record.decision.unwrap().answered_by.as_deref(), Some("ann"));
}

async fn a_file_that_one_took_answers_at_the_other(url: &str) {
    let (a, b) = two(url).await;
    let key = a.keys.opening_key().unwrap();
    let session = a.try_open(&key).await.unwrap();
    let form = Form::new().field(Field::new("doc", Kind::File(File::default())));
    let ask = a.ask(Ask::new("A file?", form)).await;
    let given = upload(&a, &session.token, ask).await;
    let mut other = given.clone();
    other["sha256"] = json!("0".repeat(64));
    let told = b
        .answer(&session.token, ask, json!({ "doc": other }), None)
        .await;
    assert_eq!(told["result"], "invalid");
    let told = b
        .answer(&session.token, ask, json!({ "doc": given }), None)
        .await;
    assert_eq!(told["result"], "settled", "{told}");
}

async fn upload(replica: &Replica, token: &str, ask: AskId) -> Value {
    let request = Request::post(format!("/api/asks/{ask}/files/doc?name=plan.md"))
        .header("host", PUBLIC)
        .header("x-holdpoint-token", token);
    let given = replica.send(request.body("# Plan".into()).unwrap()).await;
    let given = json_of(given).await;
    assert_eq!(given["name"], "plan.md", "{given}");
    given
}

async fn reading_at_one_counts_at_the_other(url: &str) {
    let time = Duration::from_millis(300);
    let a = Replica::reading(url, 4653, time).await;
    let b = Replica::reading(url, 4654, time).await;
    let key = a.keys.opening_key().unwrap();
    let token = a.try_open(&key).await.unwrap().token;
    let yes = json!({ "confirmed": true });
    let unseen = a.ask(Ask::confirm("Unseen?")).await;
    let ask = a.ask(Ask::confirm("Seen?")).await;
    assert_eq!(a.get(&token, "/api/asks").await.0, 200);
    let shown = format!("/api/asks/{ask}/shown");
    assert_eq!(a.post(&token, &shown, json!({})).await.0, 200);
    let told = b.answer(&token, ask, yes.clone(), None).await;
    assert_ne!(told["result"], "settled", "too soon: {told}");
    let told = eventually("the reading time", async || {
        let told = b.answer(&token, ask, yes.clone(), None).await;
        (told["result"] == "settled").then_some(told)
    });
    told.await;
    // What no page showed was not read, whatever the browser says.
    let told = b.answer(&token, unseen, yes, None).await;
    assert_ne!(told["result"], "settled", "{told}");
}

async fn a_removed_person_is_out_at_both(url: &str) {
    let (a, b) = two(url).await;
    let ann = a.add("ann").await;
    let unused = ann.opening_key().unwrap();
    let session = a.try_open(&ann.opening_key().unwrap()).await.unwrap();
    let ask = a.ask(Ask::confirm("Go on?")).await;
    let request = Request::get("/api/events")
        .header("host", PUBLIC)
        .header("x-holdpoint-token", &session.token);
    let mut tab = Tab::of(a.send(request.body(Body::empty()).unwrap()).await);
    tab.hear("progress").await;
    let people = People::new(b.journal.clone());
    assert!(people.remove("ann").await.unwrap());
    // Somebody of the same name is another person.
    b.add("ann").await;
    for replica in [&a, &b] {
        assert_eq!(replica.get(&session.token, "/api/asks").await.0, 401);
        let told = replica.try_open(&unused).await.err().unwrap();
        assert_eq!(told["error"]["code"], "no_key");
    }
    let body = json!({ "askId": ask, "action": "accept", "content": { "confirmed": true }, "presence": held() });
    let (status, _) = a
        .post(&session.token, "/api/elicitation/respond", body)
        .await;
    assert_eq!(status, 401);
    b.ask(Ask::confirm("More?")).await;
    assert!(tab.next().await.is_none(), "their live events have ended");
    let record = a.journal.ask(ask).await.unwrap().unwrap();
    assert!(record.decision.is_none());
}

/// The flow runs where the journal keeps no files, as over PostgreSQL.
#[tokio::test]
async fn a_file_that_is_kept_in_no_folder_is_read_where_the_flow_runs() {
    let replica = Replica::over("memory:", 4653).await;
    let session = replica.try_open(&replica.keys.opening_key().unwrap()).await;
    let token = session.unwrap().token;
    let form = Form::new().field(Field::new("doc", Kind::File(File::default())));
    let asked = replica.desk.ask(origin("x"), Ask::new("A file?", form));
    let mut asked = asked.await.unwrap();
    let given = upload(&replica, &token, asked.id()).await;
    let told = replica.answer(&token, asked.id(), json!({ "doc": given }), None);
    assert_eq!(told.await["result"], "settled");
    let decided = asked.decided().await.unwrap();
    let Outcome::Accepted(answer) = decided.outcome else {
        panic!("{:?}", decided.outcome);
    };
    let path = answer["doc"]["path"].as_str().unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "# Plan");
    assert!(path.ends_with("-plan.md"), "{path}");
    // On record it is where every process finds it, not in a folder of this one.
    let record = replica.journal.ask(asked.id()).await.unwrap().unwrap();
    let Outcome::Accepted(recorded) = record.decision.unwrap().outcome else {
        panic!("it was accepted");
    };
    assert_eq!(recorded["doc"], given);
}
