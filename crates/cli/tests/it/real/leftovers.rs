//! What a client leaves running: daemons, which keep servers alive, and all of it where a test is stopped.

use super::support::{Home, eventually_blocking};
use std::{
    fs,
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
};

/// Ends what runs with this home once its pipe closes. That it does also when the test is killed, which drops
/// nothing: so it is a shell in a group of its own, and not the test.
const WATCH: &str = r#"
cat >/dev/null
for round in 1 2; do
    for process in /proc/[0-9]*; do
        grep -qzFx "HOME=$1" "$process/environ" 2>/dev/null && kill -KILL "${process#/proc/}"
    done
done
"#;

/// Kills all that runs with this home, at once and as hard as can be.
pub fn kill_all(home: &Home) {
    // Our own commands have it with a slash at its end.
    let ours = format!("HOME={}", home.root().display());
    let ours = [format!("{ours}/"), ours];
    eventually_blocking("the end of all that runs", || {
        let running = running(&ours);
        for process in &running {
            let _ = Command::new("kill").args(["-KILL", process]).status();
        }
        running.is_empty().then_some(())
    });
}

/// Kills the hooks that wait in this home; with the shells that they run in, or without.
pub fn kill_hooks(home: &Home, with_shell: bool) {
    let hooks = of_client(home).into_iter().filter(|(_, words)| {
        let is_hook = words.get(1).is_some_and(|word| word == "hook");
        is_hook || with_shell && is_about_hook(words)
    });
    kill(hooks);
}

/// Kills the client, but not its hooks; gives back when they have ended by themselves.
pub fn kill_client(home: &Home) {
    let others = of_client(home).into_iter();
    kill(others.filter(|(_, words)| !is_about_hook(words)));
    eventually_blocking("the end of the hooks", || {
        of_client(home).is_empty().then_some(())
    });
}

fn kill(processes: impl Iterator<Item = (String, Vec<String>)>) {
    let ids: Vec<_> = processes.map(|(id, _)| id).collect();
    assert!(!ids.is_empty(), "there is nothing to kill");
    // One of them may have ended with another.
    let _ = Command::new("kill").arg("-KILL").args(ids).status();
}

fn is_about_hook(words: &[String]) -> bool {
    let line = words.join(" ");
    line.contains("holdpoint hook ") || words.get(1).is_some_and(|word| word == "hook")
}

/// What the client runs, and itself: the processes, with their words.
fn of_client(home: &Home) -> Vec<(String, Vec<String>)> {
    let ours = format!("HOME={}", home.root().display());
    let all = running(&[ours]).into_iter().map(|process| {
        let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        let words = line.split(|byte| *byte == 0);
        let words = words.map(|word| String::from_utf8_lossy(word).into_owned());
        (process, words.collect())
    });
    all.collect()
}

/// The processes with one of these variables.
fn running(wanted: &[String]) -> Vec<String> {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let ours = all.filter(|process| {
        let variables = fs::read(process.path().join("environ")).unwrap_or_default();
        let mut variables = variables.split(|byte| *byte == 0);
        variables.any(|one| wanted.iter().any(|wanted| one == wanted.as_bytes()))
    });
    let names = ours.map(|process| process.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.parse::<u32>().is_ok()).collect()
}

pub struct Leftovers {
    watch: Child,
}

impl Leftovers {
    /// Watches over what runs with this home.
    pub fn of(home: &Home) -> Self {
        let watch = Command::new("sh")
            .args(["-c", WATCH, "sh"])
            .arg(home.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        Self {
            watch: watch.unwrap(),
        }
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        drop(self.watch.stdin.take());
        let _ = self.watch.wait();
    }
}
