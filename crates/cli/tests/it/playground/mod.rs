//! The playground of the real binary in a real browser: the example scripts from their first ask to
//! their result.

#[allow(dead_code)]
#[path = "../../../../inbox/tests/it/browser/driver.rs"]
mod driver;
mod killed;
mod kitchen;
mod release;
mod stage;
#[allow(dead_code)] // The page's own tests use more of it.
#[path = "../../../../inbox/tests/it/browser/tab.rs"]
mod tab;

use crate::support;
