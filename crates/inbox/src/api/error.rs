//! Errors of the API, and the JSON body of a request.

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, Request},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use holdpoint::{AskError, AskId, describe, journal::JournalError, strict_json};
use holdpoint_ask::given_arguments::Misfit;
use serde::de::DeserializeOwned;
use serde_json::json;

/// Why a request cannot be done: a word for the script, a sentence for the person.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// The argument that is wrong, where it is one.
    argument: Option<String>,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            status,
            code,
            message,
            argument: None,
        }
    }

    pub fn unknown_token() -> Self {
        let message = "This token is not known here, or was revoked. `holdpoint token create NAME --may ask` \
             (or `answer`) makes one.";
        Self::new(StatusCode::UNAUTHORIZED, "no_token", message)
    }

    pub fn unknown_ask() -> Self {
        let message = "There is no such ask in this journal.";
        Self::new(StatusCode::NOT_FOUND, "unknown_ask", message)
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(argument) = self.argument {
            error["argument"] = argument.into();
        }
        (self.status, Json(json!({ "error": error }))).into_response()
    }
}

impl From<JournalError> for ApiError {
    fn from(error: JournalError) -> Self {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "the page cannot use the journal"
        );
        let message =
            "The journal cannot be used now; nothing was decided. Try again, and see the log.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "journal", message)
    }
}

/// Something in what a program asks does not fit.
impl From<Misfit> for ApiError {
    fn from(misfit: Misfit) -> Self {
        let message = describe::sentence(&misfit.to_string());
        Self {
            argument: Some(misfit.name),
            ..Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "invalid_argument",
                message,
            )
        }
    }
}

impl From<AskError> for ApiError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Journal(error) => error.into(),
            AskError::Unknown(_) => Self::unknown_ask(),
            AskError::NotAsked(error) => Self {
                message:
                    "The journal cannot be used now; nobody was asked. Try again, and see the log."
                        .to_owned(),
                ..error.into()
            },
            AskError::Flawed(_) => {
                let message = describe::sentence(&describe::error_chain(&error));
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "cannot_be_asked", message)
            }
            AskError::KeyUsed => {
                let message = describe::sentence(&error.to_string());
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "key_used", message)
            }
            AskError::TooMany { limit } => {
                let message = format!(
                    "{limit} questions of this program are open already: wait for answers before asking more."
                );
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message)
            }
            other => Self::new(StatusCode::CONFLICT, "refused", other.to_string()),
        }
    }
}

/// The ask that a path or a body names.
pub(crate) fn ask_id(text: &str) -> Result<AskId, ApiError> {
    text.parse().map_err(|_| ApiError::unknown_ask())
}

/// A body of JSON.
pub(crate) struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "not_json",
                "Send the body as application/json.",
            ));
        }
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes
            .map_err(|_| ApiError::too_large("The body is too large: shorten what it says."))?;
        let body = strict_json::read_object(&bytes);
        let body = body.and_then(|object| serde_json::from_value(object.into()));
        // The error names what is wrong, never the value: one may be a secret.
        let body = body.map_err(|error| {
            let place = format!("line {}, column {}", error.line(), error.column());
            ApiError::bad_request(format!("The body is not valid here ({place})."))
        });
        body.map(Self)
    }
}

/// Answers for an address that does not exist.
pub(crate) fn nothing_here() -> ApiError {
    ApiError::new(
        StatusCode::NOT_FOUND,
        "not_found",
        "There is nothing at this address.",
    )
}
