//! The journal: one story for each engine, its file, and failures with real processes.

mod child_process;
mod file;
mod fixture;
mod index;
mod processes;
mod story;
mod tamper;
