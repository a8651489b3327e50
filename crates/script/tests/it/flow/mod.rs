//! Scripts under a desk: what they yield, what they get, what they end with.

mod asks;
mod effects;
mod emits;
mod outcomes;
mod permit;
mod record;
mod resume;
mod stand;
mod wrong;
