//! The table of evidence, cell by cell.

use super::*;
use holdpoint_ask::{
    Field, Form, Gesture,
    field::{self, Ending, Pick},
    review::EditableText,
};
use jiff::SignedDuration;
use serde_json::json;
use std::time::Duration;

const READ: i64 = 1_000;

/// A channel of an author's own.
fn telegram() -> ChannelKind {
    ChannelKind::author("telegram").unwrap()
}

/// One ask of each kind, and a yes to it.
fn asks() -> Vec<(&'static str, Ask, Value)> {
    let form = |kind| Form::new().field(Field::new("it", kind));
    let choices = field::Choices {
        options: vec!["a".into(), "b".into()],
        ..Default::default()
    };
    let link = field::Link {
        url: "https://example.com".into(),
    };
    vec![
        ("confirm", Ask::confirm("Go?"), json!({ "confirmed": true })),
        (
            "choice",
            Ask::choose("Which?", ["a", "b"]),
            json!({ "choice": "a" }),
        ),
        (
            "choices",
            Ask::new("Which?", form(Kind::Choices(choices))),
            json!({ "it": ["a"] }),
        ),
        (
            "text",
            Ask::new("What?", form(Kind::Text(Default::default()))),
            json!({ "it": "this" }),
        ),
        (
            "secret",
            Ask::new("What?", form(Kind::Secret)),
            json!({ "it": "s3cret" }),
        ),
        (
            "link",
            Ask::new("Visit", form(Kind::Link(link))),
            json!({ "it": true }),
        ),
    ]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Yes,
    No,
    Dismissed,
}

/// What a reply was worth, in one word.
fn worth(
    ask: &Ask,
    channel: ChannelKind,
    presence: &Presence,
    says: (Says, &Value),
    settings: &Settings,
) -> &'static str {
    let opened_at = Timestamp::UNIX_EPOCH;
    let case = Case {
        id: AskId::new(),
        ask,
        asked_by: "local",
        opened_at,
        refusals: 0,
        taken_from_client: false,
        seal_to: None,
        elsewhere: true,
        page: true,
    };
    let from = Replier::new(channel, None, presence.clone());
    let reply = match says {
        (Says::Yes, yes) => Reply::Accept {
            content: yes.as_object().unwrap().clone(),
        },
        (Says::No, _) => Reply::Decline { reason: None },
        (Says::Dismissed, _) => Reply::Cancel,
    };
    let now = opened_at + SignedDuration::from_millis(READ);
    match judge(&case, settings, &from, Received::Reply(reply), now) {
        Verdict::Settle(decision, _) => match decision.outcome {
            Outcome::Accepted(_) => "yes",
            Outcome::Declined { .. } => "no",
            Outcome::Cancelled => "dismissed",
            other => panic!("{other:?}"),
        },
        Verdict::NotTaken(refusal) => refusal.as_str(),
        Verdict::TakeAway(_, Some(_)) => panic!("there is an inbox"),
        Verdict::TakeAway(refusal, None) => match refusal.as_str() {
            "too_fast" => "taken away",
            "not_by_client" => "not_by_client",
            "no_presence" => "no_presence",
            other => other,
        },
        Verdict::Opened => "opened",
        Verdict::Refuse { errors, .. } | Verdict::Correct(errors) => panic!("{errors:?}"),
    }
}

/// Everything that a reply can bring, by name.
fn presences() -> Vec<(&'static str, Presence)> {
    let start = Timestamp::UNIX_EPOCH;
    let late = start + SignedDuration::from_millis(READ - 10);
    let word = |word: &str| Gesture::Word(word.to_owned());
    let here = |gesture| Presence::seen(start, gesture).at_terminal();
    let mut values = Presence::default().at_terminal();
    values.gesture = Some(Gesture::Chosen);
    vec![
        ("nothing", Presence::default()),
        ("form", Presence::in_form(start)),
        ("fast form", Presence::in_form(late)),
        ("chosen", here(Gesture::Chosen)),
        ("held", here(Gesture::Held)),
        ("word", here(word("confirm"))),
        ("WORD ", here(word("CONFIRM "))),
        ("wrong word", here(word("yes"))),
        ("no word", here(word(""))),
        ("fast", Presence::seen(late, word("confirm")).at_terminal()),
        ("no terminal", Presence::seen(start, word("confirm"))),
        (
            "marks",
            here(word("confirm")).inside(Some("Claude Code".into())),
        ),
        ("values", values.clone()),
        ("marked values", values.inside(Some("Codex".into()))),
    ]
}

type Cells = (&'static str, &'static str, &'static str, &'static str);

/// What each reply is worth: channel, then what it brings, then an ordinary yes, a dangerous yes, a no
/// (to either). What is not listed is not a row that somebody thought about, and fails.
const TABLE: &[(&str, &[Cells])] = &[
    (
        "client",
        &[
            ("nothing", "no_presence", "no_presence", "no_presence"),
            ("form", "yes", "yes", "no"),
            ("fast form", "taken away", "taken away", "taken away"),
            ("chosen", "yes", "yes", "no"),
            ("held", "yes", "yes", "no"),
            ("word", "yes", "yes", "no"),
            ("WORD ", "yes", "yes", "no"),
            ("wrong word", "yes", "yes", "no"),
            ("no word", "yes", "yes", "no"),
            ("fast", "taken away", "taken away", "taken away"),
            ("no terminal", "yes", "yes", "no"),
            ("marks", "yes", "yes", "no"),
            ("values", "not_shown", "not_shown", "not_shown"),
            ("marked values", "not_shown", "not_shown", "not_shown"),
        ],
    ),
    (
        "url",
        &[
            ("nothing", "no_presence", "no_presence", "no_presence"),
            ("form", "opened", "opened", "no"),
            ("fast form", "taken away", "taken away", "taken away"),
            ("chosen", "opened", "opened", "no"),
            ("held", "opened", "opened", "no"),
            ("word", "opened", "opened", "no"),
            ("WORD ", "opened", "opened", "no"),
            ("wrong word", "opened", "opened", "no"),
            ("no word", "opened", "opened", "no"),
            ("fast", "taken away", "taken away", "taken away"),
            ("no terminal", "opened", "opened", "no"),
            ("marks", "opened", "opened", "no"),
            ("values", "not_shown", "not_shown", "not_shown"),
            ("marked values", "not_shown", "not_shown", "not_shown"),
        ],
    ),
    (
        "inbox",
        &[
            ("nothing", "no_presence", "no_presence", "no_presence"),
            ("form", "no_presence", "not_deliberate", "no"),
            ("fast form", "too_fast", "too_fast", "no"),
            ("chosen", "yes", "not_deliberate", "no"),
            ("held", "yes", "yes", "no"),
            ("word", "yes", "yes", "no"),
            ("WORD ", "yes", "yes", "no"),
            ("wrong word", "yes", "not_deliberate", "no"),
            ("no word", "yes", "not_deliberate", "no"),
            ("fast", "too_fast", "too_fast", "no"),
            ("no terminal", "yes", "yes", "no"),
            ("marks", "yes", "yes", "no"),
            ("values", "not_shown", "not_shown", "no"),
            ("marked values", "not_shown", "not_shown", "no"),
        ],
    ),
    (
        "terminal",
        &[
            ("nothing", "no_terminal", "no_terminal", "no_terminal"),
            ("form", "no_terminal", "no_terminal", "no_terminal"),
            ("fast form", "no_terminal", "no_terminal", "no_terminal"),
            ("chosen", "yes", "not_deliberate", "no"),
            ("held", "yes", "not_deliberate", "no"),
            ("word", "yes", "yes", "no"),
            ("WORD ", "yes", "yes", "no"),
            ("wrong word", "yes", "not_deliberate", "no"),
            ("no word", "yes", "not_deliberate", "no"),
            ("fast", "too_fast", "too_fast", "no"),
            ("no terminal", "no_terminal", "no_terminal", "no_terminal"),
            ("marks", "inside_agent", "inside_agent", "inside_agent"),
            ("values", "not_shown", "not_shown", "no"),
            (
                "marked values",
                "inside_agent",
                "inside_agent",
                "inside_agent",
            ),
        ],
    ),
    (
        "cli",
        &[
            ("nothing", "no_terminal", "no_terminal", "no_terminal"),
            ("form", "no_terminal", "no_terminal", "no_terminal"),
            ("fast form", "no_terminal", "no_terminal", "no_terminal"),
            ("chosen", "yes", "not_shown", "no"),
            ("held", "yes", "not_shown", "no"),
            ("word", "yes", "not_shown", "no"),
            ("WORD ", "yes", "not_shown", "no"),
            ("wrong word", "yes", "not_shown", "no"),
            ("no word", "yes", "not_shown", "no"),
            ("fast", "yes", "not_shown", "no"),
            ("no terminal", "no_terminal", "no_terminal", "no_terminal"),
            ("marks", "inside_agent", "inside_agent", "inside_agent"),
            ("values", "yes", "not_shown", "no"),
            (
                "marked values",
                "inside_agent",
                "inside_agent",
                "inside_agent",
            ),
        ],
    ),
    (
        "preset",
        &[
            ("nothing", "yes", "not_beforehand", "no"),
            ("form", "yes", "not_beforehand", "no"),
            ("fast form", "yes", "not_beforehand", "no"),
            ("chosen", "yes", "not_beforehand", "no"),
            ("held", "yes", "not_beforehand", "no"),
            ("word", "yes", "not_beforehand", "no"),
            ("WORD ", "yes", "not_beforehand", "no"),
            ("wrong word", "yes", "not_beforehand", "no"),
            ("no word", "yes", "not_beforehand", "no"),
            ("fast", "yes", "not_beforehand", "no"),
            ("no terminal", "yes", "not_beforehand", "no"),
            ("marks", "inside_agent", "inside_agent", "inside_agent"),
            ("values", "yes", "not_beforehand", "no"),
            (
                "marked values",
                "inside_agent",
                "inside_agent",
                "inside_agent",
            ),
        ],
    ),
    (
        "token",
        &[
            ("nothing", "yes", "not_by_program", "no"),
            ("form", "yes", "not_by_program", "no"),
            ("fast form", "yes", "not_by_program", "no"),
            ("chosen", "yes", "not_by_program", "no"),
            ("held", "yes", "not_by_program", "no"),
            ("word", "yes", "not_by_program", "no"),
            ("WORD ", "yes", "not_by_program", "no"),
            ("wrong word", "yes", "not_by_program", "no"),
            ("no word", "yes", "not_by_program", "no"),
            ("fast", "yes", "not_by_program", "no"),
            ("no terminal", "yes", "not_by_program", "no"),
            ("marks", "yes", "not_by_program", "no"),
            ("values", "yes", "not_by_program", "no"),
            ("marked values", "yes", "not_by_program", "no"),
        ],
    ),
    (
        "telegram",
        &[
            ("nothing", "yes", "not_by_program", "no"),
            ("form", "yes", "not_by_program", "no"),
            ("fast form", "yes", "not_by_program", "no"),
            ("chosen", "yes", "not_by_program", "no"),
            ("held", "yes", "not_by_program", "no"),
            ("word", "yes", "not_by_program", "no"),
            ("WORD ", "yes", "not_by_program", "no"),
            ("wrong word", "yes", "not_by_program", "no"),
            ("no word", "yes", "not_by_program", "no"),
            ("fast", "yes", "not_by_program", "no"),
            ("no terminal", "yes", "not_by_program", "no"),
            ("marks", "yes", "not_by_program", "no"),
            ("values", "yes", "not_by_program", "no"),
            ("marked values", "yes", "not_by_program", "no"),
        ],
    ),
];

#[test]
fn every_channel_kind_of_ask_and_danger_has_its_cell() {
    let settings = Settings::default();
    let mut cells = 0;
    for channel in ChannelKind::OWN.into_iter().chain([telegram()]) {
        let (_, rows) = TABLE
            .iter()
            .find(|(name, _)| *name == channel.as_str())
            .unwrap_or_else(|| panic!("no row for {channel:?}"));
        for (brings, presence) in presences() {
            let row = rows.iter().find(|(name, ..)| *name == brings);
            let (_, ordinary, dangerous, no) = row.expect(brings);
            for (kind, ask, yes) in asks() {
                let risky = ask.clone().dangerous();
                for (ask, wanted) in [(&ask, ordinary), (&risky, dangerous)] {
                    let worth = |says| worth(ask, channel, &presence, (says, &yes), &settings);
                    let at = format!(
                        "{channel:?}, {kind}, {brings}, dangerous: {}",
                        ask.dangerous
                    );
                    assert_eq!(worth(Says::Yes), *wanted, "a yes: {at}");
                    // What refuses every reply to a dangerous ask refuses its no too.
                    let no = match *dangerous {
                        "not_beforehand" | "not_by_program" if ask.dangerous => *dangerous,
                        _ => *no,
                    };
                    assert_eq!(worth(Says::No), no, "a no: {at}");
                    let dismissed = if no == "no" { "dismissed" } else { no };
                    assert_eq!(worth(Says::Dismissed), dismissed, "a cancel: {at}");
                    cells += 3;
                }
            }
        }
    }
    assert_eq!(cells, 8 * 14 * 6 * 2 * 3);
}

#[test]
fn what_counts_only_in_person_counts_in_no_client() {
    let by_inbox = Settings {
        dangerous_by_inbox_only: true,
        ..Settings::default()
    };
    for (kind, ask, yes) in asks() {
        for (ask, settings) in [
            (ask.clone().in_person(), Settings::default()),
            (ask.dangerous(), by_inbox.clone()),
        ] {
            for (brings, presence) in presences() {
                for says in [Says::Yes, Says::No, Says::Dismissed] {
                    let worth = worth(
                        &ask,
                        ChannelKind::Client,
                        &presence,
                        (says, &yes),
                        &settings,
                    );
                    let wanted = if brings == "nothing" {
                        "no_presence"
                    } else {
                        "not_by_client"
                    };
                    assert_eq!(worth, wanted, "{kind}, {brings}, {says:?}");
                }
            }
        }
    }
}

#[test]
fn what_counts_only_in_person_counts_by_no_values() {
    for (kind, ask, yes) in asks() {
        let ask = ask.in_person();
        for (channel, wanted) in [
            (ChannelKind::Cli, "not_shown"),
            (ChannelKind::Preset, "not_beforehand"),
            (ChannelKind::Token, "not_by_program"),
            (telegram(), "not_by_program"),
            (ChannelKind::Inbox, "yes"),
            (ChannelKind::Terminal, "yes"),
        ] {
            let word = Gesture::Word("confirm".to_owned());
            let presence = Presence::seen(Timestamp::UNIX_EPOCH, word).at_terminal();
            let said = (Says::Yes, &yes);
            let worth = worth(&ask, channel, &presence, said, &Settings::default());
            assert_eq!(worth, wanted, "{kind} through {channel:?}");
        }
    }
}

#[test]
fn the_word_is_the_asks_own() {
    let ask = Ask::confirm("Drop it?").dangerous().with_word("Orders7");
    let yes = json!({ "confirmed": true });
    for (typed, wanted) in [
        ("orders7", "yes"),
        (" ORDERS7", "yes"),
        ("confirm", "not_deliberate"),
        ("orders", "not_deliberate"),
        ("", "not_deliberate"),
    ] {
        let gesture = Gesture::Word(typed.to_owned());
        let presence = Presence::seen(Timestamp::UNIX_EPOCH, gesture).at_terminal();
        for channel in [ChannelKind::Terminal, ChannelKind::Inbox] {
            let said = (Says::Yes, &yes);
            let worth = worth(&ask, channel, &presence, said, &Settings::default());
            assert_eq!(worth, wanted, "{typed:?} through {channel:?}");
        }
    }
}

#[test]
fn what_is_dangerous_takes_longer_to_read() {
    let settings = Settings::default();
    assert_eq!(settings.reading_time(false), Duration::from_millis(400));
    assert_eq!(settings.reading_time(true), Duration::from_millis(1_000));
    let shown = |ms: i64| {
        let at = Timestamp::UNIX_EPOCH + SignedDuration::from_millis(READ - ms);
        Presence::seen(at, Gesture::Word("confirm".into())).at_terminal()
    };
    let (tame, risky) = (Ask::confirm("Go?"), Ask::confirm("Go?").dangerous());
    let yes = json!({ "confirmed": true });
    for channel in [ChannelKind::Inbox, ChannelKind::Terminal] {
        for (ask, ms, wanted) in [
            (&tame, 399, "too_fast"),
            (&tame, 400, "yes"),
            (&risky, 400, "too_fast"),
            (&risky, 999, "too_fast"),
            (&risky, 1_000, "yes"),
            // A clock that was set back does not make time pass.
            (&tame, -5_000, "too_fast"),
        ] {
            let worth = worth(ask, channel, &shown(ms), (Says::Yes, &yes), &settings);
            assert_eq!(worth, wanted, "{channel:?} after {ms} ms");
        }
    }
}

#[test]
fn an_answer_of_no_needs_no_reading() {
    let yes = json!({ "confirmed": false });
    let ask = Ask::confirm("Go?").dangerous();
    let at = Timestamp::UNIX_EPOCH + SignedDuration::from_millis(READ);
    let presence = Presence::seen(at, Gesture::Chosen).at_terminal();
    for channel in [ChannelKind::Inbox, ChannelKind::Terminal] {
        let said = (Says::Yes, &yes);
        let worth = worth(&ask, channel, &presence, said, &Settings::default());
        assert_eq!(worth, "no");
    }
}

/// An ask with endings in words of its own.
fn with_endings() -> Ask {
    let options = [
        Pick::new("commit").ending(Ending::go("Commit", "Committed")),
        Pick::new("revise").ending(Ending::hold("Revise", "Revisions requested")),
        Pick::new("abort").ending(Ending::stop("Abort", "Aborted")),
    ];
    Ask::choose("Commit?", options).dangerous()
}

#[test]
fn an_ending_that_says_no_needs_no_more_than_a_no() {
    let ask = with_endings();
    let settings = Settings::default();
    let presences = presences();
    for (name, presence) in &presences {
        for value in ["revise", "abort"] {
            let answer = json!({ "choice": value });
            let said = worth(
                &ask,
                ChannelKind::Inbox,
                presence,
                (Says::Yes, &answer),
                &settings,
            );
            let declined = worth(
                &ask,
                ChannelKind::Inbox,
                presence,
                (Says::No, &answer),
                &settings,
            );
            // What it says is kept as the answer that it is.
            let wanted = if declined == "no" { "yes" } else { declined };
            assert_eq!(said, wanted, "{name}, {value}");
        }
    }
    let go = json!({ "choice": "commit" });
    let chosen = &presences
        .iter()
        .find(|(name, _)| *name == "chosen")
        .unwrap()
        .1;
    let said = worth(
        &ask,
        ChannelKind::Inbox,
        chosen,
        (Says::Yes, &go),
        &settings,
    );
    assert_eq!(said, "not_deliberate");
}

#[test]
fn options_of_which_one_is_no_ending_are_no_endings() {
    let options = [
        Pick::new("commit").ending(Ending::go("Commit", "Committed")),
        Pick::new("revise").ending(Ending::hold("Revise", "Revisions requested")),
        Pick::new("other"),
    ];
    let ask = Ask::choose("Commit?", options).dangerous();
    let presences = presences();
    let chosen = &presences
        .iter()
        .find(|(name, _)| *name == "chosen")
        .unwrap()
        .1;
    let answer = json!({ "choice": "revise" });
    let settings = Settings::default();
    let said = worth(
        &ask,
        ChannelKind::Inbox,
        chosen,
        (Says::Yes, &answer),
        &settings,
    );
    assert_eq!(said, "not_deliberate");
}

#[test]
fn an_edited_text_goes_with_an_answer_alone() {
    let text = EditableText::field("message", "Message", "old");
    let ask = Ask::confirm("Commit?").editable(text.clone());
    let review = || {
        let mut review = Review::default();
        review.edited = text.edited("new");
        review
    };
    let decided = |outcome| {
        let mut decision = Decision::new(AskId::new(), outcome, Timestamp::UNIX_EPOCH);
        add_review(&ask, &mut decision, review()).map(|()| decision.review.is_some())
    };
    assert_eq!(decided(Outcome::Accepted(Answer::new())), Ok(true));
    for outcome in [Outcome::Declined { reason: None }, Outcome::Cancelled] {
        let errors = decided(outcome).unwrap_err();
        assert_eq!(errors[0].field, "edited");
    }
}
