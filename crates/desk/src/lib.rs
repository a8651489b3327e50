//! People's decisions in the loop of AI agents, over MCP: a tool asks in linear code, and goes on with a
//! person's answer.
//!
//! - **The record.** Every ask is in a journal on disk before anyone sees it, and every decision before the
//!   tool does: who answered, when, and through which channel. It is hash-chained, and `holdpoint log` reads it.
//! - **Steps that run once.** An effect in [`ToolContext::step`] is on record before it runs, and never runs
//!   twice, however often the tool is run again.
//! - **An answer that survives a kill.** A person can answer while no server runs. The same call, made again,
//!   goes on where it was.
//! - **One inbox.** What all servers and agents ask waits in one place, on a page and in the terminal,
//!   also where a client shows no forms.
//! - **Checked outcomes.** Nothing but a person's valid answer is a yes: no default, no time-out, no empty
//!   form, and no client that answers by itself.
//!
//! Written once, a tool serves clients of both protocol eras: those that are asked in the middle of their call
//! (up to 2025-11-25), and those that are asked by its result and call again (2026-07-28).
//!
//! ```no_run
//! use holdpoint::{Desk, Stop, ToolContext, Yes, serve_stdio};
//! use rmcp::{ServerHandler, tool, tool_handler, tool_router};
//!
//! struct Artifacts;
//!
//! #[tool_router]
//! impl Artifacts {
//!     /// Deletes everything, if a person says so
//!     #[tool]
//!     async fn delete_all(&self, cx: ToolContext) -> Result<String, Stop> {
//!         let Yes = cx.elicitor().confirm("Delete all artifacts?").dangerous().or_stop().await?;
//!         cx.try_step("delete", async { std::fs::remove_dir_all("artifacts") }).await?;
//!         Ok("deleted".into())
//!     }
//! }
//!
//! #[tool_handler(name = "artifacts", version = "1.0.0")]
//! impl ServerHandler for Artifacts {}
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     serve_stdio(Desk::shared().await?, Artifacts).await?;
//!     Ok(())
//! }
//! ```
//!
//! Anything but a yes ends the tool at `or_stop`, with a result that tells the agent what happened and what
//! to do. Over HTTP, mount an [`HttpService`] in place of [`serve_stdio`].
//!
//! The guides are in `docs/guides`: your first approval in ten minutes, testing, channels, one inbox, and
//! coming from `peer.elicit`.
//!
//! # Before you start
//!
//! - **A tokio runtime with time enabled** must be running when a desk is opened. `#[tokio::main]` makes one;
//!   the one with several threads is recommended.
//! - **Logs go to standard error**, since standard output belongs to the protocol. The crate logs through
//!   `tracing` and installs no subscriber. With `tracing-subscriber` it is one line:
//!   `tracing_subscriber::fmt().with_writer(std::io::stderr).init();`
//! - **The server has a name of its own**, as in `#[tool_handler(name = "artifacts")]`. Asks, answers and steps
//!   belong to a server by its name; one without is not served.
//! - **The oldest Rust** that was tried is 1.95.
//! - **rmcp** is part of this crate's interface, so it is exported: `use holdpoint::rmcp;` always gives the version
//!   that fits, and rmcp's macros find it there.
//!
//! | holdpoint | rmcp | MCP |
//! |---|---|---|
//! | 0.1 | 3.8 | 2025-06-18, 2025-11-25, 2026-07-28 |
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `sqlite` | yes | journals in files, `sqlite:PATH`, and in memory, `memory:` |
//! | `http` | yes | [`HttpService`] |
//! | `pin` | no | a PIN for what is dangerous |
//! | `secrets` | no | [`Elicitor::secret`] |
//!
//! # Where people are reached
//!
//! In their client's own forms, where it shows them, and in an inbox: a page, or a list in a terminal.
//!
//! - [`Desk::shared`] is over the person's own journal, and so in their one inbox, beside everything else
//!   that waits for them. What they set (`trust.dangerous`, a PIN) holds there.
//! - [`Desk::open`] is over a journal of the server's own. What it asks waits for an inbox that watches
//!   that journal (`holdpoint inbox --journal sqlite:PATH`), where one does.
//! - [`Desk::builder`] takes any [`Channel`]; [`DeskBuilder::shared_inbox`] is the inbox as one.
//!
//! # When to ask, when to use a prompt, when to sample
//!
//! - **Ask** (the [`Elicitor`]) for what only a person may say: consent, a choice of taste, a fact
//!   that the agent cannot look up. Ask late, with everything that is needed to answer in view; ask
//!   what belongs together together (`tokio::try_join!` puts both into one round); and never ask
//!   what the arguments could have said.
//! - **Use a prompt** for what starts a conversation: the person picks it and fills in its
//!   arguments before any agent runs. A prompt may ask for what is missing where the client's
//!   protocol allows it; [`Session::supports_elicitation`] tells.
//! - **Sample** (the [`Sampler`]) for words: a summary, an explanation, a name to propose. What a
//!   model says may be shown to a person who decides; it never decides.
//!
//! # Outcomes
//!
//! "No" is an answer, not an error. [`Question::or_stop`] gives the accepted value and ends the tool
//! otherwise. To act on a no, await the question instead: it gives an [`Outcome`]. Match what you can act
//! on, and pass the rest on with [`tool_result`]. Only [`Outcome::Accepted`] can be a yes. An [`AskError`]
//! is a fault, after which nothing was approved.
//!
//! # Effects between asks
//!
//! A flow that is lost with its process is run again from its start when its client calls again;
//! what was answered is answered at once. So do effects in [`ToolContext::step`], which runs them
//! once, and read what an ask shows (a file, a diff) in a step too. An approval that is used later
//! is a grant: [`ToolContext::grant`] and [`ToolContext::redeem`].
//!
//! # Trying a flow
//!
//! [`testing::Script`] runs a flow with a person who says what the test wants, and kills it at every
//! question if you like.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]
#![warn(missing_debug_implementations, unnameable_types)]

mod author;
mod builder;
mod clock;
mod core;
mod error;
mod flow;
mod mcp;
#[cfg(feature = "sqlite")]
pub mod personal;
mod settings;
mod sync;

pub use self::core::{
    channel::{Channel, ChannelReply, Delivery, DeliveryError, ReplyHandle, Showing},
    desk::Desk,
    evidence::Refusal,
    grant::GrantError,
    judge::Replier,
    parked_inbox::{ParkedInbox, store_page_address, stored_page_address},
    picked_file::PickedFile,
    pin::Pin,
    pin_place::PinPlace,
    remembered::Remembered,
    reply_result::ReplyResult,
};
#[cfg(feature = "secrets")]
pub use author::secret::Secret;
pub use author::{
    caller::Caller,
    context::ToolContext,
    elicitor::{Elicitor, Yes},
    logger::Logger,
    options::{Options, Variants, variants},
    question::Question,
    sampler::Sampler,
    standalone_flow::{FlowRun, FlowStart, ResumeError},
    stop::Stop,
    testing, tool,
    tool_result::tool_result,
};
pub use builder::DeskBuilder;
pub use clock::Clock;
pub use error::{AskError, ClientError, PinError, ServeError, StepError, UnnamedServer};
pub use flow::{
    artifact::{Artifact, ArtifactKind},
    events::{Emit, Emits, Level, SCRIPT_METHOD, ToNobody, Tone},
    pending_ask::Decided,
    result::FlowResult,
    session::Session,
    standalone::{LeftAsk, StandaloneAsk},
    version::FlowVersion,
};
pub use holdpoint_ask::{
    Answer, Ask, AskId, CallId, ChannelKind, ChannelName, ChannelNameError, ClientProfile,
    Decision, Digest, DigestWriter, Field, FieldError, Form, Gesture, GrantId, IntegerRange, Kind,
    NumberRange, Origin, Outcome, Presence, Reply, ReplyAction, Review, Revision, TypedError,
    TypedForm, Withdrawal, arguments, check, describe, field, remember, review, strict_json,
    visible,
};
pub use holdpoint_journal as journal;
pub use holdpoint_journal::BoxFuture;
#[cfg(feature = "sqlite")]
pub use holdpoint_workspace::Environment;
/// The crate of the moments that a [`Clock`] shows and a [`Decision`] holds.
pub use jiff;
#[cfg(fuzzing)]
#[doc(hidden)]
pub use mcp::fuzz_door;
pub use mcp::{
    Holdpoint, PromptSource, ResourceSource, ToolCall, ToolServer, ToolSource, over, serve_stdio,
    stdio,
};
#[cfg(feature = "http")]
pub use mcp::{HttpService, http_settings};
#[cfg(feature = "sqlite")]
pub use personal::{InboxPlace, Personal, PersonalError};
pub use rmcp;
pub use settings::Settings;

/// The Rust code of the guides is compiled with the examples of this crate.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../../../docs/guides/channels.md")]
    mod channels {}
    #[doc = include_str!("../../../docs/guides/first-approval.md")]
    mod first_approval {}
    #[doc = include_str!("../../../docs/guides/from-peer-elicit.md")]
    mod from_peer_elicit {}
    #[doc = include_str!("../../../docs/guides/one-inbox.md")]
    mod one_inbox {}
    #[doc = include_str!("../../../docs/guides/testing.md")]
    mod testing {}
}
