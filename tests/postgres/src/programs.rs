//! PostgreSQL's programs, and the user that they run as.

use nix::unistd::User;
use std::{
    env,
    fs::{self, Permissions},
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// Debian has them here and not in the path, in a folder for each version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// A command that runs one of PostgreSQL's programs as the server's user.
pub fn program(name: &str) -> Command {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(folder);
    as_server_user(Command::new(FOLDER.join(name)))
}

/// Makes a command run as the server's user, and hides from it what this process's environment says of databases.
pub fn as_server_user(mut command: Command) -> Command {
    if let Some((user, group)) = *SERVER_USER {
        command.uid(user).gid(group);
    }
    for (name, _) in env::vars_os() {
        if name.to_string_lossy().starts_with("PG") {
            command.env_remove(name);
        }
    }
    // The folder that the tests run in may be closed to that user.
    command.env("LC_ALL", "C").current_dir("/");
    command
}

/// Closes a folder to all but the server's user.
pub fn close_to_others(folder: &Path) {
    fs::set_permissions(folder, Permissions::from_mode(0o700)).unwrap();
    give_to_server(folder);
}

/// Gives a file or folder to the server's user.
pub fn give_to_server(path: &Path) {
    if let Some((user, group)) = *SERVER_USER {
        chown(path, Some(user), Some(group)).unwrap();
    }
}

/// Runs a command to its end, and gives what it wrote to standard output.
#[track_caller]
pub fn run(mut command: Command) -> String {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// None where that is the user of this process.
static SERVER_USER: LazyLock<Option<(u32, u32)>> = LazyLock::new(|| {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let mut users = ["postgres", "nobody"].into_iter();
    let user = users.find_map(|name| User::from_name(name).ok().flatten());
    let user = user.expect("a user that PostgreSQL can run as");
    Some((user.uid.as_raw(), user.gid.as_raw()))
});

fn folder() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = env::split_paths(&path).collect();
    let mut versions: Vec<_> = fs::read_dir(DEBIAN)
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .collect();
    versions.sort_unstable();
    folders.extend(
        versions
            .iter()
            .rev()
            .map(|version| Path::new(DEBIAN).join(format!("{version}/bin"))),
    );
    // A link to one of them may be somewhere else.
    let mut programs = folders.iter().map(|folder| folder.join("initdb"));
    let initdb = programs.find_map(|program| program.canonicalize().ok());
    let initdb = initdb.expect("PostgreSQL: `dev/setup` installs it");
    initdb.parent().unwrap().to_owned()
}
