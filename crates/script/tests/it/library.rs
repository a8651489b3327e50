//! A folder of scripts, and what changes in it.

use holdpoint_script::{Library, Loaded};
use std::{fs, path::Path, sync::Arc, time::Duration};
use tokio::{sync::watch::Receiver, time::timeout};

fn script(method: &str) -> String {
    format!("export default class A {{ *{method}() {{}} }}")
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).unwrap();
}

/// What a folder offers, a line for each file.
fn told(loaded: &Loaded) -> Vec<String> {
    let line = |(name, file): (&String, &holdpoint_script::library::File)| match file {
        Ok(program) => {
            let tools: Vec<_> = program
                .methods()
                .iter()
                .map(|method| &*method.tool)
                .collect();
            format!("{name}: {}", tools.join(", "))
        }
        Err(error) => error.to_string(),
    };
    loaded.files.iter().map(line).collect()
}

async fn until(changes: &mut Receiver<Arc<Loaded>>, expected: &[&str]) {
    let reached = changes.wait_for(|loaded| told(loaded) == expected);
    let reached = timeout(Duration::from_secs(30), reached).await.is_ok();
    if !reached {
        panic!("never {expected:?}, but {:?}", told(&changes.borrow()));
    }
}

#[test]
fn each_file_is_a_program_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "b.js", &script("run"));
    write(at, "a.js", &script("run"));
    write(at, "broken.js", "export default class {");
    write(at, "notes.txt", "not a script");
    write(at, ".hidden.js", &script("run"));
    write(at, "a-b.js", &script("run"));
    write(at, "a_b.js", &script("run"));
    fs::create_dir(at.join("folder.js")).unwrap();
    write(outside.path(), "far.js", &script("run"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(outside.path().join("far.js"), at.join("far.js")).unwrap();
        symlink(at.join("b.js"), at.join("near.js")).unwrap();
        symlink(at.join("gone.js"), at.join("nowhere.js")).unwrap();
    }
    let loaded = Loaded::read(at, &Loaded::default());
    insta::assert_snapshot!(told(&loaded).join("\n"));
    assert_eq!(loaded.programs().count(), 4);
    assert!(loaded.program("near").is_some() && loaded.program("broken").is_none());
    let (program, method) = loaded.tool("b_run").unwrap();
    assert_eq!((program.name(), method), ("b", "run"));
}

/// Whoever names a script means one file, and its memory is its own.
#[test]
fn one_name_is_one_file() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "deploy.js", &script("one"));
    write(folder.path(), "deploy.photon.ts", &script("two"));
    write(folder.path(), "deploy.ts", &script("three"));
    let loaded = Loaded::read(folder.path(), &Loaded::default());
    assert_eq!(
        told(&loaded),
        [
            "deploy.js: deploy_one",
            "deploy.photon.ts: has the same name as deploy.js (deploy): rename one of them",
            "deploy.ts: has the same name as deploy.js (deploy): rename one of them",
        ]
    );
}

#[test]
fn what_has_not_changed_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.js", &script("run"));
    write(folder.path(), "b.js", &script("run"));
    let before = Loaded::read(folder.path(), &Loaded::default());
    write(folder.path(), "b.js", &script("other"));
    let after = Loaded::read(folder.path(), &before);
    let same =
        |name: &str| Arc::ptr_eq(before.program(name).unwrap(), after.program(name).unwrap());
    assert!(same("a") && !same("b"));
}

#[test]
fn a_hundred_files_are_loaded_soon() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..100 {
        write(folder.path(), &format!("file-{n}.js"), &script("run"));
    }
    let began = std::time::Instant::now();
    assert_eq!(
        Loaded::read(folder.path(), &Loaded::default())
            .programs()
            .count(),
        100
    );
    // The figure is measured with `examples/measure.rs`; here the build is slow and the machine busy.
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn changes_are_picked_up() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    write(at, "a.js", &script("one"));
    let library = Library::open(at).await;
    let mut changes = library.changes();
    assert_eq!(told(&library.now()), ["a.js: a_one"]);
    write(at, "a.js", &script("two"));
    until(&mut changes, &["a.js: a_two"]).await;
    write(at, "b.js", &script("one"));
    until(&mut changes, &["a.js: a_two", "b.js: b_one"]).await;
    // As an editor saves.
    write(at, ".a.js.swp", &script("three"));
    fs::rename(at.join(".a.js.swp"), at.join("a.js")).unwrap();
    until(&mut changes, &["a.js: a_three", "b.js: b_one"]).await;
    fs::remove_file(at.join("a.js")).unwrap();
    until(&mut changes, &["b.js: b_one"]).await;
    fs::rename(at.join("b.js"), at.join("c.js")).unwrap();
    until(&mut changes, &["c.js: c_one"]).await;
    assert_eq!(told(&library.now()), ["c.js: c_one"]);
}

#[tokio::test]
async fn a_folder_that_comes_and_goes() {
    let above = tempfile::tempdir().unwrap();
    let at = above.path().join("scripts");
    let library = Library::open(&at).await;
    let mut changes = library.changes();
    assert_eq!(told(&library.now()), Vec::<String>::new());
    fs::create_dir(&at).unwrap();
    write(&at, "a.js", &script("one"));
    until(&mut changes, &["a.js: a_one"]).await;
    fs::remove_dir_all(&at).unwrap();
    until(&mut changes, &[]).await;
    fs::create_dir(&at).unwrap();
    write(&at, "b.js", &script("two"));
    until(&mut changes, &["b.js: b_two"]).await;
    // Another folder takes its name.
    let other = above.path().join("other");
    fs::create_dir(&other).unwrap();
    write(&other, "c.js", &script("three"));
    fs::rename(&at, above.path().join("old")).unwrap();
    fs::rename(&other, &at).unwrap();
    until(&mut changes, &["c.js: c_three"]).await;
}
