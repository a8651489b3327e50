//! Three tools that ask: for a yes to something dangerous, for a choice, and for a form.
//!
//! ```text
//! cargo run -p holdpoint --example three_tools     speaks MCP over stdio
//! ```

use holdpoint::{Desk, Stop, ToolContext, Yes, serve_stdio};
use rmcp::{ServerHandler, handler::server::wrapper::Parameters, tool, tool_handler, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Files {
    names: Vec<String>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Release {
    version: String,
    #[serde(default)]
    notify: bool,
    #[schemars(extend("enum" = ["stable", "beta"]))]
    channel: String,
}

struct Three;

#[tool_router]
impl Three {
    /// Deletes files, if a person says so
    #[tool]
    async fn delete_files(&self, cx: ToolContext, args: Parameters<Files>) -> Result<String, Stop> {
        let message = format!("Delete {}?", args.0.names.join(", "));
        let Yes = cx.elicitor().confirm(message).dangerous().or_stop().await?;
        let delete = async { args.0.names.iter().try_for_each(std::fs::remove_file) };
        cx.try_step("delete", delete).await?;
        Ok("deleted".to_owned())
    }

    /// Asks a person for a key
    #[tool]
    async fn pick_key(&self, cx: ToolContext) -> Result<String, Stop> {
        let question = cx.elicitor().choose("Which key?", ["C", "Am", "F", "G"]);
        question.or_stop().await
    }

    /// Asks a person what to release
    #[tool]
    async fn release_info(&self, cx: ToolContext) -> Result<String, Stop> {
        let info: Release = cx.elicitor().form("What is released?").or_stop().await?;
        let (version, channel, notify) = (info.version, info.channel, info.notify);
        Ok(format!("{version} ({channel}), notify: {notify}"))
    }
}

#[tool_handler(name = "three-tools", version = "1.0.0")]
impl ServerHandler for Three {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(serve_stdio(Desk::shared().await?, Three).await?)
}
