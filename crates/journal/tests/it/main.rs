//! The journal: one story for each engine, its file, and failures with real processes.

mod child_process;
mod file;
mod fixture;
mod foreign_commits;
mod high_water_mark;
mod index;
mod own_engine;
mod postgres;
mod postgres_opened;
mod postgres_refused;
mod postgres_search;
mod postgres_tamper;
mod postgres_tls;
mod processes;
mod pruned;
mod read_only;
mod replaced;
mod same_results;
mod story;
mod tamper;
mod versions;
