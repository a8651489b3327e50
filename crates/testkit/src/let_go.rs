//! Letting flows go in the tests of whole rooms.

use holdpoint::Holdpoint;
use rmcp::ServerHandler;
use std::time::Duration;

/// How soon flows that wait are let go, where whoever runs the tests says so: the same stories hold then.
const VARIABLE: &str = "LET_GO_AFTER_MS";

pub(crate) fn let_go_if_wanted<H: ServerHandler>(server: Holdpoint<H>) -> Holdpoint<H> {
    let wanted = std::env::var(VARIABLE).ok();
    match wanted.map(|wanted| wanted.parse().expect("a number of milliseconds")) {
        Some(after) => server.release_waiting_after(Duration::from_millis(after)),
        None => server,
    }
}
