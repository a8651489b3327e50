//! Taking an address apart: `postgres://USER:PASSWORD@HOST:PORT,…/DATABASE?NAME=VALUE&…`.

use crate::shown_address::PARAMETERS;
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;

/// What an address says, by libpq's names.
pub(super) type Parameters = BTreeMap<String, String>;

const ESCAPE: &str = "in a user's name, a password, a database's name or a value, write `@` as %40, \
                      `/` as %2F, `:` as %3A, `?` as %3F, `&` as %26 and `%` as %25";

/// Takes an address apart.
///
/// # Errors
/// A sentence that repeats nothing of the address but the name of a parameter: what cannot be read may
/// be a piece of a password.
pub(super) fn parse(url: &str) -> Result<Parameters, String> {
    let rest = ["postgres://", "postgresql://"]
        .iter()
        .find_map(|scheme| url.strip_prefix(scheme))
        .ok_or("the address does not begin with `postgres://`")?;
    let (authority, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if rest.contains('@') || authority.matches('@').count() > 1 {
        return Err(format!("the address has an `@` too many; {ESCAPE}"));
    }
    let mut found = Parameters::new();
    let hosts = match authority.split_once('@') {
        Some((who, hosts)) => {
            let (user, password) = match who.split_once(':') {
                Some((user, password)) => (user, Some(password)),
                None => (who, None),
            };
            set(&mut found, "user", user)?;
            set(&mut found, "password", password.unwrap_or_default())?;
            hosts
        }
        None => authority,
    };
    set_hosts(&mut found, hosts)?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    set(&mut found, "dbname", path.trim_start_matches('/'))?;
    for one in query.split('&').filter(|one| !one.is_empty()) {
        let (name, value) = one.split_once('=').ok_or_else(|| {
            format!("a parameter of the address has no value: write NAME=VALUE; {ESCAPE}")
        })?;
        let name = decode(name)?;
        if name != "password" && !PARAMETERS.contains(&&*name) {
            return Err(unknown(&name));
        }
        set(&mut found, &name, value)?;
    }
    Ok(found)
}

/// Where a name might be a piece of a password, it is not repeated.
fn unknown(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let named = if !name.is_empty() && name.len() < 30 && name.bytes().all(plain) {
        format!("the parameter `{name}`")
    } else {
        "a parameter".to_owned()
    };
    format!(
        "the address has {named}, which is not known; known are {}",
        PARAMETERS.join(", ")
    )
}

/// An empty value says nothing.
fn set(found: &mut Parameters, name: &str, value: &str) -> Result<(), String> {
    let value = decode(value)?;
    if !value.is_empty() {
        found.insert(name.to_owned(), value);
    }
    Ok(())
}

fn set_hosts(found: &mut Parameters, hosts: &str) -> Result<(), String> {
    let (mut names, mut ports) = (Vec::new(), Vec::new());
    for one in hosts.split(',') {
        let (name, port) = match one.strip_prefix('[') {
            Some(address) => {
                let (address, behind) = address
                    .split_once(']')
                    .ok_or("the address of a host has a `[` without its `]`")?;
                let port = behind.strip_prefix(':').unwrap_or(behind);
                (address, port)
            }
            None => one.split_once(':').unwrap_or((one, "")),
        };
        if !port.is_empty() && port.parse::<u16>().is_err() {
            return Err(format!(
                "behind the colon of a host there is no port; {ESCAPE}"
            ));
        }
        names.push(decode(name)?);
        ports.push(port);
    }
    if names.iter().any(|name| !name.is_empty()) {
        found.insert("host".to_owned(), names.join(","));
    }
    if ports.iter().any(|port| !port.is_empty()) {
        found.insert("port".to_owned(), ports.join(","));
    }
    Ok(())
}

fn decode(text: &str) -> Result<String, String> {
    let text = percent_decode_str(text).decode_utf8();
    let text = text.map_err(|_| "a part of the address is not UTF-8".to_owned())?;
    if text.contains('\0') {
        Err("a part of the address has a character that cannot be there (%00)".to_owned())
    } else {
        Ok(text.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        let check = |url: &str, wanted: &[(&str, &str)]| {
            let found = parse(url).unwrap();
            let found: Vec<_> = found
                .iter()
                .map(|(name, value)| (&**name, &**value))
                .collect();
            assert_eq!(found, wanted, "{url}");
        };
        check("postgres://", &[]);
        check("postgresql:///team", &[("dbname", "team")]);
        let whole = "postgres://ada:p%40ss%2F@db:5433/team?sslmode=require";
        let wanted = &[
            ("dbname", "team"),
            ("host", "db"),
            ("password", "p@ss/"),
            ("port", "5433"),
            ("sslmode", "require"),
            ("user", "ada"),
        ];
        check(whole, wanted);
        check(
            "postgres://a,[::1]:1,c/",
            &[("host", "a,::1,c"), ("port", ",1,")],
        );
        let socket = "postgres://ada@%2Frun%2Fpostgresql";
        check(socket, &[("host", "/run/postgresql"), ("user", "ada")]);
        let socket = "postgres:///?host=/run/postgresql&password=x";
        check(socket, &[("host", "/run/postgresql"), ("password", "x")]);
        check("postgres://:5433/", &[("port", "5433")]);
    }

    #[test]
    fn what_cannot_be_read_is_not_repeated() {
        let check = |url: &str, wanted: &str| {
            let error = parse(url).unwrap_err();
            assert!(error.contains(wanted), "{url}: {error}");
            for piece in ["gehe", "im?", "im="] {
                assert!(!error.contains(piece), "{url}: {error}");
            }
        };
        check("postgres:ada:geheim@db", "`postgres://`");
        check("postgres://ada:gehe@im@db/team", "%40");
        check("postgres://ada:gehe/im@db/team", "%2F");
        check("postgres://ada:gehe?im=x@db/team", "%3F");
        check("postgres://ada:geheim", "%3A");
        check("postgres://db/team?gehe", "NAME=VALUE");
        check(
            "postgres://db/team?gehe%20=im",
            "a parameter, which is not known",
        );
        check("postgres://db/team?ssl_mode=x", "`ssl_mode`");
        check("postgres://ada:%00gehe@db/team", "%00");
        check("postgres://ada:%ffgehe@db/team", "UTF-8");
        check("postgres://[::1/team", "`]`");
    }
}
