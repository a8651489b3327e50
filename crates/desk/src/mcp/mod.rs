//! MCP, in both eras: what a client is told, and what its replies mean.

mod awaited;
pub(crate) mod handler;
mod identify;
mod incoming;
mod lines;
pub(crate) mod link;
pub(crate) mod lost;
mod pump;
mod request;
mod retry;
pub(crate) mod seal;
mod serve;
mod transport;
pub(crate) mod wire;

pub(crate) use awaited::{Resumes, ended};
pub use handler::Holdpoint;
pub use transport::{HttpService, http_settings, over, stdio};
