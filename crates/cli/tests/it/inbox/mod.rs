//! The inbox page of the real binary: the same ask on the client and on the page, asks that outlive
//! their client and their server, and one page for all processes.

pub mod browser;
pub mod delivery;
mod library;
mod outlive;
mod share;
mod tls;

use crate::support;
