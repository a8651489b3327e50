//! `holdpoint man`: the manual pages, made from the help of each command.

use crate::cli::Cli;
use anyhow::{Context, bail};
use clap::{Args, Command, CommandFactory};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};
use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// The arguments of `holdpoint man`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ManArgs {
    /// The command whose page is printed, as `log show`; without one, that of `holdpoint`.
    #[arg(value_name = "COMMAND")]
    pub command: Vec<String>,

    /// Write the pages of all commands into this folder instead: holdpoint.1, holdpoint-serve.1 and so on.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  holdpoint man | man -l -                            reads the page
  holdpoint man log show | man -l -                   that of one command
  holdpoint man --dir ~/.local/share/man/man1         then `man holdpoint-serve` finds them";

/// Prints a page, or writes them all.
///
/// # Errors
/// When there is no such command, or a page cannot be written.
pub fn run(args: &ManArgs) -> anyhow::Result<ExitCode> {
    // The commit is not part of a manual.
    let mut all = Cli::command()
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true);
    all.build();
    match &args.dir {
        Some(folder) => {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
            write_all(&all, folder)?;
        }
        None => {
            let mut command = &all;
            for name in &args.command {
                let Some(found) = command.find_subcommand(name) else {
                    bail!("there is no command `holdpoint {}`", args.command.join(" "));
                };
                command = found;
            }
            match io::stdout().write_all(&page(command)?) {
                // The reader closed the pipe.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                written => written?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write_all(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let file = folder.join(format!("{name}.1"));
    fs::write(&file, page(command)?).with_context(|| format!("cannot write {}", file.display()))?;
    let mut inner = command.get_subcommands();
    inner.try_for_each(|command| write_all(command, folder))
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let source = concat!("Holdpoint ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source).manual("Holdpoint");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|arg| !arg.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(notes) = command.get_after_long_help().or(command.get_after_help()) {
        // Its lines stand as they are: they have columns.
        let mut roff = Roff::new();
        roff.control("SH", ["EXAMPLES AND NOTES"]).control("nf", []);
        for line in notes.to_string().lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}
