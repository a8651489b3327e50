//! A script that waits for people is let go, and goes on with the file that its call began with.

use holdpoint::{Desk, Holdpoint, Settings, ToolServer, journal::JournalEngine};
use holdpoint_script::{Library, ScriptTools};
use holdpoint_testkit::{
    Client, ParkedInbox, accept, eventually, form_capabilities, inbox_reply, open_ask,
};
use rmcp::model::Implementation;
use serde_json::{Value, json};
use std::{path::Path, sync::Arc, time::Duration};
use tempfile::TempDir;

const ASKS: &str = r#"
export function* main() {
    const first = yield { ask: "text", message: "First?" };
    const second = yield { ask: "text", message: "Second?" };
    return `VERSION ${first} ${second}`;
}
"#;

struct Served {
    folder: TempDir,
    library: Arc<Library>,
    desk: Desk,
    server: Holdpoint<ToolServer>,
}

async fn served(journal: Arc<dyn JournalEngine>, version: &str) -> Served {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), version);
    let library = Arc::new(Library::open(folder.path()).await);
    let desk = Desk::builder(journal)
        .settings(Settings::default().fast_reply(Duration::ZERO))
        .channel(Arc::new(ParkedInbox::default()));
    let desk = desk.build().await.unwrap();
    let scripts = ScriptTools::new(library.clone(), folder.path().to_owned(), Vec::new());
    let about = Implementation::new("scripts", "1");
    let server = ToolServer::new(about, "", [Arc::new(scripts) as _]);
    let server = server.over(desk.clone()).unwrap();
    Served {
        server: server.release_waiting_after(Duration::ZERO),
        folder,
        library,
        desk,
    }
}

fn write(folder: &Path, version: &str) {
    std::fs::write(folder.join("two.js"), ASKS.replace("VERSION", version)).unwrap();
}

impl Served {
    async fn let_go(&self, calls: usize) {
        let released = async || (self.desk.released_calls() == calls).then_some(());
        eventually("the flow to be let go", released).await;
    }

    /// Waits until the library holds what `wanted` finds in it.
    async fn loaded(&self, wanted: impl Fn(&holdpoint_script::Loaded) -> bool) {
        let loaded = async || wanted(&self.library.now()).then_some(());
        eventually("the changed folder to be loaded", loaded).await;
    }

    async fn kept(&self) -> Vec<String> {
        self.desk.journal().names("scripts").await.unwrap()
    }
}

/// The keys of a round and its state.
fn round(answer: &Value) -> (String, Value) {
    let requests = answer["result"]["inputRequests"].as_object();
    let requests = requests.unwrap_or_else(|| panic!("{answer}"));
    let key = requests.keys().next().unwrap().clone();
    (key, answer["result"]["requestState"].clone())
}

fn result(answer: &Value) -> &Value {
    &answer["result"]["structuredContent"]["result"]
}

async fn memory() -> Arc<dyn JournalEngine> {
    holdpoint::journal::open("memory:").await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_goes_on_with_the_file_that_it_began_with() {
    let served = served(memory().await, "old").await;
    let mut client = Client::modern(&served.server, form_capabilities());
    let call = client.call("two_main").await;
    let (key, state) = round(&client.answer(call).await);
    served.let_go(1).await;

    let old = served.library.now().program("two").unwrap().digest();
    write(served.folder.path(), "new");
    served
        .loaded(|loaded| loaded.program("two").is_some_and(|two| two.digest() != old))
        .await;
    let first = json!({ &key: accept(json!({ "value": "a" })) });
    let call = client.retry("two_main", &state, first).await;
    let (_, state) = round(&client.answer(call).await);
    served.let_go(1).await;

    // Its file goes altogether, and the person answers in the inbox.
    std::fs::remove_file(served.folder.path().join("two.js")).unwrap();
    served
        .loaded(|loaded| loaded.program("two").is_none())
        .await;
    let ask = open_ask(&served.desk).await.id;
    inbox_reply(&served.desk, ask, json!({ "value": "b" })).await;
    let call = client.retry("two_main", &state, json!({})).await;
    assert_eq!(result(&client.answer(call).await), "old a b");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_with_the_same_bytes_are_kept_for_the_calls_of_each() {
    let served = served(memory().await, "same").await;
    let other = served.folder.path().join("a, b.js");
    std::fs::copy(served.folder.path().join("two.js"), &other).unwrap();
    served
        .loaded(|loaded| loaded.program("a, b").is_some())
        .await;
    let mut client = Client::modern(&served.server, form_capabilities());
    let call = client.call("two_main").await;
    round(&client.answer(call).await);
    served.let_go(1).await;
    let call = client.call("a_b_main").await;
    let (key, state) = round(&client.answer(call).await);
    served.let_go(2).await;

    std::fs::remove_file(&other).unwrap();
    served
        .loaded(|loaded| loaded.program("a, b").is_none())
        .await;
    let first = json!({ &key: accept(json!({ "value": "a" })) });
    let call = client.retry("a_b_main", &state, first).await;
    let (key, state) = round(&client.answer(call).await);
    let second = json!({ &key: accept(json!({ "value": "b" })) });
    let call = client.retry("a_b_main", &state, second).await;
    assert_eq!(result(&client.answer(call).await), "same a b");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_open_call_needs_is_removed() {
    let journal = memory().await;
    let first = served(journal.clone(), "one").await;
    let mut client = Client::modern(&first.server, form_capabilities());
    let call = client.call("two_main").await;
    client.answer(call).await;
    let waiting = first.kept().await;
    assert_eq!(waiting.len(), 1);
    let unused = format!("scripts/{}", holdpoint::Digest::hash_bytes(b""));
    journal.store(&unused, Some(b"{}".to_vec())).await.unwrap();

    let second = served(journal, "two").await;
    let mut client = Client::modern(&second.server, form_capabilities());
    let call = client.call("two_main").await;
    client.answer(call).await;
    eventually("the one that nobody needs to go", async || {
        (second.kept().await.len() == 2).then_some(())
    })
    .await;
    assert!(
        second.kept().await.contains(&waiting[0]),
        "a call of it waits"
    );
}
