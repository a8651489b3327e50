//! The real binary under test.

use holdpoint_testkit::form_capabilities;
use serde_json::{Value, json};
use std::{
    io::Write,
    process::{Command, Stdio},
};

#[cfg(unix)]
pub use holdpoint_testkit::person;
pub use holdpoint_testkit::{Home, PATIENCE, Pipe, Process, eventually_blocking, stderr, stdout};

/// A home for the binary of this package.
pub fn new_home() -> Home {
    Home::new(env!("CARGO_BIN_EXE_holdpoint"))
}

/// The parameters of a handshake, of a client that shows forms.
pub fn initialize() -> Value {
    holdpoint_testkit::initialize("2025-11-25", &form_capabilities())
}

/// What a modern client that shows forms says with every request.
pub fn modern_meta() -> Value {
    holdpoint_testkit::modern_meta(&json!({ "elicitation": { "form": {} } }))
}

/// A call of `elicit_confirm`.
pub fn confirm() -> Value {
    json!({ "name": "elicit_confirm", "arguments": { "message": "Go on?" } })
}

/// A reply that says yes to it.
pub fn yes() -> Value {
    json!({ "action": "accept", "content": { "confirmed": true } })
}

/// A certificate for this machine, and its key.
pub fn certificate(home: &Home) -> [String; 2] {
    let make = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 \
                -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1";
    openssl(home, make, "");
    ["cert.pem", "key.pem"].map(|name| home.workspace().join(name).to_str().unwrap().to_owned())
}

/// What a server with that certificate answers to a request, as a program sees it that others wrote.
pub fn over_tls(home: &Home, place: &str, request: &str) -> String {
    let connect = format!("s_client -quiet -verify_return_error -CAfile cert.pem -connect {place}");
    openssl(home, &connect, request)
}

fn openssl(home: &Home, args: &str, input: &str) -> String {
    let child = Command::new("openssl")
        .args(args.split_whitespace())
        .current_dir(home.workspace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl is there");
    write!(child.stdin.as_ref().unwrap(), "{input}").unwrap();
    // `s_client` ends when the server does, with `-quiet` not before: the pipe stays open for it.
    stdout(&child.wait_with_output().unwrap())
}
