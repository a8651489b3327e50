//! Programs with tokens, at a page.

use super::stand::*;
use axum::{body::Body, http::Request};
use holdpoint::journal;
use holdpoint_inbox::tokens::{May, Tokens};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A page over a journal in a file, and the tokens of programs.
pub struct Programs {
    pub stand: Stand,
    pub tokens: Tokens,
    pub folder: TempDir,
}

impl Programs {
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = journal::open(&format!("sqlite:{}", path.display())).await;
        let journal = journal.unwrap();
        let tokens = Tokens::new(journal.clone());
        Self {
            stand: Stand::over(journal, HOST, false).await,
            tokens,
            folder,
        }
    }

    pub async fn send(
        &self,
        shown: &str,
        request: (&str, &str),
        body: Option<Value>,
    ) -> (u16, Value) {
        let answer = self.stand.send(from_program(shown, request, body)).await;
        (answer.status().as_u16(), json_of(answer).await)
    }

    /// The page at another process over the same journal.
    pub async fn elsewhere(&self) -> Stand {
        let path = self.folder.path().join("journal.db");
        let journal = journal::open(&format!("sqlite:{}", path.display())).await;
        Stand::over(journal.unwrap(), HOST, false).await
    }

    /// A new token of this name, as it is sent.
    pub async fn bearer(&self, name: &str, may: &[May]) -> String {
        format!("Bearer {}", self.tokens.create(name, may).await.unwrap())
    }
}

/// A request of a program.
pub fn from_program(shown: &str, request: (&str, &str), body: Option<Value>) -> Request<Body> {
    let (method, path) = request;
    let request = Request::builder().method(method).uri(path);
    let request = request
        .header("host", HOST)
        .header("authorization", shown)
        .header("content-type", "application/json");
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    request.body(Body::from(body)).unwrap()
}

/// What a program asks.
pub fn question() -> Value {
    json!({
        "message": "Deploy **2.4** to production?",
        "fields": [
            { "name": "confirmed", "kind": "confirm", "title": "Deploy?" },
            { "name": "when", "kind": "choice", "options": ["now", "tonight"], "required": false },
        ],
    })
}
