//! From a chosen ending to a reply.

use super::open_ask::OpenAsk;
use crate::terminal::form::Start;
use holdpoint::{Answer, Gesture, Reply};
use holdpoint_ask::{
    Ask, Field, Form, Kind,
    field::{Pick, Tone},
    review::Review,
    visible,
};
use jiff::Timestamp;

/// A reply, with what was done to give it.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// What is replied.
    pub reply: Reply,
    /// What is said beside it.
    pub review: Review,
    /// What the person did.
    pub gesture: Gesture,
    /// Since when the whole ask was on the screen; none where its end was not.
    pub shown_at: Option<Timestamp>,
}

/// A form that prompts ask for.
#[derive(Debug, Clone)]
pub struct Prompting {
    /// What is known of it already.
    pub start: Start,
    /// Since when the whole ask was on the screen.
    pub shown_at: Timestamp,
    /// What is said beside a yes, and beside a no.
    pub review: [Review; 2],
}

/// One way in which an ask ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// What it does, in the ask's own words.
    pub action: String,
    /// A line that explains it.
    pub about: Option<String>,
    /// A yes is only for who has seen all of it.
    pub yes: bool,
    what: What,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    /// An option of the deciding field, and the text field that belongs to it.
    Option {
        value: String,
        wants: Option<String>,
        /// A permission is chosen that is remembered with it.
        remembers: bool,
    },
    /// A yes to the one question.
    Yes,
    /// The form is filled in.
    Fill,
    /// A no, with a reason.
    Decline,
    Dismiss,
}

/// What comes after an ending was chosen.
#[derive(Debug, Clone)]
pub enum Next {
    /// A text is typed.
    Text(Wanted),
    /// Prompts ask for the rest.
    Prompt(Start),
    /// Nothing: the reply is ready.
    Reply(Reply, Gesture),
}

/// A text that belongs to a reply.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// What it is.
    pub of: WantedText,
    /// What else the answer has.
    pub answer: Answer,
    /// The ending says yes.
    pub yes: bool,
}

/// What a text is.
#[derive(Debug, Clone, PartialEq)]
pub enum WantedText {
    /// The text of this field.
    Field(Box<Field>),
    /// Why the person says no; the agent is told.
    Reason,
    /// The word of a dangerous ask.
    Word(String),
}

/// The endings of an ask, in its own words where it has some.
pub fn endings(ask: &Ask) -> Vec<Ending> {
    let new = |action: &str, yes, what| Ending {
        action: action.to_owned(),
        about: None,
        yes,
        what,
    };
    if let Some((_, options)) = ask.form.endings() {
        let ways = options.iter().filter_map(of_option);
        return ways
            .flat_map(|way| {
                [remembering(ask, &way), Some(way)]
                    .into_iter()
                    .rev()
                    .flatten()
            })
            .collect();
    }
    let first = match ask.form.fields.as_slice() {
        [] => new("I have read it", true, What::Fill),
        [field] if field.kind == Kind::Confirm => new("Yes", true, What::Yes),
        _ => new("Answer…", true, What::Fill),
    };
    let no = match first.what {
        What::Yes => "No…",
        _ => "Decline…",
    };
    vec![
        first,
        new(no, false, What::Decline),
        new("Dismiss", false, What::Dismiss),
    ]
}

fn of_option(option: &Pick) -> Option<Ending> {
    let ending = option.ending.as_deref()?;
    let line = |text: &str| visible(text).replace('\n', " ");
    let more = if ending.wants.is_some() { "…" } else { "" };
    let action = line(&ending.action);
    Some(Ending {
        action: format!("{}{more}", action.trim_end_matches('…')),
        about: option.description.as_deref().map(line),
        yes: ending.tone == Tone::Go,
        what: What::Option {
            value: option.value.clone(),
            wants: ending.wants.clone(),
            remembers: false,
        },
    })
}

/// The same yes with a permission that is remembered, where one can be: it is chosen on purpose, so that the plain one
/// asks for nothing more.
fn remembering(ask: &Ask, way: &Ending) -> Option<Ending> {
    ask.remember.as_ref()?;
    let What::Option { value, wants, .. } = &way.what else {
        return None;
    };
    let action = way.action.trim_end_matches(" once");
    way.yes.then(|| Ending {
        action: format!("{action} and remember…"),
        what: What::Option {
            value: value.clone(),
            wants: wants.clone(),
            remembers: true,
        },
        ..way.clone()
    })
}

/// What comes after this ending was chosen.
pub fn choose(ask: &Ask, ending: &Ending) -> Next {
    let answer = Answer::new();
    let text = |of, answer, yes| Next::Text(Wanted { of, answer, yes });
    match &ending.what {
        What::Dismiss => Next::Reply(Reply::Cancel, Gesture::Chosen),
        What::Decline => text(WantedText::Reason, answer, false),
        What::Yes => {
            let mut answer = answer;
            if let [field] = ask.form.fields.as_slice() {
                answer.insert(field.name.clone(), true.into());
            }
            confirmed(ask, answer, true)
        }
        What::Fill => match ask.form.fields.as_slice() {
            [] => confirmed(ask, answer, true),
            [field] if matches!(field.kind, Kind::Text(_)) => {
                text(WantedText::Field(Box::new(field.clone())), answer, true)
            }
            _ => Next::Prompt(Start::default()),
        },
        What::Option {
            value,
            wants,
            remembers,
        } => {
            let mut answer = answer;
            let deciding = ask.form.endings().map(|(field, _)| field.name.clone());
            if let Some(name) = &deciding {
                answer.insert(name.clone(), value.as_str().into());
            }
            let mut claimed = claimed(ask);
            if !remembers {
                claimed.extend(ask.remember.iter().map(|remember| remember.field.clone()));
            }
            let own = wants.as_deref().and_then(|name| ask.form.get(name));
            let asked_for = |field: &Field| {
                Some(&field.name) != deciding.as_ref() && !claimed.contains(&field.name)
            };
            if ask.form.fields.iter().any(asked_for) {
                let skipped = claimed.into_iter();
                let skipped = skipped
                    .filter(|name| Some(name) != wants.as_ref())
                    .collect();
                return Next::Prompt(Start {
                    answer,
                    skipped,
                    ..Start::default()
                });
            }
            match own {
                Some(field) if matches!(field.kind, Kind::Text(_)) => text(
                    WantedText::Field(Box::new(field.clone())),
                    answer,
                    ending.yes,
                ),
                Some(_) => Next::Prompt(Start {
                    answer,
                    ..Start::default()
                }),
                None => confirmed(ask, answer, ending.yes),
            }
        }
    }
}

/// What comes after an answer is whole: the word, where a yes is dangerous.
pub fn confirmed(ask: &Ask, answer: Answer, yes: bool) -> Next {
    if ask.dangerous && yes {
        let of = WantedText::Word(ask.word().to_owned());
        return Next::Text(Wanted { of, answer, yes });
    }
    Next::Reply(Reply::Accept { content: answer }, Gesture::Chosen)
}

/// What a person typed for a reply: their reason, or the texts of the form.
pub fn text_of(form: &Form, reply: &Reply) -> Option<String> {
    let text = match reply {
        Reply::Decline { reason } => reason.clone()?,
        Reply::Accept { content } => {
            let fields = form.fields.iter();
            let texts = fields.filter(|field| matches!(field.kind, Kind::Text(_)));
            let texts = texts.filter_map(|field| content.get(&field.name)?.as_str());
            texts.collect::<Vec<_>>().join("\n\n")
        }
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

/// The fields that belong to one ending each.
fn claimed(ask: &Ask) -> Vec<String> {
    let options = ask.form.endings().map_or(&[][..], |(_, options)| options);
    let wants = options
        .iter()
        .filter_map(|option| option.ending.as_ref()?.wants.clone());
    wants.collect()
}

impl OpenAsk {
    /// A reply to it.
    pub fn outgoing(&self, reply: Reply, gesture: Gesture, yes: bool) -> Outgoing {
        Outgoing {
            review: match reply {
                Reply::Cancel => Review::default(),
                _ => self.review(yes),
            },
            reply,
            gesture,
            shown_at: self.shown_at,
        }
    }
}
