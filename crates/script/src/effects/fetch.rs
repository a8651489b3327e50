//! Asking a server that the file declares.

use super::{Failure, Refused, address, blocking};
use crate::{
    Permissions,
    fields::Fields,
    masking::{mask, mask_text},
    yield_error::YieldError,
};
use holdpoint::ToolContext;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    time::{Duration, Instant},
};
use ureq::{
    Agent,
    http::{Method, Request, Response, header},
};
use url::Url;

const LARGEST: u64 = 1 << 20;
const USUAL: f64 = 30.0;
const LONGEST: f64 = 600.0;
/// How many redirects are followed.
const HOPS: usize = 5;

/// Asks a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fetch {
    /// Where.
    pub url: String,
    /// `GET` and the like.
    pub method: String,
    /// What goes with it.
    pub headers: BTreeMap<String, String>,
    /// What is sent.
    pub body: Option<Body>,
    /// How many seconds it may take.
    pub timeout: f64,
}

/// What is sent to a server.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Text as it is.
    Text(String),
    /// A value, sent as JSON.
    Json(Value),
}

impl Body {
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => text.into(),
            Self::Json(value) => value.to_string().into(),
        }
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl Fetch {
    /// The same without secrets.
    pub(super) fn masked(&self, cx: &ToolContext) -> Self {
        let header = |(name, value): (&String, &String)| (name.clone(), mask_text(cx, value));
        Self {
            url: mask_text(cx, &self.url),
            method: self.method.clone(),
            headers: self.headers.iter().map(header).collect(),
            body: self.body.as_ref().map(|body| match body {
                Body::Text(text) => Body::Text(mask_text(cx, text)),
                Body::Json(value) => Body::Json(mask(cx, value.clone())),
            }),
            timeout: self.timeout,
        }
    }

    pub(super) fn read(named: Value, fields: &mut Fields) -> Result<Self, YieldError> {
        let Value::String(url) = named else {
            return Err(YieldError("the effect 'fetch' needs an address".into()));
        };
        address::parse(&url).map_err(|error| YieldError(error.to_string()))?;
        let timeout = fields.optional("timeout")?.unwrap_or(USUAL);
        if !(timeout > 0.0 && timeout <= LONGEST) {
            return Err(fields.wrong("timeout", "it must be a number of seconds, at most 600"));
        }
        let mut headers: BTreeMap<String, String> = fields.optional("headers")?.unwrap_or_default();
        let body = match fields.optional::<Value>("body")? {
            None => None,
            Some(Value::String(text)) => Some(Body::Text(text)),
            Some(other) => {
                let typed = headers
                    .keys()
                    .any(|name| name.eq_ignore_ascii_case("content-type"));
                if !typed {
                    headers.insert("content-type".into(), "application/json".into());
                }
                Some(Body::Json(other))
            }
        };
        let usual = if body.is_some() { "POST" } else { "GET" };
        let method: Option<String> = fields.optional("method")?;
        let method = method.map_or(usual.to_owned(), |method| method.to_uppercase());
        let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
        if !known.contains(&method.as_str()) {
            return Err(fields.wrong("method", &format!("there are {}", known.join(", "))));
        }
        Ok(Self {
            url,
            method,
            headers,
            body,
            timeout,
        })
    }

    pub(super) fn check_declared(&self, declared: &Permissions) -> Result<(), Refused> {
        address::check_declared(&address::parse(&self.url)?, declared)
    }

    pub(super) async fn perform(self, declared: Permissions) -> Result<Value, Failure> {
        blocking(move || self.follow(&declared)).await
    }

    /// Asks, and follows redirects as far as they are declared too.
    fn follow(mut self, declared: &Permissions) -> Result<Value, Failure> {
        let until = Instant::now() + Duration::from_secs_f64(self.timeout);
        let refused = |refused: Refused| Failure::new(refused.to_string());
        let mut url = address::parse(&self.url).map_err(|error| refused(error.into()))?;
        for _ in 0..=HOPS {
            address::check_declared(&url, declared).map_err(refused)?;
            let left = until.saturating_duration_since(Instant::now());
            let response = self.once(&url, left)?;
            let Some(next) = redirect(&url, &response)? else {
                return read_response(&url, response);
            };
            if next.origin() != url.origin() {
                let secret = ["authorization", "cookie", "proxy-authorization"];
                self.headers
                    .retain(|name, _| !secret.contains(&name.to_lowercase().as_str()));
            }
            if !matches!(response.status().as_u16(), 307 | 308) && self.method != "HEAD" {
                self.method = "GET".into();
                self.body = None;
                self.headers
                    .retain(|name, _| !name.to_lowercase().starts_with("content-"));
            }
            url = next;
        }
        Err(Failure::new(format!(
            "{} redirects more than {HOPS} times",
            self.url
        )))
    }

    fn once(&self, url: &Url, left: Duration) -> Result<Response<ureq::Body>, Failure> {
        let agent: Agent = Agent::config_builder()
            .timeout_global(Some(left.max(Duration::from_millis(1))))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(false)
            // A proxy would see what only the declared host should.
            .proxy(None)
            .user_agent(concat!("holdpoint-script/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        let failed = |error: &dyn std::fmt::Display| {
            Failure::new(format!(
                "{} cannot be fetched: {error}",
                crate::yield_error::short(&format!(
                    "{}{}",
                    url.origin().ascii_serialization(),
                    url.path()
                ))
            ))
        };
        let method = Method::from_bytes(self.method.as_bytes()).map_err(|error| failed(&error))?;
        let mut request = Request::builder().method(method).uri(url.as_str());
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let answered = match &self.body {
            Some(body) => agent.run(
                request
                    .body(body.text().as_ref())
                    .map_err(|error| failed(&error))?,
            ),
            None => agent.run(request.body(()).map_err(|error| failed(&error))?),
        };
        answered.map_err(|error| match error {
            ureq::Error::Timeout(_) => Failure {
                message: format!(
                    "{} took longer than {} s",
                    url.host_str().unwrap_or_default(),
                    self.timeout
                ),
                code: Some("ETIMEDOUT".into()),
            },
            error => failed(&error),
        })
    }
}

/// Where a server redirects to.
fn redirect(url: &Url, response: &Response<ureq::Body>) -> Result<Option<Url>, Failure> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let to = response.headers().get(header::LOCATION);
    let Some(to) = to.and_then(|to| to.to_str().ok()) else {
        return Ok(None);
    };
    let next = url
        .join(to)
        .map_err(|error| Failure::new(error.to_string()))?;
    match address::parse(next.as_str()) {
        Ok(next) => Ok(Some(next)),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

fn read_response(url: &Url, mut response: Response<ureq::Body>) -> Result<Value, Failure> {
    let status = response.status();
    let mut headers = Map::new();
    for (name, value) in response.headers() {
        if let Ok(value) = value.to_str() {
            match headers.get_mut(name.as_str()) {
                Some(Value::String(before)) => before.push_str(&format!(", {value}")),
                _ => drop(headers.insert(name.to_string(), value.into())),
            }
        }
    }
    let body = response
        .body_mut()
        .with_config()
        .limit(LARGEST)
        .read_to_vec();
    let body = body.map_err(|error| match error {
        ureq::Error::BodyExceedsLimit(_) => Failure::new("the response is larger than 1 MB"),
        error => Failure::new(format!("the response broke off: {error}")),
    })?;
    Ok(json!({
        "status": status.as_u16(),
        "ok": status.is_success(),
        "url": url.as_str(),
        "headers": headers,
        "body": String::from_utf8_lossy(&body),
    }))
}
