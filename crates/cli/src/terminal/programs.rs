//! The person's own programs: their pager and their editor.

use std::{
    env, fs,
    io::{self, Write as _},
    process::{Command, Stdio},
};

/// Shows a text in `$PAGER`, or `less`.
///
/// # Errors
/// When it cannot be started.
pub fn page(text: &str) -> io::Result<()> {
    let pager = variable(&["PAGER"]).unwrap_or_else(|| "less".to_owned());
    let mut child = Command::new("/bin/sh")
        .args(["-c", &pager])
        .stdin(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        match input.write_all(text.as_bytes()) {
            // Who has read enough need not read the rest.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written?,
        }
    }
    child.wait()?;
    Ok(())
}

/// Lets the person edit a text in `$VISUAL`, `$EDITOR`, or `vi`. None where the editor failed: then nothing
/// was edited.
///
/// # Errors
/// When the file cannot be kept, or is no text any more.
pub fn edit(text: &str) -> io::Result<Option<String>> {
    let editor = variable(&["VISUAL", "EDITOR"]).unwrap_or_else(|| "vi".to_owned());
    // Only its owner reads it, and it is gone with this.
    let file = tempfile::Builder::new()
        .prefix("holdpoint-")
        .suffix(".md")
        .tempfile()?;
    fs::write(file.path(), text)?;
    let line = format!("{editor} \"$1\"");
    let status = Command::new("/bin/sh")
        .args(["-c", &line, "editor"])
        .arg(file.path())
        .status()?;
    if !status.success() {
        return Ok(None);
    }
    let edited = fs::read_to_string(file.path())?;
    // Editors end a text in a line break; one that had none gets none.
    let edited = match edited.strip_suffix('\n') {
        Some(rest) if !text.ends_with('\n') => rest.to_owned(),
        _ => edited,
    };
    Ok(Some(edited))
}

fn variable(names: &[&str]) -> Option<String> {
    let set = |name: &&str| env::var(name).ok().filter(|value| !value.trim().is_empty());
    names.iter().find_map(set)
}
