//! What is made once for each run of the tests: with nextest every test is a process of its own.

use crate::succeeded;
use std::{
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{self, Command},
    sync::LazyLock,
    time::SystemTime,
};

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository is there")
}

/// The binary of this build: it lies beside the tests.
///
/// # Panics
/// When it was not built.
pub fn binary() -> PathBuf {
    let test = env::current_exe().expect("a process knows its program");
    let folder = test.parent().and_then(Path::parent);
    let binary = folder.expect("tests lie in a folder").join("holdpoint");
    assert!(
        binary.is_file(),
        "{} is not there. Build it: cargo test --no-run --package holdpoint-cli",
        binary.display()
    );
    binary
}

/// The folder with every package for this machine.
///
/// # Panics
/// When they cannot be made.
pub fn packages() -> PathBuf {
    once("made", |folder| {
        let mut command = package_script(folder);
        succeeded(command.arg("--binary").arg(binary()));
    })
}

/// `tools/package`, which writes into this folder. What is large is hardly compressed: that takes most of the time.
pub fn package_script(folder: &Path) -> Command {
    let mut command = Command::new(root().join("tools/package"));
    command
        .arg("--out")
        .arg(folder)
        .env("PACKAGE_COMPRESSION", "1")
        .env("CARGO_NET_OFFLINE", "true");
    command
}

/// A folder that is filled once for each run of the tests; who comes while it is filled waits.
///
/// # Panics
/// When it cannot be made.
pub fn once(name: &str, fill: impl FnOnce(&Path)) -> PathBuf {
    let all = binary()
        .ancestors()
        .nth(2)
        .map(|target| target.join("package-tests"));
    let folder = all.expect("the binary lies in a folder").join(name);
    fs::create_dir_all(folder.parent().expect("it was joined")).unwrap();
    let lock = File::create(folder.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let mark = folder.with_extension("made");
    if fs::read_to_string(&mark).ok().as_ref() != Some(&*RUN) {
        let _ = fs::remove_file(&mark);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        fill(&folder);
        fs::write(&mark, &*RUN).unwrap();
    }
    folder
}

/// This run of the tests.
static RUN: LazyLock<String> = LazyLock::new(|| {
    env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| {
        let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        format!("{} {:?}", process::id(), started)
    })
});
