//! The page in a real browser: headless Chromium, driven by chromedriver.

mod accessible;
mod counts;
mod deciding;
mod deliberate;
mod elsewhere;
mod fields;
mod first_run;
mod history;
mod hostile;
mod inbox_list;
mod keys_on_their_way;
mod look;
mod many;
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
