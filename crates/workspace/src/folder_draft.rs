//! A folder that appears whole, or not at all.

use crate::{
    Access, Folder, crash,
    draft::{PREFIX, hidden_name, rename_new},
    folder::one_name,
};
use cap_std::{fs::Dir, time::SystemTime};
use std::{io, time::Duration};

/// A draft that is older was left behind by a crash.
const LEFT_BEHIND: Duration = Duration::from_secs(600);

impl Folder {
    /// Makes a folder of these files (path in it, and text); false where something of this name is
    /// there. It is built beside its place, made durable, and moved there in one go.
    ///
    /// # Errors
    /// When it cannot be written. There is nothing then.
    pub fn create_folder(&self, name: &str, files: &[(String, String)]) -> io::Result<bool> {
        remove_left_behind(&self.dir);
        if self.has(one_name(name)?) {
            return Ok(false);
        }
        let draft = hidden_name("new");
        crash::step();
        self.dir.create_dir(&draft)?;
        let placed = self
            .folder(&draft)
            .and_then(|folder| fill(&folder, files))
            .and_then(|()| rename_new(&self.dir, &draft, name));
        if !matches!(placed, Ok(true)) {
            let _ = self.dir.remove_dir_all(&draft);
            return placed;
        }
        self.sync().map(|()| true)
    }
}

fn fill(folder: &Folder, files: &[(String, String)]) -> io::Result<()> {
    for (path, text) in files {
        write_file(folder, path, text)?;
    }
    folder.sync()
}

/// Writes a new file of a folder that nobody else knows of yet, and the folders on its way.
pub(crate) fn write_file(folder: &Folder, path: &str, text: &str) -> io::Result<()> {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let mut inner = Folder {
        dir: folder.dir.try_clone()?,
    };
    for part in folders.split('/').filter(|part| !part.is_empty()) {
        inner = inner.folder_or_new(part)?;
    }
    let mut file = inner.open_file(name, Access::Shared)?;
    crash::write(&mut file, text.as_bytes())?;
    file.sync_all()?;
    inner.sync()
}

/// Removes the drafts of files and folders that a crash has left here.
pub(crate) fn remove_left_behind(dir: &Dir) {
    for entry in dir.entries().into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_draft =
            name.starts_with(PREFIX) && (name.ends_with(".new") || name.ends_with(".tmp"));
        let age = || {
            let about = entry.metadata().ok()?;
            let now = SystemTime::from_std(std::time::SystemTime::now());
            let age = now.duration_since(about.modified().ok()?).ok()?;
            Some((about, age))
        };
        if let Some((about, age)) = age().filter(|_| is_draft)
            && age > LEFT_BEHIND
        {
            let _ = if about.is_dir() {
                dir.remove_dir_all(&name)
            } else {
                dir.remove_file(&name)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn files() -> Vec<(String, String)> {
        ["STATUS.md", "plan/deep/01-a.md"]
            .map(|path| (path.to_owned(), format!("# {path}\n")))
            .into()
    }

    #[test]
    fn what_is_there_stays() {
        let root = tempfile::tempdir().unwrap();
        let plans = root.path().to_owned();
        let folder = Folder::open(&plans).unwrap();
        fs::write(plans.join("file"), "x").unwrap();
        fs::create_dir_all(plans.join("full/own")).unwrap();
        fs::create_dir_all(plans.join("empty")).unwrap();
        for taken in ["file", "full", "empty"] {
            assert!(!folder.create_folder(taken, &files()).unwrap(), "{taken}");
        }
        // Somebody else is faster, at the last moment.
        let race = plans.join("race/theirs");
        let faster = move || {
            let _ = fs::create_dir_all(&race);
        };
        // Not at the first change: it is looked at before.
        let mut steps = 0;
        crate::crash::tests::HOOK.set(Box::new(move || {
            steps += 1;
            if steps == 3 {
                faster();
            }
        }));
        assert!(!folder.create_folder("race", &files()).unwrap());
        crate::crash::tests::HOOK.set(Box::new(|| {}));
        assert!(plans.join("race/theirs").exists());
        assert!(folder.create_folder("new", &files()).unwrap());
        let text = fs::read_to_string(plans.join("new/plan/deep/01-a.md"));
        assert_eq!(text.unwrap(), "# plan/deep/01-a.md\n");
        let names = fs::read_dir(plans).unwrap().flatten();
        assert!(
            !names
                .into_iter()
                .any(|entry| entry.file_name().to_string_lossy().starts_with('.'))
        );
    }

    #[test]
    fn a_path_that_leads_out_makes_nothing() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        for path in ["../x", "a/../../x", "/x", ".."] {
            let files = [(path.to_owned(), String::new())];
            let made = folder.create_folder("a", &files);
            assert!(path == "/x" || made.is_err(), "{path}");
            let _ = fs::remove_dir_all(root.path().join("a"));
        }
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_a_crash_left_is_removed() {
        let root = tempfile::tempdir().unwrap();
        let (left, fresh) = (hidden_name("new"), hidden_name("new"));
        let (old_file, own) = (hidden_name("tmp"), format!("{PREFIX}notes"));
        for folder in [&left, &fresh, &own] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        fs::write(root.path().join(&old_file), "half").unwrap();
        let long_ago = std::time::SystemTime::now() - LEFT_BEHIND * 2;
        for name in [&left, &own, &old_file] {
            let file = fs::File::open(root.path().join(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        }
        let folder = Folder::open(root.path()).unwrap();
        assert!(folder.create_folder("a", &files()).unwrap());
        assert!(!folder.has(&left) && !folder.has(&old_file));
        assert!(folder.has(&fresh) && folder.has(&own));
    }
}
