//! `holdpoint serve`, the real binary, with clients of both protocol eras.

mod at_terminal;
pub mod callers;
mod examples;
pub mod http;
mod in_agents_shell;
mod openid;
mod refused;
mod silent_connections;
mod stdio;
mod stop;

use crate::support;
