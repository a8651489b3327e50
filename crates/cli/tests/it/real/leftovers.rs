//! What a client leaves running: daemons, which keep servers alive, and all of it where a test is stopped.

use super::support::Home;
use std::{
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
