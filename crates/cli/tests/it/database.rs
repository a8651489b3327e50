//! A journal in PostgreSQL as a person meets it: what `doctor` says, what is refused, and that no output of any
//! command has the password.

use crate::support::*;
use serde_json::Value;
use std::process::Output;
use test_postgres::{Options, Server};

/// A password that must be seen nowhere.
const SECRET: &str = "geheim-0815";

/// Every command that opens a journal, or says which one it would open.
const COMMANDS: [&[&str]; 9] = [
    &["serve"],
    &["inbox"],
    &["log"],
    &["log", "verify"],
    &["doctor"],
    &["doctor", "--json"],
    &["ask", "Go on?"],
    &["journal", "check"],
    &["token", "list"],
];

/// What it printed, and how it ended.
fn all(output: &Output) -> String {
    let code = output.status.code();
    format!("{code:?}\n{}\n{}", stdout(output), stderr(output))
}

/// Every command refuses this address with these words, and shows no password, however it is given.
fn refused(url: &str, wanted: &str) {
    for command in COMMANDS {
        let by_flag = [command, &["--journal", url]].concat();
        let home = new_home();
        let mut flag = home.command(&by_flag);
        let mut variable = home.command(command);
        variable.env("HOLDPOINT_JOURNAL", url);
        let own = new_home();
        own.config(&format!("journal = {url:?}\n"));
        let mut file = own.command(command);
        for run in [&mut flag, &mut variable, &mut file] {
            let output = run.env("HOLDPOINT_LOG", "trace").output().unwrap();
            let said = all(&output);
            assert!(!output.status.success(), "{command:?}: {said}");
            assert!(said.contains(wanted), "{command:?}: {said}");
            assert!(!said.contains(SECRET), "{command:?}: {said}");
        }
    }
}

#[test]
fn nothing_that_is_refused_shows_its_password() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(Server::shared().database());
    let (address, name) = (database.address, &database.name);
    let wrong = format!("postgres://{name}:{SECRET}@{address}/{name}");
    refused(&wrong, "the password is wrong");
    refused(
        &format!("postgres://ada:{SECRET}@127.0.0.1:1/team"),
        "no server listens there",
    );
    refused(
        &format!("postgres://ada:{SECRET}@127.0.0.1/team?sslmode=on"),
        "`sslmode` must be",
    );
}

#[test]
fn an_address_that_cannot_be_read_is_not_repeated() {
    let home = new_home();
    for url in [
        format!("postgres://ada:x@{SECRET}@db/team"),
        format!("postgres://ada:x/{SECRET}@db/team"),
        format!("postgres://ada:{SECRET}"),
        format!("postgres:ada:{SECRET}@db/team"),
        format!("host=db password={SECRET}"),
        format!("mysql://ada:{SECRET}@db/team"),
    ] {
        for command in COMMANDS {
            let output = home.run(&[command, &["--journal", &url]].concat());
            let said = all(&output);
            assert!(!output.status.success(), "{command:?} {url}: {said}");
            assert!(!said.contains(SECRET), "{command:?}: {said}");
        }
    }
}

#[test]
fn doctor_looks_at_the_database() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = Server::with(Options::new().durable());
    let database = runtime.block_on(server.database());
    let home = new_home();
    let report = |url: &str| {
        let output = home.run(&["doctor", "--json", "--journal", url]);
        let said = all(&output);
        assert!(!said.contains(&database.password), "{said}");
        let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let checks = report["checks"].as_array().unwrap().clone();
        let of = |name: &'static str| {
            let checks = checks.iter().filter(move |check| check["name"] == name);
            checks.cloned().collect::<Vec<_>>()
        };
        (of("journal"), of("postgres"), of("config"))
    };
    let (journal, postgres, config) = report(&database.url());
    assert!(
        journal[0]["what"]
            .as_str()
            .unwrap()
            .contains("made when a server starts")
    );
    let said: Vec<_> = postgres
        .iter()
        .map(|check| check["what"].as_str().unwrap())
        .collect();
    for (line, part) in [
        "version ",
        "no TLS",
        "the rights that it needs",
        "no tables yet; version ",
        "fsync is on, synchronous_commit is on",
        "its clock is 0.",
        "`pg_trgm` is",
        "connections are in use; a server of Holdpoint's takes up to 10",
    ]
    .into_iter()
    .enumerate()
    {
        assert!(said[line].contains(part), "{said:#?}");
    }
    assert!(
        postgres.iter().all(|check| check["state"] != "problem"),
        "{postgres:#?}"
    );
    // The password is on the command line.
    assert_eq!(config[0]["state"], "hint");

    // A server that may lose what it has acknowledged.
    let risky = Server::start();
    let database = runtime.block_on(risky.database());
    let output = home.run(&["doctor", "--journal", &database.url()]);
    let said = all(&output);
    assert!(
        said.contains("`fsync = off`") && said.contains("`full_page_writes = off`"),
        "{said}"
    );
    assert!(!output.status.success(), "{said}");
}
