//! What the author of a tool writes against.

pub(crate) mod caller;
pub(crate) mod context;
pub(crate) mod elicitor;
pub(crate) mod form_result;
pub(crate) mod logger;
pub(crate) mod options;
pub(crate) mod question;
pub(crate) mod result_text;
pub(crate) mod sampler;
#[cfg(feature = "secrets")]
pub(crate) mod secret;
pub(crate) mod standalone_flow;
pub(crate) mod stop;
pub mod testing;
pub mod tool;
pub(crate) mod tool_result;
