//! The page behind TLS, seen by a program that others wrote.

use super::{browser::address, delivery::client, support::*};
use serde_json::json;
use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

fn openssl(folder: &Path, args: &[&str], input: &str) -> String {
    let child = Command::new("openssl")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl is there");
    write!(child.stdin.as_ref().unwrap(), "{input}").unwrap();
    // `s_client` ends when the server does, with `-quiet` not before: the pipe stays open for it.
    stdout(&child.wait_with_output().unwrap())
}

#[test]
fn the_page_speaks_tls_with_the_certificate_that_it_is_given() {
    let home = new_home();
    let folder = home.workspace();
    let make = "req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 \
                -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1";
    let make: Vec<&str> = make.split_whitespace().collect();
    openssl(&folder, &make, "");
    let (cert, key) = (folder.join("cert.pem"), folder.join("key.pem"));
    let args = [
        "--inbox",
        "127.0.0.1:0",
        "--inbox-cert",
        cert.to_str().unwrap(),
        "--inbox-key",
        key.to_str().unwrap(),
    ];
    let _pipe = client(&home, json!({}), &args);
    let address = eventually_blocking("the page's address", || address(&home));
    let place = address.strip_prefix("https://").expect(&address);
    let request = format!("GET /api/health HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n");
    let seen = openssl(
        &folder,
        &[
            "s_client",
            "-quiet",
            "-verify_return_error",
            "-CAfile",
            "cert.pem",
            "-connect",
            place,
        ],
        &request,
    );
    assert!(seen.starts_with("HTTP/1.1 200"), "{seen}");
    assert!(seen.contains("\"holdpoint\""), "{seen}");
    let plain = ureq::get(format!("http://{place}/api/health")).call();
    assert!(plain.is_err(), "it answers without TLS too");
}
