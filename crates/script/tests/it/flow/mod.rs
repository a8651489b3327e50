//! Scripts under a desk: what they yield, what they get, what they end with.

mod asks;
mod effects;
mod emits;
mod memory;
mod outcomes;
mod permit;
mod record;
mod resume;
mod sleep;
mod stand;
mod wrong;
