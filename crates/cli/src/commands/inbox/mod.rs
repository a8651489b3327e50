//! `holdpoint inbox`: the open asks of every agent, in the terminal or on the page.
//!
//! | module | holds |
//! |---|---|
//! | [`list`] | the open asks, the most urgent first, as they come and go |
//! | [`app`], `on_screen`, `full` | the inbox over the whole screen: its state, the terminal, and what is around both |
//! | `plain` | the list for a pipe |
//! | `screen` | `--plain`: the list alone, choosing one |
//! | `one` | `--plain`: one ask, reading it and answering |
//! | `web`, `phone` | the page's address, also as a code for a phone |

pub mod app;
mod full;
pub mod list;
mod on_screen;
mod one;
mod phone;
mod plain;
mod screen;
mod web;

use crate::{
    config::JournalArgs,
    shell::Shell,
    terminal::{full_screen, person},
};
use clap::Args;
use list::List;
use one::Next;
use screen::Picked;
use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    process::ExitCode,
};

/// The arguments of `holdpoint inbox`.
#[derive(Debug, Args)]
#[command(after_help = NOTE)]
pub struct InboxArgs {
    /// Print the address of the inbox page with a key that opens it once, and open it if there is a
    /// desktop. If no other Holdpoint process serves the page, this one does.
    #[arg(long, group = "on_page", conflicts_with = "json")]
    pub web: bool,

    /// Show the page's address with such a key as a code for a phone's camera; or say what is missing
    /// for a phone to reach the page.
    #[arg(long, group = "on_page", conflicts_with = "json")]
    pub phone: bool,

    /// With --web or --phone: a folder of scripts that can be run on the page, if this command serves it.
    /// They act in the current folder.
    #[arg(long, value_name = "DIR", requires = "on_page")]
    pub scripts: Option<PathBuf>,

    /// Print the open asks as JSON, and exit.
    #[arg(long)]
    pub json: bool,

    /// Show a simple list and prompts instead of the whole screen.
    #[arg(long, conflicts_with_all = ["web", "phone", "json"])]
    pub plain: bool,

    /// Leave the mouse to the terminal. The key m does so too.
    #[arg(long, conflicts_with_all = ["web", "phone", "json", "plain"])]
    pub no_mouse: bool,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

const NOTE: &str = "\
In a terminal it takes the whole screen: a list of what is open, and the ask under the cursor. ↑ and ↓
choose one, Enter opens it, a answers it, c comments on it, / searches, ? lists all keys, q quits. New
asks ring the bell. In a pipe it prints the list and exits.
$PAGER, $VISUAL and $EDITOR name your own programs. NO_COLOR turns colours off.
Exit codes: 0 done, 1 something is wrong, 2 wrong usage.";

/// Shows it.
///
/// # Errors
/// When the record cannot be read or kept.
pub async fn run(args: InboxArgs) -> anyhow::Result<ExitCode> {
    let shell = Shell::open_own(args.journal).await?;
    if args.web {
        return web::run(shell, args.scripts).await;
    }
    if args.phone {
        return Box::pin(phone::run(shell, args.scripts)).await;
    }

    if args.json {
        return plain::json(&shell.desk(Vec::new()).await?).await;
    }
    if !person::is_here() || !io::stdout().is_terminal() {
        return plain::lines(&shell.desk(Vec::new()).await?).await;
    }
    shell
        .refuse_agents("inbox", "Asks are answered by people")
        .await?;
    let desk = shell.desk(Vec::new()).await?;
    // Whoever asks over this journal can leave an ask here, until this command ends.
    let _watcher = shell.journal.watch().await?;
    let list = List::follow(desk.clone()).await?;
    if !args.plain && full_screen::is_possible() {
        return Box::pin(full::run(&shell, &desk, &list, !args.no_mouse)).await;
    }
    let mut note = String::new();
    loop {
        let picked = screen::pick(list.watch(), std::mem::take(&mut note)).await?;
        let Picked::Ask(id) = picked else {
            return Ok(ExitCode::SUCCESS);
        };
        match Box::pin(one::answer(&shell, &desk, id)).await? {
            Next::List(said) => note = said,
            Next::End => return Ok(ExitCode::SUCCESS),
        }
    }
}
