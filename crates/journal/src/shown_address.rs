//! The address of a journal as it may be shown: in messages, logs, and files that others read.

use holdpoint_ask::visible;
use std::borrow::Cow;

/// What hides in place of what is not shown.
const HIDDEN: &str = "…";

/// The parameters of a database's address that hold no secret. Whatever else is there is not shown.
pub(crate) const PARAMETERS: [&str; 23] = [
    "application_name",
    "channel_binding",
    "connect_timeout",
    "dbname",
    "host",
    "hostaddr",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "load_balance_hosts",
    "options",
    "passfile",
    "password_file",
    "port",
    "sslcert",
    "sslkey",
    "sslmode",
    "sslnegotiation",
    "sslrootcert",
    "target_session_attrs",
    "tcp_user_timeout",
    "user",
];

/// The address of a journal without the password that it may hold. What cannot be read as an address of a
/// known kind, and so might hold one anywhere, is not shown.
///
/// ```
/// use holdpoint_journal::shown_address;
///
/// assert_eq!(shown_address("sqlite:/srv/team.db"), "sqlite:/srv/team.db");
/// assert_eq!(shown_address("postgres://ada:pw@db/team"), "postgres://ada@db/team");
/// ```
pub fn shown_address(url: &str) -> Cow<'_, str> {
    if let Some((scheme, rest)) = split_scheme(url) {
        return Cow::Owned(visible(&shown_database(scheme, rest)).into_owned());
    }
    let is_file = url.starts_with("sqlite:");
    let suspect = url.contains(['@', '=']) || url.contains("://") || url.starts_with("postgres");
    if suspect && !is_file {
        return Cow::Borrowed(HIDDEN);
    }
    visible(url)
}

/// Whether the address holds a password, or may hold one.
///
/// ```
/// use holdpoint_journal::address_has_password;
///
/// assert!(address_has_password("postgres://ada:pw@db/team"));
/// assert!(!address_has_password("postgres://ada@db/team?password_file=/run/secrets/pg"));
/// ```
pub fn address_has_password(url: &str) -> bool {
    shown_address(url) != visible(url)
}

fn split_scheme(url: &str) -> Option<(&str, &str)> {
    ["postgres", "postgresql"].into_iter().find_map(|scheme| {
        let rest = url.strip_prefix(scheme)?.strip_prefix("://")?;
        Some((scheme, rest))
    })
}

fn shown_database(scheme: &str, rest: &str) -> String {
    // The last one: a password may hold others that were not escaped.
    let (who, place) = match rest.rsplit_once('@') {
        Some((who, place)) => (Some(who), place),
        None => (None, rest),
    };
    let user = who.map(|who| who.split_once(':').map_or(who, |(user, _)| user));
    let user = match user {
        None => String::new(),
        Some(user) if user.contains(['/', '?', '=', '&']) => format!("{HIDDEN}@"),
        Some(user) => format!("{user}@"),
    };
    let (place, query) = match place.split_once('?') {
        Some((place, query)) => (place, Some(query)),
        None => (place, None),
    };
    let (hosts, path) = place.split_at(place.find('/').unwrap_or(place.len()));
    if !hosts.split(',').all(is_host) {
        return format!("{scheme}://{HIDDEN}");
    }
    let shown = query.into_iter().flat_map(|query| query.split('&'));
    let shown = shown.filter(|one| {
        let name = one.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| PARAMETERS.contains(&name))
    });
    let shown: Vec<_> = shown.collect();
    let mark = if shown.is_empty() { "" } else { "?" };
    format!("{scheme}://{user}{hosts}{path}{mark}{}", shown.join("&"))
}

/// Whether this is a host, and behind a colon its port: a password without its `@` would be there.
fn is_host(text: &str) -> bool {
    let behind = match text.rsplit_once(']') {
        Some((_, behind)) => behind.strip_prefix(':'),
        None => text.split_once(':').map(|(_, port)| port),
    };
    behind.is_none_or(|port| port.is_empty() || port.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_no_password_is_shown_as_it_is() {
        for address in [
            "memory:",
            "sqlite:/srv/a b=c@d.db",
            "nonsense",
            "/srv/team.db",
            "postgres://db/team",
            "postgresql://ada@db:5433/team",
            "postgres://ada@[::1]:5433,other/team?sslmode=require&target_session_attrs=any",
            "postgres:///team?host=/run/postgresql&user=ada",
            "postgres://%2Frun%2Fpostgresql/team?password_file=/run/secrets/pg",
        ] {
            assert_eq!(shown_address(address), address);
            assert!(!address_has_password(address), "{address}");
        }
    }

    #[test]
    fn a_password_is_not_shown_wherever_it_is() {
        let check = |address: &str, wanted: &str| {
            assert_eq!(shown_address(address), wanted, "{address}");
            assert!(address_has_password(address), "{address}");
        };
        check("postgres://ada:geheim@db/team", "postgres://ada@db/team");
        check("postgres://ada:gehe@im@db/team", "postgres://ada@db/team");
        check("postgres://ada:gehe/im@db/team", "postgres://ada@db/team");
        check("postgres://ada:gehe?im@db/team", "postgres://ada@db/team");
        check("postgres://ada:gehe:im@db/team", "postgres://ada@db/team");
        check("postgres://:geheim@db/team", "postgres://@db/team");
        check("postgres://ada:@db/team", "postgres://ada@db/team");
        let by_parameter = "postgres://db/team?password=geheim&sslmode=require";
        check(by_parameter, "postgres://db/team?sslmode=require");
        check("postgres://db/team?pass%77ord=geheim", "postgres://db/team");
        check("postgres://db/team?geheim", "postgres://db/team");
        let behind = "postgres://db/team?password=geheim&user=a@b";
        check(behind, "postgres://…@b");
        check("postgres://ada:geheim", "postgres://…");
        check("postgres://ada:gehe/im", "postgres://…");
        check("host=db password=geheim", "…");
        check("mysql://ada:geheim@db/team", "…");
        check("postgres:ada:geheim@db/team", "…");
        check("postgres:geheim", "…");
    }
}
