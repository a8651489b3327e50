//! A text with its blocks of code, its headings and its links.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

/// A text of the repository.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its path in the repository.
    pub name: String,
    /// What it says, as Markdown.
    pub text: String,
}

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The line on which it begins.
    pub line: usize,
    /// What is written behind its fence, up to a comma.
    pub language: String,
    /// What is in it.
    pub text: String,
}

/// A link, or a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The line on which it stands.
    pub line: usize,
    /// Where it leads.
    pub target: String,
}

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository is there")
}

/// README.md and every page below `docs/`, but for the table of contents.
pub fn chapters() -> Vec<Page> {
    let mut files = vec![root().join("README.md")];
    add_markdown(&root().join("docs"), &mut files);
    files.retain(|file| !file.ends_with("SUMMARY.md"));
    files.iter().map(|file| Page::read(file)).collect()
}

/// All texts whose links are checked: the chapters, and what else is written for people.
pub fn texts() -> Vec<Page> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root()).expect("the repository can be listed") {
        let file = entry.expect("an entry can be read").path();
        if is_markdown(&file) {
            files.push(file);
        }
    }
    for folder in ["docs", "bench", "examples", "tests", ".github"] {
        add_markdown(&root().join(folder), &mut files);
    }
    files.sort();
    files.iter().map(|file| Page::read(file)).collect()
}

fn add_markdown(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("an entry can be read").path())
        .collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() && !entry.ends_with("node_modules") {
            add_markdown(&entry, files);
        } else if is_markdown(&entry) {
            files.push(entry);
        }
    }
}

fn is_markdown(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

impl Page {
    /// Reads one.
    ///
    /// # Panics
    /// When it cannot be read.
    pub fn read(file: &Path) -> Self {
        let text =
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = file.strip_prefix(root()).unwrap_or(file);
        Self {
            name: name.display().to_string(),
            text,
        }
    }

    /// Its blocks of code, in order.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (event, place) in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    let language = info.split([',', ' ']).next().unwrap_or_default();
                    open = Some(Block {
                        line: self.line(place.start),
                        language: language.to_owned(),
                        text: String::new(),
                    });
                }
                Event::Text(text) => {
                    if let Some(block) = &mut open {
                        block.text.push_str(&text);
                    }
                }
                Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
                _ => {}
            }
        }
        blocks
    }

    /// What stands in backticks in its sentences, with the line.
    pub fn spans(&self) -> Vec<(usize, String)> {
        let spans = self.events().filter_map(|(event, place)| match event {
            Event::Code(code) => Some((self.line(place.start), code.to_string())),
            _ => None,
        });
        spans.collect()
    }

    /// Where it links to.
    pub fn links(&self) -> Vec<Link> {
        let links = self.events().filter_map(|(event, place)| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(Link {
                line: self.line(place.start),
                target: dest_url.to_string(),
            }),
            _ => None,
        });
        links.collect()
    }

    /// The places in it that a link can lead to: its headings, as GitHub and mdbook name them.
    pub fn places(&self) -> BTreeSet<String> {
        let mut places = BTreeSet::new();
        let mut seen = HashMap::new();
        let mut heading: Option<String> = None;
        for (event, _) in self.events() {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let name = place_of(&heading.take().unwrap_or_default());
                    let count = seen.entry(name.clone()).or_insert(0_usize);
                    let place = match *count {
                        0 => name,
                        count => format!("{name}-{count}"),
                    };
                    *count += 1;
                    places.insert(place);
                }
                _ => {}
            }
        }
        places
    }

    fn events(&self) -> impl Iterator<Item = (Event<'_>, std::ops::Range<usize>)> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES).into_offset_iter()
    }

    fn line(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }
}

/// The name of a heading in a link.
fn place_of(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter => letter.is_alphanumeric().then_some(letter),
    });
    kept.collect()
}
