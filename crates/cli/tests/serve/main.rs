//! `holdpoint serve`, the real binary, with clients of both protocol eras.
#![cfg(unix)]

mod examples;
mod http;
mod refused;
mod stdio;
mod stop;
#[path = "../support/mod.rs"]
mod support;
