//! A server that asks in a chat: a channel of its author's own, beside whatever else reaches a person.
//!
//! ```text
//! chat-channel BOT_URL CHAT_ID JOURNAL      speaks MCP over stdio, and asks in the chat
//! ```

mod chat;

use anyhow::Context;
use chat::{Chat, ChatChannel};
use holdpoint::{ChannelKind, Desk, Stop, ToolContext, Yes, serve_stdio};
use rmcp::{ServerHandler, handler::server::wrapper::Parameters, tool, tool_handler, tool_router};
use std::sync::Arc;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Release {
    version: String,
}

struct Deployer;

#[tool_router]
impl Deployer {
    /// Deploys a release, if a person says so
    #[tool]
    async fn deploy(&self, cx: ToolContext, release: Parameters<Release>) -> Result<String, Stop> {
        let question = format!("Deploy {}?", release.0.version);
        let Yes = cx.elicitor().confirm(question).or_stop().await?;
        Ok(format!("deployed {}", release.0.version))
    }
}

#[tool_handler(name = "deployer", version = "1.0.0")]
impl ServerHandler for Deployer {}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .init();
    let mut args = std::env::args().skip(1);
    let mut next = || {
        args.next()
            .context("usage: chat-channel BOT_URL CHAT_ID JOURNAL")
    };
    let (bot, chat, journal) = (next()?, next()?, next()?);
    let chat = Chat::new(bot, chat);
    tokio::spawn(chat.clone().listen());
    let channel = ChatChannel(chat, ChannelKind::author("chat")?);
    let desk = Desk::builder(holdpoint::journal::open(&journal).await?).channel(Arc::new(channel));
    Ok(serve_stdio(desk.build().await?, Deployer).await?)
}
