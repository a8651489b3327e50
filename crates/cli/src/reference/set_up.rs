//! How a client is set up, as `holdpoint init` itself says it.

use crate::commands::init::{Client, user_file::Scope};
use clap::ValueEnum;

/// The command, the file that it writes, and what to do next; nothing for a client that `init` does not know.
pub fn of(word: Option<&str>) -> Option<String> {
    let word = word?;
    let client = Client::from_str(word, false).ok()?;
    let about = client.to_possible_value()?.get_help()?.to_string();
    let (_, file) = about.split_once(": ")?;
    // Where it is a path alone, it can be copied.
    let file = if file.contains(' ') {
        file.to_owned()
    } else {
        format!("`{file}`")
    };
    let title = client.title();
    let asks = if client.starts_anywhere() {
        format!(
            "{title} starts its servers in no project's folder, so this asks you which one its agents work in; `--workspace DIR` says it beforehand. "
        )
    } else {
        String::new()
    };
    let next = client.next(Scope::Project);
    let next = next.strip_prefix("Next: ").unwrap_or(next);
    Some(format!(
        "\n```sh\nholdpoint init {word}\n```\n\n{asks}It writes {file}. Then: {next}\n"
    ))
}
