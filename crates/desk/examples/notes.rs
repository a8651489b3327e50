//! A server of its author's own: it keeps notes in a folder, and deletes none without a yes. What it asks
//! waits in the person's one inbox, beside what every other agent asks them.
//!
//! ```text
//! cargo run -p holdpoint --example notes -- FOLDER     speaks MCP over stdio
//! ```

use holdpoint::{Desk, Stop, ToolContext, Yes, serve_stdio, tool_result};
use rmcp::{
    ErrorData, ServerHandler,
    handler::server::wrapper::Parameters,
    model::{CallToolResult, ContentBlock},
    tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, json};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Notes: text files in a folder.
struct Notes {
    folder: PathBuf,
}

#[derive(Deserialize, JsonSchema)]
struct Named {
    /// The notes' file names
    names: Vec<String>,
}

#[tool_router]
impl Notes {
    /// Lists the notes
    #[tool(annotations(read_only_hint = true))]
    async fn list_notes(&self) -> Result<String, ErrorData> {
        let names = names(&self.folder);
        let names = names.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(names.join("\n"))
    }

    /// Deletes notes, if a person says so
    #[tool(annotations(destructive_hint = true))]
    async fn delete_notes(
        &self,
        cx: ToolContext,
        Parameters(Named { names }): Parameters<Named>,
    ) -> Result<CallToolResult, Stop> {
        // What a run after a crash should see again is read in a step: the files may be gone by then.
        let files = cx.step("look", async { self.files(&names) }).await?;
        let files = files.ok_or_else(not_there)?;
        let list: String = names.iter().map(|name| format!("- {name}\n")).collect();
        let question = cx
            .elicitor()
            .confirm("Delete these notes?")
            .details(list)
            .dangerous();
        // Declined, cancelled, timed out, unreachable …: all of them end the tool here.
        let (Yes, decision) = question.decided().await?.or_stop()?;
        // A step is on record before it runs, and never runs twice.
        let deleted = cx.try_step("delete", async { delete(&files) }).await?;
        let fields = Map::from_iter([("deleted".to_owned(), json!(deleted))]);
        let next = Some("The notes are gone: go on.");
        Ok(tool_result(&decision, true, next, fields))
    }

    /// The files of these notes; none where one of them is not there, or where there are none.
    fn files(&self, names: &[String]) -> Option<Vec<PathBuf>> {
        let files: Option<Vec<_>> = names.iter().map(|name| self.file(name)).collect();
        files.filter(|files| !files.is_empty())
    }

    /// The file of a note; none for a path that leads elsewhere.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let plain = Path::new(name).file_name()? == name;
        let file = self.folder.join(name);
        (plain && file.is_file()).then_some(file)
    }
}

/// Tells the agent what to do better: no person has to be asked about it.
fn not_there() -> Stop {
    let text = "names: expected file names of notes that are there";
    Stop::with_result(CallToolResult::error(vec![ContentBlock::text(text)]))
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let name = |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().display().to_string());
    let mut names: Vec<_> = fs::read_dir(folder)?.map(name).collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

fn delete(files: &[PathBuf]) -> io::Result<usize> {
    files.iter().try_for_each(fs::remove_file)?;
    Ok(files.len())
}

#[tool_handler(name = "notes", version = "1.0.0")]
impl ServerHandler for Notes {}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder: PathBuf = std::env::args_os().nth(1).unwrap_or("notes".into()).into();
    fs::create_dir_all(&folder)?;
    let desk = Desk::shared().await?;
    serve_stdio(desk, Notes { folder }).await?;
    Ok(())
}
