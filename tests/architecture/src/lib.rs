//! Tests of the workspace itself, one file for each thing that they hold.
#![cfg(test)]

mod cycles;
mod examples;
mod git_door;
mod language;
mod layers;
mod lints;
mod map;
mod modules;
mod rooms;
mod rust_version;
mod sources;
mod test_files;
mod threats;
mod tokens;
mod weight;
mod workflows;
