//! The inbox page: every open ask of every agent that shares the journal, in a browser.
//!
//! | module | holds |
//! |---|---|
//! | [`inbox`] | the channel: an ask that no client shows waits here |
//! | [`server`] | the routes, and serving them |
//! | [`view`], [`words`] | an ask and its decision as the page sees them |
//! | [`render`] | agent text as harmless HTML |
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
pub mod inbox;
mod keys;
mod looks;
pub mod render;
pub mod server;
pub mod view;
pub mod words;

pub use inbox::Inbox;
pub use keys::Keys;
pub use server::{Page, Served};
