//! A diff as the page sees it: data, never HTML. The page's script relies on these names.

use super::colour::{Budget, Classes, Colours, Language};
use holdpoint::visible;
use holdpoint_ask::diff::{self, FileDiff, Hunk, Line, LineKind};
use serde::{Serialize, Serializer, ser::SerializeSeq};
use std::ops::Range;

/// One diff.
#[derive(Debug, Clone, Serialize)]
pub struct DiffView {
    /// The files in it.
    pub files: Vec<FileView>,
}

/// What happened to one file.
#[derive(Debug, Clone, Serialize)]
pub struct FileView {
    /// Its path; empty for lines that name no file.
    pub path: String,
    /// The path that it was renamed or copied from.
    pub from: Option<String>,
    /// What happened to it.
    pub status: &'static str,
    /// How many lines are new.
    pub added: usize,
    /// How many lines are gone.
    pub removed: usize,
    /// Its content is not text.
    pub binary: bool,
    /// A program made its content.
    pub generated: bool,
    /// The language that its lines are coloured as.
    pub language: Option<&'static str>,
    /// The lines before its first hunk that nothing else here tells.
    pub header: Vec<String>,
    /// What changed.
    pub hunks: Vec<HunkView>,
}

/// A run of lines.
#[derive(Debug, Clone, Serialize)]
pub struct HunkView {
    /// The line that begins with `@@`.
    pub header: String,
    /// Its lines.
    pub lines: Vec<LineView>,
}

/// A line.
#[derive(Debug, Clone, Serialize)]
pub struct LineView {
    /// The mark before it.
    pub k: char,
    /// Its number before the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub o: Option<u32>,
    /// Its number after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n: Option<u32>,
    /// Its text, in pieces.
    pub t: Vec<Piece>,
}

/// A piece of a line: `[text]`, or `[text, classes]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What stands there, with nothing hidden.
    pub text: String,
    /// What it is, in the page's words.
    pub class: &'static str,
    /// It is a word that changed.
    pub changed: bool,
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut piece = serializer.serialize_seq(None)?;
        piece.serialize_element(&self.text)?;
        match (self.class, self.changed) {
            ("", false) => {}
            ("", true) => piece.serialize_element("w")?,
            (class, false) => piece.serialize_element(class)?,
            (class, true) => piece.serialize_element(&format!("{class} w"))?,
        }
        piece.end()
    }
}

impl DiffView {
    /// Parses a diff and makes the view of it.
    pub(super) fn new(text: &str, budget: &mut Budget) -> Self {
        // Before it is parsed, so that what is marked in a line is marked in what is seen of it.
        let files = diff::pair_moves(diff::parse(&visible(text)));
        Self {
            files: files
                .iter()
                .map(|file| FileView::new(file, budget))
                .collect(),
        }
    }
}

impl FileView {
    fn new(file: &FileDiff, budget: &mut Budget) -> Self {
        let shown = |path: &String| visible(path).into_owned();
        let language = Language::of(file);
        let hunk = |hunk: &Hunk| HunkView::new(hunk, language, budget);
        Self {
            path: shown(&file.path),
            from: file.from.as_ref().map(shown),
            status: file.status.as_str(),
            added: file.added(),
            removed: file.removed(),
            // Lines that can be read are not hidden behind a word that says otherwise.
            binary: file.binary && file.hunks.is_empty(),
            generated: file.is_generated(),
            language: language.map(Language::name),
            header: file.untold().map(str::to_owned).collect(),
            hunks: file.hunks.iter().map(hunk).collect(),
        }
    }
}

impl HunkView {
    fn new(hunk: &Hunk, language: Option<Language>, budget: &mut Budget) -> Self {
        // Lines that are gone are read as they stood in the old version: from where the two part.
        let mut new = language.map(Colours::new);
        let mut old: Option<Colours> = None;
        let mut line = |line: &Line| {
            let colours = match line.kind {
                LineKind::Removed => {
                    old = old.take().or_else(|| new.clone());
                    &mut old
                }
                LineKind::Remark => return LineView::new(line, &Vec::new()),
                LineKind::Context | LineKind::Added => {
                    if line.kind == LineKind::Context {
                        old = None;
                    }
                    &mut new
                }
            };
            let colours = colours.as_mut();
            let classes = colours.map(|colours| colours.line(&line.text, budget));
            LineView::new(line, &classes.unwrap_or_default())
        };
        Self {
            header: hunk.header.clone(),
            lines: hunk.lines.iter().map(&mut line).collect(),
        }
    }
}

impl LineView {
    fn new(line: &Line, classes: &Classes) -> Self {
        Self {
            k: line.kind.mark(),
            o: line.old,
            n: line.new,
            t: pieces(&line.text, classes, &line.words),
        }
    }
}

/// Cuts a line where its class changes, and where a changed word begins and ends.
fn pieces(text: &str, classes: &Classes, words: &[Range<usize>]) -> Vec<Piece> {
    let mut cuts: Vec<usize> = [0, text.len()].into();
    cuts.extend(
        classes
            .iter()
            .flat_map(|(range, _)| [range.start, range.end]),
    );
    cuts.extend(words.iter().flat_map(|range| [range.start, range.end]));
    cuts.sort_unstable();
    cuts.dedup();
    let mut classes = classes.iter().peekable();
    let mut words = words.iter().peekable();
    let mut pieces: Vec<Piece> = Vec::new();
    for cut in cuts.windows(2) {
        let (start, end) = (cut[0], cut[1]);
        while classes.next_if(|(range, _)| range.end <= start).is_some() {}
        while words.next_if(|range| range.end <= start).is_some() {}
        let class = classes.peek().filter(|(range, _)| range.start <= start);
        let class = class.map_or("", |(_, class)| class);
        let changed = words.peek().is_some_and(|range| range.start <= start);
        match pieces.last_mut() {
            Some(last) if last.class == class && last.changed == changed => {
                last.text.push_str(&text[start..end]);
            }
            _ => pieces.push(Piece {
                text: text[start..end].to_owned(),
                class,
                changed,
            }),
        }
    }
    pieces
}
