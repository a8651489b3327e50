//! Tests of the workspace itself, one file for each thing that they hold.
#![cfg(test)]

mod sources;
mod test_files;
