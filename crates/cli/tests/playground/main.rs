//! The playground of the real binary in a real browser: the example scripts from their first ask to
//! their result.
#![cfg(unix)]

#[allow(dead_code)]
#[path = "../../../inbox/tests/browser/driver.rs"]
mod driver;
mod killed;
mod kitchen;
mod release;
mod stage;
#[path = "../support/mod.rs"]
mod support;
#[allow(dead_code)] // The page's own tests use more of it.
#[path = "../../../inbox/tests/browser/tab.rs"]
mod tab;
