//! Holds how many instructions a path takes to what it took before, as `baseline.json` says: speed that is lost is
//! seen, on whatever machine. `dev/renew-instructions` writes the file anew.
//!
//! The counts are of the build that the tests make, for x86-64. Callgrind runs this very program, for one test of
//! [`paths`], and counts between [`begin_counting`] and [`end_counting`]: what is made once is there by then.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

mod paths;

use instructions::verdict;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    env, fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::{Command, Output},
    thread,
};

/// The paths, each with how often it is run.
const PATHS: [(&str, u64); 3] = [("stdio", 20), ("judge", 40), ("script", 20)];

/// How often a path is run; the variable is set where callgrind counts.
const TIMES: &str = "INSTRUCTIONS_TIMES";

/// Set, the baseline is written anew.
const RENEW: &str = "RENEW_INSTRUCTIONS";

/// Callgrind begins at zero here.
#[inline(never)]
fn begin_counting() {
    black_box("begin");
}

/// Callgrind writes down what it has counted here.
#[inline(never)]
fn end_counting() {
    black_box("end");
}

#[test]
fn no_path_takes_a_tenth_more_instructions_than_before() {
    let counts = count_all();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("baseline.json");
    if env::var_os(RENEW).is_some() {
        let made = json!({
            "rustc": first_line("rustc"),
            "valgrind": first_line("valgrind"),
            "instructions": counts,
        });
        let text = serde_json::to_string_pretty(&made).unwrap();
        return fs::write(file, text + "\n").unwrap();
    }
    let baseline: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let before: BTreeMap<String, u64> =
        serde_json::from_value(baseline["instructions"].clone()).unwrap();
    assert!(before.keys().eq(counts.keys()), "{before:?}");
    let counts = counts.iter().zip(before.values());
    let differing: Vec<_> = counts
        .filter_map(|((path, count), before)| verdict(path, *count, *before))
        .collect();
    assert!(
        differing.is_empty(),
        "{}\nThe baseline was made with {} and {}; `dev/renew-instructions` makes it anew.",
        differing.join("\n"),
        baseline["rustc"],
        baseline["valgrind"]
    );
}

/// The instructions of one run of each path.
fn count_all() -> BTreeMap<String, u64> {
    let folder = tempfile::tempdir().unwrap();
    let running = PATHS.map(|(path, times)| {
        let out = folder.path().join(path);
        thread::spawn(move || (path.to_owned(), count(path, times, out) / times))
    });
    running.map(|run| run.join().unwrap()).into()
}

fn count(path: &str, times: u64, out: PathBuf) -> u64 {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--quiet"])
        .arg("--zero-before=*begin_counting*")
        .arg("--dump-before=*end_counting*")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env::current_exe().unwrap())
        .args(["--exact", &format!("paths::{path}"), "--test-threads=1"])
        .env(TIMES, times.to_string())
        // Copies and searches as every processor can do them: which way is taken differs by machine otherwise.
        .env("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM")
        .env_remove("RUST_LOG");
    let ran = run(&mut command);
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr)
    );
    assert!(ran.status.success(), "{path} under valgrind: {said}");
    let counted = fs::read_to_string(out.with_extension("1")).unwrap();
    let total = counted
        .lines()
        .find_map(|line| line.strip_prefix("totals: "));
    let total = total.unwrap_or_else(|| panic!("no totals of {path}: {said}"));
    total.trim().parse().unwrap()
}

fn first_line(program: &str) -> String {
    let said = run(Command::new(program).arg("--version")).stdout;
    let said = String::from_utf8(said).unwrap();
    said.lines().next().unwrap_or_default().to_owned()
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| {
        let program = command.get_program();
        panic!(
            "{program:?} cannot be started: {error}. `dev/setup` installs what counts instructions."
        )
    })
}
