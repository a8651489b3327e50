//! The server with a chat that is a stand-in on loopback.

use axum::{Json, Router, extract::State, routing::post};
use holdpoint_testkit::{PATIENCE, Pipe, initialize};
use serde_json::{Value, json};
use std::{process::Command, sync::Arc};
use tokio::sync::{Mutex, mpsc};

/// What a bot's service does for one chat: it keeps messages, and hands out presses.
struct Service {
    messages: mpsc::UnboundedSender<(&'static str, Value)>,
    presses: Mutex<mpsc::UnboundedReceiver<Value>>,
}

type Shared = State<Arc<Service>>;

async fn send(State(service): Shared, Json(message): Json<Value>) -> Json<Value> {
    service.messages.send(("sent", message)).unwrap();
    Json(json!({ "ok": true, "result": { "message_id": 7 } }))
}

async fn edit(State(service): Shared, Json(message): Json<Value>) -> Json<Value> {
    service.messages.send(("edited", message)).unwrap();
    Json(json!({ "ok": true, "result": {} }))
}

async fn updates(State(service): Shared, Json(asked): Json<Value>) -> Json<Value> {
    let press = service.presses.lock().await.recv().await;
    let update = json!({ "update_id": asked["offset"], "callback_query": press });
    Json(json!({ "ok": true, "result": [update] }))
}

/// The service, running.
struct Chat {
    runtime: tokio::runtime::Runtime,
    url: String,
    messages: mpsc::UnboundedReceiver<(&'static str, Value)>,
    press: mpsc::UnboundedSender<Value>,
}

impl Chat {
    fn start() -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (send_message, messages) = mpsc::unbounded_channel();
        let (press, presses) = mpsc::unbounded_channel();
        let service = Arc::new(Service {
            messages: send_message,
            presses: Mutex::new(presses),
        });
        let app = Router::new()
            .route("/sendMessage", post(send))
            .route("/editMessageText", post(edit))
            .route("/getUpdates", post(updates))
            .with_state(service);
        let listening = tokio::net::TcpListener::bind("127.0.0.1:0");
        let listener = runtime.block_on(listening).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        runtime.spawn(async { axum::serve(listener, app).await });
        Self {
            runtime,
            url,
            messages,
            press,
        }
    }

    /// The next message that is sent or edited.
    fn next(&mut self, wanted: &str) -> Value {
        let next = async { tokio::time::timeout(PATIENCE, self.messages.recv()).await };
        let (what, message) = self.runtime.block_on(next).unwrap().unwrap();
        assert_eq!(what, wanted, "{message}");
        message
    }

    /// Ann presses this button of a message.
    fn press(&self, message: &Value, button: &str) {
        let buttons = message["reply_markup"]["inline_keyboard"][0].as_array();
        let found = buttons.unwrap().iter().find(|one| one["text"] == button);
        let data = &found.unwrap()["callback_data"];
        let press = json!({ "from": { "first_name": "Ann" }, "data": data });
        self.press.send(press).unwrap();
    }
}

fn server(chat: &Chat, journal: &std::path::Path) -> Pipe {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chat-channel"));
    let journal = format!("sqlite:{}", journal.display());
    // A client that shows no forms: only the chat reaches anybody.
    let hello = initialize("2025-11-25", &json!({}));
    Pipe::greeting(command.args([&chat.url, "42", &journal]), hello)
}

fn call(server: &mut Pipe) -> u64 {
    let params = json!({ "name": "deploy", "arguments": { "version": "v2" } });
    server.request("tools/call", params)
}

fn answer(server: &mut Pipe, call: u64) -> Value {
    let answer = server.until(|message| message["id"] == call && message.get("result").is_some());
    answer["result"].clone()
}

#[test]
fn a_press_in_the_chat_answers_and_the_message_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut chat = Chat::start();
    let mut server = server(&chat, &folder.path().join("journal.db"));
    for (button, outcome) in [
        ("Yes", "Accepted by Ann through chat"),
        ("No", "Declined by Ann"),
    ] {
        let call = call(&mut server);
        let message = chat.next("sent");
        assert_eq!(message["chat_id"], "42");
        let text = message["text"].as_str().unwrap();
        assert!(text.starts_with("deployer asks"), "{text}");
        assert!(text.ends_with("Deploy v2?"), "{text}");
        chat.press(&message, button);
        let result = answer(&mut server, call);
        if button == "Yes" {
            assert_eq!(result["content"][0]["text"], "deployed v2");
        } else {
            assert_eq!(result["structuredContent"]["status"], "declined");
            assert_eq!(result["structuredContent"]["channel"], "chat");
            assert_eq!(result["isError"], false);
        }
        let edited = chat.next("edited");
        let text = edited["text"].as_str().unwrap();
        assert!(text.contains(outcome), "{text}");
    }
}

#[test]
fn after_a_kill_the_question_is_in_the_chat_again_and_its_answer_counts() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal.db");
    let mut chat = Chat::start();
    let mut first = server(&chat, &journal);
    call(&mut first);
    let before = chat.next("sent");
    first.process.child().kill().unwrap();
    first.process.ended();
    let mut second = server(&chat, &journal);
    let again = chat.next("sent");
    assert_eq!(again["reply_markup"], before["reply_markup"]);
    chat.press(&again, "Yes");
    let edited = chat.next("edited");
    assert!(edited["text"].as_str().unwrap().contains("Accepted by Ann"));
    let call = call(&mut second);
    let result = answer(&mut second, call);
    assert_eq!(result["content"][0]["text"], "deployed v2");
}

#[test]
fn a_chat_that_cannot_be_reached_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut chat = Chat::start();
    chat.url = "http://127.0.0.1:1".to_owned();
    let mut server = server(&chat, &folder.path().join("journal.db"));
    let call = call(&mut server);
    let fields = answer(&mut server, call)["structuredContent"].clone();
    assert_eq!(fields["status"], "unreachable");
    let why = fields["reason"].as_str().unwrap();
    assert!(why.starts_with("chat: "), "{why}");
}
