//! What `holdpoint init` prints.

use super::{Client, Plan, conductor::Ownership, file::Change, server::EntryChange};
use similar::TextDiff;
use std::{fmt::Write, path::Path};

/// A path as a person in this folder would write it.
pub fn short(path: &Path, folder: &Path) -> String {
    let path = path.strip_prefix(folder).unwrap_or(path);
    path.display().to_string()
}

/// What would be written.
pub fn shown(plan: &Plan, folder: &Path) -> String {
    let mut out = preview(&plan.change, folder);
    for agent in &plan.agents {
        match agent.ownership {
            Ownership::Ours => out += &preview(&agent.change, folder),
            Ownership::Theirs => {
                let path = short(&agent.change.path, folder);
                let _ = writeln!(out, "{path}: yours, it would be left as it is.");
            }
        }
    }
    out
}

fn preview(change: &Change, folder: &Path) -> String {
    let path = short(&change.path, folder);
    match (&change.before, &change.after) {
        _ if !change.is_needed() => format!("{path}: nothing would change.\n"),
        (Some(before), Some(after)) => {
            let diff = TextDiff::from_lines(before, after);
            let diff = diff.unified_diff().header(&path, &path).to_string();
            format!("{path}: would be changed:\n{diff}")
        }
        (_, after) => {
            let after = after.as_deref().unwrap_or_default();
            format!("{path}: would be created:\n{after}")
        }
    }
}

/// What was done, and what to do next.
pub fn done(plan: &Plan, folder: &Path) -> String {
    let client = plan.client.title();
    let path = short(&plan.change.path, folder);
    let mut out = match &plan.met {
        EntryChange::Added => format!("Registered Holdpoint with {client} in {path}.\n"),
        EntryChange::Same { flags } if flags.is_empty() => {
            format!("{path} has Holdpoint already; nothing was changed.\n")
        }
        EntryChange::Same { flags } => {
            let flags = flags.join(" ");
            format!("{path} has Holdpoint already, with `{flags}`; nothing was changed.\n")
        }
        EntryChange::Updated { kept } if kept.is_empty() => {
            format!("Set the command and args of `holdpoint` in {path}.\n")
        }
        EntryChange::Updated { kept } => {
            let kept = kept.join(", ");
            format!("Set the command and args of `holdpoint` in {path}; kept your {kept}.\n")
        }
    };
    agents(plan, folder, &mut out);
    if let Some(http) = &plan.http {
        let _ = writeln!(out, "{}", http.next());
    }
    let _ = writeln!(out, "{}", plan.client.next());
    if plan.absent {
        out +=
            "`holdpoint` is not on your PATH: install it there, or the client cannot start it.\n";
    }
    out
}

fn agents(plan: &Plan, folder: &Path, out: &mut String) {
    let (mut written, mut same) = (0, 0);
    for agent in &plan.agents {
        match agent.ownership {
            Ownership::Ours if agent.change.is_needed() => written += 1,
            Ownership::Ours => same += 1,
            Ownership::Theirs => {
                let path = short(&agent.change.path, folder);
                let _ = writeln!(
                    out,
                    "{path} differs from ours and was left as it is; to get ours, move it away and run this again."
                );
            }
        }
    }
    if written + same == 0 {
        return;
    }
    let _ = match written {
        0 => writeln!(
            out,
            "The agent files in .github/agents are ours and up to date."
        ),
        1 => writeln!(out, "Wrote 1 agent file to .github/agents."),
        many => writeln!(out, "Wrote {many} agent files to .github/agents."),
    };
    debug_assert!(plan.client == Client::Vscode);
    *out += "Choose Conductor in the chat's agent picker and tell it the task.\n";
}
