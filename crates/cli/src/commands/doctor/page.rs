//! The inbox page.

use super::Check;
use crate::{
    commands::serve::page,
    config::{Config, Environment, Inbox},
    page_reach,
};
use holdpoint::journal;
use holdpoint_inbox::page_host;
use std::{io::ErrorKind, net::TcpListener};

const NAME: &str = "page";

/// How it is here, and at the address under which others know it.
pub async fn checks(config: &Config, environment: &Environment) -> Vec<Check> {
    let mut checks = vec![here(config, environment).await];
    if let (Some(address), true) = (&config.inbox_url, config.inbox != Inbox::Off) {
        checks.push(outside(&address.to_string()).await);
    }
    checks
}

async fn outside(address: &str) -> Check {
    match page_reach::ask(address).await {
        Ok(version) => Check::ok(
            NAME,
            format!("{address} leads to a page of Holdpoint {version}"),
        ),
        Err(fault) => {
            let what = format!("{address}: {}", fault.what);
            let check = if fault.is_uncertain {
                Check::hint(NAME, what)
            } else {
                Check::problem(NAME, what)
            };
            check.fix(fault.fix)
        }
    }
}

async fn here(config: &Config, environment: &Environment) -> Check {
    let name = NAME;
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
            .fix("`holdpoint inbox --web` shows its key, `--phone` as a code for a phone");
    }
    match TcpListener::bind(address) {
        Ok(_) => Check::ok(
            name,
            format!("nobody serves it now; a client's `holdpoint serve` will, at {address}, while the client runs"),
        )
        .fix("`holdpoint inbox --web` serves it now; a unit of systemd keeps it there (docs/shell.md has one)"),
        Err(error) if error.kind() == ErrorKind::AddrInUse => Check::hint(
            name,
            format!("another program has {address}: the page will be on the next free port"),
        ),
        Err(error) => {
            let fix = match error.kind() {
                ErrorKind::AddrNotAvailable => "set `inbox` to an address that this machine has",
                ErrorKind::PermissionDenied => "set `inbox` to a port above 1023: lower ones are the system's",
                _ => "set `inbox` to another address, or to `off`",
            };
            Check::problem(name, format!("it cannot listen on {address}: {error}")).fix(fix)
        }
    }
}
