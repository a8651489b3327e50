//! The clients that people use, driven live: their own screens, their headless runs, their shells.
//!
//! Compiled with the feature `real-clients`, and run by `dev/test --clients`, after `dev/setup --clients`. The
//! model is scripted (`tests/clients/real`). `RECORD_CLIENTS=1` writes each session down for the ordinary tests.

mod catalog;
mod fake_model;
mod forms;
mod headless;
mod leftovers;
mod plugins;
mod prompts;
mod station;
mod terminal;
mod vscode;
mod without_forms;

use crate::{inbox::browser, people::page, support};
