//! What an idle HTTP session of the older era keeps: many are opened in this process, through the service that
//! `holdpoint serve --http` mounts, without sockets.

use crate::{at_rest, figures::Figure};
use anyhow::ensure;
use bytes::Bytes;
use holdpoint::{Desk, Holdpoint, HttpService, http_settings, journal};
use http_body_util::{BodyExt, Full};
use rmcp::{
    ServerHandler,
    model::{Implementation, ServerCapabilities, ServerConfig},
    transport::{
        StreamableHttpService, streamable_http_server::session::local::LocalSessionManager,
    },
};
use std::{convert::Infallible, sync::Arc};
use tower_service::Service;

/// One caller may have no more.
const OF_ONE: usize = 64;

struct Nothing;

impl ServerHandler for Nothing {
    fn get_info(&self) -> ServerConfig {
        let info = ServerConfig::new(ServerCapabilities::default());
        info.with_server_info(Implementation::new("nothing", "1"))
    }
}

/// Opens so many sessions and says what one keeps, beside one of plain rmcp.
pub async fn measure(count: usize, figures: &mut Vec<Figure>) -> anyhow::Result<()> {
    let plain = StreamableHttpService::new(
        || Ok(Nothing),
        Arc::new(LocalSessionManager::default()),
        http_settings(),
    );
    let plain = kept_for_each(plain, count).await?;
    let desk = Desk::builder(journal::open("memory:").await?)
        .build()
        .await?;
    let server = Holdpoint::new(desk, Nothing)?.principal(|known| {
        let head = known.get::<http::request::Parts>()?;
        let caller = head.headers.get("x-caller")?;
        Some(caller.to_str().ok()?.to_owned())
    });
    let own = kept_for_each(HttpService::new(server, http_settings()), count).await?;
    figures.push(Figure::new(
        "an idle HTTP session of plain rmcp",
        plain,
        "KB",
    ));
    figures.push(Figure::new("an idle HTTP session", own, "KB"));
    figures.push(Figure::new("an idle HTTP session / plain rmcp", own / plain, "x").at_most(1.1));
    Ok(())
}

/// What one of so many sessions keeps, in KB. The first ones are not counted, nor what they leave behind.
async fn kept_for_each<S, B>(service: S, count: usize) -> anyhow::Result<f64>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error = Infallible>,
    S: Clone,
    B: http_body::Body<Error = Infallible>,
{
    let this = std::process::id();
    begin(&service, OF_ONE, "first").await?;
    let before = at_rest::memory(this)?.anonymous;
    begin(&service, count, "later").await?;
    let kept = at_rest::memory(this)?.anonymous.saturating_sub(before);
    Ok(kept as f64 / count as f64 / 1000.0)
}

async fn begin<S, B>(service: &S, count: usize, names: &str) -> anyhow::Result<()>
where
    S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>, Error = Infallible>,
    S: Clone,
    B: http_body::Body<Error = Infallible>,
{
    const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
    const GREETED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    for at in 0..count {
        let caller = format!("{names} {}", at / OF_ONE);
        let post = |text: &'static str, session: Option<&http::HeaderValue>| {
            let mut request = http::Request::post("http://127.0.0.1/mcp")
                .header("host", "127.0.0.1")
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .header("x-caller", &caller);
            if let Some(session) = session {
                request = request.header("mcp-session-id", session);
            }
            request.body(Full::<Bytes>::from(text))
        };
        let mut service = service.clone();
        let Ok(answer) = service.call(post(HELLO, None)?).await;
        ensure!(answer.status().is_success(), "{}", answer.status());
        let session = answer.headers().get("mcp-session-id").cloned();
        let Ok(_) = answer.into_body().collect().await;
        let Ok(answer) = service.call(post(GREETED, session.as_ref())?).await;
        ensure!(answer.status().is_success(), "{}", answer.status());
    }
    Ok(())
}
