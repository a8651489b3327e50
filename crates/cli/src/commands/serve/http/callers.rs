//! Who calls over HTTP: the holder of the server's key, of a named token, or of an issuer's access token.

use super::{
    access_tokens::{ASK, AccessTokens},
    resource_metadata,
};
use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use holdpoint_inbox::{
    same_secret,
    tokens::{May, Tokens},
};
use serde_json::json;
use std::sync::Arc;

/// In whose name a request is made; the server finds it among the request's extensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal(pub String);

/// The principal of those who hold the server's key.
const KEY_HOLDER: &str = "http";

/// Somebody who calls.
#[derive(Debug, PartialEq, Eq)]
pub struct Caller {
    /// In whose name.
    pub principal: String,
    /// Whether they may ask.
    pub may_ask: bool,
}

/// Why somebody is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// They show nothing.
    Nobody,
    /// What they show is worth nothing.
    Invalid,
    /// What they show does not allow asking.
    MayNotAsk,
    /// Nobody can tell what it is worth.
    Unavailable,
}

/// Everybody who may call.
#[derive(Debug)]
pub struct Callers {
    /// The server's key, where it is in use.
    pub key: Option<String>,
    /// The named tokens.
    pub tokens: Tokens,
    /// The issuer's tokens, where there is one, and where its metadata are.
    pub issued: Option<(AccessTokens, String)>,
    /// Whether those who show nothing are let in too.
    pub anonymous: bool,
}

/// Lets in who may call, with their name on the request, and nobody else.
pub async fn identify(
    State(callers): State<Arc<Callers>>,
    mut request: Request,
    next: Next,
) -> Response {
    match callers.who(request.headers()).await {
        Ok(Some(principal)) => {
            request.extensions_mut().insert(Principal(principal));
            next.run(request).await
        }
        Ok(None) => next.run(request).await,
        Err(refusal) => callers.refuse(refusal),
    }
}

impl Callers {
    /// The principal; none for those who need not say who they are.
    async fn who(&self, headers: &HeaderMap) -> Result<Option<String>, Refusal> {
        let shown = match bearer(headers) {
            Ok(Some(shown)) => shown,
            Ok(None) if self.anonymous => return Ok(None),
            Ok(None) => return Err(Refusal::Nobody),
            Err(refusal) => return Err(refusal),
        };
        let caller = self.find(shown).await?;
        if caller.may_ask {
            Ok(Some(caller.principal))
        } else {
            Err(Refusal::MayNotAsk)
        }
    }

    async fn find(&self, shown: &str) -> Result<Caller, Refusal> {
        if self.key.as_ref().is_some_and(|key| same_secret(key, shown)) {
            return Ok(Caller {
                principal: KEY_HOLDER.to_owned(),
                may_ask: true,
            });
        }
        if let Some(token) = self.tokens.find(shown).await {
            return Ok(Caller {
                principal: token.principal(),
                may_ask: token.may.contains(&May::Ask),
            });
        }
        match &self.issued {
            // Only a JWT has dots: nothing else is worth a look at the issuer's keys.
            Some((issued, _)) if shown.contains('.') => issued.check(shown).await,
            _ => Err(Refusal::Invalid),
        }
    }

    fn refuse(&self, refusal: Refusal) -> Response {
        let (status, code, words) = match refusal {
            Refusal::Nobody => (
                StatusCode::UNAUTHORIZED,
                None,
                "Say who calls: send `Authorization: Bearer` with the server's key (`holdpoint token \
                 show` prints it) or with a token (`holdpoint token create` makes one).",
            ),
            Refusal::Invalid => (
                StatusCode::UNAUTHORIZED,
                Some("invalid_token"),
                "This key or token is not known here, has expired, or was revoked.",
            ),
            Refusal::MayNotAsk => (
                StatusCode::FORBIDDEN,
                Some("insufficient_scope"),
                "This token does not allow asking.",
            ),
            Refusal::Unavailable => (
                StatusCode::SERVICE_UNAVAILABLE,
                Some("temporarily_unavailable"),
                "The issuer's keys cannot be had now. Try again later, and see the server's log.",
            ),
        };
        let error = code.unwrap_or("unauthorized");
        let body = json!({ "error": error, "error_description": words });
        let mut response = (status, Json(body)).into_response();
        if refusal != Refusal::Unavailable
            && let Ok(challenge) = HeaderValue::from_str(&self.challenge(code))
        {
            let headers = response.headers_mut();
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }

    /// What a client is to show, and where it learns how to get it.
    fn challenge(&self, code: Option<&str>) -> String {
        let mut challenge = r#"Bearer realm="holdpoint""#.to_owned();
        let mut add = |name: &str, value: &str| challenge += &format!(r#", {name}="{value}""#);
        if let Some(code) = code {
            add("error", code);
        }
        if let Some((_, resource)) = &self.issued {
            add("scope", ASK);
            add("resource_metadata", &resource_metadata::address(resource));
        }
        challenge
    }
}

/// What the one `Authorization` header shows.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Ok(None),
        (Some(value), None) => value.to_str().map_err(|_| Refusal::Invalid)?,
        // Two readers could believe different ones.
        (Some(_), Some(_)) => return Err(Refusal::Invalid),
    };
    let (scheme, shown) = value.split_once(' ').ok_or(Refusal::Invalid)?;
    if !scheme.eq_ignore_ascii_case("bearer") || shown.is_empty() {
        return Err(Refusal::Invalid);
    }
    Ok(Some(shown.trim()))
}
