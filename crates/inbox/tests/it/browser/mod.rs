//! The page in a real browser: headless Chromium, driven by chromedriver.

mod counts;
mod deciding;
mod driver;
mod elsewhere;
mod fields;
mod history;
mod hostile;
mod scripts;
mod stage;
mod tab;
mod trust;

use crate::workshop;
