//! Where Claude Desktop keeps its configuration.

use super::client::Machine;
use std::path::{Path, PathBuf};

const NAME: &str = "claude_desktop_config.json";

/// The file, for this machine and its user.
pub fn config(machine: &Machine) -> anyhow::Result<PathBuf> {
    let own = || machine.app_data().map(|data| data.join("Claude"));
    let claude = match machine.os {
        "windows" => {
            let packaged = machine
                .folder("LOCALAPPDATA")
                .and_then(|local| packaged(&local));
            packaged.or_else(own)
        }
        _ => own(),
    };
    claude.map(|claude| claude.join(NAME)).ok_or_else(|| {
        let variable = match machine.os {
            "windows" => "APPDATA",
            _ => "HOME",
        };
        anyhow::anyhow!(
            "cannot tell where Claude Desktop keeps its configuration: {variable} is not set"
        )
    })
}

/// The folder of an app from a Windows package, which does not see `%APPDATA%\Claude`: newer ones
/// have a data folder, older ones a private copy of the roaming folder. Only the app makes these.
fn packaged(local: &Path) -> Option<PathBuf> {
    let found = |parent: PathBuf, below: &str| {
        let mut all: Vec<_> = std::fs::read_dir(parent)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("Claude_"))
            .map(|entry| entry.path().join(below))
            .filter(|path| path.is_dir())
            .collect();
        all.sort();
        all.into_iter().next()
    };
    found(local.join("Claude-Data"), "")
        .or_else(|| found(local.join("Packages"), "LocalCache/Roaming/Claude"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with a folder `/t` in it, and these variables.
    fn machine(os: &'static str, vars: &'static [(&str, &str)], root: &Path) -> Machine {
        let root = root.to_owned();
        Machine {
            os,
            var: Box::new(move |name| {
                let (_, below) = vars.iter().find(|(known, _)| *known == name)?;
                Some(root.join(below).into_os_string())
            }),
            binary: None,
        }
    }

    #[test]
    fn each_platform_has_its_place() {
        let root = tempfile::tempdir().unwrap();
        let check = |os, vars, expected: &str| {
            let path = config(&machine(os, vars, root.path())).unwrap();
            assert_eq!(path, root.path().join(expected), "{os} {vars:?}");
        };
        check(
            "linux",
            &[("HOME", "h")],
            "h/.config/Claude/claude_desktop_config.json",
        );
        check(
            "linux",
            &[("HOME", "h"), ("XDG_CONFIG_HOME", "x")],
            "x/Claude/claude_desktop_config.json",
        );
        check(
            "macos",
            &[("HOME", "h")],
            "h/Library/Application Support/Claude/claude_desktop_config.json",
        );
        let windows: &[_] = &[("APPDATA", "roaming"), ("LOCALAPPDATA", "local")];
        check(
            "windows",
            windows,
            "roaming/Claude/claude_desktop_config.json",
        );
        let old = "local/Packages/Claude_p1/LocalCache/Roaming/Claude";
        std::fs::create_dir_all(root.path().join(old)).unwrap();
        check(
            "windows",
            windows,
            &format!("{old}/claude_desktop_config.json"),
        );
        let new = "local/Claude-Data/Claude_p1";
        std::fs::create_dir_all(root.path().join(new)).unwrap();
        check(
            "windows",
            windows,
            &format!("{new}/claude_desktop_config.json"),
        );
    }

    #[test]
    fn no_home_is_told() {
        let error = config(&machine("linux", &[], Path::new("/"))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot tell where Claude Desktop keeps its configuration: HOME is not set"
        );
    }
}
