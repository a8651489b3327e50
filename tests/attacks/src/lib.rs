//! Attempts to turn something else than a person's answer into a yes. What an attacker does is data, in
//! `cases/*.toml`; here is what does it, in both eras and over every transport, and the one check: nothing
//! was accepted, and no agent was told to proceed.
//!
//! | module | runs the cases |
//! |---|---|
//! | `replies` | of a client that replies with something else than an answer |
//! | `states` | of a client that calls again with another `requestState` |
//! | `presence` | of a surface that cannot show that a person replied |
//! | `paths` | of a path that leads where nothing may be written |
//! | `scripts` | of a script that would keep a core busy |
//!
//! Those of `shells.toml`, `page.toml` and `callers.toml` need the real binary: its own tests run them, in
//! `crates/cli/tests/it/attacks`.
//!
//! `crashes` ends a server at each of its commits instead, `kills` at random moments, as often as a variable says, and
//! `replicas` one of two on the same PostgreSQL.
#![cfg(test)]

mod cases;
mod crashes;
mod dying_journal;
mod kills;
mod paths;
mod presence;
mod random;
mod replicas;
mod replies;
mod scripts;
mod shop;
mod stand;
mod states;
mod wire;
