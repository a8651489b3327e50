//! A unit of systemd that keeps the page there while no client runs.

use super::Check;
use crate::{
    config::Environment,
    own_command::shell_word,
    service_units::{self, Unit},
};
use holdpoint_ask::{describe::one_line, visible};
use std::{path::Path, process::Stdio, time::Duration};
use tokio::{process::Command, time::timeout};

const NAME: &str = "service";
/// systemd answers sooner, or not at all.
const PATIENCE: Duration = Duration::from_secs(5);

/// One check for each such unit; none where there is none.
pub async fn checks(environment: &Environment) -> Vec<Check> {
    let mut checks = Vec::new();
    for unit in service_units::find(environment) {
        checks.push(check(&unit).await);
    }
    checks
}

async fn check(unit: &Unit) -> Check {
    let file = unit.path.display();
    let program = Path::new(&unit.program);
    // `%h` and the like are systemd's to resolve.
    if program.is_absolute() && !program.exists() {
        let what = format!(
            "{file} starts {}, which is not there",
            visible(&unit.program)
        );
        return Check::problem(NAME, what)
            .fix("correct `ExecStart` there, then run `systemctl --user daemon-reload`");
    }
    match state(&unit.name).await {
        Ok(state) => describe(unit, &state),
        Err(why) => Check::hint(
            NAME,
            format!("{file}: systemd does not say how it is: {why}"),
        )
        .fix("run `systemctl --user status` in a login session of yours"),
    }
}

/// What systemd says of it: `NAME=VALUE`, a line each.
async fn state(name: &str) -> Result<String, String> {
    let asked = Command::new("systemctl")
        .args([
            "--user",
            "show",
            "--property=LoadState,ActiveState,UnitFileState",
            "--",
            name,
        ])
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let Ok(answered) = timeout(PATIENCE, asked).await else {
        return Err(format!("it did not answer within {} s", PATIENCE.as_secs()));
    };
    let answered = answered.map_err(|error| format!("`systemctl` cannot be run: {error}"))?;
    if answered.status.success() {
        Ok(String::from_utf8_lossy(&answered.stdout).into_owned())
    } else {
        Err(one_line(String::from_utf8_lossy(&answered.stderr).trim()))
    }
}

fn describe(unit: &Unit, state: &str) -> Check {
    let value = |name: &str| {
        let mut lines = state.lines().filter_map(|line| line.split_once('='));
        lines
            .find(|(key, _)| *key == name)
            .map_or("", |(_, value)| value)
    };
    let (shown, word) = (visible(&unit.name), shell_word(&unit.name));
    let problem = |what: &str| Check::problem(NAME, format!("{shown} {what}"));
    let hint = |what: &str| Check::hint(NAME, format!("{shown} {what}"));
    match (
        value("LoadState"),
        value("ActiveState"),
        value("UnitFileState"),
    ) {
        ("not-found", ..) => {
            problem("is a file that systemd has not read yet").fix("systemctl --user daemon-reload")
        }
        ("bad-setting" | "error", ..) => problem("is a file that systemd cannot read")
            .fix(format!("systemd-analyze --user verify {word}")),
        ("masked", ..) => {
            hint("is masked, so it does not run").fix(format!("systemctl --user unmask {word}"))
        }
        (_, "active" | "activating" | "reloading", "disabled") => {
            hint("runs, and does not start by itself after a restart")
                .fix(format!("systemctl --user enable {word}"))
        }
        (_, "active" | "reloading", _) => Check::ok(NAME, format!("{shown} runs")),
        (_, "activating", _) => hint("is being started, perhaps again and again").fix(format!(
            "journalctl --user --unit {word} --lines 20   # says why, if it is"
        )),
        (_, "failed", _) => problem("has failed").fix(format!(
            "journalctl --user --unit {word} --lines 20   # says why"
        )),
        (_, _, "disabled") => {
            hint("does not run").fix(format!("systemctl --user enable --now {word}"))
        }
        _ => hint("does not run").fix(format!("systemctl --user start {word}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::State;

    #[test]
    fn each_state_has_its_own_tip() {
        let unit = Unit {
            name: "inbox.service".into(),
            path: "/x/inbox.service".into(),
            program: "holdpoint".into(),
        };
        let check = |load: &str, active: &str, file: &str, wanted, fix: &str| {
            let state = format!("LoadState={load}\nActiveState={active}\nUnitFileState={file}\n");
            let found = describe(&unit, &state);
            assert_eq!(found.state, wanted, "{state}");
            assert_eq!(found.fix.is_none(), fix.is_empty(), "{state}");
            assert!(found.fix.unwrap_or_default().contains(fix), "{state}");
        };
        check("loaded", "active", "enabled", State::Ok, "");
        check("loaded", "active", "disabled", State::Hint, "enable inbox");
        check(
            "loaded",
            "inactive",
            "disabled",
            State::Hint,
            "enable --now",
        );
        check("loaded", "inactive", "enabled", State::Hint, "--user start");
        check("loaded", "failed", "enabled", State::Problem, "journalctl");
        check("not-found", "inactive", "", State::Problem, "daemon-reload");
        check("masked", "inactive", "masked", State::Hint, "unmask");
        check(
            "bad-setting",
            "inactive",
            "enabled",
            State::Problem,
            "verify",
        );
    }
}
