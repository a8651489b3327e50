//! MCP, in both eras: what a client is sent, and what its replies mean.

mod await_answer;
mod connection;
mod flow_runner;
#[cfg(fuzzing)]
pub mod fuzz_door;
mod handle_request;
mod hold_request;
mod holdpoint;
#[cfg(feature = "http")]
mod http_service;
#[cfg(feature = "http")]
mod http_sessions;
mod identify;
mod invalid_params;
mod legacy_client;
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod message_reader;
mod modern_client;
#[cfg(feature = "http")]
mod noted_sessions;
mod open_request;
#[cfg(feature = "http")]
mod ordered_transport;
#[cfg_attr(not(feature = "http"), allow(dead_code))]
mod outgoing;
mod request;
mod request_state;
mod retry;
mod server;
mod server_handler;
mod shown_forms;
mod stdio_decoder;
mod stdio_transport;
mod subscribers;
mod tool_server;
mod tool_source;
mod transport;
mod wire;

pub use holdpoint::{Holdpoint, serve_stdio};
#[cfg(feature = "http")]
pub use http_service::{HttpService, http_settings};
pub use tool_server::ToolServer;
pub use tool_source::{PromptSource, ResourceSource, ToolCall, ToolSource};
pub use transport::{over, stdio};
