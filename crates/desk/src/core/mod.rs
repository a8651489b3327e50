//! The desk: opens asks, delivers them, judges replies, settles. It knows neither calls nor MCP.

pub(crate) mod ask_task;
pub(crate) mod channel;
pub(crate) mod departure;
pub(crate) mod desk;
pub(crate) mod end_signal;
pub(crate) mod evidence;
pub(crate) mod fetched_files;
pub(crate) mod given_files;
pub(crate) mod grant;
pub(crate) mod guard;
pub(crate) mod journal_follower;
pub(crate) mod judge;
pub(crate) mod open_ask;
pub(crate) mod open_inboxes;
pub(crate) mod parked_inbox;
pub(crate) mod picked_file;
pub(crate) mod pin;
mod pin_hash;
pub(crate) mod pin_place;
mod pin_state;
mod pin_tries;
pub(crate) mod redelivery;
pub(crate) mod released_ask;
pub(crate) mod reply_result;
pub(crate) mod secret_box;
pub(crate) mod settle;
pub(crate) mod small_future_set;
