//! The dialects of harnesses: a payload becomes what is asked, and a decision becomes the reply.
//!
//! ```text
//! standard input ─► read ─► Incoming ─► the rules ─► ask_for ─► Ask ─► a person
//!                                          │                             │
//! standard output ◄─ reply ◄─ Decision ◄───┴────────── decision ◄────────┘
//! ```
//!
//! Pure: what comes in is JSON and what goes out is JSON, text and an exit code. The disk, the clock and the
//! environment are looked at by whoever uses it, who tells what they know in [`Surroundings`].
//!
//! ```
//! use holdpoint_harness::{Decision, Harness, Surroundings, read, reply};
//!
//! let payload = br#"{"session_id": "1", "prompt_id": "2", "cwd": "/work", "hook_event_name": "PreToolUse",
//!     "tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "3"}"#;
//! let incoming = read(Harness::Claude, payload, &Surroundings::default())?;
//! let said = reply(&incoming, &Decision::Deny { reason: "Not on a Friday.".into() });
//! assert!(said.stdout.contains(r#""permissionDecision":"deny""#));
//! # Ok::<_, holdpoint_harness::ReadError>(())
//! ```
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]
#![warn(missing_debug_implementations, unnameable_types)]

mod binding;
mod decision;
mod each_use;
mod failure;
mod fields;
mod harness;
mod hook_reply;
mod incoming;
mod path;
pub mod permission_tool;
mod question;
mod read;
mod read_error;
mod reply;
mod shown;
mod tools;

pub use binding::{binding, bound_tool_use};
pub use decision::{Decision, FormReply, QuestionAnswer, chosen_scope, decision};
pub use failure::{leave_failure_to_harness, reply_to_failure};
pub use fields::REMEMBER;
pub use harness::{Harness, UnknownHarness};
pub use hook_reply::HookReply;
pub use incoming::{
    FormRequest, FormWants, Incoming, Over, Plan, Prompt, Questions, Surroundings, ToolPrompt,
};
pub use question::{Question, QuestionOption};
pub use read::read;
pub use read_error::ReadError;
pub use reply::reply;
pub use shown::ask_for;
