//! The inbox page: every open ask of every agent that shares the journal, in a browser.
//!
//! | module | holds |
//! |---|---|
//! | [`inbox`] | the channel: an ask that no client shows waits here |
//! | [`server`] | the routes, and serving them |
//! | [`keeper`], [`health`] | one page for each journal, and another process to take over |
//! | [`tls`], [`qr`] | a page that other machines reach |
//! | [`view`] | an ask and its decision as the page sees them |
//! | [`render`] | agent text as harmless HTML |
//! | [`scripts`] | what the page needs of scripts, and the runs that were begun on it |
//! | `api` | what each address of the API does |
//! | `gate`, `keys` | who is let in: Host, Origin, key, cookie, token |
//! | `looks`, `branch` | from records to views; the branch that an agent works on |
//! | `assets` | the page itself, embedded |
//!
//! There are no MCP tools here, and nothing that an agent can call. The page answers through
//! [`Desk::reply`](holdpoint::Desk::reply) like every other surface.

mod api;
mod assets;
mod branch;
mod gate;
pub mod health;
pub mod inbox;
pub mod keeper;
mod keys;
mod looks;
pub mod qr;
pub mod render;
pub mod scripts;
pub mod server;
pub mod tls;
pub mod view;

pub use inbox::Inbox;
pub use keys::Keys;
pub use server::{Page, Served};
