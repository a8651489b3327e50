//! What is known of programs: which run other commands, and which run text.

use super::{
    Part, Word,
    known_programs::{FIND_RUNS, INTERPRETERS, LONG, RUN_OTHERS, RUN_TEXT},
    variables,
};

/// Whether a command runs something besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// It does not, as far as is known.
    Itself,
    /// Other commands, which are among its words: `find -exec`. No rule with a star allows it by its beginning.
    Others,
    /// Text, or as somebody else: a rule that allows it must have these first words as they are.
    Text {
        /// How many.
        words: usize,
        /// All words, and no star: what it runs comes from somewhere else.
        exactly: bool,
    },
}

/// Wrappers and what they run are told apart, as far as their options are known.
pub(super) fn part(text: &str, settings: Vec<String>, words: Vec<Word>) -> Part {
    let mut wrapping = 0;
    let mut runs = Runs::Itself;
    // Each wrapper takes one word at least.
    while let Some((program, arguments)) = words[wrapping..].split_first() {
        match unwrap(program, arguments) {
            Wrap::None => {
                runs = what_runs(program, arguments);
                break;
            }
            Wrap::Unknown => {
                runs = Runs::Others;
                break;
            }
            Wrap::Expands => {
                runs = Runs::Text {
                    words: words.len() - wrapping,
                    exactly: true,
                };
                break;
            }
            Wrap::Taken(taken) => wrapping += 1 + taken,
        }
    }
    let count = settings.len();
    let mut all: Vec<Word> = settings
        .into_iter()
        .map(|text| Word {
            text,
            expands: false,
        })
        .collect();
    all.extend(words);
    Part {
        text: text.to_owned(),
        words: all,
        settings: count,
        wrapping,
        runs,
    }
}

enum Wrap {
    /// It is no wrapper.
    None,
    /// It wraps a command, and it cannot be told where that begins.
    Unknown,
    /// It wraps a command that is only known when it runs.
    Expands,
    /// It takes so many words before the command that it wraps.
    Taken(usize),
}

fn unwrap(program: &Word, arguments: &[Word]) -> Wrap {
    let option = |word: &Word| word.text.starts_with('-');
    let mut at = 0;
    match &*program.text {
        "nohup" | "builtin" | "noglob" => {}
        "time" => at += usize::from(arguments.first().is_some_and(|word| word.text == "-p")),
        "command"
            if arguments
                .first()
                .is_some_and(|word| matches!(&*word.text, "-v" | "-V")) =>
        {
            return Wrap::None;
        }
        "command" => {}
        "xargs" if arguments.is_empty() => return Wrap::None,
        "xargs" => {}
        "nice" => {
            while let Some(word) = arguments.get(at).filter(|word| option(word)) {
                match &*word.text {
                    "-n" => at += 2,
                    text if is_number(&text[1..]) || text.starts_with("--adjustment=") => at += 1,
                    _ => return Wrap::Unknown,
                }
            }
        }
        "stdbuf" => {
            while let Some(word) = arguments.get(at).filter(|word| option(word)) {
                match word.text.as_bytes() {
                    [b'-', b'i' | b'o' | b'e'] => at += 2,
                    [b'-', b'i' | b'o' | b'e', ..] => at += 1,
                    _ => return Wrap::Unknown,
                }
            }
        }
        "timeout" => {
            while let Some(word) = arguments.get(at).filter(|word| option(word)) {
                match &*word.text {
                    "-s" | "-k" | "--signal" | "--kill-after" => at += 2,
                    "-v" | "--verbose" | "--foreground" | "--preserve-status" => at += 1,
                    text if text.starts_with("--signal=") || text.starts_with("--kill-after=") => {
                        at += 1
                    }
                    _ => return Wrap::Unknown,
                }
            }
            at += 1;
        }
        "env" => {
            while let Some(word) = arguments.get(at).filter(|word| word.text.contains('=')) {
                if option(word) || !variables::is_harmless(variables::name_of(&word.text)) {
                    return Wrap::Unknown;
                }
                at += 1;
            }
            if arguments.len() == at {
                return Wrap::None;
            }
        }
        _ => return Wrap::None,
    }
    let taken = arguments.get(..at);
    let known = taken.is_some_and(|taken| taken.iter().all(|word| !word.expands));
    // `time` is a word of the shell: `A=b` behind it sets something.
    let plain =
        |next: &Word| !next.expands && is_plain_name(&next.text) && !next.text.contains('=');
    match arguments.get(at) {
        Some(next) if known && !option(next) && plain(next) => Wrap::Taken(at),

        // Alone it wraps nothing.
        None if at == 0 => Wrap::None,
        Some(next) if !known || !plain(next) => Wrap::Expands,
        _ => Wrap::Unknown,
    }
}

/// Whether this is a program's name as people know them: nothing in it that a shell or a reader could take for
/// something else.
pub(super) fn is_plain_name(name: &str) -> bool {
    let odd = |char: char| !char.is_ascii_graphic() || "{}()<>|&;`\"'".contains(char);
    !name.is_empty() && !name.contains(odd) && !name.starts_with(['=', '%', '!'])
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn what_runs(program: &Word, arguments: &[Word]) -> Runs {
    let name = program.text.rsplit(['/', '\\']).next().unwrap_or_default();
    let text = |words| Runs::Text {
        words,
        exactly: false,
    };
    if RUN_OTHERS.contains(&name) {
        return Runs::Others;
    }
    if RUN_TEXT.contains(&name) {
        return text(1);
    }
    let position = |is: &dyn Fn(&str) -> bool| arguments.iter().position(|word| is(&word.text));
    match name {
        "find" | "fd" | "fdfind" => match position(&|word| FIND_RUNS.contains(&word)) {
            Some(_) => Runs::Others,
            None => Runs::Itself,
        },
        "git" => {
            let sub = position(&|word| !word.starts_with('-')).unwrap_or(arguments.len());
            let sets = |word: &str| {
                matches!(word, "-c")
                    || word.starts_with("--config-env")
                    || word.starts_with("--exec-path=")
            };
            // The value of `-C x` looks like a subcommand: so what sets is looked for a little further.
            match position(&sets).filter(|at| *at <= sub + 2) {
                Some(at) => text(at + 2),
                None => Runs::Itself,
            }
        }
        "read" | "printf" | "getopts" | "unset" => {
            let sets = |word: &str| !word.starts_with('-') && !variables::is_harmless(word);
            let writes = match name {
                "printf" => arguments
                    .first()
                    .is_some_and(|word| word.text.starts_with("-v")),
                "getopts" => arguments.get(1).is_some_and(|word| sets(&word.text)),
                _ => arguments.iter().any(|word| sets(&word.text)),
            };
            if writes {
                text(arguments.len() + 1)
            } else {
                Runs::Itself
            }
        }
        _ => interpreter(name, arguments),
    }
}

/// What an interpreter runs: a file that it is given, text among its words, or what it reads.
fn interpreter(name: &str, arguments: &[Word]) -> Runs {
    let family = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    let Some((_, letters)) = INTERPRETERS.iter().find(|(known, _)| *known == family) else {
        return Runs::Itself;
    };
    let runs_text = |word: &str| match word.strip_prefix("--") {
        Some(long) => LONG
            .iter()
            .any(|known| long == *known || long.starts_with(&format!("{known}="))),
        None if word == "eval" || word == "repl" => matches!(family, "deno" | "bun"),
        None => word
            .strip_prefix('-')
            .is_some_and(|short| short.contains(|char| letters.contains(char))),
    };
    for (at, word) in arguments.iter().enumerate() {
        if runs_text(&word.text) {
            return Runs::Text {
                words: at + 2,
                exactly: false,
            };
        }
        if !word.text.starts_with('-') && !word.expands {
            return Runs::Itself;
        }
        if matches!(&*word.text, "--version" | "-V" | "--help" | "-h") {
            return Runs::Itself;
        }
    }
    // It runs what it reads.
    Runs::Text {
        words: arguments.len() + 1,
        exactly: true,
    }
}

/// The text among these words that the command runs: `bash -c '…'`, `eval …`.
#[cfg(feature = "shell")]
pub(super) fn text_that_runs(words: &[Word]) -> Option<String> {
    let name = |word: &Word| word.text.rsplit('/').next().unwrap_or_default().to_owned();
    let shells = ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"];
    let at = words.iter().take(12).position(|word| {
        let name = name(word);
        name == "eval" || shells.contains(&&*name)
    })?;
    if name(&words[at]) == "eval" {
        let rest: Vec<_> = words[at + 1..].iter().map(|word| &*word.text).collect();
        return Some(rest.join(" "));
    }
    let is_flag = |word: &Word| {
        word.text.starts_with('-') && !word.text.starts_with("--") && word.text.contains('c')
    };
    let flag = words[at..].iter().position(is_flag)? + at;
    words.get(flag + 1).map(|word| word.text.clone())
}
