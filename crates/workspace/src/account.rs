//! The account that runs this process, as the system knows it: no variable of the process has a say.

use std::path::PathBuf;

/// The home of the account, from the system's user database; none where it has no entry there.
pub fn home() -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use nix::unistd::{Uid, User};
        let user = User::from_uid(Uid::current()).ok()??;
        user.dir.is_absolute().then_some(user.dir)
    }
    #[cfg(not(unix))]
    None
}

/// The name of the account in the system's user database; none where it has no entry there.
pub fn user_name() -> Option<String> {
    #[cfg(unix)]
    {
        use nix::unistd::{Uid, User};
        Some(User::from_uid(Uid::current()).ok()??.name)
    }
    #[cfg(not(unix))]
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    /// The name that a process is started with to print the home and end.
    const CHILD: &str = "account::tests::no_variable_changes_the_home_of_the_account";

    #[test]
    fn no_variable_changes_the_home_of_the_account() {
        let home = home();
        if std::env::var_os("ACCOUNT_CHILD").is_some() {
            println!("home {home:?}");
            return;
        }
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", CHILD, "--nocapture"])
            .env("ACCOUNT_CHILD", "1")
            .env("HOME", "/nowhere")
            .env("USER", "nobody")
            .env("LOGNAME", "nobody")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(&format!("home {home:?}")), "{said}");
    }
}
