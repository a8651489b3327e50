//! Serving over streamable HTTP, both protocol eras on one endpoint.

use super::{
    holdpoint::Holdpoint,
    http_sessions::HttpSessions,
    message_reader::{self, Reading, StrictlyRead},
    noted_sessions::NotedSessions,
    outgoing::Outgoing,
    server::Server,
    stdio_decoder::is_straight,
    transport::drop_marked,
    wire::DROPPED_ID,
};
use crate::settings::LONGEST;
use bytes::{Buf, BufMut, Bytes};
use futures::future::BoxFuture;
use http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{CONTENT_LENGTH, CONTENT_TYPE},
    request::Parts,
};
use http_body::Body;
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use rmcp::{
    ServerHandler,
    model::Extensions,
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::local::LocalSessionManager,
    },
};
use serde_json::Value;
use std::{
    convert::Infallible,
    fmt::{self, Display},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

/// What serves a [`Holdpoint`] over streamable HTTP, both eras on one endpoint. Mount it with
/// axum's `route_service`, or drive it as any tower service.
///
/// A session, its streams and what is asked in it belong to the principal that began it.
///
#[doc = include_str!("../../docs/http_service.md")]
pub struct HttpService<H> {
    service: StreamableHttpService<Holdpoint<H>, NotedSessions>,
    /// How many bytes a request may have.
    largest: usize,
    server: Arc<Server<H>>,
    sessions: Arc<HttpSessions>,
    outgoing: Outgoing,
}

impl<H: ServerHandler> HttpService<H> {
    /// The service, with these settings in place of the usual ones of [`http_settings`].
    pub fn new(server: Holdpoint<H>, settings: StreamableHttpServerConfig) -> Self {
        let mut sessions = LocalSessionManager::default();
        // Which sessions are idle is known better by those who count their requests: see
        // `HttpSessions`. One with an open request may wait for a person as long as any ask does.
        sessions.session_config.keep_alive = Some(LONGEST + Duration::from_secs(3_600));
        let sessions = Arc::new(sessions);
        Self {
            largest: settings.max_request_body_bytes,
            server: server.server.clone(),
            sessions: HttpSessions::new(sessions.clone()),
            outgoing: Outgoing::default(),
            service: StreamableHttpService::new(
                move || Ok(server.clone()),
                Arc::new(NotedSessions(sessions)),
                settings,
            ),
        }
    }

    /// The principal of a request, whose head is lent to whoever says so.
    fn principal(&self, parts: Parts) -> (String, Parts) {
        let mut known = Extensions::new();
        known.insert(parts);
        let principal = self.server.principal_of(&known);
        let parts = known.remove().expect("it was put there just now");
        (principal, parts)
    }
}

/// The usual settings: loopback hosts only, and no page of another origin.
///
#[doc = include_str!("../../docs/http_service.md")]
pub fn http_settings() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(true)
        .enforce_origin_validation()
}

impl<H> Clone for HttpService<H> {
    fn clone(&self) -> Self {
        Self {
            service: self.service.clone(),
            largest: self.largest,
            server: self.server.clone(),
            sessions: self.sessions.clone(),
            outgoing: self.outgoing.clone(),
        }
    }
}

impl<B, H> tower_service::Service<Request<B>> for HttpService<H>
where
    B: Body + Send + 'static,
    B::Error: Display,
    B::Data: Send + 'static,
    H: ServerHandler,
{
    type Response = Response<BoxBody<Bytes, Infallible>>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        tower_service::Service::<Request<Full<Bytes>>>::poll_ready(&mut self.service, cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (mut service, sessions) = (self.service.clone(), self.sessions.clone());
        let (largest, outgoing) = (self.largest, self.outgoing.clone());
        let (parts, body) = request.into_parts();
        let (principal, parts) = self.principal(parts);
        Box::pin(async move {
            let visit = match sessions.enter(&parts.headers, &principal) {
                Ok(visit) => visit,
                Err(refused) => return Ok(*refused),
            };
            let method = parts.method.clone();
            let request = Request::from_parts(parts, body);
            let request = match read_strictly(request, largest, &outgoing).await {
                Ok(request) => request,
                Err(refused) => return Ok(*refused),
            };
            let begins = request.extensions().get::<BeginsSession>().is_some();
            let answering = async move {
                let answered = tower_service::Service::call(&mut service, request).await?;
                let answered = sessions.leave(&method, visit, &principal, answered);
                Ok(answered.await.map(|body| clean_body(body, outgoing)))
            };
            if !begins {
                return answering.await;
            }
            // In a task of its own: a client that leaves meanwhile leaves no session that nobody counts.
            tokio::spawn(answering).await.unwrap_or_else(|_| {
                let said = "The session could not be begun.\n".to_owned();
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                Ok(*refuse(status, "text/plain", said))
            })
        })
    }
}

/// Marks a request after which there is one session more.
#[derive(Clone)]
struct BeginsSession;

/// A request as rmcp may see it: its body went through the strict reader first.
async fn read_strictly<B>(
    request: Request<B>,
    largest: usize,
    outgoing: &Outgoing,
) -> Result<Request<Full<Bytes>>, Box<Response<BoxBody<Bytes, Infallible>>>>
where
    B: Body + Send + 'static,
    B::Error: Display,
    B::Data: Send + 'static,
{
    let (mut parts, body) = request.into_parts();
    if parts.method != Method::POST {
        return Ok(Request::from_parts(parts, Full::default()));
    }
    let (mut text, mut length) = (Vec::new(), 0);
    let mut body = std::pin::pin!(body);
    // A little more than may be is read and thrown away: a client that is cut off while it writes does not
    // hear why.
    while length <= largest.saturating_mul(4)
        && let Some(frame) = body.as_mut().frame().await
    {
        let frame = frame.map_err(|error| {
            let said = format!("The request could not be read: {error}\n");
            refuse(StatusCode::BAD_REQUEST, "text/plain", said)
        })?;
        if let Ok(data) = frame.into_data() {
            length = length.saturating_add(data.remaining());
            if length <= largest {
                text.put(data);
            }
        }
    }
    if length > largest {
        let said = format!("Payload Too Large: a request may have {largest} bytes.\n");
        return Err(refuse(StatusCode::PAYLOAD_TOO_LARGE, "text/plain", said));
    }
    let text = match read_unless_straight(&text) {
        None => text,
        Some(Reading::Message { message, marked }) => {
            if message["method"] == "initialize" {
                parts.extensions.insert(BeginsSession);
            }
            if marked {
                message.to_string().into_bytes()
            } else {
                text
            }
        }
        // rmcp says what is wrong where it is not JSON.
        Some(Reading::NotJson) => text,
        Some(Reading::Refused(refusal)) => {
            let said = refusal.to_json().to_string();
            return Err(refuse(StatusCode::BAD_REQUEST, "application/json", said));
        }
    };
    parts.extensions.insert(StrictlyRead(outgoing.clone()));
    if parts.headers.contains_key(CONTENT_LENGTH) {
        parts.headers.insert(CONTENT_LENGTH, text.len().into());
    }
    Ok(Request::from_parts(parts, Full::from(text)))
}

/// What the strict reader makes of a text; none where it would pass it on as it is.
fn read_unless_straight(text: &[u8]) -> Option<Reading> {
    (!is_straight(text)).then(|| message_reader::read(text))
}

fn refuse(
    status: StatusCode,
    kind: &'static str,
    said: String,
) -> Box<Response<BoxBody<Bytes, Infallible>>> {
    let mut response = Response::new(Full::from(said).boxed());
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    Box::new(response)
}

fn clean_body(body: BoxBody<Bytes, Infallible>, outgoing: Outgoing) -> BoxBody<Bytes, Infallible> {
    let leave = move |data: Bytes| {
        if let Ok(text) = std::str::from_utf8(&data) {
            outgoing.note_text(text);
        }
        clean_frame(data)
    };
    body.map_frame(move |frame| frame.map_data(&leave)).boxed()
}

/// One message is one frame, as JSON or as a server-sent event.
fn clean_frame(data: Bytes) -> Bytes {
    let marked = |text: &str| text.contains(DROPPED_ID);
    match std::str::from_utf8(&data) {
        Ok(text) if marked(text) => {
            let lines = text.split_inclusive('\n').map(clean_line);
            Bytes::from(lines.collect::<String>())
        }
        _ => data,
    }
}

fn clean_line(line: &str) -> String {
    let start = line.find('{').unwrap_or(line.len());
    let (before, json) = line.split_at(start);
    let Ok(mut message) = serde_json::from_str::<Value>(json) else {
        return line.to_owned();
    };
    if !message.get_mut("result").is_some_and(drop_marked) {
        return line.to_owned();
    }
    let end = &json[json.trim_end().len()..];
    format!("{before}{message}{end}")
}

impl<H> fmt::Debug for HttpService<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HttpService")
            .field(&self.server.options.name)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};

    struct Named;

    impl ServerHandler for Named {
        fn get_info(&self) -> ServerConfig {
            let info = ServerConfig::new(ServerCapabilities::default());
            info.with_server_info(Implementation::new("named", "1"))
        }
    }

    /// A session that a client began and did not wait for is one of its 64, too.
    #[tokio::test]
    async fn sessions_of_clients_that_left_while_they_began_are_bounded_too() {
        let journal = holdpoint_journal::open("memory:").await.unwrap();
        let desk = crate::Desk::builder(journal).build().await.unwrap();
        let server = Holdpoint::new(desk, Named).unwrap();
        let service = HttpService::new(server, http_settings());
        let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}}"#;
        for left_after in 0..200 {
            let request = Request::post("http://127.0.0.1/mcp")
                .header("host", "127.0.0.1")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .body(Full::new(Bytes::from(hello)))
                .unwrap();
            let mut service = service.clone();
            let mut begin = tower_service::Service::call(&mut service, request);
            for _ in 0..1 + left_after % 8 {
                if futures::poll!(&mut begin).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let settled = async {
            while service.sessions.alive().await != 64 {
                tokio::task::yield_now().await;
            }
        };
        let settled = tokio::time::timeout(Duration::from_secs(30), settled).await;
        assert!(
            settled.is_ok(),
            "{} are alive",
            service.sessions.alive().await
        );
    }

    #[test]
    fn a_marked_id_is_dropped_and_nothing_else() {
        let message = |id: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"resultType":"input_required","inputRequests":{{"0001":{{"method":"elicitation/create","params":{{"mode":"url","message":"m","url":"http://127.0.0.1/x"{id}}}}}}}}}}}"#
            )
        };
        let marked = message(r#","elicitationId":"holdpoint-dropped-1""#);
        let clean = message("");
        let foreign = message(r#","elicitationId":"of-the-author""#);
        let check = |given: &str, wanted: &str| {
            for (before, after) in [("", ""), ("id: 3\ndata: ", "\n\n")] {
                let given = Bytes::from(format!("{before}{given}{after}"));
                assert_eq!(clean_frame(given), format!("{before}{wanted}{after}"));
            }
        };
        check(&marked, &clean);
        check(&clean, &clean);
        check(&foreign, &foreign);
        check("{broken holdpoint-dropped-", "{broken holdpoint-dropped-");
    }
}
