//! The user's own program.

use super::HookError;
use std::{process::Stdio, time::Duration};
use tokio::{io::AsyncWriteExt, process::Command};

/// Runs the program with this on its standard input. There is no shell in between, and nothing
/// that an agent wrote is among its arguments.
pub async fn run(program: &[String], json: &[u8], patience: Duration) -> Result<(), HookError> {
    let (name, arguments) = program.split_first().ok_or(HookError::NoProgram)?;
    let mut child = Command::new(name)
        .args(arguments)
        .stdin(Stdio::piped())
        // Standard output may belong to MCP.
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(HookError::Start)?;
    let input = child.stdin.take();
    let done = async {
        if let Some(mut input) = input {
            // A program that reads nothing closes its end; that is fine.
            let _ = input.write_all(json).await;
        }
        child.wait().await.map_err(HookError::Start)
    };
    match tokio::time::timeout(patience, done).await {
        Err(_) => Err(HookError::Late),
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(HookError::Failed(status.to_string())),
        Ok(Err(error)) => Err(error),
    }
}
