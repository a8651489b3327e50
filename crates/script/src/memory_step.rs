//! A script's memory: what it keeps from one call to the next, in the journal. It belongs to a script, by its
//! file, in a workspace, and to whoever runs it. Each value is the newest step on record under the key's name,
//! so that it is written when the step ends and not before, and once.

use crate::{
    Resume, YieldError,
    flow::{Flow, throw},
    masking::{holds_secret, mask_text},
    memory::Memory,
};
use holdpoint::{Digest, ToolContext, journal::JournalError};
use rmcp::ErrorData;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// How much can be kept in all.
const LARGEST_OF_ALL: usize = 1 << 20;
const MOST: usize = 1_000;

const SECRET: &str = "memory: a secret that the script was given is kept nowhere";

/// Whose memory it is.
#[derive(Serialize)]
struct Scope<'a> {
    script: &'a str,
    /// Another file of that name has its own.
    file: &'a Path,
    workspace: &'a Path,
    /// None for the person whose journal it is.
    principal: Option<&'a str>,
}

/// What is recorded under a key: its value, or that it has none any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Kept {
    Value(Value),
    Removed,
}

impl Flow {
    /// Reads or writes the script's memory, as a recorded step.
    pub(crate) async fn memory(&mut self, wanted: Memory) -> Result<Resume, ErrorData> {
        // Keys are in the names of steps, which are on record as they are.
        let key = wanted.key().unwrap_or_default();
        if mask_text(&self.cx, key) != key {
            return Ok(throw(YieldError(SECRET.into())));
        }
        let scope = self.memory_scope()?;
        let value = match wanted {
            Memory::Get(key) => self.remembered(&scope, &key).await?.unwrap_or_default(),
            Memory::Has(key) => self.remembered(&scope, &key).await?.is_some().into(),
            Memory::Keys => self.keys(&scope).await?.into(),
            Memory::Set { key, value } => {
                if let Some(why) = self.refusal(&scope, &key, &value).await? {
                    return Ok(throw(YieldError(why)));
                }
                let name = format!("{scope}{key}");
                let label = format!("remember {key}");
                let keep = || async { Kept::Value(value.clone()) };
                self.again_labelled(&name, &label, |_| None, keep).await?;
                Value::Null
            }
            Memory::Delete(key) => {
                let had = self.remembered(&scope, &key).await?.is_some();
                if had {
                    self.remove(&scope, &key).await?;
                }
                had.into()
            }
            Memory::Clear => {
                for key in self.keys(&scope).await? {
                    self.remove(&scope, &key).await?;
                }
                Value::Null
            }
        };
        Ok(Resume::Value(value))
    }

    /// What the names of the steps begin with that hold this memory. What runs in another workspace, or for
    /// another principal, does not find them.
    fn memory_scope(&self) -> Result<String, ErrorData> {
        let origin = self.cx.origin();
        let scope = Scope {
            script: self.program.name(),
            file: self.program.home(),
            workspace: &self.sandbox.root,
            principal: (!origin.is_owners()).then_some(origin.principal.as_str()),
        };
        let digest = Digest::hash_json(&scope).map_err(|error| {
            ErrorData::internal_error(format!("A memory has no digest: {error}"), None)
        })?;
        Ok(format!("memory {:.32} ", digest.to_string()))
    }

    async fn remembered(&mut self, scope: &str, key: &str) -> Result<Option<Value>, ErrorData> {
        let (cx, name) = (self.cx.clone(), format!("{scope}{key}"));
        let step = format!("read {name}");
        let read = || async { found(&cx, &name).await.map_err(|error| error.to_string()) };
        let label = format!("look {key} up in memory");
        let read = self.again_labelled(&step, &label, |_| None, read).await?;
        read.map_err(broken)
    }

    async fn keys(&mut self, scope: &str) -> Result<Vec<String>, ErrorData> {
        let cx = self.cx.clone();
        let step = format!("list {}", scope.trim_end());
        let read = || async {
            let kept = all(&cx, scope).await.map_err(|error| error.to_string())?;
            Ok(kept.into_iter().map(|(key, _)| key).collect::<Vec<_>>())
        };
        let label = "list what is in memory";
        let read = self.again_labelled(&step, label, |_| None, read).await?;
        read.map_err(broken)
    }

    /// Why a value cannot be kept: there is no room, or something in it must not be.
    async fn refusal(
        &mut self,
        scope: &str,
        key: &str,
        value: &Value,
    ) -> Result<Option<String>, ErrorData> {
        if holds_secret(&self.cx, value) {
            return Ok(Some(SECRET.into()));
        }
        let cx = self.cx.clone();
        let step = format!("room in {scope}{key}");
        let read = || async {
            let kept = all(&cx, scope).await.map_err(|error| error.to_string())?;
            Ok(full(kept, key, value))
        };
        let label = format!("see whether there is room for {key} in memory");
        let read = self.again_labelled(&step, &label, |_| None, read).await?;
        read.map_err(broken)
    }

    async fn remove(&mut self, scope: &str, key: &str) -> Result<(), ErrorData> {
        let name = format!("{scope}{key}");
        let label = format!("forget {key}");
        self.again_labelled(&name, &label, |_| None, || async { Kept::Removed })
            .await?;
        Ok(())
    }
}

/// Why there is no room for this value among those that are kept.
fn full(mut kept: Vec<(String, Value)>, key: &str, value: &Value) -> Option<String> {
    let size = |key: &str, value: &Value| key.len() + value.to_string().len();
    kept.retain(|(other, _)| other != key);
    let used: usize = kept.iter().map(|(key, value)| size(key, value)).sum();
    if kept.len() >= MOST {
        Some(format!(
            "memory: there are {MOST} keys already: delete some"
        ))
    } else if used + size(key, value) > LARGEST_OF_ALL {
        Some("memory: a script keeps at most 1 MB in a workspace: delete some".into())
    } else {
        None
    }
}

/// The value that is on record under the name of a step.
async fn found(cx: &ToolContext, name: &str) -> Result<Option<Value>, JournalError> {
    let server = cx.origin().server.as_deref();
    let step = cx.desk().journal().latest_step(name, server).await?;
    Ok(step.and_then(|(_, recorded)| value(recorded)))
}

/// All keys with their values that are on record.
async fn all(cx: &ToolContext, scope: &str) -> Result<Vec<(String, Value)>, JournalError> {
    let server = cx.origin().server.as_deref();
    let steps = cx.desk().journal().latest_steps(scope, server).await?;
    let kept = steps.into_iter().filter_map(|(name, recorded)| {
        Some((name.strip_prefix(scope)?.to_owned(), value(recorded)?))
    });
    Ok(kept.collect())
}

fn value(recorded: Value) -> Option<Value> {
    #[derive(Deserialize)]
    struct Recorded {
        ended: Kept,
    }
    match serde_json::from_value(recorded).ok()? {
        Recorded {
            ended: Kept::Value(value),
        } => Some(value),
        _ => None,
    }
}

fn broken(error: String) -> ErrorData {
    ErrorData::internal_error(error, None)
}
