//! What each address of the API does.

pub(crate) mod asks;
pub(crate) mod error;
pub(crate) mod session;
