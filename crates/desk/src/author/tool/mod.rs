//! Typed tools: their arguments, errors and results, each written once for agents and people.
//!
//! A tool is what is said about it beforehand, an `async fn`, and the types that this function takes
//! and gives: both schemas come from them. Several tools make a [`ToolSource`](crate::ToolSource),
//! and several sources a [`ToolServer`](crate::ToolServer).
//!
//! ```
//! use holdpoint::{Outcome, ToolContext, Yes};
//! use holdpoint::tool::{AskResult, ToolError, ToolHints, ToolInfo, TypedTool};
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, JsonSchema)]
//! struct Arguments {
//!     /// The folder to empty
//!     folder: String,
//! }
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Output {
//!     /// How many files were deleted
//!     deleted: usize,
//! }
//!
//! async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
//!     let question = cx.elicitor().confirm(format!("Empty {}?", arguments.folder));
//!     let decided = question.dangerous().decided().await?;
//!     Ok(match decided.outcome {
//!         Outcome::Accepted(Yes) => {
//!             let output = Output { deleted: 5 };
//!             AskResult::new(&decided.decision, true, "It is empty: go on.", &output)
//!         }
//!         _ => AskResult::passed_on(&decided.decision),
//!     })
//! }
//!
//! let tool = TypedTool::new(
//!     ToolInfo {
//!         name: "empty_folder",
//!         title: "Empty a folder",
//!         description: "Deletes everything in a folder, if a person says so",
//!         hints: ToolHints::Changes,
//!     },
//!     run,
//! );
//! assert_eq!(tool.definition().name, "empty_folder");
//! ```
//!
//! A `#[tool]` of rmcp's can give the same results. With this schema even a [`Stop`](crate::Stop) fits what the tool
//! declares, so that clients that check results take every one of them:
//!
//! ```
//! use holdpoint::{Stop, ToolContext, Yes, tool::{AskResult, ToolOutput}};
//! use rmcp::{tool, tool_router};
//! use schemars::JsonSchema;
//! use serde::Serialize;
//!
//! #[derive(Serialize, JsonSchema)]
//! struct Emptied {
//!     /// How many files were deleted
//!     deleted: usize,
//! }
//!
//! struct Folders;
//!
//! #[tool_router]
//! impl Folders {
//!     /// Empties the folder, if a person says so
//!     #[tool(output_schema = AskResult::<Emptied>::schema().into())]
//!     async fn empty(&self, cx: ToolContext) -> Result<AskResult<Emptied>, Stop> {
//!         let question = cx.elicitor().confirm("Empty the folder?").dangerous();
//!         let (Yes, decision) = question.decided().await?.or_stop()?;
//!         Ok(AskResult::new(&decision, true, "It is empty: go on.", &Emptied { deleted: 5 }))
//!     }
//! }
//! # assert!(Folders::tool_router().get("empty").is_some());
//! ```

mod arguments;
mod ask_and_log;
mod ask_separately;
mod blocking;
mod error;
mod result;
mod round;
mod schema;
mod typed_tool;

pub use super::{form_result::form_result, result_text::say_fields};
pub use arguments::{parse_value, unknown_argument};
pub use ask_and_log::{ask_and_log, log_question, log_title};
pub use ask_separately::ask_separately;
pub use blocking::blocking;
pub use error::{RecordedError, ToolError};
pub use holdpoint_ask::form_arguments::timeout;
pub(crate) use result::is_of_asks;
pub use result::{AskResult, NoFields, PlainResult, ToolOutput};
pub use round::round_of;
pub use schema::input_schema;
pub use typed_tool::{ToolHints, ToolInfo, TypedTool, TypedTools};
