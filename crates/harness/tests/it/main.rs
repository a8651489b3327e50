//! Payloads of harnesses, what is made of them, and what the harnesses would do with the replies.

mod corpus;
mod decisions;
mod hostile_text;
mod payloads;
mod permission_tool;
mod properties;
mod shapes;
mod would_do;
