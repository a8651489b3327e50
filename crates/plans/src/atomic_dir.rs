//! A folder that appears whole, or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// What unfinished folders are called.
const PREFIX: &str = ".holdpoint-plan-";
/// An unfinished folder that is older was left behind by a crash.
const LEFT_BEHIND: Duration = Duration::from_secs(600);

/// A file of the folder: its path in it, and its text.
pub(super) type Leaf = (String, String);

/// Puts a folder of these files into `parent`; false where something of that name is there. It is
/// built beside its place, made durable, and moved there in one go. `step` is told of every change
/// to the disk before it is made.
pub(super) fn put(
    parent: &Path,
    name: &str,
    files: &[Leaf],
    step: &mut dyn FnMut(&Path),
) -> io::Result<bool> {
    step(parent);
    fs::create_dir_all(parent)?;
    sweep(parent);
    if fs::symlink_metadata(parent.join(name)).is_ok() {
        return Ok(false);
    }
    let unfinished = folder(parent)?;
    for (path, text) in files {
        let file = unfinished.path().join(path);
        if let Some(folder) = file.parent() {
            step(folder);
            fs::create_dir_all(folder)?;
        }
        step(&file);
        let mut file = File::create_new(&file)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    let mut folders: Vec<PathBuf> = files
        .iter()
        .filter_map(|(path, _)| Some(unfinished.path().join(path).parent()?.to_owned()))
        .collect();
    folders.sort();
    folders.dedup();
    for folder in folders.iter().rev() {
        step(folder);
        sync(folder)?;
    }
    let place = parent.join(name);
    step(&place);
    // Onto a folder with something in it, or onto a file, this fails: one of two wins.
    match fs::rename(unfinished.path(), &place) {
        Ok(()) => {
            // It is no longer there to be removed.
            let _ = unfinished.keep();
        }
        Err(_) if fs::symlink_metadata(&place).is_ok() => return Ok(false),
        Err(error) => return Err(error),
    }
    step(parent);
    sync(parent)?;
    Ok(true)
}

fn folder(parent: &Path) -> io::Result<tempfile::TempDir> {
    let mut folder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any other folder: less what the user's mask takes away.
        folder.permissions(fs::Permissions::from_mode(0o777));
    }
    folder.prefix(PREFIX).tempdir_in(parent)
}

/// Removes what a crash has left behind.
fn sweep(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let old = || {
            let changed = entry.metadata().ok()?.modified().ok()?;
            SystemTime::now().duration_since(changed).ok()
        };
        if ours && old().is_some_and(|age| age > LEFT_BEHIND) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Makes the names in a folder durable.
pub(super) fn sync(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    const DIES_AT: &str = "PLAN_TREE_DIES_AT";
    const FOLDER: &str = "PLAN_TREE_FOLDER";

    fn files() -> Vec<Leaf> {
        let file = |path: &str| (path.to_owned(), format!("# {path}\n"));
        [
            "STATUS.md",
            "plan/01-a.md",
            "plan/02-b.md",
            ".history/timeline.jsonl",
        ]
        .map(file)
        .into()
    }

    /// What the test below runs again and again: it dies where it is told to.
    #[test]
    fn child() {
        let Ok(at) = std::env::var(DIES_AT) else {
            return;
        };
        let folder = PathBuf::from(std::env::var(FOLDER).unwrap());
        let (mut left, pid) = (at.parse::<usize>().unwrap(), std::process::id().to_string());
        let put = put(&folder.join("plans"), "add-login", &files(), &mut |_| {
            if left == 0 {
                let _ = Command::new("kill").args(["-KILL", &pid]).status();
                std::process::abort();
            }
            left -= 1;
        });
        assert!(put.unwrap());
    }

    #[test]
    fn killed_at_any_change_it_is_whole_or_not_there() {
        let mut deaths = 0;
        loop {
            let folder = tempfile::tempdir().unwrap();
            let mut child = Command::new(std::env::current_exe().unwrap());
            child
                .args(["--exact", "atomic_dir::tests::child"])
                .env(DIES_AT, deaths.to_string())
                .env(FOLDER, folder.path());
            let ended = child.output().unwrap().status;
            let plan = folder.path().join("plans/add-login");
            let whole = plan.exists();
            if whole {
                for (path, text) in files() {
                    assert_eq!(fs::read_to_string(plan.join(path)).unwrap(), text);
                }
            }
            // And another try is not in the way of what is left.
            let plans = folder.path().join("plans");
            let again = put(&plans, "add-login", &files(), &mut |_| {});
            assert_eq!(again.unwrap(), !whole, "{deaths}");
            assert!(whole || !ended.success());
            if ended.success() {
                break;
            }
            deaths += 1;
        }
        // Folder, 4 × (folder, file), 3 folders made durable, the move, the last word.
        assert_eq!(deaths, 1 + 8 + 3 + 1 + 1);
    }

    #[test]
    fn what_is_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let plans = folder.path();
        fs::write(plans.join("file"), "x").unwrap();
        fs::create_dir_all(plans.join("full/own")).unwrap();
        for taken in ["file", "full"] {
            assert!(
                !put(plans, taken, &files(), &mut |_| {}).unwrap(),
                "{taken}"
            );
        }
        // Somebody else is faster, at the last moment.
        let mut faster = |path: &Path| {
            if path.ends_with("race") {
                fs::create_dir_all(plans.join("race/theirs")).unwrap();
            }
        };
        assert!(!put(plans, "race", &files(), &mut faster).unwrap());
        assert!(plans.join("race/theirs").exists());
        let left = fs::read_dir(plans).unwrap().flatten();
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn what_a_crash_left_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(format!("{PREFIX}x"));
        let fresh = folder.path().join(format!("{PREFIX}y"));
        fs::create_dir_all(&left).unwrap();
        fs::create_dir_all(&fresh).unwrap();
        let long_ago = SystemTime::now() - LEFT_BEHIND * 2;
        File::open(&left).unwrap().set_modified(long_ago).unwrap();
        assert!(put(folder.path(), "a", &files(), &mut |_| {}).unwrap());
        assert!(!left.exists() && fresh.exists());
    }
}
