//! What kind of decision an ask wants, for lists and for how it is laid out.

use holdpoint::{Ask, Kind};
use holdpoint_ask::open_order::is_review;
use serde::{Deserialize, Serialize};

/// What kind of decision an ask wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AskKind {
    /// Something to read: a plan, a diff, a long text.
    Review,
    /// A yes that lets something happen: a harness prompts for it, the ask says what it leads to, or it has endings
    /// of its own.
    Permission,
    /// A yes or a no.
    Confirm,
    /// One or some of several options.
    Choice,
    /// One value.
    Input,
    /// Several fields.
    Form,
}

impl AskKind {
    /// The kind of this ask. Nothing is rendered for it.
    pub fn of(ask: &Ask) -> Self {
        let for_itself = ask.round.is_none() && ask.editable.is_none();
        if for_itself && ask.in_person && ask.form.endings().is_some() {
            return Self::Permission;
        }
        if is_review(ask) {
            return Self::Review;
        }
        let weighty = ask.dangerous || ask.in_person || ask.consequence.is_some();
        match ask.form.fields.as_slice() {
            _ if ask.form.endings().is_some() => Self::Permission,
            [field] if field.kind == Kind::Confirm && weighty => Self::Permission,
            [field] => match field.kind {
                Kind::Confirm => Self::Confirm,
                Kind::Choice(_) | Kind::Choices(_) => Self::Choice,
                _ => Self::Input,
            },
            _ => Self::Form,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{
        Field, Form,
        field::{Ending, Pick},
    };
    use holdpoint_ask::review::{EditableText, Round};

    #[test]
    fn kinds() {
        let check = |ask: Ask, kind: AskKind| assert_eq!(AskKind::of(&ask), kind, "{ask:?}");
        let ask = || Ask::confirm("Go on?");
        check(ask(), AskKind::Confirm);
        check(ask().dangerous(), AskKind::Permission);
        check(ask().consequence("It goes live."), AskKind::Permission);
        check(ask().in_round(Round::first("The plan")), AskKind::Review);
        let text = EditableText::field("message", "Message", "x");
        check(ask().editable(text), AskKind::Review);
        check(ask().details("```diff\n+x\n```"), AskKind::Review);
        check(ask().details("ä".repeat(1_500)), AskKind::Confirm);
        check(ask().details("ä".repeat(1_501)), AskKind::Review);
        check(Ask::choose("Which?", ["a", "b"]), AskKind::Choice);
        check(
            Ask::new("Name?", Form::string_input("name")),
            AskKind::Input,
        );
        let two = Form::string_input("name").field(Field::new("b", Kind::Confirm));
        check(Ask::new("Name?", two), AskKind::Form);
        let mut yes = Pick::from("yes");
        yes.ending = Some(Box::new(Ending::go("Approve", "Approved")));
        let ask = || Ask::choose("Go on?", [yes.clone()]);
        check(ask(), AskKind::Permission);
        // What a harness prompts for is a permission, also where it changes a file; a plan is read.
        let diff = "```diff\n+x\n```";
        check(ask().details(diff), AskKind::Review);
        check(ask().details(diff).in_person(), AskKind::Permission);
        let plan = EditableText::field("plan", "Plan", "x");
        check(ask().in_person().editable(plan), AskKind::Review);
    }
}
