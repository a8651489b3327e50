//! The prompts of harnesses as asks: what rules decide at once, and what a person decides.
//!
//! | module | holds |
//! |---|---|
//! | [`rules_files`] | the rules that hold here, from the person's file and from the folders above |
//! | [`real_paths`] | where paths really lead, for the rules |
//! | [`decide`] | what the rules say, before anything is opened |
//! | [`scopes`] | what people gave to be remembered: read, offered, counted |
//! | [`past_uses`] | what was asked lately, from the record |
//! | [`ask`] | asking a person, waiting, and finding the answer of an earlier try |
//! | [`settle`] | all of it, with the record at hand |
//! | [`withdraw`] | taking back what was answered in the harness |
//! | [`permission_tool`] | the MCP tool for `claude -p --permission-prompt-tool` |
//!
//! The dialects are in `holdpoint-harness`, the rules in `holdpoint-policy`: both are pure.

pub mod ask;
pub mod decide;
pub mod past_uses;
pub mod permission_tool;
pub mod real_paths;
pub mod rules_files;
pub mod scopes;
pub mod settle;
pub mod withdraw;
