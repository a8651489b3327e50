//! The keys of a payload, with an error for each that is not what it should be.

use crate::{Harness, Incoming, ReadError, Surroundings, path::is_absolute, tools::Called};
use holdpoint_ask::strict_json::StrictValue;
use serde_json::{Map, Value, json};

/// What a harness sent.
pub(super) struct Payload<'a>(&'a Map<String, Value>);

impl<'a> Payload<'a> {
    pub fn new(object: &'a Map<String, Value>) -> Self {
        Self(object)
    }

    /// The value of this key; null counts as not there.
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    pub fn text(&self, key: &str) -> Result<&'a str, ReadError> {
        self.optional_text(key)?
            .ok_or_else(|| ReadError::Missing(key.to_owned()))
    }

    pub fn optional_text(&self, key: &str) -> Result<Option<&'a str>, ReadError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(ReadError::wrong(key, "a text")),
        }
    }

    /// The text of the first of these keys that is there; the first is the one that is missed.
    pub fn any_text(&self, keys: &[&str]) -> Result<String, ReadError> {
        let missing = || ReadError::Missing(keys.first().copied().unwrap_or_default().to_owned());
        let found = self.optional_any(keys)?;
        found.filter(|text| !text.is_empty()).ok_or_else(missing)
    }

    pub fn optional_any(&self, keys: &[&str]) -> Result<Option<String>, ReadError> {
        for key in keys {
            if let Some(text) = self.optional_text(key)? {
                return Ok(Some(text.to_owned()));
            }
        }
        Ok(None)
    }

    /// The object under this key.
    pub fn object(&self, key: &str) -> Result<&'a Map<String, Value>, ReadError> {
        match self.get(key) {
            Some(Value::Object(object)) => Ok(object),
            Some(_) => Err(ReadError::wrong(key, "an object")),
            None => Err(ReadError::Missing(key.to_owned())),
        }
    }

    /// The folder that the agent works in: what the payload says, the first root of the workspace, or what is
    /// known from outside.
    pub fn folder(&self, around: &Surroundings) -> Result<String, ReadError> {
        let told = self.optional_text("cwd")?;
        let told = told.filter(|folder| !folder.is_empty()).map(str::to_owned);
        let folder = told
            .or_else(|| self.root())
            .or_else(|| around.workspace.clone())
            .ok_or_else(|| ReadError::Missing("cwd".to_owned()))?;
        if is_absolute(&folder) {
            Ok(folder)
        } else {
            Err(ReadError::wrong("cwd", "an absolute path"))
        }
    }

    /// The first root of the workspace, where the harness tells.
    fn root(&self) -> Option<String> {
        let roots = self.get("workspace_roots")?.as_array()?;
        let root = roots.first()?.as_str()?;
        (!root.is_empty()).then(|| root.to_owned())
    }

    /// The tool that the payload is about.
    pub fn called(&self, incoming: &Incoming, around: &Surroundings) -> Result<Called, ReadError> {
        let mut called = match incoming.harness {
            Harness::Cursor if is_shell(&incoming.event) => self.shell()?,
            Harness::Cursor if is_mcp(&incoming.event) => self.mcp_tool()?,
            Harness::Cursor if incoming.event == "beforeReadFile" => {
                let input = json!({ "file_path": self.text("file_path")? });
                Called::new("Read", input)
            }
            _ => {
                let name = self.any_text(&["tool_name", "toolName"])?;
                Called::new(name, self.input()?)
            }
        };
        called.server = called.server.or(self.server()?);
        called.servers.extend(self.servers());
        called.servers.extend(around.mcp_servers.iter().cloned());
        called.workspace = self.root();
        Ok(called)
    }

    /// A command of Cursor's own events for the shell, whose payload is the input.
    fn shell(&self) -> Result<Called, ReadError> {
        Ok(Called::new(
            "Shell",
            json!({ "command": self.text("command")? }),
        ))
    }

    /// A tool of an MCP server, of which Cursor tells where it is and not what it is called. Its name is never one
    /// of Cursor's own tools.
    fn mcp_tool(&self) -> Result<Called, ReadError> {
        let tool = self.text("tool_name")?;
        let server = self.optional_any(&["url", "command"])?;
        let server = server.filter(|server| server.contains(char::is_alphanumeric));
        Ok(Called {
            server: server.map(|server| (server, Some(tool.to_owned()))),
            ..Called::new(format!("MCP:{tool}"), self.input()?)
        })
    }

    /// The arguments of the tool. Some harnesses send them as a text of JSON; one of another kind stays a text.
    fn input(&self) -> Result<Value, ReadError> {
        let keys = ["tool_input", "toolArgs", "toolInput"];
        let input = keys.into_iter().find_map(|key| self.get(key));
        match input {
            None => Ok(json!({})),
            Some(Value::String(text)) => match serde_json::from_str::<StrictValue>(text) {
                Ok(StrictValue(value @ Value::Object(_))) => Ok(value),
                _ => Ok(Value::String(text.clone())),
            },
            Some(input @ Value::Object(_)) => Ok(input.clone()),
            Some(_) => Err(ReadError::wrong("tool_input", "an object")),
        }
    }

    /// The names of the MCP servers, where our plugin tells.
    fn servers(&self) -> impl Iterator<Item = String> + use<'a> {
        let servers = self.get("mcp_servers").and_then(Value::as_array);
        let names = servers.into_iter().flatten().filter_map(Value::as_str);
        names.map(str::to_owned)
    }

    /// The MCP server of the tool, and its own name for the tool, where the harness tells.
    fn server(&self) -> Result<Option<(String, Option<String>)>, ReadError> {
        let told = match (self.get("mcp_context"), self.get("mcp_server")) {
            (Some(Value::Object(context)), _) => Self(context),
            (None, Some(Value::Object(server))) => Self(server),
            _ => return Ok(None),
        };
        let server = told.optional_any(&["server_name", "name"])?;
        let tool = told.optional_any(&["tool_name"])?;
        Ok(server.map(|server| (server, tool)))
    }
}

fn is_shell(event: &str) -> bool {
    matches!(event, "beforeShellExecution" | "afterShellExecution")
}

fn is_mcp(event: &str) -> bool {
    matches!(event, "beforeMCPExecution" | "afterMCPExecution")
}
