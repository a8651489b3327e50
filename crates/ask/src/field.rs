//! One thing that a form asks for.

use crate::visible;
use serde::{Deserialize, Serialize};

/// A named, typed field of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Field {
    /// The key of its value in the answer.
    pub name: String,
    /// What people see above it; the name where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A line that explains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// An answer without it is invalid.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub required: bool,
    /// Its tool asks for it in a form of its own, when it is needed, where a client cannot leave it empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub separate: bool,
    /// What kind of value it takes.
    #[serde(flatten)]
    pub kind: Kind,
}

/// What kind of value a field takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Kind {
    /// A line or more of text.
    Text(Text),
    /// A text that is never shown, stored or sent by form.
    Secret,
    /// A boolean setting. It may have a default and is never consent.
    Toggle(Toggle),
    /// A boolean decision. It never has a default.
    Confirm,
    /// One of several options.
    Choice(Choice),
    /// Some of several options.
    Choices(Choices),
    /// A number.
    Number(Number),
    /// A whole number.
    Integer(Integer),
    /// One to `max` stars.
    Rating(Rating),
    /// A day, `2026-07-28`.
    Date(DateRange),
    /// A moment, `2026-07-28T09:30:00Z`.
    DateTime(DateRange),
    /// A file, as `{name, size, sha256, path}`.
    File(File),
    /// An address to visit; its value is `true` once the person says that they did.
    Link(Link),
}

/// The rules of a text field. Lengths count characters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Text {
    /// The fewest characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// The most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// A well-known shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// A regular expression that the whole text must match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Room for several lines.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub multiline: bool,
    /// The fewest lines; empty ones do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_lines: Option<u32>,
    /// The most lines; empty ones do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_lines: Option<u32>,
    /// An example, shown while the field is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// What the field is filled with at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// A shape that MCP has a name for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// An e-mail address.
    Email,
    /// An absolute address with a scheme.
    Uri,
    /// A day.
    Date,
    /// A moment with an offset.
    DateTime,
}

/// The rules of a toggle.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Toggle {
    /// How it is set at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<bool>,
}

/// One option of a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pick {
    /// The value in the answer.
    pub value: String,
    /// What people see; the value where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A line that explains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Marked with a badge. Never selected for the person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recommended: bool,
    /// How it is shown where it ends the ask by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Box<Ending>>,
}

/// How an option is shown that ends an ask by itself: a button with the words of what it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// What it does: "Request changes".
    pub action: String,
    /// What was done: "Changes requested".
    pub done: String,
    /// Which way it goes.
    pub tone: Tone,
    /// The text field that belongs to it, which a person is led to first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wants: Option<String>,
}

/// Which way an ending goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// The work goes on: a yes.
    Go,
    /// It does not, and nothing is lost: a no.
    Hold,
    /// It ends, and work may be lost: a no too.
    Stop,
}

impl Ending {
    /// A yes: what it does, and what was done.
    pub fn go(action: impl Into<String>, done: impl Into<String>) -> Self {
        Self::new(Tone::Go, action, done)
    }

    /// A no after which the work can go on another way.
    pub fn hold(action: impl Into<String>, done: impl Into<String>) -> Self {
        Self::new(Tone::Hold, action, done)
    }

    /// A no that ends the work.
    pub fn stop(action: impl Into<String>, done: impl Into<String>) -> Self {
        Self::new(Tone::Stop, action, done)
    }

    /// Leads the person to this text field first.
    pub fn wants(mut self, field: impl Into<String>) -> Self {
        self.wants = Some(field.into());
        self
    }

    fn new(tone: Tone, action: impl Into<String>, done: impl Into<String>) -> Self {
        Self {
            action: action.into(),
            done: done.into(),
            tone,
            wants: None,
        }
    }
}

/// The rules of a choice of one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Choice {
    /// What can be chosen.
    pub options: Vec<Pick>,
    /// A value of the person's own is fine too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub other: bool,
    /// What is selected at first. A choice with one is a setting: it decides nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The labels travel as `enumNames`, as older forms have them, whatever else the client takes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub enum_names: bool,
}

/// The rules of a choice of many.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Choices {
    /// What can be chosen.
    pub options: Vec<Pick>,
    /// A value of the person's own is fine too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub other: bool,
    /// The fewest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<u32>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// What is selected at first. Choices with one are a setting: they decide nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Vec<String>>,
}

/// The rules of a number.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Number {
    /// The least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The distance between two valid values, counted from `min` or from zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Shown behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What the field is filled with at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<f64>,
}

/// The rules of a whole number.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Integer {
    /// The least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<i64>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// The distance between two valid values, counted from `min` or from zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<i64>,
    /// Shown behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What the field is filled with at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<i64>,
}

/// The rules of a rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Rating {
    /// The best; one is the worst.
    pub max: u8,
    /// What one means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_label: Option<String>,
    /// What `max` means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high_label: Option<String>,
}

impl Default for Rating {
    fn default() -> Self {
        Self {
            max: 5,
            low_label: None,
            high_label: None,
        }
    }
}

/// The rules of a day or a moment, written as its value is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DateRange {
    /// The earliest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    /// The latest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
    /// What the field is filled with at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// The rules of a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct File {
    /// Endings or MIME types that are wanted, as in HTML's `accept`; all where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<String>,
    /// The most bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
}

/// An address to visit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Where to. It holds no credential.
    pub url: String,
}

impl Field {
    /// A required field of this kind.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            title: None,
            help: None,
            required: true,
            separate: false,
            kind,
        }
    }

    /// What people see above it.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// A line that explains it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// It may be left out.
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// It may be left out, and whoever asks will ask for it in a form of its own, when it is needed,
    /// where a client cannot leave it empty.
    pub fn separate(mut self) -> Self {
        self.required = false;
        self.separate = true;
        self
    }

    /// The title, or the name where there is none. The names that an ask of one field gives it when
    /// nobody has named it are for machines.
    pub fn label(&self) -> &str {
        match (&self.title, self.name.as_str()) {
            (Some(title), _) => title,
            (None, "value" | "selected" | "confirmed") => "Your answer",
            (None, name) => name,
        }
    }

    /// The label, which says where it may be left out.
    pub fn full_label(&self) -> String {
        let label = self.label();
        if self.required || label.to_lowercase().ends_with("(optional)") {
            label.to_owned()
        } else {
            format!("{label} (optional)")
        }
    }

    /// Whether what it takes decides something, so that it must never be filled in beforehand.
    pub fn decides(&self) -> bool {
        match &self.kind {
            Kind::Confirm => true,
            Kind::Choice(choice) => choice.default.is_none(),
            Kind::Choices(choices) => choices.default.is_none(),
            _ => false,
        }
    }
}

impl Pick {
    /// An option that is shown as its value.
    pub fn new(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: None,
            description: None,
            recommended: false,
            ending: None,
        }
    }

    /// How it is shown where it ends the ask by itself.
    pub fn ending(mut self, ending: Ending) -> Self {
        self.ending = Some(Box::new(ending));
        self
    }

    /// What people see.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// A line that explains it.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Marks it with a badge.
    pub fn recommended(mut self) -> Self {
        self.recommended = true;
        self
    }

    /// The label, or the value where there is none.
    pub fn shown(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.value)
    }

    /// What people see where there is room for one line only: made visible, with the badge.
    pub fn title(&self) -> String {
        let badge = if self.recommended {
            " (recommended)"
        } else {
            ""
        };
        format!("{}{badge}", visible(self.shown()))
    }
}

impl<T: Into<String>> From<T> for Pick {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

fn yes() -> bool {
    true
}
