//! A server of its author's own: it keeps notes in a folder, and deletes none without a yes. What it asks
//! waits in the person's one inbox, beside what every other agent asks them.
//!
//! ```text
//! cargo run -p holdpoint --example notes -- FOLDER     speaks MCP over stdio
//! ```

use holdpoint::{Desk, Holdpoint, Outcome, ToolContext, Yes, tool_result};
use rmcp::{
    ErrorData, ServerHandler, ServiceExt,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig},
    tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};
use std::path::{Path, PathBuf};

/// Notes: text files in a folder.
#[derive(Clone)]
struct Notes {
    folder: PathBuf,
    router: ToolRouter<Self>,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    /// The notes' file names
    names: Vec<String>,
}

#[tool_router]
impl Notes {
    fn new(folder: PathBuf) -> Self {
        let router = Self::tool_router();
        Self { folder, router }
    }

    /// Deletes notes, if a person says so
    #[tool(annotations(destructive_hint = true))]
    async fn delete_notes(
        &self,
        cx: ToolContext,
        Parameters(Named { names }): Parameters<Named>,
    ) -> Result<CallToolResult, ErrorData> {
        let files: Option<Vec<_>> = names.iter().map(|name| self.file(name)).collect();
        let Some(files) = files.filter(|files| !files.is_empty()) else {
            return Ok(CallToolResult::error(vec![ContentBlock::text(
                "names: expected file names of notes that are there",
            )]));
        };
        let list: String = names.iter().map(|name| format!("- {name}\n")).collect();
        let question = cx
            .elicitor()
            .confirm("Delete these notes?")
            .details(list)
            .dangerous();
        let decided = question.decided().await?;
        let Outcome::Accepted(Yes) = decided.outcome else {
            // Declined, cancelled, timed out, unreachable …: all of them delete nothing.
            return Ok(tool_result(&decided.decision, false, None, Map::new()));
        };
        // A step is recorded before it runs, and never runs twice.
        let deleted = cx.step("delete", async { delete(&files) }).await?;
        let fields = Map::from_iter([("deleted".to_owned(), json!(deleted))]);
        let next = Some("The notes are gone: go on.");
        Ok(tool_result(&decided.decision, true, next, fields))
    }

    /// The file of a note; none for a path that leads elsewhere.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let plain = Path::new(name).file_name()? == name;
        let file = self.folder.join(name);
        (plain && file.is_file()).then_some(file)
    }
}

fn delete(files: &[PathBuf]) -> usize {
    let gone = |file: &&PathBuf| std::fs::remove_file(file).is_ok();
    files.iter().filter(gone).count()
}

#[tool_handler(router = self.router)]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("notes", env!("CARGO_PKG_VERSION"));
        info
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).unwrap_or("notes".into()).into();
    std::fs::create_dir_all(&folder)?;
    let desk = Desk::shared().await?;
    let server = Holdpoint::new(desk, Notes::new(folder))?;
    server.serve(holdpoint::stdio()).await?.waiting().await?;
    Ok(())
}
