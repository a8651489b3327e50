//! Checks who may come in: the right host, no other origin, a browser that was let in; or a program with a
//! token of its own, to a few addresses.

use crate::{
    api::error::ApiError,
    server::{Page, Site},
    tokens::{May, Token},
};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{net::IpAddr, sync::Arc};

/// The header that carries a browser's token. A page of another origin cannot send it.
pub(crate) const TOKEN: &str = "x-holdpoint-token";

/// Nothing inline, nothing from elsewhere, and strings become HTML through one named policy only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    worker-src 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; \
    require-trusted-types-for 'script'; trusted-types sanitized";

/// What every answer says of itself.
const HEADERS: [(HeaderName, &str); 6] = [
    (HeaderName::from_static("holdpoint-api"), "1"),
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The page and the place where it is served.
#[derive(Clone)]
pub(crate) struct Gate {
    pub page: Arc<Page>,
    pub site: Site,
    /// The number of this hosting, which no other has: tokens of browsers are made for it.
    pub hosting: Arc<str>,
}

/// Who came in.
#[derive(Debug, Clone)]
pub(crate) enum Visitor {
    /// A browser that a person gave the page's key.
    Browser,
    /// A program with a token.
    Program(Token),
}

/// Refuses what may not come in, and puts the headers on what goes out.
pub(crate) async fn pass(State(gate): State<Gate>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    let mut response = match gate.check(&head).await {
        Ok(visitor) => {
            head.extensions.insert(visitor);
            next.run(Request::from_parts(head, body)).await
        }
        Err(refused) => refused.into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

impl Gate {
    async fn check(&self, request: &Parts) -> Result<Visitor, ApiError> {
        let headers = &request.headers;
        let host = self.host(headers)?;
        if headers.contains_key("service-worker") {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "no_worker",
                "Nothing of this page works in the background.",
            ));
        }
        let path = request.uri.path();
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if path.starts_with("/api/") || !reads {
            self.origin(headers, host)?;
        }
        if !path.starts_with("/api/") || path == "/api/health" {
            return Ok(Visitor::Browser);
        }
        if headers.contains_key(header::AUTHORIZATION) {
            return self.program(request).await.map(Visitor::Program);
        }
        if path != "/api/session" {
            self.token(headers)?;
        }
        Ok(Visitor::Browser)
    }

    /// The program whose token this is, where it may answer and this is open to it.
    async fn program(&self, request: &Parts) -> Result<Token, ApiError> {
        let shown = one(&request.headers, header::AUTHORIZATION);
        let shown = shown.and_then(|shown| shown.split_once(' '));
        let shown = shown.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let token = match shown {
            Some((_, shown)) => self.page.tokens.find(shown).await,
            None => None,
        };
        let token = token.ok_or_else(|| {
            ApiError::new(
                StatusCode::UNAUTHORIZED,
                "no_token",
                "This token is not known here, or was revoked. `holdpoint token create NAME --may answer` makes one.",
            )
        })?;
        let path = request.uri.path();
        let open = match request.method {
            Method::GET => path == "/api/asks" || path == "/api/events" || is_one_ask(path),
            Method::POST => path == "/api/elicitation/respond",
            _ => false,
        };
        if open && token.may.contains(&May::Answer) {
            Ok(token)
        } else {
            Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "not_allowed",
                "This token does not allow that.",
            ))
        }
    }

    /// Refuses a name that was rebound to this machine.
    fn host<'a>(&self, headers: &'a HeaderMap) -> Result<&'a str, ApiError> {
        let host = one(headers, header::HOST).filter(|host| self.site.is_host(host));
        host.ok_or_else(|| {
            ApiError::new(
                StatusCode::FORBIDDEN,
                "wrong_host",
                "This address does not belong to the page. Open the one that `holdpoint inbox --web` prints.",
            )
        })
    }

    /// Refuses pages of another origin; another port of this host is one too.
    fn origin(&self, headers: &HeaderMap, host: &str) -> Result<(), ApiError> {
        let own = format!("{}://{host}", self.site.scheme());
        let fine = match headers.get(header::ORIGIN) {
            Some(_) => one(headers, header::ORIGIN) == Some(&own),
            None => match headers.get("sec-fetch-site") {
                Some(site) => site == "same-origin" || site == "none",
                None => true,
            },
        };
        if fine {
            Ok(())
        } else {
            Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "wrong_origin",
                "Requests from other pages are refused.",
            ))
        }
    }

    /// Lets in a browser that a person has opened the page in, for as long as the page is served without a break.
    fn token(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let token = one(headers, HeaderName::from_static(TOKEN));
        let (keys, port) = (self.page.keys(), self.site.address.port());
        if token.is_some_and(|token| keys.is_let_in(port, &self.hosting, token)) {
            Ok(())
        } else {
            Err(ApiError::new(
                StatusCode::UNAUTHORIZED,
                "no_key",
                "Run `holdpoint inbox --web` once to open the page with its key.",
            ))
        }
    }
}

/// Whether this is the address of one ask, and of nothing below it.
fn is_one_ask(path: &str) -> bool {
    let id = path.strip_prefix("/api/asks/");
    id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

/// Gives the value of a header; none where it appears twice.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

impl Site {
    /// Whether a request that names this host means the page.
    fn is_host(&self, host: &str) -> bool {
        let default = if self.tls { 443 } else { 80 };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
            _ => (host, Some(default)),
        };
        if port != Some(self.address.port()) {
            return false;
        }
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        let literal = literal.parse::<IpAddr>();
        if self.address.ip().is_loopback() {
            return name == "localhost" || literal.is_ok_and(|ip| ip.is_loopback());
        }
        // Behind TLS the browser has checked the name; otherwise only numbers cannot be rebound.
        self.tls || name == "localhost" || literal.is_ok()
    }
}
