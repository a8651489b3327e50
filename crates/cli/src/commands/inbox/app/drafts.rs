//! What a person wrote about asks and has not sent. It outlives the ask that it is about.

use super::open_ask::OpenAsk;
use holdpoint::{AskId, journal::AskRecord};
use holdpoint_ask::{
    review::{Comment, Review},
    visible,
};

/// What a person wrote about an ask and did not send yet.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// Comments, in the order in which they were made.
    pub comments: Vec<Comment>,
    /// Their own version of the text that may be edited.
    pub edited: Option<String>,
    /// What they would have replied: a reason, or the text of a field.
    pub reply: Option<String>,
}

/// The drafts of asks that are not open on the screen.
#[derive(Debug, Default)]
pub struct Drafts(Vec<Kept>);

#[derive(Debug)]
struct Kept {
    ask: AskId,
    title: String,
    draft: Draft,
}

impl Draft {
    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// All of it, as a text for people.
    fn text(&self) -> String {
        let mut review = Review::default();
        review.comments.clone_from(&self.comments);
        let comments = Some(review.text()).filter(|text| !text.is_empty());
        let edited = self.edited.as_ref();
        let edited = edited.map(|text| format!("Your version of the text:\n\n{text}"));
        let reply = self.reply.as_ref();
        let reply = reply.map(|text| format!("Your reply:\n\n{text}"));
        let parts: Vec<_> = [comments, reply, edited].into_iter().flatten().collect();
        visible(&parts.join("\n\n")).into_owned()
    }
}

impl Drafts {
    /// Keeps what was written about this ask.
    pub fn keep(&mut self, record: &AskRecord, draft: Draft) {
        if !draft.is_empty() {
            self.0.push(Kept {
                ask: record.id,
                title: record.ask.title(),
                draft,
            });
        }
    }

    /// What was written about this ask, and how many comments of it were meant for the rounds before, which ended
    /// without them. An edited text is not carried on: it is a version of what was shown then.
    pub fn take(&mut self, ask: AskId, past: &[AskRecord]) -> (Draft, usize) {
        let own = self.0.iter().position(|kept| kept.ask == ask);
        let mut draft = own.map_or_else(Draft::default, |at| self.0.remove(at).draft);
        let mut carried = 0;
        for kept in &mut self.0 {
            if past.iter().any(|before| before.id == kept.ask) {
                carried += kept.draft.comments.len();
                draft.comments.append(&mut kept.draft.comments);
            }
        }
        self.0.retain(|kept| !kept.draft.is_empty());
        (draft, carried)
    }

    /// All of them as a text, with that of the ask on the screen; none where nothing is kept.
    pub fn text(&self, open: Option<&OpenAsk>) -> Option<String> {
        let open = open.map(|open| (open.record.ask.title(), &open.draft));
        let kept = self.0.iter().map(|kept| (kept.title.clone(), &kept.draft));
        let all = open.into_iter().chain(kept);
        let all = all.filter(|(_, draft)| !draft.is_empty());
        let all: Vec<_> = all
            .map(|(title, draft)| format!("{title}\n\n{}\n", draft.text()))
            .collect();
        (!all.is_empty()).then(|| format!("Not sent:\n\n{}", all.join("\n")))
    }
}
