//! Who calls over HTTP: the server's key, tokens with names, and what each of them can reach.

use super::{
    http::{Caller, Events, Server},
    support::{person::Person, *},
};
use serde_json::{Value, json};
use std::fs;

/// A token that a person makes at their terminal.
pub fn token(home: &Home, name: &str, may: &str) -> String {
    let args = ["token", "create", name, "--may", may];
    let (seen, status) = Person::runs(home, &args, &[]).ends();
    assert!(status.success(), "{seen}");
    let shown = seen
        .split_whitespace()
        .find(|word| word.starts_with("holdpoint_"));
    shown
        .unwrap_or_else(|| panic!("no token in: {seen}"))
        .to_owned()
}

fn hello() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize() })
}

#[test]
fn on_loopback_too_a_caller_shows_the_key() {
    let home = new_home();
    let server = Server::start(&home, &[]);
    let status = |shown: &[&str]| {
        let headers: Vec<_> = shown
            .iter()
            .map(|shown| ("Authorization", *shown))
            .collect();
        let answer = server.anonymous().post(&headers, &hello());
        let challenge = answer.headers().get("www-authenticate");
        let challenge = challenge.map(|text| text.to_str().unwrap().to_owned());
        (answer.status().as_u16(), challenge.unwrap_or_default())
    };
    let key = server.key();
    let good = format!("Bearer {key}");
    assert_eq!(status(&[&good]).0, 200);
    assert_eq!(status(&[&format!("bearer {key}")]).0, 200);
    let (refused, challenge) = status(&[]);
    assert_eq!(refused, 401);
    assert_eq!(challenge, "Bearer realm=\"holdpoint\"");
    for wrong in [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic eDp5",
        &key,
        &format!("Bearer {}", &key[1..]),
        &format!("Bearer {key}0"),
        "Bearer holdpoint_ann_00",
        "Bearer a.b.c",
    ] {
        let (refused, challenge) = status(&[wrong]);
        assert_eq!(refused, 401, "{wrong}");
        assert!(challenge.contains("invalid_token"), "{challenge}");
    }
    assert_eq!(
        status(&[&good, "Bearer x"]).0,
        401,
        "two readers, two callers"
    );
    for method in ["GET", "DELETE", "PUT", "OPTIONS"] {
        assert_eq!(server.anonymous().bare(method).status(), 401, "{method}");
    }
    let path = format!("{}-keys/http", home.journal().display());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn only_the_persons_own_file_lets_callers_in_without_a_key() {
    let home = new_home();
    let args = ["serve", "--http", "127.0.0.1:0"];
    let variable = home
        .command(&args)
        .env("HOLDPOINT_HTTP_KEY", "false")
        .output();
    let said = stderr(&variable.unwrap());
    assert!(said.contains("HOLDPOINT_HTTP_KEY"), "{said}");
    home.work_file(".holdpoint/config.toml", "http_key = false\n");
    let said = stderr(&home.run(&args));
    assert!(said.contains("may not set `http_key`"), "{said}");
    home.work_file(".holdpoint/config.toml", "");
    home.config("http_key = false\n");
    let server = Server::start(&home, &[]);
    assert_eq!(server.anonymous().post(&[], &hello()).status(), 200);
    // Whoever does show something must show something good.
    let wrong = [("Authorization", "Bearer holdpoint_ann_00")];
    assert_eq!(server.anonymous().post(&wrong, &hello()).status(), 401);
}

#[test]
fn tokens_are_made_listed_and_revoked_by_people_only() {
    let home = new_home();
    let server = Server::start(&home, &[]);
    let ann = token(&home, "ann", "ask");
    let with = |token: &str| {
        server
            .as_holder_of(token)
            .post(&[], &hello())
            .status()
            .as_u16()
    };
    assert_eq!(with(&ann), 200);
    let phone = token(&home, "phone", "answer");
    assert_eq!(with(&phone), 403, "it may answer, not ask");
    let listed = stdout(&home.run(&["token", "list"]));
    assert!(
        listed.contains("ann  may ask") && listed.contains("phone  may answer"),
        "{listed}"
    );
    let secret = ann.rsplit('_').next().unwrap();
    assert!(!listed.contains(secret));

    for args in [
        &["token", "create", "eve", "--may", "ask"][..],
        &["token", "show"],
        &["token", "revoke", "ann"],
    ] {
        let output = home.command(args).env("CLAUDECODE", "1").output().unwrap();
        assert!(!output.status.success(), "{args:?}");
        assert_eq!(stdout(&output), "", "{args:?}");
        assert!(
            stderr(&output).contains("run by an agent"),
            "{}",
            stderr(&output)
        );
    }
    let (seen, status) = Person::runs(&home, &["token", "show"], &[]).ends();
    assert!(status.success() && seen.contains(&server.key()), "{seen}");
    assert_eq!(with(&ann), 200);
    let (_, status) = Person::runs(&home, &["token", "revoke", "ann"], &[]).ends();
    assert!(status.success());
    assert_eq!(with(&ann), 401, "at once, in a running server");
}

#[test]
fn another_principals_token_with_known_ids_gets_reads_and_deletes_nothing() {
    let home = new_home();
    home.config("fast_reply_ms = 0\n");
    let server = Server::start(&home, &[]);
    let (ann, bob) = (token(&home, "ann", "ask"), token(&home, "bob", "ask"));
    let (ann, bob) = (server.as_holder_of(&ann), server.as_holder_of(&bob));

    // A modern call: its state and its ask's id are no use to anybody else.
    let round = ann.modern(confirm());
    let state = round["result"]["requestState"].clone();
    assert!(state.is_string(), "{round}");
    let mut stolen = confirm();
    stolen["requestState"] = state.clone();
    stolen["inputResponses"] = json!({ "0001": yes() });
    let refused = bob.modern(stolen.clone());
    assert!(refused["error"].is_object(), "{refused}");
    let own = bob.modern(confirm());
    let own = &own["result"];
    assert_eq!(
        own["resultType"], "input_required",
        "bob is asked anew: {own}"
    );
    let open = |server: &Caller| {
        let asks = json!({ "uri": "holdpoint://asks/open" });
        let answer = server.modern_request("resources/read", asks);
        let text = answer["result"]["contents"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{answer}"));
        let asks: Value = serde_json::from_str(text).unwrap();
        let asks = asks["asks"].as_array().or(asks.as_array()).unwrap().clone();
        let ids = asks
            .iter()
            .map(|ask| ask["askId"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    let (anns, bobs) = (open(&ann), open(&bob));
    assert_eq!((anns.len(), bobs.len()), (1, 1));
    assert_ne!(anns, bobs);
    let wait =
        json!({ "name": "await_answer", "arguments": { "askId": anns[0], "waitSeconds": 1 } });
    let waited = bob.modern(wait.clone());
    let told = &waited["result"];
    assert!(
        told["isError"] == true || waited["error"].is_object(),
        "{waited}"
    );
    assert!(!waited.to_string().contains("Go on?"), "{waited}");

    // A session: as if it were not there.
    let session = ann.session();
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "elicit_confirm", "arguments": { "message": "Drop it?", "dangerous": true },
    } });
    let mut events = Events::of(ann.in_session(&session, &call));
    let asked = events.until(|message| message["method"] == "elicitation/create");
    let said_yes = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": yes() });
    assert_eq!(bob.in_session(&session, &said_yes).status(), 404);
    assert_eq!(bob.delete(&session).status(), 404);
    assert_eq!(
        server.in_session(&session, &said_yes).status(),
        404,
        "the key's holder too"
    );

    // Its owner still has it all.
    let answer = ann.modern(stolen);
    assert_eq!(
        answer["result"]["structuredContent"]["confirmed"], true,
        "{answer}"
    );
    let ping = json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" });
    assert_eq!(ann.in_session(&session, &ping).status(), 200);
    assert_eq!(ann.delete(&session).status(), 202);
}

#[test]
fn beyond_this_machine_with_tls_and_a_key() {
    let home = new_home();
    let [cert, key] = certificate(&home);
    let args = ["--inbox-cert", &cert, "--inbox-key", &key];
    let server = Server::start_at(&home, "0.0.0.0:0", &args);
    let port = server
        .url
        .strip_prefix("https://0.0.0.0:")
        .expect(&server.url);
    let plain = format!("http://127.0.0.1:{port}");
    let answer = ureq::get(plain).call();
    assert!(answer.is_err(), "it answers without TLS");
    let (port, path) = port.split_once('/').expect(port);
    let place = format!("127.0.0.1:{port}");
    let says = |shown: &str| {
        let body = hello().to_string();
        let request = format!(
            "POST /{path} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n{shown}\
             Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        over_tls(&home, &place, &request)
    };
    let refused = says("");
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    let taken = says(&format!("Authorization: Bearer {}\r\n", server.key()));
    assert!(taken.starts_with("HTTP/1.1 200"), "{taken}");
    assert!(taken.contains("\"protocolVersion\""), "{taken}");
}

#[test]
fn behind_a_proxy_plain_http_is_taken_from_it_only_and_callers_still_say_who_they_are() {
    let home = new_home();
    home.config("behind_proxy = [\"127.0.0.1\"]\n");
    let server = Server::start_at(&home, "0.0.0.0:0", &[]);
    let named = [("Host", "ask.example.com")];
    assert_eq!(server.post(&named, &hello()).status(), 200);
    assert_eq!(server.anonymous().post(&named, &hello()).status(), 401);

    let elsewhere = new_home();
    elsewhere.config("behind_proxy = [\"192.0.2.1\"]\n");
    let server = Server::start_at(&elsewhere, "0.0.0.0:0", &[]);
    assert!(
        server.try_post(&hello()).is_none(),
        "this machine is not the proxy"
    );
    let variable = home
        .command(&["serve", "--http", "0.0.0.0:0"])
        .env("HOLDPOINT_BEHIND_PROXY", "127.0.0.2")
        .output();
    let said = stderr(&variable.unwrap());
    assert!(said.contains("HOLDPOINT_BEHIND_PROXY"), "{said}");
}

#[test]
fn a_caller_with_a_token_is_not_the_harness_of_whoever_answers() {
    let home = new_home();
    let server = Server::start(&home, &["--tools", "permission"]);
    let ann = token(&home, "ann", "ask");
    let answer = server.as_holder_of(&ann).modern(json!({
        "name": "permission",
        "arguments": {
            "tool_name": "Bash", "input": { "command": "ls" }, "tool_use_id": "toolu_01",
        },
        "_meta": { "claudecode/toolUseId": "toolu_01" },
    }));
    let text = answer["result"]["content"][0]["text"].as_str();
    let said: Value = serde_json::from_str(text.unwrap_or_else(|| panic!("{answer}"))).unwrap();
    assert_eq!(said["behavior"], "deny", "{said}");
    let message = said["message"].as_str().unwrap();
    assert!(message.contains("whose inbox this is"), "{message}");
}
