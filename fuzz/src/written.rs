//! Forms and replies as lines, so that a fuzzer's changes are small changes of a form.
//!
//! ```text
//! client =sorts no-empty-text
//! confirm sure
//! ?choice key a b +
//! > sure = "Yes"
//! > key = @first
//! ```

use holdpoint_ask::{
    Answer, Ask, ClientProfile, Field, Form, Kind, Revision,
    field::{Choice, Choices, DateRange, Format, Integer, Number, Pick, Rating, Text, Toggle},
};
use serde_json::Value;

/// An ask, who is asked it, and what comes back.
pub struct Written {
    pub ask: Ask,
    pub profile: ClientProfile,
    pub revision: Revision,
    /// What was valid in an earlier reply.
    pub kept: Answer,
    /// Keys and values of the reply; a key `#2` is the third property of the form.
    pub reply: Vec<(String, Sent)>,
}

/// What a reply holds for a property.
pub enum Sent {
    Value(Value),
    /// The default of the property.
    Default,
    /// The first that it lists.
    First,
    /// All that it lists.
    All,
}

impl Written {
    pub fn read(text: &str) -> Self {
        let mut written = Self {
            ask: Ask::new("Go on?", Form::new()),
            profile: ClientProfile::default(),
            revision: Revision::V2026_07_28,
            kept: Answer::new(),
            reply: Vec::new(),
        };
        for line in text.lines() {
            written.line(line);
        }
        written
    }

    fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "client" => self.profile = crate::clients::client(rest),
            "old" => self.revision = Revision::V2025_06_18,
            "middle" => self.revision = Revision::V2025_11_25,
            "message" => self.ask.message = rest.to_owned(),
            "dangerous" => self.ask.dangerous = true,
            "word" => self.ask.word = Some(rest.to_owned()),
            "kept" => {
                if let Some((key, value)) = rest.split_once(" = ") {
                    self.kept.insert(key.to_owned(), value_of(value));
                }
            }
            ">" => {
                if let Some((key, value)) = rest.split_once(" = ") {
                    let sent = match value {
                        "@default" => Sent::Default,
                        "@first" => Sent::First,
                        "@all" => Sent::All,
                        value => Sent::Value(value_of(value)),
                    };
                    self.reply.push((key.to_owned(), sent));
                }
            }
            kind => {
                if let Some(field) = field(kind, rest) {
                    self.ask.form.extend([field]);
                }
            }
        }
    }
}

/// JSON, or the text that it is.
fn value_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn field(kind: &str, rest: &str) -> Option<Field> {
    let separate = kind.starts_with("??");
    let optional = kind.starts_with('?');
    let mut words = rest.split(' ');
    let name = words.next()?;
    let words: Vec<&str> = words.collect();
    // A word after a sign: `=b` is the default, `<3` the least, `>9` the most, `~hours` the unit, `#email` the format.
    let signed = |sign: char| words.iter().find_map(|word| word.strip_prefix(sign));
    let plain = words.iter().filter(|word| !word.starts_with(SIGNS));
    let options: Vec<Pick> = plain
        .map(|word| match word.split_once('|') {
            Some((value, label)) => Pick::new(value).label(label),
            None => Pick::new(*word),
        })
        .collect();
    let other = words.contains(&"+");
    let default = signed('=').map(str::to_owned);
    let number = |sign| signed(sign).and_then(|text| text.parse::<f64>().ok());
    let integer = |sign| signed(sign).and_then(|text| text.parse::<i64>().ok());
    let count = |sign| signed(sign).and_then(|text| text.parse::<u32>().ok());
    let kind = match kind.trim_start_matches('?') {
        "confirm" => Kind::Confirm,
        "toggle" => Kind::Toggle(Toggle {
            default: default.map(|default| default == "true"),
        }),
        "choice" => Kind::Choice(Choice {
            options,
            other,
            default,
            enum_names: words.contains(&"+names"),
        }),
        "choices" => Kind::Choices(Choices {
            options,
            other,
            min: count('<'),
            max: count('>'),
            default: default.map(|default| default.split(',').map(str::to_owned).collect()),
        }),
        "text" => Kind::Text(Text {
            default,
            min_length: count('<'),
            max_length: count('>'),
            format: signed('#').and_then(|format| match format {
                "email" => Some(Format::Email),
                "uri" => Some(Format::Uri),
                _ => None,
            }),
            pattern: signed('/').map(str::to_owned),
            ..Text::default()
        }),
        "number" => Kind::Number(Number {
            min: number('<'),
            max: number('>'),
            step: number('%'),
            unit: signed('~').map(str::to_owned),
            default: number('='),
        }),
        "integer" => Kind::Integer(Integer {
            min: integer('<'),
            max: integer('>'),
            step: integer('%'),
            unit: signed('~').map(str::to_owned),
            default: integer('='),
        }),
        "rating" => Kind::Rating(Rating {
            max: count('>')
                .and_then(|most| most.try_into().ok())
                .unwrap_or(5),
            low_label: signed('~').map(str::to_owned),
            high_label: None,
        }),
        "date" | "moment" => {
            let range = DateRange {
                min: signed('<').map(str::to_owned),
                max: signed('>').map(str::to_owned),
                default,
            };
            match kind.ends_with("date") {
                true => Kind::Date(range),
                false => Kind::DateTime(range),
            }
        }
        _ => return None,
    };
    let field = Field::new(name, kind);
    Some(match (separate, optional) {
        (true, _) => field.separate(),
        (false, true) => field.optional(),
        (false, false) => field,
    })
}

const SIGNS: [char; 8] = ['=', '<', '>', '~', '#', '/', '%', '+'];
