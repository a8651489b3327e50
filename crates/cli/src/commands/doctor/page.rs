//! The inbox page.

use super::Check;
use crate::{
    commands::serve::page,
    config::{Config, Environment},
};
use holdpoint::journal;
use holdpoint_inbox::page_host;
use std::{io::ErrorKind, net::TcpListener};

pub async fn check(config: &Config, environment: &Environment) -> Check {
    let name = "page";
    let wanted = match page::wanted(config) {
        Ok(Some(wanted)) => wanted,
        Ok(None) => {
            return Check::hint(
                name,
                "the inbox is off: only clients that show forms reach you",
            );
        }
        Err(error) => return Check::problem(name, format!("{error:#}")),
    };
    let address = wanted.address;
    // The check of the journal says when it cannot be used.
    if let Ok(url) = config.journal(environment)
        && url != "memory:"
        && let Ok(journal) = journal::open_read_only(&url).await
        && let Ok(Some(served)) = page_host::find(journal.as_ref()).await
    {
        return Check::ok(name, format!("served at {served}"))
            .fix("`holdpoint inbox --web` shows its key");
    }
    match TcpListener::bind(address) {
        Ok(_) => Check::ok(
            name,
            format!("nobody serves it now; `holdpoint serve` will, at {address}"),
        ),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Check::hint(
            name,
            format!("another program has {address}: the page will be on the next free port"),
        ),
        Err(error) => Check::problem(name, format!("it cannot listen on {address}: {error}"))
            .fix("set `inbox` to another address, or to `off`"),
    }
}
