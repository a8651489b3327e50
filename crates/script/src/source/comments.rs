//! The doc comments of a source, and what stands between its tokens.

use oxc_ast::Comment;

/// A source's text and comments.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comments<'a> {
    pub text: &'a str,
    all: &'a [Comment],
}

impl<'a> Comments<'a> {
    pub fn new(text: &'a str, all: &'a [Comment]) -> Self {
        Self { text, all }
    }

    /// The doc comment of what starts here: the last one before it, with nothing but other comments
    /// between.
    pub fn doc_before(&self, start: u32) -> Option<&'a str> {
        let mut at = start as usize;
        let before = self
            .all
            .partition_point(|comment| comment.span.end <= start);
        for comment in self.all[..before].iter().rev() {
            let (from, end) = (comment.span.start as usize, comment.span.end as usize);
            if !self.text[end..at].trim().is_empty() {
                return None;
            }
            if let Some(doc) = doc(&self.text[from..end]) {
                return Some(doc);
            }
            at = from;
        }
        None
    }

    /// The first place of this text in a part of the source, outside of comments.
    pub fn find(&self, start: usize, end: usize, wanted: &str) -> Option<usize> {
        let mut at = start;
        while at < end {
            let found = at + self.text[at..end].find(wanted)?;
            let started = self
                .all
                .partition_point(|comment| comment.span.start as usize <= found);
            match self.all[..started].last() {
                Some(comment) if comment.span.end as usize > found => {
                    at = comment.span.end as usize
                }
                _ => return Some(found),
            }
        }
        None
    }
}

/// A comment, if it is a doc comment.
fn doc(comment: &str) -> Option<&str> {
    let inner = comment.strip_prefix("/**")?;
    (inner.len() > 2 && !inner.starts_with('*') && !inner.starts_with('/')).then_some(comment)
}
