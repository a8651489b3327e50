//! What is open to a program with a token. The gate lets nothing else through, and the description of the API
//! (`openapi`) has all of it.

use crate::tokens::May;
use axum::http::Method;

/// One address, and who may use it.
#[derive(Debug)]
pub(crate) struct ProgramRoute {
    pub method: Method,
    /// With `{id}` for the id of an ask.
    pub path: &'static str,
    /// What a token must allow; one of these is enough.
    pub may: &'static [May],
}

/// All of them.
pub(crate) static ROUTES: [ProgramRoute; 7] = [
    open(Method::POST, "/api/asks", &[May::Ask]),
    open(Method::GET, "/api/asks/{id}", &[May::Ask, May::Answer]),
    open(Method::GET, "/api/asks/{id}/events", &[May::Ask]),
    open(Method::DELETE, "/api/asks/{id}", &[May::Ask]),
    open(Method::GET, "/api/asks", &[May::Answer]),
    open(Method::GET, "/api/events", &[May::Answer]),
    open(Method::POST, "/api/elicitation/respond", &[May::Answer]),
];

const fn open(method: Method, path: &'static str, may: &'static [May]) -> ProgramRoute {
    ProgramRoute { method, path, may }
}

/// Whether a token that allows this may send such a request here.
pub(crate) fn is_open(method: &Method, path: &str, may: &[May]) -> bool {
    ROUTES.iter().any(|route| {
        route.method == *method
            && fits(route.path, path)
            && route.may.iter().any(|one| may.contains(one))
    })
}

/// Whether this is an address of that shape.
fn fits(shape: &str, path: &str) -> bool {
    let (mut shape, mut path) = (shape.split('/'), path.split('/'));
    loop {
        match (shape.next(), path.next()) {
            (None, None) => return true,
            (Some("{id}"), Some(id)) if !id.is_empty() => {}
            (Some(one), Some(other)) if one == other => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        let check = |method: Method, path: &str, ask: bool, answer: bool| {
            let open = |may: May| is_open(&method, path, &[may]);
            assert_eq!(
                (open(May::Ask), open(May::Answer)),
                (ask, answer),
                "{method} {path}"
            );
            assert!(!is_open(&method, path, &[]));
        };
        check(Method::POST, "/api/asks", true, false);
        check(Method::GET, "/api/asks", false, true);
        check(Method::GET, "/api/asks/1", true, true);
        check(Method::DELETE, "/api/asks/1", true, false);
        check(Method::GET, "/api/asks/1/events", true, false);
        check(Method::POST, "/api/elicitation/respond", false, true);
        for path in [
            "/api/asks/",
            "/api/asks//events",
            "/api/asks/1/",
            "/api/asks/1/extend",
            "/api/asks/{id}/x",
            "/api//asks",
            "/api/log",
            "/",
            "",
        ] {
            check(Method::GET, path, false, false);
            check(Method::DELETE, path, false, false);
        }
        check(Method::PUT, "/api/asks/1", false, false);
        check(Method::HEAD, "/api/asks/1", false, false);
    }
}
