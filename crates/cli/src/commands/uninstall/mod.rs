//! `holdpoint uninstall`: what lies where, and which command removes it. It removes nothing by itself: what is
//! there is a person's record of what they decided, and files of other programs.
//!
//! | module | holds |
//! |---|---|
//! | `places` | what lies where |

mod places;

use crate::config::JournalArgs;
use anstream::println;
use anstyle::{AnsiColor, Style};
use clap::Args;
use holdpoint_ask::visible;
use places::Part;
use std::process::ExitCode;

/// The arguments of `holdpoint uninstall`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct UninstallArgs {
    /// Only print it, which is all that this command does.
    #[arg(long)]
    pub print: bool,

    /// Where the record is. It is only looked at.
    #[command(flatten)]
    pub journal: JournalArgs,
}

const NOTE: &str = "\
It looks at the current folder, at those that agents asked from, and at your own files. It removes nothing:
run what you want of the commands that it prints, from top to bottom.
Exit codes: 0 done, 1 something is wrong, 2 wrong usage.";

const HEAD: Style = AnsiColor::Cyan.on_default().bold();
const COMMAND: Style = Style::new().bold();

/// Prints it.
///
/// # Errors
/// When the current folder cannot be found.
pub async fn run(args: UninstallArgs) -> anyhow::Result<ExitCode> {
    let parts = places::all(args.journal).await?;
    if !args.print {
        println!(
            "Nothing is removed by this command. It prints what lies where, and what removes it."
        );
    }
    for Part { title, items } in &parts {
        println!("\n{HEAD}{title}{HEAD:#}");
        for item in items {
            println!("  {}", visible(&item.what));
            for command in &item.commands {
                println!("    {COMMAND}{}{COMMAND:#}", visible(command));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
