//! Typed tools: their arguments, errors and results, each written once for agents and people.

mod arguments;
mod ask_and_log;
mod blocking;
mod error;
mod result;
mod schema;
mod typed_tool;

pub use arguments::{parse_value, unknown_argument};
pub use ask_and_log::{ask_and_log, log_question, log_title, timeout};
pub use blocking::blocking;
pub use error::{RecordedError, ToolError};
pub use result::{AskResult, NoFields, PlainResult, ToolOutput};
pub use typed_tool::{ToolHints, ToolInfo, TypedTool, TypedTools};
