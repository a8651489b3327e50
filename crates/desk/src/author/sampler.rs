//! The client's model.
#![allow(deprecated)] // Older clients still have one, newer ones are asked in a round.

use crate::{ClientError, flow::call::Call};
use rmcp::{
    ErrorData,
    model::{ClientCapabilities, CreateMessageRequestParams, CreateMessageResult},
};
use std::{fmt, sync::Arc};

/// Asks the client's model, where the client has one to offer. What it says never decides
/// anything.
///
#[doc = include_str!("../../docs/sample.md")]
#[derive(Clone)]
pub struct Sampler {
    pub(crate) call: Arc<Call>,
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
        let params = serde_json::to_value(params);
        let params = params.map_err(|error| ClientError::Garbled(error.to_string()))?;
        self.call
            .request_client("sampling/createMessage", params)
            .await
    }
}

impl fmt::Debug for Sampler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sampler").field(&self.call.id).finish()
    }
}
