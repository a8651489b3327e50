//! Requests to the client that are no asks: its model, and its roots.
#![allow(deprecated)] // Older clients still have them, newer ones by way of a round.

use crate::{
    flow::call::Call,
    mcp::legacy_client::{ClientLink, LegacyClient},
    settings::LONGEST,
};
use rmcp::{
    ErrorData,
    model::{
        ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, CustomRequest,
        ListRootsResult, ServerRequest,
    },
    service::OriginatingRequestId,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

/// Asks the client's model, where the client has one to offer. What it says never decides
/// anything.
#[derive(Clone)]
pub struct Sampler {
    pub(crate) call: Arc<Call>,
}

/// Why the client gave nothing.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The client did not declare that it can do this.
    #[error("the client has no {0}")]
    Unsupported(&'static str),
    /// The client is gone.
    #[error("the client is gone")]
    Gone,
    /// The client did not answer in time.
    #[error("the client did not answer in time")]
    TimedOut,
    /// The client refused, or failed.
    #[error("the client answered with an error: {0}")]
    Refused(String),
    /// The client's answer is none that MCP knows.
    #[error("the client's answer cannot be read: {0}")]
    Garbled(String),
}

impl From<ClientError> for ErrorData {
    fn from(error: ClientError) -> Self {
        let required = match error {
            ClientError::Unsupported("sampling") => {
                ClientCapabilities::builder().enable_sampling().build()
            }
            ClientError::Unsupported("roots") => {
                ClientCapabilities::builder().enable_roots().build()
            }
            other => return ErrorData::internal_error(other.to_string(), None),
        };
        ErrorData::missing_required_client_capability(required)
    }
}

impl Sampler {
    /// Whether the client has a model to offer.
    pub fn is_supported(&self) -> bool {
        self.call.session.sampling
    }

    /// Asks the client's model.
    ///
    #[doc = include_str!("../../docs/sample.md")]
    ///
    /// # Errors
    /// When the client has none, is gone, or refuses.
    pub async fn create_message(
        &self,
        params: CreateMessageRequestParams,
    ) -> Result<CreateMessageResult, ClientError> {
        if !self.is_supported() {
            return Err(ClientError::Unsupported("sampling"));
        }
        let params = serde_json::to_value(params).map_err(garbled)?;
        self.call.ask_client("sampling/createMessage", params).await
    }
}

impl Call {
    /// The client's roots.
    pub async fn roots(self: &Arc<Self>) -> Result<ListRootsResult, ClientError> {
        if !self.session.roots {
            return Err(ClientError::Unsupported("roots"));
        }
        self.ask_client("roots/list", json!({})).await
    }

    async fn ask_client<T: DeserializeOwned>(
        self: &Arc<Self>,
        method: &'static str,
        params: Value,
    ) -> Result<T, ClientError> {
        let time = self.desk.inner.settings.timeout.unwrap_or(LONGEST);
        let answer = tokio::time::timeout(time, self.client_says(method, params));
        let answer = answer.await.map_err(|_| ClientError::TimedOut)??;
        serde_json::from_value(answer).map_err(garbled)
    }

    async fn client_says(
        self: &Arc<Self>,
        method: &'static str,
        params: Value,
    ) -> Result<Value, ClientError> {
        Ok(match &*self.link() {
            ClientLink::None => return Err(ClientError::Gone),
            ClientLink::Legacy(client) => ask_legacy(client, method, params).await?,
            ClientLink::Modern => match self.register_input(method, params) {
                Err(recorded) => recorded,
                Ok(waiting) => {
                    let answer = waiting.await.map_err(|_| ClientError::Gone)?;
                    self.consumed();
                    answer
                }
            },
        })
    }
}

async fn ask_legacy(
    client: &LegacyClient,
    method: &'static str,
    params: Value,
) -> Result<Value, ClientError> {
    let mut request = CustomRequest::new(method, Some(params));
    request
        .extensions
        .insert(OriginatingRequestId(client.request.clone()));
    let request = ServerRequest::CustomRequest(request);
    match client.peer.send_request(request).await {
        Ok(answer) => serde_json::to_value(answer).map_err(garbled),
        Err(rmcp::ServiceError::McpError(error)) => {
            Err(ClientError::Refused(error.message.into_owned()))
        }
        Err(_) => Err(ClientError::Gone),
    }
}

fn garbled(error: serde_json::Error) -> ClientError {
    ClientError::Garbled(error.to_string())
}
