//! Three tools that ask: for a yes to something dangerous, for a choice, and for a form.
//!
//! ```text
//! cargo run -p holdpoint --example three_tools     speaks MCP over stdio
//! ```

use holdpoint::{Desk, Stop, ToolContext, Yes, serve_stdio, variants};
use rmcp::{ServerHandler, handler::server::wrapper::Parameters, tool, tool_handler, tool_router};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Files {
    names: Vec<String>,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
enum Key {
    C,
    Am,
    F,
    G,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Release {
    version: String,
    #[serde(default)]
    notify: bool,
    channel: Channel,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Channel {
    Stable,
    Beta,
}

struct Three;

#[tool_router]
impl Three {
    /// Deletes files, if a person says so
    #[tool]
    async fn delete_files(&self, cx: ToolContext, it: Parameters<Files>) -> Result<String, Stop> {
        let question = cx.elicitor().confirm("Delete these files?").dangerous();
        let Yes = question.details(it.0.names.join("\n\n")).or_stop().await?;
        let delete = async { it.0.names.iter().try_for_each(std::fs::remove_file) };
        cx.try_step("delete", delete).await?;
        Ok("deleted".to_owned())
    }

    /// Asks a person for a key
    #[tool]
    async fn pick_key(&self, cx: ToolContext) -> Result<String, Stop> {
        let question = cx.elicitor().choose("Which key?", variants::<Key>());
        Ok(format!("{:?}", question.or_stop().await?))
    }

    /// Asks a person what to release
    #[tool]
    async fn release_info(&self, cx: ToolContext) -> Result<String, Stop> {
        let it: Release = cx.elicitor().form("What is released?").or_stop().await?;
        Ok(format!("{} in {:?}, {}", it.version, it.channel, it.notify))
    }
}

#[tool_handler(name = "three-tools", version = "1.0.0")]
impl ServerHandler for Three {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(serve_stdio(Desk::shared().await?, Three).await?)
}
