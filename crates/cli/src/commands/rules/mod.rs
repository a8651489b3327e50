//! `holdpoint rules`: what agents may do without asking, what is asked and what is denied; what is remembered.
//!
//! | module | holds |
//! |---|---|
//! | [`args`] | the command line |
//! | `check` | whether the files can be read, and what they hold |
//! | `explain` | what would happen to a use of a tool, and why something was asked |
//! | `list` | the scopes that stand: listed, searched, revoked |
//! | `suggest` | rules that the record suggests |
//! | `import` | rules of other programs, as ours |

pub mod args;
mod check;
mod explain;
mod import;
mod list;
mod suggest;

pub use args::RulesArgs;

use args::RulesCommand;
use std::process::ExitCode;

/// Does it.
///
/// # Errors
/// When the rules or the record cannot be read.
pub async fn run(args: RulesArgs) -> anyhow::Result<ExitCode> {
    let journal = args.journal;
    match args.command {
        RulesCommand::Check => check::run(),
        RulesCommand::Explain(asked) => explain::run(journal, &asked).await,
        RulesCommand::Why { ask } => explain::why(journal, &ask).await,
        RulesCommand::List { words, json } => list::run(journal, &words, json).await,
        RulesCommand::Revoke { id } => list::revoke(journal, &id).await,
        RulesCommand::Suggest { json } => suggest::run(journal, json).await,
        RulesCommand::Import { from, files } => import::run(from, &files),
    }
}
