//! The arguments of a tool, brought to the names that the rules know.

use super::patch;
use crate::ReadError;
use serde_json::{Map, Value, json};

/// The arguments of a tool, on their way to the names that the rules know.
pub(super) struct Input(pub Map<String, Value>);

impl Input {
    pub fn has(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.0.contains_key(*key))
    }

    /// The text under these keys. Two of them that differ are an error: nobody knows which one counts.
    pub fn text(&self, keys: &[&str]) -> Result<Option<String>, ReadError> {
        let mut found: Option<&str> = None;
        for key in keys {
            match (self.0.get(*key), found) {
                (None | Some(Value::Null), _) => {}
                (Some(Value::String(text)), None) => found = Some(text),
                (Some(Value::String(text)), Some(before)) if text == before => {}
                (Some(Value::String(_)), Some(_)) => {
                    return Err(ReadError::wrong(key, "the same under each of its names"));
                }
                (Some(_), _) => return Err(ReadError::wrong(key, "a text")),
            }
        }
        Ok(found.map(str::to_owned))
    }

    /// Takes the text under these keys to the known one, which is overwritten.
    pub fn rename(&mut self, known: &str, keys: &[&str]) -> Result<(), ReadError> {
        if self.rename_optional(known, keys)? {
            return Ok(());
        }
        let key = keys.first().copied().unwrap_or(known);
        Err(ReadError::Missing(key.to_owned()))
    }

    pub fn rename_optional(&mut self, known: &str, keys: &[&str]) -> Result<bool, ReadError> {
        let text = self.text(keys)?;
        if text.is_some() && keys == [known] {
            return Ok(true);
        }
        for key in keys {
            self.0.shift_remove(*key);
        }
        self.0.shift_remove(known);
        let found = text.is_some();
        if let Some(text) = text {
            self.0.insert(known.to_owned(), json!(text));
        }
        Ok(found)
    }

    /// Whether nothing but these keys says where a search is made.
    pub fn searches_under(&self, keys: &[&str]) -> bool {
        let others = PLACES.iter().filter(|place| !keys.contains(place));
        !others.into_iter().any(|place| self.0.contains_key(*place))
    }

    /// A command: a text, or the words of one.
    pub fn command(&mut self, keys: &[&str]) -> Result<(), ReadError> {
        for key in keys {
            if let Some(Value::Array(words)) = self.0.get(*key) {
                let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
                let words = words.ok_or_else(|| ReadError::wrong(key, "a list of texts"))?;
                let line = command_line(&words);
                self.0.insert((*key).to_owned(), json!(line));
            }
        }
        self.rename("command", keys)
    }

    /// A patch with the paths in it.
    pub fn patch(&mut self) -> Result<(), ReadError> {
        self.rename("patch", &patch::KEYS)?;
        let text = self.text(&["patch"])?.unwrap_or_default();
        self.paths(patch::paths(&text), "patch")
    }

    pub fn is_patch(&self) -> bool {
        patch::KEYS.iter().any(|key| {
            let text = self.0.get(*key).and_then(Value::as_str);
            text.is_some_and(|text| !patch::paths(text).is_empty())
        })
    }

    /// Several edits in one: each by the known names, and the files that they are in.
    pub fn edits(&mut self, list: &str, path: &[&str]) -> Result<(), ReadError> {
        let edits = match self.0.shift_remove(list) {
            Some(Value::Array(edits)) => edits,
            Some(_) => return Err(ReadError::wrong(list, "a list")),
            None => return Err(ReadError::Missing(list.to_owned())),
        };
        let own = self.text(path)?;
        let (mut known, mut paths) = (Vec::new(), Vec::new());
        for edit in edits {
            let Value::Object(edit) = edit else {
                return Err(ReadError::wrong(list, "a list of objects"));
            };
            let mut edit = Self(edit);
            if edit.has(path) {
                edit.rename("file_path", path)?;
            } else if let Some(own) = &own {
                edit.0.insert("file_path".to_owned(), json!(own));
            }
            edit.rename_optional("old_string", &OLD)?;
            edit.rename_optional("new_string", &NEW)?;
            let path = edit.text(&["file_path"])?;
            paths.push(path.ok_or_else(|| ReadError::Missing("file_path".to_owned()))?);
            known.push(Value::Object(edit.0));
        }
        for key in path.iter().chain(&["old_string", "new_string"]) {
            self.0.shift_remove(*key);
        }
        self.0.insert("edits".to_owned(), Value::Array(known));
        self.paths(paths, list)
    }

    /// The files that are changed: one, or several, each once.
    fn paths(&mut self, paths: Vec<String>, key: &str) -> Result<(), ReadError> {
        let mut each: Vec<String> = Vec::new();
        for path in paths {
            if !each.contains(&path) {
                each.push(path);
            }
        }
        self.0.shift_remove("file_path");
        self.0.shift_remove("file_paths");
        match each.as_slice() {
            [] => return Err(ReadError::wrong(key, "something that names its files")),
            [path] => drop(self.0.insert("file_path".to_owned(), json!(path))),
            paths => drop(self.0.insert("file_paths".to_owned(), json!(paths))),
        }
        Ok(())
    }

    /// An editor whose command says what it does: the tool that this is.
    pub fn editor(&mut self) -> Result<&'static str, ReadError> {
        let command = self.text(&["command"])?;
        self.rename("file_path", &["path"])?;
        Ok(match command.as_deref() {
            Some("view") => "Read",
            Some("create") => {
                self.rename_optional("content", &["file_text"])?;
                "Write"
            }
            Some("str_replace" | "insert" | "undo_edit") => {
                self.rename_optional("old_string", &["old_str"])?;
                self.rename_optional("new_string", &["new_str", "insert_text"])?;
                "Edit"
            }
            _ => return Err(ReadError::wrong("command", "one that the editor has")),
        })
    }

    /// An address to fetch: the one under its key, the only one of a list, or the only one in words.
    pub fn fetch(&mut self, key: &str) -> Result<(), ReadError> {
        let urls: Vec<String> = match self.0.get(key) {
            Some(Value::String(url)) if key == "url" => vec![url.clone()],
            Some(Value::String(words)) => addresses(words),
            Some(Value::Array(urls)) => {
                let urls = urls.iter().map(|url| url.as_str().map(str::to_owned));
                let urls: Option<_> = urls.collect();
                urls.ok_or_else(|| ReadError::wrong(key, "a list of texts"))?
            }
            Some(_) => return Err(ReadError::wrong(key, "a text")),
            None => return Err(ReadError::Missing(key.to_owned())),
        };
        self.0.shift_remove("url");
        self.0.shift_remove("urls");
        match urls.as_slice() {
            [url] => drop(self.0.insert("url".to_owned(), json!(url))),
            urls => drop(self.0.insert("urls".to_owned(), json!(urls))),
        }
        Ok(())
    }
}

/// The addresses in a text.
fn addresses(words: &str) -> Vec<String> {
    let words = words.split(|char: char| char.is_whitespace() || "<>\"'()".contains(char));
    let addresses =
        words.filter(|word| word.starts_with("http://") || word.starts_with("https://"));
    addresses.map(str::to_owned).collect()
}

/// Keys under which one harness or another has the place of a search.
const PLACES: [&str; 9] = [
    "path",
    "paths",
    "dir_path",
    "directory",
    "dir",
    "folder",
    "root",
    "cwd",
    "target_directory",
];
const OLD: [&str; 3] = ["oldString", "old_str", "old_string"];
const NEW: [&str; 3] = ["newString", "new_str", "new_string"];

/// A command line of words: what a shell is told to run, or the words quoted.
fn command_line(words: &[&str]) -> String {
    if let [shell, flag, script] = words
        && ["bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"].contains(shell)
        && ["-c", "-lc"].contains(flag)
    {
        return (*script).to_owned();
    }
    let plain = |word: &&str| {
        let fits = |char: char| char.is_ascii_alphanumeric() || "-_./:=@%+,".contains(char);
        !word.is_empty() && word.chars().all(fits)
    };
    let quoted = words.iter().map(|word| {
        if plain(word) {
            (*word).to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
