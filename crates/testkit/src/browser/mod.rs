//! A real browser.

mod driver;
mod tab;

pub use tab::{CTRL_ENTER, ENTER, Page, Tab, field};
