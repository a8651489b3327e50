//! Checks who may come in: the right host, no other origin, a browser that was let in; or a program with a
//! token of its own, to a few addresses.

use crate::{
    api::error::ApiError,
    etag::Hosting,
    keys::{Keys, claimed_person},
    people::Person,
    program_routes,
    server::{Page, Site},
    tokens::Token,
};
use axum::{
    extract::{FromRef, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use holdpoint::journal::JournalError;
use std::{net::IpAddr, sync::Arc};

/// The header that carries a browser's token. A page of another origin cannot send it.
pub(crate) const TOKEN: &str = "x-holdpoint-token";

/// Nothing inline, nothing from elsewhere, and strings become HTML through one named policy only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    worker-src 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; \
    require-trusted-types-for 'script'; trusted-types sanitized";

/// What of the API holds nothing of the record, and is open to everybody at the right host and origin.
const OPEN: [&str; 2] = ["/api/health", "/api/openapi.json"];

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
    /// The number of this hosting, which no other has: tokens of browsers are made for it, unless other
    /// processes serve the same address.
    pub own_hosting: Arc<str>,
}

impl FromRef<Gate> for Hosting {
    fn from_ref(gate: &Gate) -> Self {
        Self(gate.own_hosting.clone())
    }
}

/// Who came in.
#[derive(Debug, Clone)]
pub(crate) enum Visitor {
    /// A browser that a person gave the page's key, or their own.
    Browser(Option<Person>),
    /// A program with a token.
    Program(Token),
}

impl Visitor {
    /// The person, where they are known by a key of their own.
    pub fn person(&self) -> Option<&str> {
        match self {
            Self::Browser(Some(person)) => Some(&person.name),
            _ => None,
        }
    }
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
    // What holds nothing of the record says so itself, and may be kept.
    let kept = response.headers_mut().remove(header::CACHE_CONTROL);
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    if let Some(kept) = kept {
        response.headers_mut().insert(header::CACHE_CONTROL, kept);
    }
    response
}

impl Gate {
    async fn check(&self, request: &Parts) -> Result<Visitor, ApiError> {
        let headers = &request.headers;
        let path = request.uri.path();
        let host = self.host(headers, path)?;
        if headers.contains_key("service-worker") {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "no_worker",
                "Nothing of this page works in the background.",
            ));
        }
        let reads = matches!(request.method, Method::GET | Method::HEAD);
        if path.starts_with("/api/") || !reads {
            self.origin(headers, host)?;
        }
        if !path.starts_with("/api/") || OPEN.contains(&path) {
            return Ok(Visitor::Browser(None));
        }
        if headers.contains_key(header::AUTHORIZATION) {
            return self.program(request).await.map(Visitor::Program);
        }
        if path == "/api/session" {
            return Ok(Visitor::Browser(None));
        }
        self.token(headers).await.map(Visitor::Browser)
    }

    /// The number that a token is made with now.
    pub fn hosting(&self) -> String {
        match &self.site.public {
            Some(_) => {
                let [now, ..] = self.page.keys().shared_hostings(&self.site.place());
                now
            }
            None => self.own_hosting.to_string(),
        }
    }

    /// Whether this visitor may still be here: they may have been removed since they came.
    pub async fn still_lets_in(&self, visitor: &Visitor) -> Result<bool, JournalError> {
        match visitor {
            Visitor::Browser(None) => Ok(true),
            Visitor::Browser(Some(person)) => self.page.people.is_here(person).await,
            Visitor::Program(token) => self.page.tokens.is_good(token).await,
        }
    }

    /// The program whose token this is, where this is open to it.
    async fn program(&self, request: &Parts) -> Result<Token, ApiError> {
        let shown = one(&request.headers, header::AUTHORIZATION);
        let shown = shown.and_then(|shown| shown.split_once(' '));
        let shown = shown.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        let token = match shown {
            Some((_, shown)) => self.page.tokens.find(shown).await,
            None => None,
        };
        let token = token.ok_or_else(ApiError::unknown_token)?;
        if program_routes::is_open(&request.method, request.uri.path(), &token.may) {
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
    fn host<'a>(&self, headers: &'a HeaderMap, path: &str) -> Result<&'a str, ApiError> {
        let is_ours = |host: &&str| match &self.site.public {
            // Other processes of this machine ask under its own address whether the page is there.
            Some(_) if path == "/api/health" && self.site.is_host(host) => true,
            Some(public) => public.is_host(host),
            None => self.site.is_host(host),
        };
        let host = one(headers, header::HOST).filter(is_ours);
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
        let own = match &self.site.public {
            Some(public) => public.to_string(),
            None => format!("{}://{host}", self.site.scheme()),
        };
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

    /// Lets in a browser that a person has opened the page in, for as long as the page is served without a break;
    /// gives the person, where it was opened with a key of their own.
    async fn token(&self, headers: &HeaderMap) -> Result<Option<Person>, ApiError> {
        let refuse = || {
            ApiError::new(
                StatusCode::UNAUTHORIZED,
                "no_key",
                "Run `holdpoint inbox --web` once to open the page with its key.",
            )
        };
        let token = one(headers, HeaderName::from_static(TOKEN)).ok_or_else(refuse)?;
        let (keys, person) = self.page.keys_of(token).await?.ok_or_else(refuse)?;
        let place = self.site.place();
        let is_let_in = match &self.site.public {
            Some(_) => {
                let hostings = self.page.keys().shared_hostings(&place);
                let mut hostings = hostings.iter();
                hostings.any(|hosting| keys.is_let_in(&place, hosting, token))
            }
            None => keys.is_let_in(&place, &self.own_hosting, token),
        };
        is_let_in.then_some(person).ok_or_else(refuse)
    }
}

impl Page {
    /// The keys with which this key or token was made, if it is what it claims to be, and whose they are; none
    /// where it claims to be somebody's who is not known.
    pub(crate) async fn keys_of(
        &self,
        shown: &str,
    ) -> Result<Option<(Keys, Option<Person>)>, JournalError> {
        let Some(name) = claimed_person(shown) else {
            return Ok(Some((self.keys().clone(), None)));
        };
        let person = self.people.find(name).await?;
        Ok(person.map(|person| (self.keys().of(&person), Some(person))))
    }

    /// In whose name a visitor answers.
    pub(crate) fn name_of(&self, visitor: &Visitor) -> Option<String> {
        match visitor {
            Visitor::Browser(Some(person)) => Some(person.name.clone()),
            Visitor::Browser(None) => self.inbox().user().map(str::to_owned),
            Visitor::Program(token) => Some(token.name.clone()),
        }
    }
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
