//! The studio under clients: in this process down to the JSON, and as a program with clients that others wrote.

mod clients;
mod export;
mod logging;
mod naming;
mod prompts;
mod resources;
mod results;
mod stage;
