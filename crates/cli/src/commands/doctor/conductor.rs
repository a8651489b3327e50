//! Agent files of a Conductor whose tools the registered server does not have: its gates would be missing.

use super::Check;
use crate::{
    commands::init::{
        Client,
        client::Machine,
        conductor::{self, Dialect},
        registered::Registered,
        user_file::Scope,
    },
    config::Environment,
};
use holdpoint_ask::visible;
use std::path::Path;

/// One check for each client that has a Conductor.
pub fn checks(registered: &[Registered], workspace: &Path, shell: &Environment) -> Vec<Check> {
    let machine = Machine::current();
    let checks = Dialect::CLIENTS.into_iter().filter_map(|(client, _)| {
        let found = [Scope::Project, Scope::User].into_iter().find_map(|scope| {
            let path = conductor::found(client, scope, workspace, &machine)?;
            Some((scope, path))
        });
        let (scope, path) = found?;
        Some(check(client, scope, &path, registered, workspace, shell))
    });
    checks.collect()
}

fn check(
    client: Client,
    scope: Scope,
    path: &Path,
    registered: &[Registered],
    workspace: &Path,
    shell: &Environment,
) -> Check {
    let name = "conductor";
    let shown = path.strip_prefix(workspace).unwrap_or(path).display();
    let (word, title) = (client.word(), client.title());
    // The folder's own comes first, as it does for the clients.
    let mut entries = registered.iter().filter_map(|found| {
        let entry = found.entry.as_ref().ok()?.as_ref()?;
        (found.client == client).then_some((found, entry))
    });
    let Some((found, entry)) = entries.next() else {
        let what = format!("{shown} is there, and {title} has no server `holdpoint`");
        let fix = format!("holdpoint init {word}{} --conductor", scope.flag());
        return Check::problem(name, what).fix(fix);
    };
    if entry.url.is_some() {
        let what = format!(
            "{shown}: {title} uses a server at an address, which has to have the tool set `orchestra`"
        );
        return Check::hint(name, what);
    }
    let file = &found.file;
    match conductor::missing(entry, workspace, shell) {
        Ok(missing) if missing.is_empty() => Check::ok(
            name,
            format!("{shown}: the server in {file} has the tools that it calls"),
        ),
        Ok(missing) => {
            let missing = missing.join(", ");
            let what =
                format!("{shown} calls tools that the server in {file} does not have: {missing}");
            let fix = match entry.tool_list().map(visible) {
                Some(list) => format!(
                    "holdpoint init {word}{} --tools {list},orchestra",
                    found.scope.flag()
                ),
                None => "add `orchestra` to `tools` in your configuration".to_owned(),
            };
            Check::problem(name, what).fix(fix)
        }
        Err(error) => Check::hint(name, format!("{shown}: its tools are not known: {error}")),
    }
}
