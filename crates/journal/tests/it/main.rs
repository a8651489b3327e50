//! The journal: one story for each engine, its file, and failures with real processes.

mod child_process;
mod file;
mod fixture;
mod high_water_mark;
mod index;
mod own_engine;
mod postgres;
mod processes;
mod read_only;
mod replaced;
mod story;
mod tamper;
