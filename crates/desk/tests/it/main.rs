//! The desk under clients of both eras, in one process and in several.

mod api;
mod binding;
mod cancel;
mod channels;
mod client_habits;
mod guards;
mod hostile;
mod http;
mod http_sessions;
mod inboxes;
mod left_asks;
mod left_behind;
mod legacy;
mod let_go;
mod library;
mod lost;
mod modern;
mod order;
mod own_channels;
mod reading_time;
#[cfg(unix)]
mod real_kills;
mod remembered;
mod resource_subscriptions;
mod run;
mod secrets;
mod shared;
mod support;
mod taken_away;
mod tool_sources;
mod url;
mod waiting_tool;
mod wire;
mod woken;
