//! The page in a real browser: headless Chromium, driven by chromedriver.

mod accessible;
mod comments;
mod counts;
mod deadline;
mod deciding;
mod deliberate;
mod diff_review;
mod editing;
mod elsewhere;
mod endings;
mod fields;
mod first_run;
mod history;
mod hostile;
mod inbox_list;
mod keys_on_their_way;
mod many;
mod nothing_left;
mod outline;
mod permission_prompt;
mod remembered;
mod reviews;
mod rounds;
mod scripts;
mod stage;
mod together;
mod trust;
mod undo;
mod who_asks;
mod whole_ask;

use crate::workshop;
use holdpoint_testkit::browser as tab;
