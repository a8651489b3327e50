//! How a person is notified: whether what is set can work, and with `--try` whether it does.

use super::{Check, clients};
use crate::{
    config::{Environment, Notify},
    notify::{self, HookError},
};
use holdpoint_ask::{describe::duration, visible};
use jiff::Zoned;
use std::path::Path;
use url::{Host, Url};

const NAME: &str = "notify";

/// What is to be said of what is set; nothing where nothing is.
pub async fn checks(hooks: &Notify, environment: &Environment, tries: bool) -> Vec<Check> {
    let mut checks = Vec::new();
    checks.extend(
        hooks
            .command
            .as_deref()
            .map(|words| command(words, environment)),
    );
    checks.extend(hooks.url.as_ref().map(address));
    if hooks.secret.is_some() && hooks.url.is_none() {
        let what = "`notify.secret` is set and signs nothing, since there is no `notify.url`";
        checks.push(Check::hint(NAME, what).fix("set `notify.url`, or take the secret out"));
    }
    if hooks.desktop == Some(true) && !cfg!(feature = "desktop") {
        let what = "`notify.desktop` is set, and this build has no desktop notifications";
        checks.push(Check::problem(NAME, what).fix(
            "use a build with `--features desktop`, or a program that shows them as `notify.command`",
        ));
    }
    if let Some(left) = hooks.quiet.and_then(|quiet| quiet.left(&Zoned::now())) {
        let what = format!(
            "these are quiet hours, so what comes now is told in {}",
            duration(left)
        );
        checks.push(
            Check::hint(NAME, what).fix("change `notify.quiet`, if that is not what you want"),
        );
    }
    if tries {
        checks.extend(attempts(hooks).await);
    }
    checks
}

fn command(words: &[String], environment: &Environment) -> Check {
    let program = words.first().map_or("", String::as_str);
    let shown = visible(program);
    match clients::find(Path::new(program), environment) {
        None => Check::problem(NAME, format!("`notify.command`: the program {shown} was not found"))
            .fix("correct it there, or give its full path: a client may start the server with another PATH"),
        Some(path) if !is_executable(&path) => {
            let what = format!("`notify.command`: {} cannot be run", path.display());
            Check::problem(NAME, what).fix(format!("chmod +x {}", path.display()))
        }
        Some(path) => Check::ok(NAME, format!("`notify.command` runs {}", path.display())),
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

fn address(url: &Url) -> Check {
    let host = url.host_str().unwrap_or_default();
    let is_own = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    };
    // Its path and query may be a secret of their own.
    if url.scheme() == "http" && !is_own {
        let what = format!(
            "`notify.url` posts to {host} without TLS: whoever is on the way reads what you are asked"
        );
        return Check::hint(NAME, what).fix("begin it with https://");
    }
    Check::ok(NAME, format!("`notify.url` posts to {host}"))
}

/// Sends a notification in every way that is set, and says what came of each.
async fn attempts(hooks: &Notify) -> Vec<Check> {
    let tried = notify::try_out(hooks).await;
    if tried.is_empty() {
        let what = "nothing is set, so there is nothing to try";
        return vec![
            Check::hint(NAME, what).fix("set `notify.command`, `notify.url` or `notify.desktop`"),
        ];
    }
    let tried = tried.into_iter().map(|(hook, done)| match done {
        Ok(()) => Check::ok(
            NAME,
            format!("`{hook}` was tried, and took the notification: look where it shows"),
        ),
        Err(error) => {
            let fix = match &error {
                HookError::Late => {
                    "let it hand the work to another process, and end: it has 10 seconds"
                }
                HookError::Start(_) | HookError::NoProgram => {
                    "correct its path, or make it executable"
                }
                HookError::Failed(_) if hook == "notify.command" => {
                    "run it yourself, with JSON on standard input: `echo '{}' | COMMAND`"
                }
                HookError::Failed(_) if hook == "notify.url" => {
                    "look up there what it says to a POST: the address, its rights, the signature"
                }
                HookError::Failed(_) => {
                    "look whether a desktop is running, and shows notifications"
                }
            };
            let what = format!("`{hook}` was tried: {}", visible(&error.to_string()));
            Check::problem(NAME, what).fix(fix)
        }
    });
    tried.collect()
}
