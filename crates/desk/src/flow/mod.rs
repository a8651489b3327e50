//! A flow and its call: linear code that asks, run as a task of its own and replayed after a
//! restart. The client behind it is seen through two traits that the `mcp` layer implements.

pub(crate) mod active_request;
pub(crate) mod artifact;
pub(crate) mod ask_keys;
pub(crate) mod call;
pub(crate) mod calls;
pub(crate) mod change_signal;
pub(crate) mod client;
pub(crate) mod client_request;
pub(crate) mod events;
pub(crate) mod flow_waker;
pub(crate) mod grants;
pub(crate) mod many_by_id;
pub(crate) mod masking;
pub(crate) mod pending_ask;
pub(crate) mod release;
pub(crate) mod released_calls;
pub(crate) mod replay;
pub(crate) mod result;
pub(crate) mod rounds;
pub(crate) mod session;
pub(crate) mod session_pool;
pub(crate) mod standalone;
pub(crate) mod step;
pub(crate) mod surface;
pub(crate) mod task;
pub(crate) mod version;
pub(crate) mod wake;
