//! A real browser.

mod driver;
mod screen;
mod tab;

pub use screen::Screen;
pub use tab::{CTRL_ENTER, ENTER, HOLD, Page, Tab, field};
