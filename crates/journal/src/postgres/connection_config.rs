//! What an address says, and what holds where it says nothing, in the terms of the library that connects.

use super::connection_url::Parameters;
use holdpoint_workspace::{Environment, account};
use std::{net::IpAddr, path::Path, time::Duration};
use tokio_postgres::{Config, config::TargetSessionAttrs};

/// How long the network may take to reach one host, where the address does not say.
pub(super) const CONNECT: Duration = Duration::from_secs(5);

/// When a peer that says nothing is asked whether it lives, how often, and after how many times it is dead.
pub(super) const IDLE: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_secs(5);
const TIMES: u32 = 3;

/// How long what was sent may stay without an acknowledgement.
pub(super) const UNACKNOWLEDGED: Duration = Duration::from_secs(15);

/// Where libpq's sockets are.
pub(super) const SOCKET_FOLDERS: [&str; 3] = ["/run/postgresql", "/var/run/postgresql", "/tmp"];

/// What libpq would take where the address says nothing: who, where, and which database. What protects a
/// connection is not among it: that is for the address to say, not for whoever starts the process.
pub(super) fn fill_gaps(said: &mut Parameters, environment: &Environment) {
    let variable = |name: &str| {
        let value = environment.variable(name)?;
        value.to_str().map(ToOwned::to_owned)
    };
    let mut fill = |name: &str, value: Option<String>| {
        if let (false, Some(value)) = (said.contains_key(name), value) {
            said.insert(name.to_owned(), value);
        }
    };
    fill("user", variable("PGUSER").or_else(account::user_name));
    fill("dbname", variable("PGDATABASE"));
    fill("port", variable("PGPORT"));
    fill("host", variable("PGHOST"));
    if !said.contains_key("host") && !said.contains_key("hostaddr") {
        let port = said.get("port").map_or("5432", String::as_str);
        let socket = SOCKET_FOLDERS.into_iter().find(|folder| {
            let socket = Path::new(folder).join(format!(".s.PGSQL.{port}"));
            socket.exists()
        });
        let host = socket.unwrap_or("localhost").to_owned();
        said.insert("host".to_owned(), host);
    }
    if let (false, Some(user)) = (said.contains_key("dbname"), said.get("user").cloned()) {
        said.insert("dbname".to_owned(), user);
    }
}

/// Whether every host is this machine.
pub(super) fn is_local(said: &Parameters) -> bool {
    let hosts = said.get("hostaddr").or(said.get("host"));
    hosts.is_some_and(|hosts| {
        hosts.split(',').all(|host| {
            let is_loopback = host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
            host.starts_with('/') || host == "localhost" || is_loopback
        })
    })
}

/// What the library is told, in its own terms where they differ from libpq's.
pub(super) fn read_config(said: &Parameters) -> Result<Config, String> {
    let number = |name: &str| match said.get(name).map(|text| text.parse::<u32>()) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => Err(format!("`{name}` must be a whole number")),
    };
    let ours = [
        "keepalives_count",
        "passfile",
        "password",
        "password_file",
        "sslcert",
        "sslkey",
        "sslmode",
        "sslrootcert",
        "tcp_user_timeout",
    ];
    let theirs = said.iter().filter(|(name, _)| !ours.contains(&&***name));
    let text: String = theirs
        .map(|(name, value)| {
            let value = value.replace('\\', r"\\").replace('\'', r"\'");
            format!("{name}='{value}' ")
        })
        .collect();
    let mut config: Config = text.parse().map_err(|error: tokio_postgres::Error| {
        let why = std::error::Error::source(&error).map(ToString::to_string);
        format!("the address cannot be used: {}", why.unwrap_or_default())
    })?;
    let is_said = |name: &str| said.contains_key(name);
    if !is_said("application_name") {
        config.application_name("holdpoint");
    }
    if !is_said("connect_timeout") {
        config.connect_timeout(CONNECT);
    }
    if !is_said("keepalives_idle") {
        config.keepalives_idle(IDLE);
    }
    if !is_said("keepalives_interval") {
        config.keepalives_interval(AGAIN);
    }
    config.keepalives_retries(number("keepalives_count")?.unwrap_or(TIMES));
    match number("tcp_user_timeout")? {
        None => config.tcp_user_timeout(UNACKNOWLEDGED),
        Some(0) => &mut config,
        Some(millis) => config.tcp_user_timeout(Duration::from_millis(millis.into())),
    };
    if !is_said("target_session_attrs") {
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    }
    let ports = config.get_ports().len();
    let hosts = config.get_hosts().len().max(config.get_hostaddrs().len());
    if ports > 1 && ports != hosts {
        return Err("the address has more ports than hosts, or fewer".to_owned());
    }
    Ok(config)
}
