//! opencode's plugin: it has no list of hooks, but runs the files of a folder.

use super::{
    entry::Call,
    hooks::{TIMEOUT, WITHIN},
};
use crate::commands::init::{Client, program::NAME, server::Removed};
use anyhow::ensure;

/// The file.
const TEXT: &str = include_str!("holdpoint.js");

/// What is written; a file that we did not write is left alone.
pub fn register(text: &str) -> anyhow::Result<String> {
    ensure!(
        text.trim().is_empty() || is_ours(text),
        "it is not from us; move it away and run this again"
    );
    Ok(TEXT.to_owned())
}

/// The file goes, if it is ours.
pub fn remove(text: &str) -> Removed {
    if is_ours(text) {
        Removed::Everything
    } else {
        Removed::Nothing
    }
}

/// What the file calls.
pub fn calls(text: &str) -> Vec<(String, Call)> {
    let call = Call {
        program: NAME.to_owned(),
        client: Client::Opencode,
        within: Some(WITHIN.into()),
        timeout: Some(TIMEOUT.into()),
        is_closed: true,
        is_beside_claude: false,
    };
    let ours = is_ours(text).then(|| ("tool.execute.before".to_owned(), call));
    ours.into_iter().collect()
}

fn is_ours(text: &str) -> bool {
    text.lines().next() == TEXT.lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_how_long_it_may_take() {
        assert!(TEXT.contains(&format!("const WITHIN = {WITHIN}\n")));
    }
}
