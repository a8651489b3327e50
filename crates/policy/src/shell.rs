//! Shell commands, taken apart.
//!
//! What is not understood is never guessed: it is said to be unclear, and a person is asked. Whatever can be found
//! in it all the same is kept as hidden parts, which rules that ask and deny look at and rules that allow do not.

mod crude;
mod known_programs;
mod program;
#[cfg(feature = "shell")]
mod second_look;
#[cfg(feature = "shell")]
mod tree;
mod variables;
#[cfg(feature = "shell")]
mod word;

pub(crate) use known_programs::{SUBCOMMANDS, file_readers};
pub(crate) use program::Runs;

/// The longest command that is taken apart.
const LONGEST: usize = 64 * 1024;

/// A command line, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The commands that run, in order.
    pub parts: Vec<Part>,
    /// What may run besides: inside substitutions, and in text that is run.
    pub hidden: Vec<Part>,
    /// The files that it reads and writes by redirection.
    pub files: Vec<Redirected>,
    /// Why it cannot be told what runs.
    pub unclear: Option<String>,
}

/// One command.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// As it is written.
    pub text: String,
    /// Its words, without quotes; what it sets for the command, where that may change what runs, comes first.
    pub words: Vec<Word>,
    /// How many of the words are such settings: `PATH=/tmp`.
    pub settings: usize,
    /// How many of the words only wrap the command: `timeout 5`.
    pub wrapping: usize,
    /// Whether it runs something else.
    pub runs: Runs,
}

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Without its quotes.
    pub text: String,
    /// The shell makes something else of it: it holds a variable, a star or braces.
    pub expands: bool,
}

/// A file that a command reads or writes by redirection.
#[derive(Debug, Clone)]
pub(crate) struct Redirected {
    /// As it is written: `> out.txt`.
    pub text: String,
    /// Its path; none where only running it would tell.
    pub path: Option<String>,
    /// Whether it is written.
    pub writes: bool,
}

impl Taken {
    /// Takes a command line apart.
    pub fn apart(command: &str) -> Self {
        let mut taken = Self::default();
        if command.len() > LONGEST {
            taken.doubt(format!("it is longer than {} KiB", LONGEST / 1024));
            return taken;
        }
        if let Some(why) = hides(command) {
            taken.doubt(why);
        }
        #[cfg(feature = "shell")]
        tree::take(command, &mut taken);
        #[cfg(not(feature = "shell"))]
        taken.doubt("this program was built without the grammar of shells");
        if taken.unclear.is_some() {
            taken.hidden.extend(crude::parts(command));
            for file in crude::files(command) {
                if taken.files.iter().all(|known| known.path != file.path) {
                    taken.files.push(file);
                }
            }
        }
        taken
    }

    /// Notes why it cannot be told what runs. The first reason stays.
    pub fn doubt(&mut self, why: impl Into<String>) {
        self.unclear.get_or_insert_with(|| why.into());
    }
}

impl Part {
    /// A part of these words.
    pub fn new(text: &str, settings: Vec<String>, words: Vec<Word>) -> Self {
        program::part(text.trim(), settings, words)
    }

    /// The words without those that only wrap the command.
    pub fn inner(&self) -> impl Iterator<Item = &Word> {
        let (settings, rest) = self.words.split_at(self.settings);
        settings.iter().chain(&rest[self.wrapping..])
    }

    /// The command as rules that allow see it: blanks inside a word are none.
    pub fn line(&self) -> String {
        line(self.inner(), '\u{1}')
    }

    /// Every way to write this command that rules that ask or deny look at.
    pub fn readings(&self) -> Vec<String> {
        let words: Vec<&Word> = self.words.iter().collect();
        let as_written = self.text.split_whitespace().collect::<Vec<_>>();
        let mut readings = vec![as_written.join(" ")];
        // What runs other commands has them somewhere in its words.
        let starts = match self.runs {
            Runs::Itself if self.wrapping + self.settings == 0 => 1,
            _ => words.len().min(MOST_STARTS),
        };
        for start in 0..starts {
            let rest = &words[start..];
            let Some((program, arguments)) = rest.split_first() else {
                break;
            };
            readings.push(line(rest.iter().copied(), ' '));
            let name = program.text.rsplit(['/', '\\']).next().unwrap_or_default();
            let mut named = |arguments: &[&Word]| {
                let arguments = line(arguments.iter().copied(), ' ');
                readings.push(format!("{name} {arguments}").trim_end().to_owned());
            };
            if name != program.text {
                named(arguments);
            }
            // Options before the subcommand: `git -C x push` is `git push`.
            let mut skipped = 0;
            while skipped < 8
                && arguments
                    .get(skipped)
                    .is_some_and(|word| word.text.starts_with('-'))
            {
                skipped += 1;
                named(&arguments[skipped..]);
                if let Some(after) = arguments.get(skipped + 1..) {
                    named(after);
                    let is_value = !arguments[skipped].text.starts_with('-');
                    skipped += usize::from(
                        is_value && after.first().is_some_and(|word| word.text.starts_with('-')),
                    );
                }
            }
        }
        readings
    }
}

/// How far into a command that runs others they are looked for.
pub(crate) const MOST_STARTS: usize = 24;

fn line<'a>(words: impl Iterator<Item = &'a Word>, blank: char) -> String {
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        if word.text.is_empty() {
            line.push('\u{2}');
        }
        line.extend(word.text.chars().map(|char| match char {
            ' ' | '\t' | '\n' => blank,
            char => char,
        }));
    }
    line
}

/// What in the text itself keeps people or the grammar from seeing what runs.
fn hides(command: &str) -> Option<String> {
    let odd = |char: &char| char.is_control() && !matches!(char, '\n' | '\t');
    if command.chars().any(|char| odd(&char)) || !holdpoint_ask::visible::is_visible(command) {
        return Some("it holds characters that nobody sees".into());
    }
    let odd = |char: char| char.is_whitespace() && !matches!(char, ' ' | '\n' | '\t');
    if command.chars().any(odd) {
        return Some("it holds blanks that are none to a shell".into());
    }
    // A shell joins what stands on both sides; the grammar does not.
    let bytes = command.as_bytes();
    let joins = |at: usize| {
        let blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        at > 0 && bytes[at] == b'\\' && bytes.get(at + 1) == Some(&b'\n') && {
            !(blank(bytes.get(at - 1)) || blank(bytes.get(at + 2)))
        }
    };
    (0..bytes.len())
        .any(joins)
        .then(|| "a word goes on in the next line".into())
}
