//! MCP, in both eras: what a client is told, and what its replies mean.

mod await_answer;
mod hold_request;
pub(crate) mod holdpoint;
mod identify;
pub(crate) mod legacy_client;
pub(crate) mod orphaned_calls;
mod request;
pub(crate) mod request_state;
mod retry;
mod server_handler;
mod stdio_decoder;
mod stdio_transport;
mod tool_server;
mod tool_source;
mod transport;
pub(crate) mod wire;

pub(crate) use await_answer::{Resumes, ended};
pub use holdpoint::Holdpoint;
pub use tool_server::ToolServer;
pub use tool_source::{PromptSource, ResourceSource, ToolCall, ToolSource};
pub use transport::{HttpService, http_settings, over, stdio};
