//! What `holdpoint init` prints.

use super::{
    conductor::{Dialect, Ownership},
    file::{Change, short},
    plan::Plan,
    registered::Entry,
    server::EntryChange,
};
use holdpoint_ask::diff::unified_with_names;
use std::{fmt::Write, path::Path};

/// What would be written.
pub fn shown(plan: &Plan, folder: &Path) -> String {
    let files = plan.files().map(|change| preview(change, folder));
    let mut out: String = files.collect();
    for agent in &plan.agents {
        match agent.ownership {
            Ownership::Ours => out += &preview(&agent.change, folder),
            Ownership::Theirs => {
                let path = short(&agent.change.path, folder);
                let _ = writeln!(out, "{path}: yours, it would be left as it is.");
            }
        }
    }
    for said in &plan.told {
        let _ = writeln!(out, "{said}");
    }
    out
}

fn preview(change: &Change, folder: &Path) -> String {
    let path = short(&change.path, folder);
    match (&change.before, &change.after) {
        _ if !change.is_needed() => format!("{path}: nothing would change.\n"),
        _ if change.is_gone => format!("{path}: would be removed; there is nothing else in it.\n"),
        (Some(before), Some(after)) => {
            let diff = unified_with_names((&path, before), (&path, after));
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
    let Some(met) = &plan.met else {
        return removed(plan, folder);
    };
    let client = plan.client.title();
    let path = short(&plan.change.path, folder);
    let unchanged = if plan.files().any(Change::is_needed) {
        ""
    } else {
        "; nothing was changed"
    };
    let mut out = match met {
        EntryChange::Added => format!("Registered Holdpoint with {client} in {path}.\n"),
        EntryChange::Same { flags } if flags.is_empty() => {
            format!("{path} has Holdpoint already{unchanged}.\n")
        }
        EntryChange::Same { flags } => {
            let flags = flags.join(" ");
            format!("{path} has Holdpoint already, with `{flags}`{unchanged}.\n")
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
    if let Some(trust) = &plan.trust {
        let _ = writeln!(
            out,
            "{client} calls Holdpoint's tools without a question of its own ({}). What Holdpoint asks, you still answer.",
            trust.place
        );
    }
    for said in &plan.told {
        let _ = writeln!(out, "{said}");
    }
    if !plan.passed.is_empty() {
        let names = plan.passed.join(", ");
        let _ = writeln!(
            out,
            "{client} starts servers with few variables; it hands on {names}, so that this one finds your journal and configuration."
        );
    }
    if plan.keeps_password {
        let _ = writeln!(
            out,
            "HOLDPOINT_JOURNAL holds a password, so it was not written there, and the server that {client} starts uses another journal: set `journal` in ~/.config/holdpoint/config.toml, with `password_file=` in the address."
        );
    }
    if let Some(http) = &plan.http {
        let _ = writeln!(out, "{}", http.next());
    }
    if plan.client.starts_anywhere()
        && !matches!(met, EntryChange::Same { .. })
        && let Some(works_in) = plan.entry().as_ref().and_then(Entry::workspace)
    {
        let _ = writeln!(
            out,
            "The server works in {works_in}; for another folder, run this again with `--workspace DIR`."
        );
    }
    if plan.lacks_workspace() {
        let _ = writeln!(
            out,
            "The entry names no folder, and {client} starts its servers in no project's: `--workspace DIR` adds the one that its agents work in."
        );
    }
    let _ = writeln!(out, "{}", plan.client.next(plan.scope));
    if plan.absent {
        out +=
            "`holdpoint` is not on your PATH: install it there, or the client cannot start it.\n";
    }
    out
}

/// What was taken out.
fn removed(plan: &Plan, folder: &Path) -> String {
    let what = match &plan.only[..] {
        [] => "Holdpoint".to_owned(),
        only => format!("what {} wrote", only.join(" and ")),
    };
    let changed: Vec<_> = plan.files().filter(|change| change.is_needed()).collect();
    let mut out = String::new();
    if changed.is_empty() {
        let path = short(&plan.change.path, folder);
        let rest = if plan.agents.iter().any(|agent| agent.change.is_gone) {
            ""
        } else {
            "; nothing was changed"
        };
        let _ = writeln!(out, "{path} does not have {what}{rest}.");
    }
    for change in changed {
        let path = short(&change.path, folder);
        let _ = if change.is_gone {
            writeln!(out, "Removed {path}, in which there was nothing else.")
        } else {
            writeln!(out, "Took {what} out of {path}.")
        };
    }
    for said in &plan.told {
        let _ = writeln!(out, "{said}");
    }
    for agent in &plan.agents {
        let path = short(&agent.change.path, folder);
        let _ = match agent.ownership {
            Ownership::Ours => writeln!(out, "Removed the agent file {path}."),
            Ownership::Theirs => writeln!(
                out,
                "{path} was changed since it was written, and was left as it is; remove it yourself if you do not need it."
            ),
        };
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
    let mut folders = Vec::new();
    for agent in &plan.agents {
        let of_agent = agent.change.path.parent();
        let shown = of_agent.map_or_else(String::new, |path| short(path, folder));
        if !folders.contains(&shown) {
            folders.push(shown);
        }
    }
    let folders = folders.join(" and ");
    let _ = match written {
        0 => writeln!(out, "The agent files in {folders} are ours and up to date."),
        1 => writeln!(out, "Wrote 1 agent file to {folders}."),
        many => writeln!(out, "Wrote {many} agent files to {folders}."),
    };
    if let Some(dialect) = Dialect::for_client(plan.client) {
        let _ = writeln!(out, "{}", dialect.start());
    }
}
