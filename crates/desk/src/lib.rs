//! People's decisions in the loop of AI agents, over MCP.
//!
//! A tool is linear code that asks. Written once, it serves clients of both protocol eras (asked in
//! the middle of their call up to 2025-11-25, asked by its result and calling again from 2026-07-28)
//! and clients that show nothing at all. Every ask is on record before anyone sees it, and every
//! decision before the tool does.
//!
//! # A server in a few lines
//!
//! ```no_run
//! use holdpoint::{Desk, Holdpoint, Outcome, ToolContext, Yes};
//! use rmcp::{ErrorData, ServerHandler, ServiceExt, tool, tool_handler, tool_router};
//!
//! struct Artifacts;
//!
//! #[tool_router]
//! impl Artifacts {
//!     /// Deletes everything, if a person says so
//!     #[tool]
//!     async fn delete_all(&self, cx: ToolContext) -> Result<String, ErrorData> {
//!         Ok(match cx.elicitor().confirm("Delete all artifacts?").dangerous().await? {
//!             Outcome::Accepted(Yes) => "deleted".into(),
//!             other => format!("nothing deleted: {}", other.status()),
//!         })
//!     }
//! }
//!
//! #[tool_handler(name = "artifacts", version = "1.0.0")]
//! impl ServerHandler for Artifacts {}
//!
//! #[tokio::main]
//! async fn main() -> anyhow::Result<()> {
//!     let desk = Desk::shared().await?;
//!     let server = Holdpoint::new(desk, Artifacts)?;
//!     server.serve(holdpoint::stdio()).await?.waiting().await?;
//!     Ok(())
//! }
//! ```
//!
//! Over HTTP, mount an [`HttpService`] in place of [`stdio()`].
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
//! "No" is an answer, not an error. Awaiting a question gives an [`Outcome`]: match what you can
//! act on, and pass the rest on with [`tool_result`]. Only [`Outcome::Accepted`] can be a yes. An
//! [`AskError`] is a fault, after which nothing was approved.
//!
//! # Effects between asks
//!
//! A flow that is lost with its process is run again from its start when its client calls again;
//! what was answered is answered at once. So do effects in [`ToolContext::step`], which runs them
//! once, and read what an ask shows (a file, a diff) in a step too. An approval that is used later
//! is a grant: [`Desk::grant`] and [`Desk::redeem`].
//!
//! # Trying a flow
//!
//! [`testing::Script`] runs a flow with a person who says what the test wants.
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
    pin::Pin,
    pin_place::PinPlace,
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
    picked_file::PickedFile,
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
    standalone::StandaloneAsk,
    version::FlowVersion,
};
pub use holdpoint_ask::{
    Answer, Ask, AskId, CallId, ChannelKind, ChannelName, ChannelNameError, ClientProfile,
    Decision, Digest, DigestWriter, Field, FieldError, Form, Gesture, GrantId, IntegerRange, Kind,
    NumberRange, Origin, Outcome, Presence, Reply, ReplyAction, Revision, TypedError, TypedForm,
    Withdrawal, arguments, check, describe, field, strict_json, visible,
};
pub use holdpoint_journal as journal;
pub use holdpoint_journal::BoxFuture;
#[cfg(feature = "sqlite")]
pub use holdpoint_workspace::Environment;
/// The crate of the moments that a [`Clock`] shows and a [`Decision`] holds.
pub use jiff;
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
