//! What the tests of several rooms share: MCP clients of both eras, replicas that share a journal, an
//! inbox that parks everything, a home for the real binary, a person at a terminal, a browser tab,
//! a stand for tools, and [`eventually`], which waits with a deadline.
//!
//! Only tests depend on it. It panics where a test would.

mod attack_cases;
pub mod browser;
mod client;
mod conversation;
mod eventually;
mod flows;
mod home;
mod let_go;
#[cfg(unix)]
pub mod person;
mod pipe;
mod process;
mod protocol;
mod replica;
mod replying_channel;
mod text_and_fields;
mod tool_stand;

pub use attack_cases::{Case, attack_cases, attack_folder};
pub use client::{Client, Connect};
pub use conversation::{Asked, Conversation, Step};
pub use eventually::{PATIENCE, eventually, eventually_blocking};
pub use flows::Flows;
pub use holdpoint::ParkedInbox;
pub use home::{Home, stderr, stdout};
pub use pipe::Pipe;
pub use process::Process;
pub use protocol::{
    ERAS, Era, accept, cancel, decline, form_capabilities, initialize, modern_meta,
};
pub use replica::{Replica, inbox_reply, memory_journal, open_ask, open_asks, sqlite_journal};
pub use replying_channel::ReplyingChannel;
pub use text_and_fields::check_text_says_fields;
pub use tool_stand::{Ended, StandSetup, ToolStand, read_file};
