//! The page in a real browser: headless Chromium, driven by chromedriver.

mod counts;
mod deciding;
mod deliberate;
mod elsewhere;
mod fields;
mod history;
mod hostile;
mod keys_on_their_way;
mod look;
mod nothing_left;
mod reviews;
mod scripts;
mod stage;
mod together;
mod trust;
mod who_asks;
mod whole_ask;

use crate::workshop;
use holdpoint_testkit::browser as tab;
