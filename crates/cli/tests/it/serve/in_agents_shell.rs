//! A server that was started in an agent's shell, by a client that the agent runs.

use super::support::*;
use crate::inbox::browser::Browser;
use serde_json::{Value, json};

fn dangerous() -> Value {
    let arguments = json!({ "message": "Drop it?", "dangerous": true });
    json!({ "name": "elicit_confirm", "arguments": arguments })
}

#[test]
fn a_server_in_an_agents_shell_sends_dangerous_asks_to_the_inbox_only() {
    for mark in ["CLAUDECODE", "GEMINI_CLI", "CODEX_THREAD_ID", "QWEN_CODE"] {
        let home = new_home();
        home.config("hold_seconds = 1");
        let mut command = home.command(&["serve"]);
        let mut client = Pipe::legacy(command.env(mark, "1"));
        let call = client.request("tools/call", dangerous());
        let first = client
            .until(|message| message["method"] == "elicitation/create" || message["id"] == call);
        let told = &first["result"]["structuredContent"];
        assert_eq!(told["status"], "pending", "{mark}: {first}");
        // What is not dangerous goes to the client as ever.
        client.request("tools/call", confirm());
        client.asked();
    }
}

#[test]
fn a_harness_shows_dangerous_asks_of_its_own_server() {
    for mark in ["AI_AGENT", "CLAUDE_CODE_ENTRYPOINT"] {
        let home = new_home();
        let mut command = home.command(&["serve"]);
        let mut client = Pipe::legacy(command.env(mark, "cli"));
        client.request("tools/call", dangerous());
        client.asked();
    }
}

#[test]
fn a_client_in_an_agents_shell_hides_no_mark() {
    let home = new_home();
    home.config("hold_seconds = 1");
    // The client clears its server's environment, as several do.
    let server = home.binary().display().to_string();
    let mut command = home.command(&["serve"]);
    let line = format!("env -u CLAUDECODE '{server}' serve; exit $?");
    let mut shell = std::process::Command::new("setsid");
    shell
        .args(["sh", "-c", &line])
        .env_clear()
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env("CLAUDECODE", "1")
        .current_dir(home.workspace());
    command = shell;
    let mut client = Pipe::legacy(&mut command);
    let told = client.ask("tools/call", dangerous());
    assert_eq!(
        told["result"]["structuredContent"]["status"], "pending",
        "{told}"
    );
}

#[test]
fn a_reply_from_the_page_or_a_client_is_not_judged_by_the_servers_environment() {
    let home = new_home();
    let mut command = home.command(&["serve"]);
    let mut client = Pipe::legacy(command.env("CLAUDECODE", "1"));
    let browser = Browser::open(&home);
    let call = client.request("tools/call", dangerous());
    let settled = browser.accept(&browser.asked(), json!({ "confirmed": true }));
    assert_eq!(settled["result"], "settled", "{settled}");
    let told = client.until(|message| message["id"] == call);
    assert_eq!(
        told["result"]["structuredContent"]["proceed"], true,
        "{told}"
    );
    let call = client.request("tools/call", confirm());
    let form = client.asked();
    // As long as a person reads.
    std::thread::sleep(std::time::Duration::from_millis(450));
    client.send(json!({ "jsonrpc": "2.0", "id": form["id"], "result": yes() }));
    let told = client.until(|message| message["id"] == call && message.get("method").is_none());
    assert_eq!(
        told["result"]["structuredContent"]["proceed"], true,
        "{told}"
    );
}
