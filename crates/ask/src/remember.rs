//! Permissions that a yes may also give, and that are remembered.

use crate::{Answer, Ask, Digest, Kind, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a person may have remembered with their yes: the options of one optional choice, each with the
/// permission that it stands for. Whoever asks reads that again; the desk only keeps it.
///
/// ```
/// use holdpoint_ask::{Ask, Field, Kind, Outcome, field::Choice, remember::{OfferedScope, Remember}};
/// use serde_json::json;
///
/// let options = ["session", "always"].map(Into::into).to_vec();
/// let choice = Kind::Choice(Choice { options, ..Choice::default() });
/// let mut ask = Ask::confirm("Run `git push`?").in_person();
/// ask.form.fields.push(Field::new("remember", choice).optional());
/// let offered = |seconds| OfferedScope { scope: json!({ "tool": "Bash" }), seconds };
/// let ask = ask.remember(Remember {
///     field: "remember".into(),
///     scopes: [("session".into(), offered(Some(3600))), ("always".into(), offered(None))].into(),
/// });
/// assert_eq!(ask.check(), Ok(()));
/// let yes = |answer| Outcome::Accepted(serde_json::from_value(answer).unwrap());
/// let once = yes(json!({ "confirmed": true }));
/// assert!(ask.remembered(&once).is_none());
/// let for_a_while = yes(json!({ "confirmed": true, "remember": "session" }));
/// assert_eq!(ask.remembered(&for_a_while).unwrap().seconds, Some(3600));
/// let no = yes(json!({ "confirmed": false, "remember": "session" }));
/// assert!(ask.remembered(&no).is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Remember {
    /// The choice; left empty, nothing is remembered.
    pub field: String,
    /// What each of its options gives, by its value.
    pub scopes: BTreeMap<String, OfferedScope>,
}

/// A permission that a person can give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferedScope {
    /// The permission, as whoever asks reads it again.
    pub scope: Value,
    /// How long it is good, in seconds; until it is revoked where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

impl OfferedScope {
    /// The digest of exactly what is permitted.
    pub fn digest(&self) -> Digest {
        Digest::hash_json(self)
            .unwrap_or_else(|_| Digest::hash_bytes(format!("{self:?}").as_bytes()))
    }
}

impl Ask {
    /// Lets the person have a permission remembered with their yes.
    pub fn remember(mut self, remember: Remember) -> Self {
        self.remember = Some(Box::new(remember));
        self
    }

    /// The permission that the person gave to be remembered, where this outcome is a yes that chose one.
    pub fn remembered(&self, outcome: &Outcome<Answer>) -> Option<&OfferedScope> {
        let Outcome::Accepted(answer) = outcome else {
            return None;
        };
        let remember = self.remember.as_ref()?;
        if !self.form.says_yes(answer) {
            return None;
        }
        remember.scopes.get(answer.get(&remember.field)?.as_str()?)
    }

    /// What is wrong with what it offers to remember.
    pub(crate) fn remember_fault(&self) -> Option<&'static str> {
        let remember = self.remember.as_ref()?;
        if self.dangerous {
            return Some("a yes to what is dangerous is never remembered");
        }
        if !self.in_person {
            return Some("it must count in person only, since clients select for the person");
        }
        let mut fields = self.form.fields.iter();
        let field = fields.find(|field| field.name == remember.field);
        let Some((field, Kind::Choice(choice))) = field.map(|field| (field, &field.kind)) else {
            return Some("its field must be a choice of this form");
        };
        if field.required || choice.other || choice.default.is_some() {
            return Some("its field must be optional, without a default and without other values");
        }
        let offers = |value: &String| remember.scopes.contains_key(value);
        let all_offered = choice.options.iter().all(|option| offers(&option.value));
        (!all_offered).then_some("each of its options must stand for a permission")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, Form, field::Choice, field::Text};
    use serde_json::json;

    fn choice(options: &[&str]) -> Field {
        let options = options.iter().map(|option| (*option).into()).collect();
        let choice = Choice {
            options,
            ..Choice::default()
        };
        Field::new("keep", Kind::Choice(choice)).optional()
    }

    fn offering(change: impl FnOnce(&mut Ask)) -> Ask {
        let scope = OfferedScope {
            scope: json!("Bash(ls)"),
            seconds: None,
        };
        let form = Form::confirm().field(choice(&["always"]));
        let mut ask = Ask::new("Run it?", form).in_person().remember(Remember {
            field: "keep".into(),
            scopes: [("always".into(), scope)].into(),
        });
        change(&mut ask);
        ask
    }

    #[test]
    fn only_an_untouched_optional_choice_of_an_ordinary_ask_in_person_offers() {
        assert_eq!(offering(|_| ()).check(), Ok(()));
        let faults: [fn(&mut Ask); 6] = [
            |ask| ask.dangerous = true,
            |ask| ask.in_person = false,
            |ask| ask.form.fields[1].required = true,
            |ask| ask.form.fields[1].name = "other".into(),
            |ask| ask.form.fields[1] = choice(&["always", "more"]),
            |ask| ask.form.fields[1] = Field::new("keep", Kind::Text(Text::default())).optional(),
        ];
        for fault in faults {
            let ask = offering(fault);
            assert!(ask.check().is_err(), "{ask:?}");
        }
    }
}
