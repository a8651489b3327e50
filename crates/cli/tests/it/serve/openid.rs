//! Access tokens of a real OpenID provider, `oidc-provider`. `dev/setup` installs it.

use super::{http::Server, support::*};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    process::Command,
};

/// The provider, while it runs.
struct Provider {
    issuer: String,
    _process: Process,
}

impl Provider {
    fn start() -> Self {
        let [node, script] = clients::node_script("oidc.mjs");
        let mut process = Process::start(Command::new(node).arg(script));
        let output = process.child().stdout.take().unwrap();
        let mut issuer = String::new();
        BufReader::new(output).read_line(&mut issuer).unwrap();
        assert!(
            issuer.starts_with("http://"),
            "the provider does not start: {issuer}"
        );
        Self {
            issuer: issuer.trim().to_owned(),
            _process: process,
        }
    }

    /// A token that it gives this client, for this scope and resource.
    fn token(&self, client: &str, scope: &str, resource: &str) -> String {
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", client),
            ("client_secret", "secret"),
            ("scope", scope),
            ("resource", resource),
        ];
        let answer = ureq::post(format!("{}/token", self.issuer)).send_form(form);
        let answer: Value =
            serde_json::from_reader(answer.unwrap().into_body().into_reader()).unwrap();
        answer["access_token"].as_str().unwrap().to_owned()
    }
}

fn hello() -> Value {
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize() })
}

#[test]
fn a_client_finds_the_openid_provider_and_asks_with_its_token() {
    let provider = Provider::start();
    let home = new_home();
    home.config(&format!(
        "http_key = false\nfast_reply_ms = 0\n[auth]\nissuer = \"{}\"\n",
        provider.issuer
    ));
    let server = Server::start(&home, &[]);

    // Nobody is let in without a token, and everybody is told where to get one.
    let refused = server.anonymous().post(&[], &hello());
    assert_eq!(refused.status(), 401);
    let challenge = refused.headers()["www-authenticate"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(challenge.contains("scope=\"holdpoint:ask\""), "{challenge}");
    let (_, metadata) = challenge.split_once("resource_metadata=\"").unwrap();
    let metadata = metadata.split('"').next().unwrap();
    let wanted = server
        .url
        .replace("/mcp", "/.well-known/oauth-protected-resource/mcp");
    assert_eq!(metadata, wanted);
    let described = ureq::get(metadata).call().unwrap();
    let described: Value = serde_json::from_reader(described.into_body().into_reader()).unwrap();
    assert_eq!(described["resource"], server.url);
    assert_eq!(described["authorization_servers"], json!([provider.issuer]));
    assert_eq!(described["scopes_supported"], json!(["holdpoint:ask"]));

    let good = provider.token(
        "ask",
        "holdpoint:ask",
        described["resource"].as_str().unwrap(),
    );
    let ann = server.as_holder_of(&good);
    let round = ann.modern(confirm());
    let mut again = confirm();
    again["requestState"] = round["result"]["requestState"].clone();
    again["inputResponses"] = json!({ "0001": yes() });
    let answer = ann.modern(again);
    assert_eq!(
        answer["result"]["structuredContent"]["confirmed"], true,
        "{answer}"
    );
    let session = ann.session();

    let status = |token: &str| {
        server
            .as_holder_of(token)
            .post(&[], &hello())
            .status()
            .as_u16()
    };
    let elsewhere = provider.token("ask", "holdpoint:ask", "https://other.example/mcp");
    assert_eq!(status(&elsewhere), 401, "it is meant for another server");
    let other = provider.token("read", "other", &server.url);
    assert_eq!(status(&other), 403, "it has another scope");
    let mut forged = good.clone();
    forged.truncate(forged.len() - 8);
    assert_eq!(status(&forged), 401);
    // A fresh token of the same holder is the same principal; a named token is another one.
    let renewed = provider.token("ask", "holdpoint:ask", &server.url);
    assert_ne!(renewed, good);
    let ping = json!({ "jsonrpc": "2.0", "id": 8, "method": "ping" });
    let renewed = server.as_holder_of(&renewed);
    assert_eq!(renewed.in_session(&session, &ping).status(), 200);
    let bob = super::callers::token(&home, "bob", "ask");
    let bob = server.as_holder_of(&bob);
    assert_eq!(bob.in_session(&session, &ping).status(), 404);
}
