//! The database that a journal is in.

use super::{Check, checks::record};
use holdpoint::journal::{
    postgres::{CONNECTIONS_OF_A_SERVER, Inspection, Schema, inspect},
    shown_address,
};
use std::time::Duration;

const NAME: &str = "postgres";

/// How far clocks may be apart before it is said. Nothing goes wrong: the database's clock counts.
const APART: Duration = Duration::from_secs(5);

/// One line for each thing that matters, and one for the record, where there is one.
pub async fn checks(url: &str) -> Vec<Check> {
    let found = match inspect(url).await {
        Ok(found) => found,
        Err(error) => {
            return vec![
                Check::problem("journal", error.to_string())
                    .fix("fix what it says; `holdpoint serve` does not start until then"),
            ];
        }
    };
    let mut checks = vec![match found.schema {
        Schema::Made { .. } => record(url).await,
        _ => Check::ok(
            "journal",
            format!("{}, made when a server starts", shown_address(url)),
        ),
    }];
    checks.extend(describe(&found));
    checks
}

fn describe(found: &Inspection) -> Vec<Check> {
    let mut checks = vec![
        Check::ok(NAME, format!("version {}", found.version)),
        tls(found),
    ];
    if found.is_pooled {
        let what = "a pooler hands each transaction to another connection";
        checks.push(
            Check::problem(NAME, what)
                .fix("use PostgreSQL's own address, or a pooler that pools sessions"),
        );
    }
    if found.is_read_only {
        let what = "it can only be read: a standby, or set to be read only";
        checks.push(
            Check::problem(NAME, what)
                .fix("use the primary's address, or name all hosts, separated by commas"),
        );
    }
    checks.push(if found.missing_rights.is_empty() {
        Check::ok(NAME, "the role has the rights that it needs")
    } else {
        Check::problem(
            NAME,
            format!("the role lacks rights: {}", found.missing_rights.join(", ")),
        )
        .fix("grant them, or use a role that owns the schema `holdpoint`")
    });
    checks.push(schema(found));
    checks.extend(durability(found));
    checks.push(clock(found));
    checks.push(trigrams(found));
    checks.push(connections(found));
    checks
}

fn tls(found: &Inspection) -> Check {
    match (found.is_encrypted, found.is_verified, found.is_local) {
        (true, true, _) => Check::ok(NAME, "TLS, and the server's certificate is verified"),
        (true, false, true) => Check::ok(NAME, "TLS; it is on this machine"),
        (false, _, true) => Check::ok(NAME, "no TLS; it is on this machine"),
        (true, false, false) => {
            Check::hint(NAME, "TLS, and the server's certificate is not verified").fix(
                "leave `sslmode` out of the address, or say `verify-full`; `sslrootcert=FILE` names a CA of your own",
            )
        }
        (false, _, false) => Check::problem(
            NAME,
            "no TLS: whoever is on the network between can read and change what is asked and answered",
        )
        .fix("leave `sslmode` out of the address, or say `verify-full`"),
    }
}

fn schema(found: &Inspection) -> Check {
    let known = found.known_version;
    match found.schema {
        Schema::Made {
            version,
            lowest_writer,
        } => {
            let what = format!(
                "schema version {version}, which programs that know {lowest_writer} or newer may write; this one knows {known}"
            );
            if lowest_writer > known {
                Check::problem(NAME, what).fix("update this Holdpoint")
            } else if version < known {
                Check::hint(NAME, what)
                    .fix("the next server of this Holdpoint brings it up to date; older ones go on beside it")
            } else {
                Check::ok(NAME, what)
            }
        }
        Schema::Foreign => Check::problem(
            NAME,
            "the schema `holdpoint` of this database belongs to something else",
        )
        .fix("name another database"),
        _ => Check::ok(
            NAME,
            format!("no tables yet; version {known} is made when a server starts"),
        ),
    }
}

fn durability(found: &Inspection) -> Vec<Check> {
    let mut checks = Vec::new();
    for (is_on, setting) in [
        (found.fsync, "fsync"),
        (found.full_page_writes, "full_page_writes"),
    ] {
        if !is_on {
            let what = format!(
                "`{setting} = off`: decisions, or the whole record, can be lost when the server's machine crashes"
            );
            checks.push(Check::problem(NAME, what).fix(format!("set `{setting} = on` there")));
        }
    }
    if checks.is_empty() {
        let what = match &*found.synchronous_commit {
            "off" => "fsync is on; synchronous_commit is off, and on for Holdpoint's own commits"
                .to_owned(),
            commit => format!("fsync is on, synchronous_commit is {commit}"),
        };
        checks.push(Check::ok(NAME, what));
    }
    checks
}

fn clock(found: &Inspection) -> Check {
    let apart = found.clock_offset.unsigned_abs();
    let way = if found.clock_offset.is_negative() {
        "behind"
    } else {
        "ahead of"
    };
    let what = format!(
        "its clock is {:.1} s {way} this machine's",
        apart.as_secs_f64()
    );
    if apart > APART {
        Check::hint(NAME, what).fix(
            "set both by NTP: who owns a call goes by the database's clock, deadlines by each server's",
        )
    } else {
        Check::ok(NAME, what)
    }
}

fn trigrams(found: &Inspection) -> Check {
    if found.has_trigrams {
        return Check::ok(NAME, "`pg_trgm` is installed, so searches have their index");
    }
    let what = "`pg_trgm` is not installed: searches of a long record are slow";
    Check::hint(NAME, what).fix(if found.could_have_trigrams {
        "run `CREATE EXTENSION pg_trgm` in this database"
    } else {
        "install PostgreSQL's contrib package, then run `CREATE EXTENSION pg_trgm`"
    })
}

fn connections(found: &Inspection) -> Check {
    let (used, most) = (found.used_connections, found.max_connections);
    let what = format!(
        "{used} of {most} connections are in use; a server of Holdpoint's takes up to {CONNECTIONS_OF_A_SERVER}"
    );
    if most.saturating_sub(used) < CONNECTIONS_OF_A_SERVER {
        Check::problem(NAME, what).fix("raise `max_connections`, or stop what holds them")
    } else {
        Check::ok(NAME, what)
    }
}
