//! What Holdpoint asks people, as plain values.
//!
//! | module | holds |
//! |---|---|
//! | [`mod@ask`] | the question: message, form, danger, time, origin |
//! | [`form`], [`field`] | what is asked for, as typed fields in order |
//! | [`range`] | which numbers a field takes, as code writes ranges |
//! | [`arguments`] | what a method takes: a form that may hold lists and objects |
//! | [`form_arguments`], [`given_arguments`] | a question with its form as agents and programs write it; reading JSON so that an error names the place |
//! | [`form_verdict`] | what an accepted answer lets whoever asked do |
//! | [`check`] | checks that an ask can be put to a person at all |
//! | [`mod@visible`] | makes hidden characters in agent text visible |
//! | [`markdown`] | puts agent text into the messages that people read |
//! | [`diff`] | diffs as files, hunks and lines, with the words that changed |
//! | [`mod@plain_text`] | writes Markdown as plain text |
//! | [`profile`], [`mod@known_clients`] | what MCP clients really do with a form, and which are known |
//! | [`revision`] | versions of MCP, as far as asking people goes |
//! | [`lower`] | turns a form into a `requestedSchema`, and the answer back |
//! | [`validate`] | checks that an answer fits its form |
//! | [`requested_schema`] | forms from another server's `requestedSchema` |
//! | [`typed_form`], [`mod@variants`] | forms from Rust types, and the types back from the answers; enums as options |
//! | [`looks_secret`] | what looks like a secret, by its name or its beginning |
//! | [`redact`] | removes secrets from an answer before it is recorded |
//! | [`reply`] | what a channel brought back, unchecked |
//! | [`elicit_result`], [`strict_json`] | a reply as MCP writes it, and JSON, read strictly |
//! | [`review`] | comments and edits of a person, and the rounds in which a thing is shown again |
//! | [`outcome`] | how an ask ended, checked; and the decision that records it |
//! | [`channel_kind`] | through what a person is reached, Holdpoint's own ways and authors' |
//! | [`presence`] | what shows that a person gave a reply |
//! | [`describe`] | outcomes and decisions in words |
//! | [`mod@one_line_json`] | values inside a text that an agent reads |
//! | [`nearest`] | what a misspelt name was meant to be |
//! | [`ids`], [`digest`] | names that last |
//! | [`id_part`] | ids as people write them: short ones, and parts of them |
//! | [`open_order`] | under which heading an open ask is listed, and in which order |
//!
//! There is no I/O here: no clock, no socket, no database, no protocol library.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]
#![warn(missing_debug_implementations, unnameable_types)]

pub mod arguments;
pub mod ask;
pub mod channel_kind;
pub mod check;
mod check_review;
pub mod describe;
pub mod diff;
pub mod digest;
pub mod elicit_result;
pub mod field;
pub mod form;
pub mod form_arguments;
pub mod form_verdict;
pub mod given_arguments;
pub mod id_part;
pub mod ids;
pub mod known_clients;
mod limits;
pub mod looks_secret;
pub mod lower;
pub mod markdown;
pub mod nearest;
pub mod one_line_json;
pub mod open_order;
pub mod outcome;
pub mod plain_text;
pub mod presence;
pub mod profile;
pub mod range;
pub mod redact;
pub mod remember;
pub mod reply;
pub mod requested_schema;
pub mod review;
pub mod revision;
mod schema_property;
pub mod strict_json;
pub mod typed_form;
pub mod validate;
pub mod variants;
pub mod visible;

pub use ask::{Ask, Origin};
pub use channel_kind::{ChannelKind, ChannelName, ChannelNameError};
pub use check::{AskError, FormError};
pub use digest::{Digest, DigestWriter};
pub use elicit_result::{ElicitResult, NotAReply, ReplyAction};
pub use field::{Field, Kind};
pub use form::Form;
pub use id_part::{IdPart, short_id, short_ids};
pub use ids::{AskId, CallId, GrantId};
/// The crate of the moments in decisions and presences: they are its `Timestamp`s.
pub use jiff;
pub use known_clients::{KnownClient, known_clients};
pub use lower::{Lowered, NoForm, Raiser};
pub use outcome::{Decision, FieldError, Outcome, Withdrawal};
pub use plain_text::plain_text;
pub use presence::{Gesture, Presence};
pub use profile::{ClientProfile, ClientSigns};
pub use range::{IntegerRange, NumberRange};
pub use reply::{Answer, Reply};
pub use requested_schema::ForeignError;
pub use review::Review;
pub use revision::{NoElicitation, Revision};
pub use typed_form::{TypedError, TypedForm};
pub use variants::variants;
pub use visible::visible;
