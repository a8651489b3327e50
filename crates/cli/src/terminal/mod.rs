//! Asks in the terminal.
//!
//! | module | holds |
//! |---|---|
//! | [`person`], [`detect_agent`], [`parents`] | whether a person is at a terminal here, or an agent runs us |
//! | [`document`], [`markdown`], [`abilities`] | a text as lines with styles; Markdown as one; what the terminal can show of it |
//! | [`full_screen`], [`reader`], [`read_whole`] | the whole screen; a document on it; a long text, read before a prompt |
//! | [`text_input`], [`programs`] | a text that is typed on it; the person's pager and editor |
//! | [`form`] | a form, one field after another |
//! | [`prompt`], `select_prompt`, `text_prompt` | one field, by what is picked and what is typed |
//! | [`reply`] | from what a person does to a reply |
//! | [`ask_text`], [`show_text`] | an ask as people read it, whole |
//! | [`discard_input`] | what was typed before a question was on the screen is thrown away |
//! | [`prompt_ask`], [`ask_watcher`] | prompting for an ask that other surfaces show too |
//! | [`value`], [`mod@file`] | what a person typed, as the value of a field |

pub mod abilities;
pub mod ask_text;
pub mod ask_watcher;
pub mod detect_agent;
pub mod discard_input;
pub mod document;
pub mod file;
pub mod form;
pub mod full_screen;
pub mod markdown;
pub mod parents;
pub mod person;
pub mod programs;
pub mod prompt;
pub mod prompt_ask;
pub mod read_whole;
pub mod reader;
pub mod reply;
mod select_prompt;
pub mod show_text;
pub mod stop;
pub mod text_input;
mod text_prompt;
pub mod value;

use anstyle::{AnsiColor, Style};
use holdpoint_ask::visible;
use std::io::{self, IsTerminal, Write as _};

const WRONG: Style = AnsiColor::Red.on_default();

/// Prints what is wrong, above the prompt that comes next.
pub fn print_error(message: &str) {
    anstream::eprintln!("{WRONG}# {}{WRONG:#}", visible(message));
}

/// Gives the terminal back to what comes after a prompt that nobody will answer any more.
pub fn release() {
    use crossterm::{cursor, event, terminal};
    full_screen::restore();
    let _ = crossterm::execute!(io::stderr(), event::DisableBracketedPaste, cursor::Show);
    let _ = terminal::disable_raw_mode();
    // What was typed for the prompt is not for the shell that comes next.
    discard_input::flush();
    eprintln!();
    // Of the prompt, what stands below its cursor.
    if io::stderr().is_terminal() {
        let below = terminal::Clear(terminal::ClearType::FromCursorDown);
        let _ = crossterm::execute!(io::stderr(), below);
    }
}

/// Prints something on the first line of the screen, without disturbing the prompt below it.
pub fn print_notice(text: &str) {
    const SHOUT: Style = Style::new().invert();
    let text = visible(text).replace('\n', " ");
    let mut out = io::stderr();
    if out.is_terminal() {
        let line = format!("{SHOUT} {text} {SHOUT:#}");
        let _ = write!(out, "\x1b7\x1b[1;1H\x1b[2K{line}\x1b8\x07");
    }
}
