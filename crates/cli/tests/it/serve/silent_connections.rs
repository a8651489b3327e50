//! Connections that say nothing.

use super::{http::Server, support::*};
use serde_json::json;
use std::{
    fs,
    net::{SocketAddr, TcpStream},
    process::Command,
};

fn git(home: &Home, args: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.com"])
        .args(args)
        .current_dir(home.workspace())
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", stderr(&done));
}

/// A server that cannot have more than 1,024 files open, as under a usual shell.
#[test]
fn eleven_hundred_silent_connections_do_not_take_the_page_or_git_away() {
    holdpoint_inbox::file_limit::raise();
    let home = new_home();
    git(&home, &["init", "-q"]);
    home.work_file("code.txt", "one\n");
    git(&home, &["add", "."]);
    git(&home, &["commit", "-qm", "First"]);
    home.work_file("code.txt", "two\n");
    let server = Server::start_under(&home, "ulimit -n 1024", &[]);
    let page = eventually_blocking("the page's address", || {
        fs::read_to_string(format!("{}-kept/page-address", home.journal().display())).ok()
    });
    let mcp = server.url.strip_prefix("http://").unwrap();
    let mcp = mcp.strip_suffix("/mcp").unwrap();
    let mut silent = Vec::new();
    for place in [page.strip_prefix("http://").unwrap(), mcp] {
        let place: SocketAddr = place.parse().unwrap();
        silent.extend((0..1_100).map(|_| TcpStream::connect_timeout(&place, PATIENCE).unwrap()));
    }

    let health = ureq::get(format!("{page}/api/health")).call().unwrap();
    assert_eq!(health.status(), 200);
    let round = server.modern(json!({
        "name": "request_phase_commit_approval",
        "arguments": {
            "phaseNumber": 1, "phaseSummary": "Two", "commitMessage": "Second",
            "filesModified": ["code.txt"],
        },
    }));
    let asked = round["result"]["inputRequests"].to_string();
    assert!(asked.contains("+two"), "git is not asked: {round}");
    drop(silent);
}
