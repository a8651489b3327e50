//! Parses diffs.

use super::{
    FileDiff, FileStatus, Hunk, Line, LineKind, header,
    header::{Numbers, Says},
    path,
    words::{self, Budget},
};

/// Parses a diff into what happened to each file.
///
/// ```
/// use holdpoint_ask::diff::{FileStatus, parse};
///
/// let files = parse("--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-let a = 1;\n+let a = 2;\n");
/// assert_eq!((files[0].path.as_str(), files[0].status), ("x.rs", FileStatus::Modified));
/// let new = &files[0].hunks[0].lines[1];
/// assert_eq!((new.new, &new.text[new.words[0].clone()]), (Some(1), "2"));
/// ```
pub fn parse(text: &str) -> Vec<FileDiff> {
    let lines: Vec<&str> = text.lines().collect();
    let mut parser = Parser::default();
    let mut place = 0;
    while place < lines.len() {
        place += parser.take(&lines[place..]);
    }
    parser.finish()
}

#[derive(Default)]
struct Parser {
    files: Vec<FileDiff>,
    /// The paths of the file that is being read, with the prefixes that git puts before them.
    paths: Option<(String, String)>,
    /// Where it was moved or copied from, and to where.
    from: Option<String>,
    to: Option<String>,
    /// Where lines go now.
    state: State,
    /// Empty lines that belong to the hunk only if it goes on.
    blank: usize,
}

#[derive(Default)]
enum State {
    /// Outside any file.
    #[default]
    Outside,
    /// Among the lines before a file's first hunk.
    Header,
    /// Among the data of a binary file.
    Binary,
    /// In a hunk.
    Hunk(Numbers),
}

impl Parser {
    /// Takes the first of these lines, and the next one where the two belong together; gives how many.
    fn take(&mut self, lines: &[&str]) -> usize {
        let line = lines[0];
        let paths = header::paths(lines);
        if let State::Hunk(numbers) = &self.state
            && numbers.lacks_lines()
        {
            // A hunk that promised too much ends where the next file begins. Its last two lines can look so.
            let next_file = paths.is_some()
                && numbers.left != Some((1, 1))
                && lines.get(2).is_some_and(|line| line.starts_with("@@ -"));
            if !next_file && self.continue_hunk(line, false) {
                return 1;
            }
        }
        if header::starts_file(lines) {
            self.begin_file(line);
        } else if let Some((old, new)) = paths {
            self.name_file(&lines[..2], old, new);
            return 2;
        } else if !self.begin_hunk(line) {
            self.take_other(line);
        }
        1
    }

    fn take_other(&mut self, line: &str) {
        let taken = match &self.state {
            State::Outside => false,
            State::Hunk(numbers) => {
                let lenient = numbers.left.is_none() || numbers.lacks_lines();
                line != "-- " && self.continue_hunk(line, lenient)
            }
            State::Header if line.starts_with(['+', '-', ' ']) => {
                self.file().hunks.push(Hunk::default());
                self.state = State::Hunk(Numbers::unknown());
                self.continue_hunk(line, false)
            }
            State::Header => self.describe_file(line),
            State::Binary => {
                let data = header::is_binary_data(line);
                if data {
                    self.file().header.push(line.to_owned());
                }
                data
            }
        };
        if !taken {
            self.take_loose(line);
        }
    }

    fn file(&mut self) -> &mut FileDiff {
        if self.files.is_empty() {
            self.files.push(FileDiff::default());
        }
        self.files.last_mut().expect("one was put there")
    }

    /// Begins a file with the line `diff …`.
    fn begin_file(&mut self, line: &str) {
        self.close_file();
        self.files.push(FileDiff {
            path: header::merged_path(line).unwrap_or_default(),
            status: FileStatus::Modified,
            header: vec![line.to_owned()],
            ..FileDiff::default()
        });
        self.paths = line.strip_prefix("diff --git ").and_then(path::of_git);
        self.state = State::Header;
    }

    /// Takes the lines `--- PATH` and `+++ PATH`, of the file that was begun or of a new one.
    fn name_file(&mut self, lines: &[&str], old: &str, new: &str) {
        let begun = matches!(self.state, State::Header);
        if !begun
            || self
                .file()
                .header
                .iter()
                .any(|line| line.starts_with("+++ "))
        {
            self.close_file();
            self.files.push(FileDiff {
                status: FileStatus::Modified,
                ..FileDiff::default()
            });
            self.state = State::Header;
        }
        self.paths = Some((path::of_header(old), path::of_header(new)));
        let lines = lines.iter().map(|line| (*line).to_owned());
        self.file().header.extend(lines);
    }

    /// Takes a line that says something about the file; whether it does.
    fn describe_file(&mut self, line: &str) -> bool {
        let Some(says) = header::read(line) else {
            return false;
        };
        let file = self.files.last_mut();
        let Some(file) = file else { return false };
        match says {
            Says::Status(FileStatus::Mode) if file.status != FileStatus::Modified => {}
            Says::Status(status) => file.status = status,
            Says::From(status, path) => (file.status, self.from) = (status, Some(path)),
            Says::To(status, path) => (file.status, self.to) = (status, Some(path)),
            Says::Binary => file.binary = true,
            Says::BinaryPatch => {
                file.binary = true;
                self.state = State::Binary;
            }
            Says::Other => {}
        }
        file.header.push(line.to_owned());
        true
    }

    /// Begins a hunk with a line `@@ …`; whether it is one.
    fn begin_hunk(&mut self, line: &str) -> bool {
        let Some(numbers) = Numbers::read(line) else {
            return false;
        };
        if matches!(self.state, State::Outside) && !self.is_loose() {
            self.close_file();
            self.files.push(FileDiff::default());
        }
        self.blank = 0;
        self.file().hunks.push(Hunk {
            header: line.to_owned(),
            lines: Vec::new(),
        });
        self.state = State::Hunk(numbers);
        true
    }

    /// Takes the next line of the hunk; whether it is one. Leniently, a line without a mark is context.
    fn continue_hunk(&mut self, line: &str, lenient: bool) -> bool {
        let State::Hunk(numbers) = &mut self.state else {
            return false;
        };
        if line.is_empty() && !numbers.lacks_lines() {
            self.blank += 1;
            return true;
        }
        let unmarked = lenient.then_some((LineKind::Context, line));
        let Some((kind, text)) = numbers.split(line).or(unmarked) else {
            return false;
        };
        let mut taken = Vec::with_capacity(self.blank + 1);
        for _ in 0..std::mem::take(&mut self.blank) {
            taken.push(numbers.line(LineKind::Context, ""));
        }
        taken.push(numbers.line(kind, text));
        if let Some(hunk) = self.file().hunks.last_mut() {
            hunk.lines.extend(taken);
        }
        true
    }

    /// Whether the last file is lines that belong to none.
    fn is_loose(&self) -> bool {
        let loose = |file: &FileDiff| file.is_nameless() && file.header.is_empty();
        self.files.last().is_some_and(loose)
    }

    /// Takes a line that belongs to no file: it is shown as one of a file without a name.
    fn take_loose(&mut self, line: &str) {
        let goes_on = matches!(self.state, State::Outside) && self.is_loose();
        if line.trim().is_empty() && !goes_on {
            return;
        }
        if !goes_on {
            self.close_file();
            self.files.push(FileDiff {
                hunks: vec![Hunk::default()],
                ..FileDiff::default()
            });
        }
        let mut numbers = Numbers::unknown();
        let (kind, text) = numbers.split(line).unwrap_or((LineKind::Context, line));
        let taken = numbers.line(kind, text);
        if let Some(hunk) = self.file().hunks.last_mut() {
            hunk.lines.push(taken);
        }
    }

    /// Ends the file that is being read: its paths and status are known now.
    fn close_file(&mut self) {
        self.state = State::Outside;
        self.blank = 0;
        let (paths, from, to) = (self.paths.take(), self.from.take(), self.to.take());
        let Some(file) = self.files.last_mut() else {
            return;
        };
        match (from, to, paths) {
            (Some(from), Some(to), _) => (file.from, file.path) = (Some(from), to),
            (_, _, Some((old, new))) => name(file, &old, &new),
            _ => {}
        }
        if file.status == FileStatus::Mode && (file.binary || !file.hunks.is_empty()) {
            file.status = FileStatus::Modified;
        }
        if file.is_nameless() {
            file.status = FileStatus::Unknown;
        }
    }

    fn finish(mut self) -> Vec<FileDiff> {
        self.close_file();
        let mut budget = Budget::default();
        for hunk in self.files.iter_mut().flat_map(|file| &mut file.hunks) {
            let is_blank =
                |line: &Line| line.text.trim().is_empty() && line.kind == LineKind::Context;
            while hunk.header.is_empty() && hunk.lines.last().is_some_and(is_blank) {
                hunk.lines.pop();
            }
            words::mark(hunk, &mut budget);
        }
        self.files
    }
}

/// Gives the file its path, and the one that it comes from.
fn name(file: &mut FileDiff, old: &str, new: &str) {
    match path::without_prefixes(old, new) {
        (path::NONE, new) => (file.path, file.status) = (new.to_owned(), FileStatus::Added),
        (old, path::NONE) => (file.path, file.status) = (old.to_owned(), FileStatus::Deleted),
        (old, new) => {
            file.path = new.to_owned();
            if old != new {
                file.from = Some(old.to_owned());
                file.status = FileStatus::Renamed;
            }
        }
    }
}
