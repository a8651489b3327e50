//! The playground of the real binary in a real browser: the example scripts from their first ask to
//! their result.

mod killed;
mod kitchen;
mod release;
mod stage;

use crate::support;
use holdpoint_testkit::browser as tab;
