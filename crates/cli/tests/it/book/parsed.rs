//! Commands against the command line's own definition: those that are not run, those in sentences, and the examples of
//! the reference.

use clap::{Command, CommandFactory, Parser, error::ErrorKind};
use docs::{Page, chapters, words};
use holdpoint_cli::cli::Cli;

/// Every `holdpoint` in a line can be read by the command line.
#[track_caller]
pub fn check(place: &str, line: &str) {
    for words in words(line) {
        let program = words.iter().position(|word| word == "holdpoint");
        let Some(program) = program else { continue };
        let words = words[program..].iter();
        let words = words.take_while(|word| !["<", ">"].contains(&word.as_str()));
        match Cli::try_parse_from(words) {
            Ok(_) => {}
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::DisplayHelp
                        | ErrorKind::DisplayVersion
                        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                ) => {}
            Err(error) => panic!("{place}: {line}\n{error}"),
        }
    }
}

#[test]
fn the_examples_of_the_reference_can_be_typed() {
    let page = Page::read(&docs::root().join("docs/reference/cli.md"));
    let mut count = 0;
    for block in page.blocks() {
        let (_, examples) = block.text.split_once("\nExamples:\n").unwrap_or_default();
        for line in examples.lines().take_while(|line| line.starts_with("  ")) {
            // What it is for stands behind two blanks.
            let line = line.trim();
            let line = line.split("  ").next().unwrap();
            check(&format!("{}:{}", page.name, block.line), line);
            count += 1;
        }
    }
    assert!(count > 40, "{count}");
}

/// What stands in sentences has placeholders: its subcommands and options are those that there are.
#[test]
fn commands_in_sentences_are_those_that_there_are() {
    let mut cli = Cli::command();
    cli.build();
    let mut wrong = Vec::new();
    for page in chapters() {
        for (line, span) in page.spans() {
            let Some(rest) = span.strip_prefix("holdpoint ") else {
                continue;
            };
            if let Err(what) = walk(&cli, rest) {
                wrong.push(format!("{}:{line}: `{span}`: {what}", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn walk(cli: &Command, typed: &str) -> Result<(), String> {
    let mut command = cli;
    let first = words(typed).into_iter().next().unwrap_or_default();
    for word in &first {
        if let Some(option) = word.strip_prefix("--") {
            let name = option.split('=').next().unwrap_or_default();
            // The rest is for a script's method.
            if name.is_empty() || command.get_name() == "run" {
                return Ok(());
            }
            let longs = |argument: &clap::Arg| {
                let aliases = argument.get_all_aliases().unwrap_or_default();
                argument.get_long() == Some(name) || aliases.contains(&name)
            };
            let is_known = command.get_arguments().any(longs);
            if !is_known && !["help", "version"].contains(&name) {
                return Err(format!("no option --{name}"));
            }
        } else if let Some(below) = command.find_subcommand(word) {
            command = below;
        } else if command.has_subcommands()
            && command.get_positionals().next().is_none()
            && word
                .chars()
                .all(|letter| letter.is_ascii_lowercase() || letter == '-')
        {
            return Err(format!("no command {word}"));
        }
    }
    Ok(())
}
