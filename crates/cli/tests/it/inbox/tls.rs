//! The page behind TLS, seen by a program that others wrote.

use super::{browser::address, delivery::client, support::*};
use serde_json::json;

#[cfg(unix)]
#[test]
fn a_server_in_an_agents_shell_shows_nobody_the_pages_key() {
    let home = new_home();
    let [cert, key] = certificate(&home);
    let _page = client(&home, json!({}), &["--inbox", "127.0.0.1:0"]);
    eventually_blocking("the page's address", || address(&home));
    // An address for phones, where this machine cannot listen: the page is the one that is there.
    let args = [
        "serve",
        "--inbox",
        "192.0.2.1:4999",
        "--inbox-cert",
        &cert,
        "--inbox-key",
        &key,
    ];
    let mut person = person::Person::runs(&home, &args, &[]);
    person.sees("#key=");
    let log = ("HOLDPOINT_LOG", "info");
    let mut agent = person::Person::runs(&home, &args, &[("CLAUDECODE", "1"), log]);
    agent.sees("`holdpoint inbox --web` shows the page's address with its key");
    assert!(!agent.plain().contains("#key="), "{}", agent.plain());
}

#[test]
fn the_page_speaks_tls_with_the_certificate_that_it_is_given() {
    let home = new_home();
    let [cert, key] = certificate(&home);
    let args = [
        "--inbox",
        "127.0.0.1:0",
        "--inbox-cert",
        &cert,
        "--inbox-key",
        &key,
    ];
    let _pipe = client(&home, json!({}), &args);
    let address = eventually_blocking("the page's address", || address(&home));
    let place = address.strip_prefix("https://").expect(&address);
    let request = format!("GET /api/health HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n");
    let seen = over_tls(&home, place, &request);
    assert!(seen.starts_with("HTTP/1.1 200"), "{seen}");
    assert!(seen.contains("\"holdpoint\""), "{seen}");
    let plain = ureq::get(format!("http://{place}/api/health")).call();
    assert!(plain.is_err(), "it answers without TLS too");
}
