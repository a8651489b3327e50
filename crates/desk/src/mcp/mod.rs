//! MCP, in both eras: what a client is sent, and what its replies mean.

mod await_answer;
mod hold_request;
mod holdpoint;
mod http_sessions;
mod identify;
mod legacy_client;
mod message_reader;
mod modern_client;
mod noted_sessions;
mod open_request;
mod ordered_transport;
mod outgoing;
mod request;
mod request_state;
mod retry;
mod server;
mod server_handler;
mod stdio_decoder;
mod stdio_transport;
mod tool_server;
mod tool_source;
mod transport;
mod wire;

pub use holdpoint::{Holdpoint, serve_stdio};
pub use tool_server::ToolServer;
pub use tool_source::{PromptSource, ResourceSource, ToolCall, ToolSource};
pub use transport::{HttpService, http_settings, over, stdio};
