//! What the programs of the benchmark share.
//!
//! - [`parts`]: the parts of the benchmark, in the order in which they run
//! - [`figures`]: what a part hands on, and the table
//! - [`servers`]: the servers that are compared
//! - [`client`], [`measure`]: a client over stdio, and what it measures
//! - [`http_connection`], [`http_client`], [`http_load`]: a client over HTTP of either era, and what it measures
//! - [`journal_load`], [`journal_search`], [`sqlite_log`]: asks as a journal gets them, and what it writes of them
//! - [`page_server`]: a server with its page, as a browser sees it
//! - [`at_rest`], [`idle_sessions`]: what is kept while nothing happens
//! - [`process`], [`statistics`]: what the kernel knows, and the middle of it

pub mod at_rest;
pub mod client;
pub mod figures;
pub mod http_client;
pub mod http_connection;
pub mod http_load;
pub mod idle_sessions;
pub mod journal_load;
pub mod journal_search;
pub mod measure;
pub mod page_server;
pub mod parts;
pub mod process;
pub mod servers;
pub mod sqlite_log;
pub mod statistics;
