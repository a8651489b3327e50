//! Files that a person names by their path.

use holdpoint_ask::DigestWriter;
use inquire::{Autocomplete, CustomUserError, autocompletion::Replacement};
use serde_json::{Value, json};
use std::{
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The file as a form takes it: its name, size, digest and full path.
///
/// # Errors
/// One sentence: why it cannot be taken.
pub fn read(path: &str, most: Option<u64>) -> Result<Value, String> {
    let cannot = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("There is no file {path}."),
        _ => format!("{path} cannot be read: {error}."),
    };
    let file = at_home(path).canonicalize().map_err(cannot)?;
    // Checked before it is opened: opening a pipe waits for its other end.
    let about = fs::metadata(&file).map_err(cannot)?;
    if !about.is_file() {
        return Err(format!("{path} is not a file."));
    }
    if let Some(most) = most.filter(|most| about.len() > *most) {
        return Err(format!("{path} is too large: at most {most} bytes."));
    }
    let mut open = fs::File::open(&file).map_err(cannot)?;
    let (size, sha256) = digest(&mut open).map_err(cannot)?;
    let name = file.file_name().and_then(|name| name.to_str());
    let (Some(name), Some(full)) = (name, file.to_str()) else {
        return Err(format!("The name of {path} is not UTF-8."));
    };
    Ok(json!({ "name": name, "size": size, "sha256": sha256, "path": full }))
}

fn digest(file: &mut impl Read) -> io::Result<(u64, String)> {
    let mut hash = DigestWriter::default();
    let size = io::copy(file, &mut hash)?;
    Ok((size, hash.finish().to_string()))
}

/// `~/` stands for the home folder, as in a shell.
pub fn at_home(path: &str) -> PathBuf {
    match (path.strip_prefix("~/"), env::home_dir()) {
        (Some(below), Some(home)) => home.join(below),
        _ => PathBuf::from(path),
    }
}

/// Completes paths, as a shell does.
#[derive(Debug, Clone, Default)]
pub struct Paths;

/// How many are listed.
const MOST: usize = 8;

impl Autocomplete for Paths {
    fn get_suggestions(&mut self, input: &str) -> Result<Vec<String>, CustomUserError> {
        let (folder, start) = input
            .rsplit_once('/')
            .map_or(("", input), |(folder, start)| {
                (&input[..=folder.len()], start)
            });
        let place = match folder {
            "" => PathBuf::from("."),
            folder => at_home(folder),
        };
        let Ok(entries) = fs::read_dir(place) else {
            return Ok(Vec::new());
        };
        let mut found: Vec<String> = entries
            .flatten()
            .filter_map(|entry| Some((entry.path(), entry.file_name().to_str()?.to_owned())))
            .filter(|(_, name)| name.starts_with(start))
            .filter(|(_, name)| start.starts_with('.') || !name.starts_with('.'))
            .filter(|(_, name)| holdpoint_ask::visible::is_visible(name))
            .map(|(path, name)| format!("{folder}{name}{}", slash(&path)))
            .collect();
        found.sort_unstable();
        found.truncate(MOST);
        Ok(found)
    }

    fn get_completion(
        &mut self,
        input: &str,
        highlighted: Option<String>,
    ) -> Result<Replacement, CustomUserError> {
        let only = || match self.get_suggestions(input).ok()?.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        Ok(highlighted.or_else(only))
    }
}

fn slash(path: &Path) -> &'static str {
    if path.is_dir() { "/" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_by_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "abc").unwrap();
        let text = path.to_str().unwrap();
        let value = read(text, Some(3)).unwrap();
        assert_eq!(value["name"], "a.txt");
        assert_eq!(value["size"], 3);
        assert_eq!(
            value["sha256"],
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let refused = |path: &str, most, why: &str| {
            let error = read(path, most).unwrap_err();
            assert!(error.contains(why), "{error}");
        };
        refused(text, Some(2), "too large: at most 2 bytes");
        refused(folder.path().to_str().unwrap(), None, "is not a file");
        refused("/nowhere/at/all", None, "There is no file");
    }

    #[test]
    fn paths_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["alpha.txt", "alpine.txt", ".hidden"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("beta")).unwrap();
        let at = |name: &str| format!("{}/{name}", folder.path().display());
        let suggested = |input: &str| Paths.get_suggestions(&at(input)).unwrap();
        assert_eq!(suggested("al"), [at("alpha.txt"), at("alpine.txt")]);
        assert_eq!(suggested("b"), [at("beta/")]);
        assert_eq!(suggested(".h"), [at(".hidden")]);
        assert_eq!(
            Paths.get_completion(&at("b"), None).unwrap(),
            Some(at("beta/"))
        );
        assert_eq!(Paths.get_completion(&at("al"), None).unwrap(), None);
    }
}
