//! The page of a real server, used as its own script does: by its API, with a browser's key.

use super::{Case, answer_of};
use crate::support::{Home, Process, eventually_blocking};
use holdpoint::journal::{self, AskQuery, AskRecord, JournalEngine};
use holdpoint_inbox::{Browser, Keys};
use serde_json::{Value, json};
use std::{collections::HashSet, fs, path::Path, sync::Arc};
use tokio::runtime::Runtime;

/// A server with its page, and somebody who answers there.
pub struct Page {
    address: String,
    token: String,
    journal: Arc<dyn JournalEngine>,
    runtime: Runtime,
    answered: HashSet<String>,
    _server: Process,
}

impl Page {
    /// Starts the server of this home with the scripts of this folder, and opens its page.
    pub fn open(home: &Home, scripts: &Path) -> Self {
        let args = ["serve", "--http", "127.0.0.1:0", "--scripts"];
        let server = Process::start(home.command(&args).arg(scripts));
        let beside = |name: &str| format!("{}-{name}", home.journal().display());
        let address = eventually_blocking("the page's address", || {
            fs::read_to_string(beside("kept/page-address")).ok()
        });
        let key = fs::read(beside("keys/page")).unwrap();
        let key = Keys::new(key.try_into().unwrap()).opening_key().unwrap();
        let runtime = Runtime::new().unwrap();
        let url = format!("sqlite:{}", home.journal().display());
        let mut page = Self {
            address: address.trim_end_matches('/').to_owned(),
            token: String::new(),
            journal: runtime.block_on(journal::open_read_only(&url)).unwrap(),
            runtime,
            answered: HashSet::new(),
            _server: server,
        };
        let opened = page.post("/api/session", &json!({ "key": key }));
        let text = |name: &str| opened[name].as_str().unwrap().to_owned();
        let browser = Browser {
            number: text("browser"),
            key: text("key"),
        };
        let hosting = page.get("/api/health")["hosting"].take();
        page.token = browser.token(hosting.as_str().unwrap());
        page
    }

    pub fn get(&self, path: &str) -> Value {
        let request = ureq::get(format!("{}{path}", self.address));
        let mut response = request
            .header("x-holdpoint-token", &self.token)
            .call()
            .unwrap();
        serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap()
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let request = ureq::post(format!("{}{path}", self.address))
            .header("x-holdpoint-token", &self.token)
            .header("content-type", "application/json");
        let mut response = request.send(body.to_string()).unwrap();
        serde_json::from_str(&response.body_mut().read_to_string().unwrap()).unwrap()
    }

    /// Begins a run as the page does, and gives its id; or why it cannot be run.
    pub fn begin(&self, case: &Case) -> Result<String, String> {
        let listed = self.get("/api/scripts");
        let scripts = listed["scripts"].as_array().unwrap();
        let script = scripts.iter().find(|script| script["file"] == case.file);
        let script = script.ok_or("it is not listed")?;
        if let Some(fault) = script["fault"]["message"].as_str() {
            return Err(fault.to_owned());
        }
        let wanted = json!({
            "script": script["name"], "method": case.method, "arguments": case.arguments,
        });
        let begun = self.post("/api/scripts/runs", &wanted);
        let id = begun["id"].as_str().map(str::to_owned);
        id.ok_or_else(|| begun.to_string())
    }

    /// What a run returned, once it has ended.
    pub fn result(&self, run: &str) -> Option<Value> {
        let history = self.journal.call(run.parse().unwrap());
        let result = self.runtime.block_on(history).unwrap()?.call.result?;
        Some(result["tool"]["structuredContent"].clone())
    }

    /// Answers everything that is open.
    pub fn answer_all(&mut self, cases: &[Case]) {
        let open = AskQuery {
            open: true,
            ..AskQuery::default()
        };
        for ask in self.runtime.block_on(self.journal.asks(open)).unwrap() {
            if self.answered.insert(ask.id.to_string()) {
                self.answer(&ask, cases);
            }
        }
    }

    fn answer(&self, ask: &AskRecord, cases: &[Case]) {
        let tool = ask.origin.tool.as_deref().unwrap_or_default();
        let case = cases.iter().find(|case| case.tool() == tool).expect(tool);
        let before = AskQuery {
            call: ask.call,
            ..AskQuery::default()
        };
        let all = self.runtime.block_on(self.journal.asks(before)).unwrap();
        let alike = |other: &&AskRecord| other.id < ask.id && other.ask.message == ask.ask.message;
        let alike = all.iter().filter(alike).count();
        let name = &ask.ask.form.fields[0].name;
        let content = answer_of(case, &ask.ask.message, alike, name);
        let answer = json!({
            "askId": ask.id, "action": "accept", "content": content,
            "presence": { "shownMs": 5_000, "gesture": "held" },
        });
        let told = self.post("/api/elicitation/respond", &answer);
        assert_eq!(told["result"], "settled", "{tool}: {answer}: {told}");
    }
}
