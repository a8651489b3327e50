//! The seam for pulling the plug: a test counts the changes to the disk and ends the process at one.
//!
//! The count is one for the whole process, so that a test of any room can use it around the real
//! code: it starts a process of its own, which calls [`end_process_at`] and then does its work.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicU64, Ordering},
};

/// No process ends by itself.
const NEVER: u64 = u64::MAX;

static LEFT: AtomicU64 = AtomicU64::new(NEVER);

/// Ends this process right before its change number `number` to the disk, counted from 0.
pub fn end_process_at(number: u64) {
    LEFT.store(number, Ordering::SeqCst);
}

/// A change to the disk follows.
pub(crate) fn step() {
    #[cfg(test)]
    tests::HOOK.with_borrow_mut(|hook| hook());
    if LEFT.load(Ordering::Relaxed) == NEVER {
        return;
    }
    if LEFT.fetch_sub(1, Ordering::SeqCst) == 0 {
        std::process::abort();
    }
}

/// Writes all of it; under a test in two steps, so that the process also ends in the middle.
pub(crate) fn write(file: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let armed = LEFT.load(Ordering::Relaxed) != NEVER;
    let (first, rest) = bytes.split_at(if armed { bytes.len() / 2 } else { 0 });
    step();
    file.write_all(first)?;
    if armed {
        step();
    }
    file.write_all(rest)
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::{Access, Folder, private};
    use std::{
        cell::RefCell,
        env, fs,
        path::{Path, PathBuf},
        process::{Command, Stdio},
    };

    thread_local! {
        /// What another process does at the last moment, before each change.
        pub static HOOK: RefCell<Box<dyn FnMut()>> = RefCell::new(Box::new(|| {}));
    }

    const OLD: &str = "old";
    const NEW: &str = "new, and longer";

    type Files = Vec<(String, String)>;

    fn plan() -> Files {
        [
            "STATUS.md",
            "plan/01-a.md",
            "plan/02-b.md",
            ".history/timeline.jsonl",
        ]
        .map(|path| (path.to_owned(), format!("# {path}\n")))
        .into()
    }

    /// One way to write, and what must be there whenever it is cut short.
    struct Writer {
        name: &'static str,
        /// What is there before.
        before: fn(&Path),
        write: fn(&Path),
        /// Whether the new content is there, whole; panics where there is half of anything.
        is_new: fn(&Path) -> bool,
    }

    fn text(path: &Path) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    fn old_file(folder: &Path) {
        fs::write(folder.join("file"), OLD).unwrap();
    }

    fn old_or_new(folder: &Path) -> bool {
        match text(&folder.join("file")).as_deref() {
            Some(NEW) => true,
            Some(OLD) => false,
            other => panic!("{other:?}"),
        }
    }

    fn none_or_new(folder: &Path) -> bool {
        match text(&folder.join("file")).as_deref() {
            Some(NEW) => true,
            None => false,
            other => panic!("{other:?}"),
        }
    }

    fn open(folder: &Path) -> Folder {
        Folder::open(folder).unwrap()
    }

    fn writers() -> Vec<Writer> {
        let nothing: fn(&Path) = |_| {};
        vec![
            Writer {
                name: "replace",
                before: old_file,
                write: |folder| {
                    open(folder)
                        .replace("file", NEW.as_bytes(), Access::Shared)
                        .unwrap();
                },
                is_new: old_or_new,
            },
            Writer {
                name: "replace, private",
                before: |folder| private::write_new(&folder.join("file"), OLD.as_bytes()).unwrap(),
                write: |folder| {
                    open(folder)
                        .replace("file", NEW.as_bytes(), Access::Private)
                        .unwrap();
                },
                is_new: |folder| {
                    private::read(&folder.join("file")).unwrap();
                    old_or_new(folder)
                },
            },
            Writer {
                name: "replace what is not there, in folders that are not there",
                before: nothing,
                write: |folder| {
                    let deep = Folder::create(&folder.join("a/b"), Access::Private).unwrap();
                    deep.replace("file", NEW.as_bytes(), Access::Private)
                        .unwrap();
                },
                is_new: |folder| none_or_new(&folder.join("a/b")),
            },
            Writer {
                name: "create",
                before: nothing,
                write: |folder| {
                    let created = open(folder).create_file("file", NEW.as_bytes(), Access::Private);
                    assert!(created.unwrap());
                },
                is_new: none_or_new,
            },
            Writer {
                name: "create under a free name",
                before: old_file,
                write: |folder| {
                    let names = ["file", "file-2"].map(str::to_owned).into_iter();
                    let name = open(folder).create_under_free_name(names, NEW.as_bytes());
                    assert_eq!(name.unwrap(), "file-2");
                },
                is_new: |folder| {
                    assert!(!old_or_new(folder));
                    match text(&folder.join("file-2")).as_deref() {
                        Some(NEW) => true,
                        None => false,
                        other => panic!("{other:?}"),
                    }
                },
            },
            Writer {
                name: "a draft that is filled bit by bit",
                before: nothing,
                write: |folder| {
                    let mut draft = open(folder).draft(Access::Private).unwrap();
                    for part in NEW.split_inclusive(' ') {
                        draft.write(part.as_bytes()).unwrap();
                    }
                    assert!(draft.create("file").unwrap());
                },
                is_new: none_or_new,
            },
            Writer {
                name: "a folder",
                before: nothing,
                write: |folder| {
                    let plans = Folder::create(&folder.join("plans"), Access::Shared).unwrap();
                    assert!(plans.create_folder("add-login", &plan()).unwrap());
                },
                is_new: |folder| {
                    let place = folder.join("plans/add-login");
                    if place.exists() {
                        for (path, expected) in plan() {
                            assert_eq!(text(&place.join(path)), Some(expected));
                        }
                    }
                    place.exists()
                },
            },
            Writer {
                name: "files of a folder",
                before: |folder| {
                    assert!(open(folder).create_folder("add-login", &plan()).unwrap());
                },
                write: |folder| {
                    let changes = [
                        ("STATUS.md".to_owned(), Some(NEW.to_owned())),
                        ("plan/01-a.md".to_owned(), Some(NEW.to_owned())),
                        ("plan/02-b.md".to_owned(), None),
                    ];
                    let look = open(folder).look("add-login").unwrap();
                    let changed = open(folder).change_folder("add-login", &look, &changes);
                    assert!(changed.unwrap());
                },
                is_new: |folder| {
                    let place = folder.join("add-login");
                    let changed = ["STATUS.md", "plan/01-a.md", "plan/02-b.md"];
                    let found = changed.map(|path| text(&place.join(path)));
                    let timeline = text(&place.join(".history/timeline.jsonl"));
                    assert!(timeline.is_some());
                    let new = [Some(NEW.to_owned()), Some(NEW.to_owned()), None];
                    let old = changed.map(|path| Some(format!("# {path}\n")));
                    assert!(found == new || found == old, "{found:?}");
                    found == new
                },
            },
            Writer {
                name: "remove",
                before: old_file,
                write: |folder| assert!(open(folder).remove_file("file").unwrap()),
                is_new: |folder| match text(&folder.join("file")).as_deref() {
                    Some(OLD) => false,
                    None => true,
                    other => panic!("{other:?}"),
                },
            },
        ]
    }

    const WRITER: &str = "WORKSPACE_WRITER";
    const FOLDER: &str = "WORKSPACE_FOLDER";
    const ENDS_AT: &str = "WORKSPACE_ENDS_AT";

    /// The process that the test below starts again and again: it ends where it is told to.
    #[test]
    fn writing_process() {
        let (Ok(writer), Ok(at)) = (env::var(WRITER), env::var(ENDS_AT)) else {
            return;
        };
        let folder = PathBuf::from(env::var(FOLDER).unwrap());
        let writer = &writers()[writer.parse::<usize>().unwrap()];
        super::end_process_at(at.parse().unwrap());
        (writer.write)(&folder);
    }

    #[test]
    fn cut_at_every_step_the_old_or_the_new_is_whole() {
        for (number, writer) in writers().iter().enumerate() {
            let mut steps = 0;
            loop {
                let folder = tempfile::tempdir().unwrap();
                (writer.before)(folder.path());
                let lived = Command::new(env::current_exe().unwrap())
                    .args(["--exact", "crash::tests::writing_process"])
                    .env(WRITER, number.to_string())
                    .env(FOLDER, folder.path())
                    .env(ENDS_AT, steps.to_string())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null())
                    .status()
                    .unwrap()
                    .success();
                let story = format!("{}, step {steps}", writer.name);
                let is_new = (writer.is_new)(folder.path());
                assert!(is_new || !lived, "{story}: nothing was written");
                // What is left over is in nobody's way.
                if !is_new {
                    (writer.write)(folder.path());
                    assert!(
                        (writer.is_new)(folder.path()),
                        "{story}: not the second time"
                    );
                }
                if lived {
                    break;
                }
                steps += 1;
            }
            let least = if writer.name == "remove" { 2 } else { 5 };
            assert!(steps >= least, "{}: only {steps} steps", writer.name);
        }
    }
}
