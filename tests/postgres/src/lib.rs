//! A real PostgreSQL for tests, and a proxy before it that cuts, delays and holds back.
//!
//! Each [`Server`] is a cluster of its own in a temporary folder, on loopback and at a port that the system
//! chose. It is a copy of a cluster that was made once and lies in the target folder, so it starts in a fraction of
//! a second. It ends with its test process, however that ends. As root it runs as another user, since PostgreSQL
//! refuses to run as root.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! use test_postgres::{Proxy, Server};
//!
//! let database = Server::shared().database().await;
//! println!("{}", database.url());
//!
//! let server = Server::start();
//! let database = server.database().await;
//! let proxy = Proxy::to(server.address()).await;
//! println!("{}", database.url_at(proxy.address()));
//! proxy.cut();
//! server.kill();
//! server.launch();
//! # }
//! ```
#![cfg(unix)]

mod database;
mod keeper;
mod options;
mod processes;
mod programs;
mod proxy;
mod server;
mod standby;
mod template;

pub use database::Database;
pub use options::{Options, Tls};
pub use proxy::{CommitPoint, CommitStop, Direction, Proxy};
pub use server::Server;
