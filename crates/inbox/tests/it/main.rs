//! The page: its API without a socket, and the whole of it in a real browser.

mod api;
mod browser;
mod called;
mod connections;
mod permission;
mod squatter;
mod workshop;
