//! A reply as MCP writes it (an `ElicitResult`), read strictly: the one reader of replies, whichever
//! way they came.

use crate::{Answer, Reply};
use serde::{Deserialize, Deserializer, de::Visitor};
use serde_json::{Map, Value, json};
use std::fmt;

/// What a person did, or a client in a person's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyAction {
    /// Submitted the form.
    Accept,
    /// Said no.
    Decline,
    /// Dismissed it.
    Cancel,
}

/// A reply that is one: its parts have the right types. Nothing in it is believed yet.
///
/// Its `Debug` names the fields and never their values, as that of a [`Reply`].
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ElicitResult {
    /// What was done.
    pub action: ReplyAction,
    /// What was filled in.
    pub content: Answer,
}

impl fmt::Debug for ElicitResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ElicitResult")
            .field("action", &self.action)
            .field("content", &self.content.keys().collect::<Vec<_>>())
            .finish()
    }
}

/// Why something is not a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAReply {
    /// It is a list, a text, null …
    #[error("it is not an object")]
    NotAnObject,
    /// A field is there twice, so that it says two things.
    #[error("it names a field twice")]
    Twice,
    /// It has no action.
    #[error("it has no action")]
    NoAction,
    /// The action is another text, or no text.
    #[error("its action is not accept, decline or cancel")]
    OtherAction,
    /// The content is not an object.
    #[error("its content is not an object")]
    ContentNotAnObject,
    /// What MCP keeps for itself is not an object.
    #[error("its _meta is not an object")]
    MetaNotAnObject,
    /// Its id is a text, and that of the question is a number.
    #[error("its id is a text where the question's is a number")]
    IdAsText,
    /// It is a result and an error at once, or not JSON-RPC.
    #[error("it is not a JSON-RPC response")]
    NotAResponse,
}

/// The key under which [`NotAReply::mark`] writes down what was wrong.
const MARK: &str = "holdpoint/notAReply";

const ALL: [(&str, NotAReply); 8] = [
    ("not-an-object", NotAReply::NotAnObject),
    ("twice", NotAReply::Twice),
    ("no-action", NotAReply::NoAction),
    ("other-action", NotAReply::OtherAction),
    ("content", NotAReply::ContentNotAnObject),
    ("meta", NotAReply::MetaNotAnObject),
    ("id-as-text", NotAReply::IdAsText),
    ("not-a-response", NotAReply::NotAResponse),
];

impl NotAReply {
    /// What stands in the place of such a reply on its way to the ask that it was sent for, where it
    /// counts as a try. It is not a reply itself: it has no action.
    pub fn mark(self) -> Value {
        let word = ALL.iter().find(|(_, why)| *why == self);
        json!({ MARK: word.map(|(word, _)| *word) })
    }

    fn from_mark(object: &Map<String, Value>) -> Option<Self> {
        let word = object.get(MARK)?.as_str()?;
        let found = ALL.iter().find(|(known, _)| *known == word)?;
        Some(found.1)
    }
}

impl ElicitResult {
    /// Reads a reply: an object whose action is one of three texts and whose content is an object.
    /// Fields of other names are passed over.
    ///
    /// # Errors
    /// When it is not a reply; then nobody has answered.
    pub fn read(reply: Value) -> Result<Self, NotAReply> {
        let Value::Object(mut reply) = reply else {
            return Err(NotAReply::NotAnObject);
        };
        if let Some(why) = NotAReply::from_mark(&reply) {
            return Err(why);
        }
        let action = match reply.get("action") {
            None => return Err(NotAReply::NoAction),
            Some(action) => action.as_str().and_then(ReplyAction::from_word),
        };
        if !matches!(
            reply.get("_meta"),
            None | Some(Value::Null | Value::Object(_))
        ) {
            return Err(NotAReply::MetaNotAnObject);
        }
        let content = match reply.remove("content") {
            None | Some(Value::Null) => Answer::new(),
            Some(Value::Object(content)) => content,
            Some(_) => return Err(NotAReply::ContentNotAnObject),
        };
        let action = action.ok_or(NotAReply::OtherAction)?;
        Ok(Self { action, content })
    }
}

impl ReplyAction {
    fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "accept" => Self::Accept,
            "decline" => Self::Decline,
            "cancel" => Self::Cancel,
            _ => return None,
        })
    }

    /// The reply with this content, and this reason of a no.
    pub fn with(self, content: Answer, reason: Option<String>) -> Reply {
        match self {
            Self::Accept => Reply::Accept { content },
            Self::Decline => Reply::Decline { reason },
            Self::Cancel => Reply::Cancel,
        }
    }
}

impl<'de> Deserialize<'de> for ReplyAction {
    /// From a text only: serde's own way would also take `{"accept": null}`.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Word;

        impl Visitor<'_> for Word {
            type Value = ReplyAction;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("accept, decline or cancel")
            }

            fn visit_str<E: serde::de::Error>(self, word: &str) -> Result<ReplyAction, E> {
                ReplyAction::from_word(word)
                    .ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(word), &self))
            }
        }

        from.deserialize_str(Word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_an_object_with_an_action_in_words() {
        let go = json!({ "go": true }).as_object().cloned().unwrap();
        let read = ElicitResult::read(json!({ "action": "accept", "content": { "go": true } }));
        assert_eq!(read.unwrap().content, go);
        for fine in [
            json!({ "action": "cancel", "content": null, "_meta": null }),
            json!({ "action": "decline", "_meta": {}, "more": 1 }),
        ] {
            assert!(ElicitResult::read(fine.clone()).is_ok(), "{fine}");
        }
        use NotAReply::*;
        for (reply, why) in [
            (json!(null), NotAnObject),
            (json!("accept"), NotAnObject),
            (json!(["accept", { "go": true }, null]), NotAnObject),
            (json!({}), NoAction),
            (json!({ "action": null }), OtherAction),
            (json!({ "action": { "accept": null } }), OtherAction),
            (json!({ "action": ["accept"] }), OtherAction),
            (json!({ "action": "Accept" }), OtherAction),
            (json!({ "action": "accept " }), OtherAction),
            (json!({ "action": true }), OtherAction),
            (
                json!({ "action": "accept", "content": [["go", true]] }),
                ContentNotAnObject,
            ),
            (
                json!({ "action": "accept", "content": "{}" }),
                ContentNotAnObject,
            ),
            (json!({ "action": "accept", "_meta": [] }), MetaNotAnObject),
        ] {
            assert_eq!(ElicitResult::read(reply.clone()), Err(why), "{reply}");
        }
    }

    #[test]
    fn a_mark_says_what_was_wrong_and_is_never_a_reply() {
        for (_, why) in ALL {
            let mut marked = why.mark();
            assert_eq!(ElicitResult::read(marked.clone()), Err(why));
            marked["action"] = "accept".into();
            assert_eq!(ElicitResult::read(marked), Err(why));
        }
        let unknown = json!({ MARK: "else" });
        assert_eq!(ElicitResult::read(unknown), Err(NotAReply::NoAction));
    }

    #[test]
    fn an_action_is_read_from_a_text_only() {
        let read = |text: &str| serde_json::from_str::<ReplyAction>(text).ok();
        assert_eq!(read(r#""accept""#), Some(ReplyAction::Accept));
        for other in [
            r#"{"accept":null}"#,
            r#"["accept"]"#,
            "0",
            "null",
            r#""yes""#,
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
