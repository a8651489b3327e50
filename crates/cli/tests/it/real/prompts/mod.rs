//! What clients would ask their users themselves, brought to a person by `holdpoint hook`.
//!
//! The hook is what `holdpoint init CLIENT --prompts` registers. Each client's shell is told to make a folder:
//! it is there if and only if a person, or a rule, said yes.

mod catalog;
mod claude_code;
mod claude_code_tool;
mod codex;
mod consent;
mod desk;
mod every_client;

use super::{
    browser::Browser, catalog as clients, fake_model, headless::statuses, leftovers, page, station,
    support, terminal, without_forms,
};
