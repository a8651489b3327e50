//! The units of systemd by which a person has Holdpoint running without a client.

use crate::config::Environment;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A unit of the person's that starts Holdpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its name, as `systemctl --user` takes it.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The program that it starts.
    pub program: String,
}

/// Those in the folders that systemd reads for this person, in the order in which they count.
pub fn find(environment: &Environment) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for folder in folders(environment) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        files.sort();
        for unit in files.iter().filter_map(|path| read(path)) {
            // A unit of a later folder is hidden by one of the same name.
            if !units.iter().any(|known| known.name == unit.name) {
                units.push(unit);
            }
        }
    }
    units
}

fn folders(environment: &Environment) -> Vec<PathBuf> {
    let config = environment.config_file();
    let config = config
        .as_deref()
        .and_then(Path::parent)
        .and_then(Path::parent);
    let data = environment.variable("XDG_DATA_HOME").map(PathBuf::from);
    let data = data.filter(|path| path.is_absolute());
    let data = data.or_else(|| Some(environment.home()?.join(".local/share")));
    let own = config.map(Path::to_owned).into_iter().chain(data);
    own.map(|folder| folder.join("systemd/user"))
        .chain(["/etc/systemd/user".into(), "/usr/lib/systemd/user".into()])
        .collect()
}

fn read(path: &Path) -> Option<Unit> {
    let name = path.file_name()?.to_str()?.to_owned();
    let text = name
        .ends_with(".service")
        .then(|| fs::read_to_string(path).ok())??;
    let mut starts = text.lines().filter_map(|line| {
        let (key, command) = line.split_once('=')?;
        // Some characters before the path say how systemd starts it.
        let command = command.trim().trim_start_matches(['@', '-', ':', '+', '!']);
        (key.trim() == "ExecStart").then(|| command.split_whitespace().next())?
    });
    let is_ours = |program: &&str| {
        let program = program.trim_matches('"');
        Path::new(program)
            .file_stem()
            .is_some_and(|stem| stem == "holdpoint")
    };
    let program = starts.find(is_ours)?.trim_matches('"').to_owned();
    let path = path.to_owned();
    Some(Unit {
        name,
        path,
        program,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_that_start_us_are_found() {
        let home = tempfile::tempdir().unwrap();
        let write = |file: &str, start: &str| {
            let path = home.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("[Service]\nExecStart={start}\n")).unwrap();
        };
        write(
            ".config/systemd/user/inbox.service",
            "/opt/holdpoint serve --http 127.0.0.1:1",
        );
        write(
            ".config/systemd/user/other.service",
            "/usr/bin/other holdpoint",
        );
        write(
            ".config/systemd/user/holdpoint.timer",
            "/opt/holdpoint serve",
        );
        write(
            ".local/share/systemd/user/inbox.service",
            "/hidden/holdpoint serve",
        );
        write(
            ".local/share/systemd/user/more.service",
            "-\"%h/bin/holdpoint\" serve",
        );
        let found = find(&Environment::new(home.path(), []));
        let found: Vec<_> = found
            .iter()
            .map(|unit| (&*unit.name, &*unit.program))
            .collect();
        assert_eq!(
            found,
            [
                ("inbox.service", "/opt/holdpoint"),
                ("more.service", "%h/bin/holdpoint")
            ]
        );
    }
}
