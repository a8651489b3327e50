//! The journal: one story for each engine, its file, and faults with real processes.

mod child_process;
mod file;
mod index;
mod processes;
mod stage;
mod story;
mod tamper;
