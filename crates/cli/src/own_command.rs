//! How a person starts this program again, from where they are.

use crate::{commands::init::client::Machine, config::Environment};
use std::{
    env,
    path::{Component, Path},
};

const NAME: &str = "holdpoint";

/// The words that start this program in the current folder: its name where the search path leads to it, else its
/// path.
pub fn own_command() -> String {
    let machine = Machine::current();
    let (Some(program), Ok(folder)) = (&machine.binary, env::current_dir()) else {
        return NAME.to_owned();
    };
    find(&Environment::from_process(), program, &folder)
}

fn find(environment: &Environment, program: &Path, folder: &Path) -> String {
    // npx has its folder in the search path while it runs, and not after.
    let by_npx = environment
        .variable("npm_lifecycle_event")
        .is_some_and(|event| event == "npx");
    let is_npm = |path: &Path| {
        let modules = Component::Normal("node_modules".as_ref());
        path.components().any(|part| part == modules)
    };
    if by_npx && is_npm(program) {
        return format!("npx {NAME}");
    }
    let name = Path::new(NAME).with_extension(env::consts::EXE_EXTENSION);
    let mut named = environment.search_path().into_iter();
    let found = named.find_map(|folder| folder.join(&name).canonicalize().ok());
    let real = program.canonicalize();
    let real = real.as_deref().unwrap_or(program);
    // The packages of npm have a launcher of their own before the program.
    if found.is_some_and(|found| found == real || (is_npm(&found) && is_npm(real))) {
        return NAME.to_owned();
    }
    match program.strip_prefix(folder) {
        // Everything is below the root.
        Ok(below) if folder.parent().is_some() => {
            shell_word(&Path::new(".").join(below).to_string_lossy())
        }
        _ => shell_word(&program.to_string_lossy()),
    }
}

/// A text as one word of a shell's line.
pub fn shell_word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    let windows = cfg!(windows) && text.bytes().all(|byte| plain(byte) || byte == b'\\');
    if windows || (!text.is_empty() && text.bytes().all(plain)) {
        text.to_owned()
    } else if cfg!(windows) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::symlink};

    #[test]
    fn the_words_lead_to_this_program() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let [bin, linked, other] = ["my bin", "linked", "other"].map(|name| root.join(name));
        let modules = root.join("node_modules/.bin");
        for folder in [&bin, &linked, &other, &modules] {
            fs::create_dir_all(folder).unwrap();
        }
        let program = bin.join("holdpoint");
        let packed = root.join("node_modules/holdpoint");
        let launcher = modules.join("holdpoint");
        for file in [&program, &packed, &other.join("holdpoint"), &launcher] {
            fs::write(file, "").unwrap();
        }
        symlink(&program, linked.join("holdpoint")).unwrap();
        let check = |program: &Path, path: &Path, npm: &str, folder: &Path, wanted: &str| {
            let path = path.to_str().unwrap();
            let variables = [("PATH", path), ("npm_lifecycle_event", npm)];
            let environment = Environment::new(&root, variables);
            assert_eq!(find(&environment, program, folder), wanted, "{path}");
        };
        let away = Path::new("/");
        check(&program, &bin, "", away, "holdpoint");
        check(&program, &linked, "", away, "holdpoint");
        // Another program of that name is another version.
        let path = format!("'{}'", program.display());
        check(&program, &other, "", away, &path);
        check(&program, &root, "", &root, "'./my bin/holdpoint'");
        check(&program, &root, "", &bin, "./holdpoint");
        check(&packed, &modules, "", away, "holdpoint");
        check(&packed, &modules, "npx", away, "npx holdpoint");
        check(&program, &bin, "npx", away, "holdpoint");
    }

    #[test]
    fn a_word_of_a_shell() {
        assert_eq!(
            shell_word("./target/debug/holdpoint"),
            "./target/debug/holdpoint"
        );
        assert_eq!(shell_word("it's $HOME"), r"'it'\''s $HOME'");
        assert_eq!(shell_word(""), "''");
    }
}
