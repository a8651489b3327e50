//! What ends a server and removes its folder when the test process is gone, however that ended.

use crate::programs::as_server_user;
use std::{
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
};

/// Ends the server in `$1` when the pipe of the tests closes: also one that is paused, and what one that was
/// killed has left in shared memory.
const SCRIPT: &str = r#"
folder=$1
pid_file=$folder/data/postmaster.pid
cat >/dev/null
if pid=$(sed -n 1p "$pid_file") && [ -n "$pid" ]; then
    # The number of one that was killed may be another's by now.
    if grep -aqF "$folder" "/proc/$pid/cmdline"; then
        kill -QUIT "$pid"
        kill -CONT "$pid" $(cat "/proc/$pid/task/$pid/children")
        tries=100
        while [ -e "$pid_file" ] && [ $tries -gt 0 ]; do
            sleep 0.05
            tries=$((tries - 1))
        done
    fi
    sed -n 7p "$pid_file" | while read -r _ segment; do ipcrm -m "$segment"; done
fi
rm -rf "$folder"
"#;

/// Ends its server when it is dropped, or when the test process ends.
pub struct Keeper(Child);

impl Keeper {
    pub fn of(folder: &Path) -> Self {
        let mut command = as_server_user(Command::new("sh"));
        command
            .args(["-c", SCRIPT, "sh"])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Who ends the group of the tests must not end this first.
            .process_group(0);
        Self(command.spawn().unwrap())
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}
