//! A real browser.

mod driver;
mod tab;

pub use tab::{CTRL_ENTER, ENTER, HOLD, Page, Tab, field};
