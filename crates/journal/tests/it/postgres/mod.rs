//! PostgreSQL: what becomes of decisions when the server, the network or a replica fails.

mod failover;
mod interrupted_commit;
mod limits;
mod load;
mod replicas;
mod stand;
pub mod stopped;
mod waking;
