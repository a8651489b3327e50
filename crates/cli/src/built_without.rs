//! What a build without one of this package's features says where that is needed.

use anyhow::anyhow;
use clap::Args;

/// The error of whoever needs what this build was made without.
pub fn error(what: &str, feature: &str) -> anyhow::Error {
    anyhow!(
        "this program was built without {what} (the feature `{feature}`): use one that was built with its default \
         features, as `cargo install` does"
    )
}

/// The arguments of a command that this build does not have: whatever is given.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct AnyArgs {
    /// Not read.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<String>,
}
