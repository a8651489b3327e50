//! The journal: one story for each engine, its file, and faults with real processes.

mod file;
mod index;
mod players;
mod processes;
mod stage;
mod story;
mod tamper;
