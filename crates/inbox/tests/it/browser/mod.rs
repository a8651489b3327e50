//! The page in a real browser: headless Chromium, driven by chromedriver.

mod counts;
mod deciding;
mod elsewhere;
mod fields;
mod history;
mod hostile;
mod scripts;
mod stage;
mod trust;

use crate::workshop;
use holdpoint_testkit::browser as tab;
