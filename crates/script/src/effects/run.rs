//! Running a program, without a shell.

use super::{Failure, Refused, Sandbox, left_behind::EffectMark};
use crate::{Permissions, fields::Fields, yield_error::YieldError};
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use serde::Serialize;
use serde_json::{Value, json};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::Command,
    time::timeout,
};

/// How much of each of its outputs is kept.
const LARGEST: usize = 1 << 20;
/// How long a program may take that says nothing else.
const USUAL: f64 = 60.0;
const LONGEST: f64 = 3_600.0;
/// What a program has left behind may hold its output open; it is not waited for longer.
const GRACE: Duration = Duration::from_millis(500);
/// By this mark `holdpoint answer` knows that no person runs it.
const MARK: (&str, &str) = ("AI_AGENT", "holdpoint-script");

/// Runs a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// In which folder of the workspace.
    pub cwd: Option<String>,
    /// What it reads.
    pub input: Option<String>,
    /// How many seconds it may take.
    pub timeout: f64,
}

impl Run {
    pub(super) fn read(named: Value, fields: &mut Fields) -> Result<Self, YieldError> {
        let wrong = || YieldError("the effect 'run' is a list: ['git', 'status']".into());
        let command: Vec<String> = serde_json::from_value(named).map_err(|_| wrong())?;
        let nul = command.iter().any(|part| part.contains('\0'));
        if command
            .first()
            .is_none_or(|program| program.trim().is_empty())
            || nul
        {
            return Err(wrong());
        }
        let timeout = fields.optional("timeout")?.unwrap_or(USUAL);
        if !(timeout > 0.0 && timeout <= LONGEST) {
            return Err(fields.wrong("timeout", "it must be a number of seconds, at most 3600"));
        }
        Ok(Self {
            command,
            cwd: fields.optional("cwd")?,
            input: fields.optional("input")?,
            timeout,
        })
    }

    pub(super) fn check_declared(&self, declared: &Permissions) -> Result<(), Refused> {
        let program = &self.command[0];
        if declared.run.iter().any(|name| name == program) {
            return Ok(());
        }
        let name = crate::yield_error::short(program);
        Err(Refused::Undeclared {
            verb: "run",
            entry: name.clone(),
            name,
            key: "run",
        })
    }

    pub(super) async fn perform(self, sandbox: &Sandbox) -> Result<Value, Failure> {
        let shown = crate::yield_error::short(&self.command[0]);
        let cwd = folder(sandbox, self.cwd.as_deref())?;
        let program = find(&self.command[0], sandbox)
            .ok_or_else(|| Failure::io(&shown, &std::io::ErrorKind::NotFound.into()))?;
        let mut group = self
            .spawn(&program, &cwd)
            .map_err(|error| Failure::io(&shown, &error))?;
        let (stdin, stdout, stderr) = (
            group.child.stdin().take(),
            group.child.stdout().take(),
            group.child.stderr().take(),
        );
        let input = self.input.unwrap_or_default();
        let feed = async {
            if let Some(mut stdin) = stdin {
                // A program need not read what it is given.
                let _ = stdin.write_all(input.as_bytes()).await;
            }
        };
        let (mut out, mut err) = (Output::default(), Output::default());
        let limit = Duration::from_secs_f64(self.timeout);
        let ended = timeout(limit, async {
            let reading = async { tokio::join!(out.read(stdout), err.read(stderr), feed) };
            tokio::pin!(reading);
            let status = tokio::select! {
                status = group.child.wait() => Some(status),
                // Its outputs may be closed long before it ends.
                _ = &mut reading => None,
            };
            match status {
                Some(status) => {
                    let _ = timeout(GRACE, reading).await;
                    status
                }
                None => group.child.wait().await,
            }
        })
        .await;
        group.end().await;
        let Ok(status) = ended else {
            return Err(Failure {
                message: format!("{shown} took longer than {} s and was ended", self.timeout),
                code: Some("ETIMEDOUT".into()),
            });
        };
        let status = status.map_err(|error| Failure::io(&shown, &error))?;
        let mut result = json!({
            "code": status.code(),
            "stdout": out.text(),
            "stderr": err.text(),
        });
        if out.cut || err.cut {
            result["truncated"] = true.into();
        }
        Ok(result)
    }

    fn spawn(&self, program: &Path, cwd: &Path) -> std::io::Result<Group> {
        let mut command = Command::new(program);
        let mark = EffectMark::new();
        let (name, value) = mark.variable();
        command
            .args(&self.command[1..])
            .current_dir(cwd)
            .env(MARK.0, MARK.1)
            .env(name, value)
            .stdin(match self.input {
                Some(_) => Stdio::piped(),
                None => Stdio::null(),
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, _) in std::env::vars_os() {
            if is_ours(&name) {
                command.env_remove(name);
            }
        }
        let mut command = CommandWrap::from(command);
        // A session of its own has no terminal: what it starts cannot answer in a person's name,
        // and prompts for nothing.
        #[cfg(unix)]
        command.wrap(process_wrap::tokio::ProcessSession);
        let child = command.spawn()?;
        let mark = Some(mark);
        Ok(Group { child, mark })
    }
}

/// A program and what it has started; all of it ends with this.
struct Group {
    child: Box<dyn ChildWrapper>,
    /// Taken once all has been ended.
    mark: Option<EffectMark>,
}

impl Group {
    async fn end(&mut self) {
        let Some(mark) = self.mark.take() else { return };
        // None once it has ended: its number may be another's by then.
        let program = self.child.id();
        // First what it has started, for as long as its parent tells whose it is.
        let _ = tokio::task::spawn_blocking(move || mark.end_all(program)).await;
        let _ = self.child.start_kill();
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The call was given up while the program ran.
        if let Some(mark) = self.mark.take() {
            mark.end_all(self.child.id());
        }
        let _ = self.child.start_kill();
    }
}

#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    cut: bool,
}

impl Output {
    /// Reads to the end, and keeps what there is room for.
    async fn read(&mut self, from: Option<impl AsyncRead + Unpin>) {
        let Some(mut from) = from else { return };
        let mut part = vec![0; 8192];
        while let Ok(count @ 1..) = from.read(&mut part).await {
            let room = count.min(LARGEST - self.bytes.len());
            self.cut |= room < count;
            self.bytes.extend_from_slice(&part[..room]);
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

fn is_ours(name: &OsStr) -> bool {
    name.to_string_lossy()
        .to_uppercase()
        .starts_with("HOLDPOINT_")
}

/// The folder to run in; links may not lead it out of the workspace.
fn folder(sandbox: &Sandbox, cwd: Option<&str>) -> Result<PathBuf, Failure> {
    let Some(cwd) = cwd else {
        return Ok(sandbox.root.clone());
    };
    let shown = crate::yield_error::short(cwd);
    let full = sandbox
        .path(cwd)?
        .full()
        .canonicalize()
        .map_err(|error| Failure::io(&shown, &error))?;
    if !full.starts_with(&sandbox.root) {
        Err(Failure::new(format!("{shown} is outside the workspace")))
    } else if full.is_dir() {
        Ok(full)
    } else {
        Err(Failure::new(format!("{shown} is not a folder")))
    }
}

/// The program of this name. A plain name is looked up in the folders of `PATH` outside the workspace
/// only: another one would let the workspace put its own `git` first.
fn find(name: &str, sandbox: &Sandbox) -> Option<PathBuf> {
    if name.contains(['/', '\\']) {
        return Some(sandbox.root.join(name)).filter(|program| program.is_file());
    }
    holdpoint_workspace::find_program(name, Some(&sandbox.root))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_is_never_a_program_of_the_workspace() {
        let find_in = |root: &Path| find("sh", &Sandbox::new(root.to_owned(), Vec::new()));
        let elsewhere = tempfile::tempdir().unwrap();
        let program = find_in(elsewhere.path()).unwrap();
        assert!(program.is_absolute());
        // Where every folder of `PATH` lies in the workspace, there is no such program.
        assert_eq!(find_in(Path::new("/")), None);
    }
}
