//! The commands, one folder each.
//!
//! | module | holds |
//! |---|---|
//! | [`answer`] | `holdpoint answer`: one answer from a shell |
//! | [`ask`] | `holdpoint ask`: asking from a shell script |
//! | [`completions`], [`man`] | what shells complete, and the manual pages |
//! | [`demo`] | `holdpoint demo`: a newcomer's first ask |
//! | [`doctor`] | `holdpoint doctor`: what is wrong, and how to fix it |
//! | [`exit_code`] | the exit codes that they share |
//! | [`hook`] | `holdpoint hook`: a harness's prompt, answered in its dialect |
//! | [`inbox`] | `holdpoint inbox`: what is open, in the terminal or on the page |
//! | [`init`] | `holdpoint init`: registers the server with a client |
//! | [`journal`] | `holdpoint journal`: the record as a whole: checked, copied, pruned |
//! | [`log`] | `holdpoint log`: the record, for people |
//! | [`person`] | `holdpoint person`: people whom the page knows by name |
//! | [`pin`] | `holdpoint pin`: the PIN of dangerous asks |

//! | [`rules`] | `holdpoint rules`: what is allowed, asked and denied, and what is remembered |
//! | [`run`] | `holdpoint run`: a script in the terminal |
//! | [`serve`] | `holdpoint serve`: the MCP server, over stdio and HTTP |
//! | [`token`] | `holdpoint token`: tokens, with which programs ask or answer |
//! | [`uninstall`] | `holdpoint uninstall`: what lies where, and what removes it |

pub mod answer;
pub mod ask;
pub mod completions;
pub mod demo;
pub mod doctor;
pub mod exit_code;
pub mod hook;
pub mod inbox;
pub mod init;
pub mod journal;
pub mod log;
pub mod man;
pub mod person;
pub mod pin;

pub mod rules;
#[cfg(feature = "scripts")]
pub mod run;
pub mod serve;
pub mod token;
pub mod uninstall;
