//! The inbox page: every open ask of every agent that shares the journal, in a browser.
//!
//! | module | holds |
//! |---|---|
//! | [`server`] | the routes, and serving them |
//! | [`page_host`], `health` | one page for each journal, and another process to take over |
//! | [`people`] | people whom the page knows by name |
//! | [`tokens`] | what programs show so that they may ask or answer |
//! | [`http_server`], [`file_limit`] | taking connections so that nobody uses them all up |
//! | [`tls`], [`public_address`], [`qr_code`] | a page that other machines reach |
//! | [`view`] | an ask and its decision as the page sees them |
//! | [`render`] | renders agent text as harmless HTML |
//! | [`scripts`] | what the page needs of scripts, and the runs that were begun on it |
//! | `api` | the JSON API |
//! | `gate`, `keys`, `opening_keys`, `browser_keys` | who may come in: Host, Origin, key, token |
//! | `program_routes` | what is open to a program with a token |
//! | `connections`, `slow_client` | the places of connections; clients that neither send nor read |
//! | `waits` | how many requests of one program wait at once |
//! | `open_asks`, `rows`, `ask_kind` | the open asks in memory, and their rows in lists |
//! | `alike` | which asks can be answered at once |
//! | `ask_views`, `branches` | views of records; the branch that an agent works on |
//! | `assets`, `bundle`, `etag` | the page itself, embedded; what a browser has already |
//!
//! The channel, in which an ask that no client shows waits, is the desk's own: [`Inbox`].
//!
//! There are no MCP tools here, and nothing that an agent can call. The page answers through
//! [`Desk::reply`](holdpoint::Desk::reply) like every other surface.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

mod alike;
mod api;
mod ask_kind;
mod ask_views;
mod assets;
mod branches;
mod browser_keys;
mod bundle;
mod connections;
mod etag;
pub mod file_limit;
mod gate;
mod health;
pub mod http_server;
mod key_attempts;
mod keys;
mod open_asks;
mod opening_keys;
pub mod page_host;
pub mod people;
mod program_routes;
pub mod public_address;
pub mod qr_code;
mod remembered_view;
pub mod render;
mod round_view;
mod rows;
pub mod scripts;
pub mod server;
mod slow_client;
#[cfg(feature = "tls")]
pub mod tls;
#[cfg(not(feature = "tls"))]
#[path = "without_tls.rs"]
pub mod tls;
pub mod tokens;
pub mod view;
mod waits;

pub use browser_keys::Browser;
pub use holdpoint::ParkedInbox as Inbox;
pub use keys::{Keys, same as same_secret};
pub use server::{Page, Served};
