//! People's decisions in the loop of AI agents, over MCP.

mod attach;
mod builder;
mod call;
mod channel;
mod clock;
mod context;
mod desk;
mod elicitor;
mod error;
mod flow;
mod follow;
mod grant;
mod judge;
mod logger;
mod mcp;
mod open_ask;
mod question;
mod result;
mod sampler;
mod session;
mod settings;
mod step;
mod take;
mod tend;

pub use builder::DeskBuilder;
pub use channel::{Channel, Delivery, Lost, Showing};
pub use clock::Clock;
pub use context::ToolContext;
pub use desk::Desk;
pub use elicitor::{Elicitor, Yes};
pub use error::{AskError, StepError};
pub use grant::GrantError;
pub use holdpoint_ask::{
    Answer, Ask, AskId, CallId, ChannelKind, ClientProfile, Decision, Digest, Field, FieldError,
    Form, GrantId, Kind, Origin, Outcome, Reply, Withdrawal, field,
};
pub use holdpoint_journal as journal;
pub use judge::Replier;
pub use logger::Logger;
pub use mcp::{Holdpoint, HttpService, http_settings, over, stdio};
pub use question::{Decided, Question};
pub use result::tool_result;
pub use sampler::{ClientError, Sampler};
pub use session::Session;
pub use settings::Settings;
pub use take::Taken;
