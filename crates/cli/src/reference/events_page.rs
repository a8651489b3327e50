//! The reference of the journal's events. What each is stands beside its name in the journal's own source; what
//! its body holds stands here, and the tests of the commands in the book hold it to what is recorded.

use super::schema_table::cell;
use holdpoint::journal::EventKind;
use std::{collections::BTreeSet, fmt::Write, fs, path::Path};

/// The page.
pub fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (word, about) in kinds() {
        let body = BODIES.iter().find(|(kind, _)| *kind == word);
        let (_, fields) = body.unwrap_or_else(|| panic!("say what the body of `{word}` holds"));
        let _ = write!(page, "\n### `{word}`\n\n{about}\n");
        if fields.is_empty() {
            page.push_str("\nIts body is empty.\n");
            continue;
        }
        page.push_str("\n| body | is |\n|---|---|\n");
        for (name, is) in *fields {
            let _ = writeln!(page, "| `{name}` | {} |", cell(is));
        }
    }
    page
}

#[test]
fn the_events_are_those_of_the_journal() {
    let of_source: BTreeSet<_> = kinds().into_iter().map(|(word, _)| word).collect();
    let explained: BTreeSet<_> = BODIES.iter().map(|(word, _)| (*word).to_owned()).collect();
    assert_eq!(explained, of_source);
    for word in &explained {
        assert!(EventKind::parse(word).is_some(), "{word}");
    }
}

/// The word of each kind of event and what its comment says, in the order of the source.
fn kinds() -> Vec<(String, String)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../journal/src/event.rs");
    let source = fs::read_to_string(file).unwrap();
    let (_, variants) = source.split_once("pub enum EventKind {").unwrap();
    let (variants, _) = variants.split_once("\n}").unwrap();
    let mut kinds = Vec::new();
    let mut about = Vec::new();
    for line in variants.lines().map(str::trim) {
        match line.strip_prefix("/// ") {
            Some(comment) => about.push(comment.to_owned()),
            // The one with a word inside is for what only a newer program knows.
            None if line.ends_with(',') && !line.contains('(') => {
                let word = in_snake_case(line.trim_end_matches(','));
                let linked = about.join(" ").replace("[`Self::PinGiven`]", "`pin_given`");
                kinds.push((word, linked));
                about.clear();
            }
            None => about.clear(),
        }
    }
    kinds
}

fn in_snake_case(name: &str) -> String {
    let mut word = String::new();
    for (place, letter) in name.chars().enumerate() {
        if place > 0 && letter.is_uppercase() {
            word.push('_');
        }
        word.extend(letter.to_lowercase());
    }
    word
}

/// The fields of the body of an event, and what each is.
type Body = &'static [(&'static str, &'static str)];

const EPOCH: (&str, &str) = (
    "epoch",
    "under which the process ran the call: it rises each time that the call changes its owner",
);
const PERSON: (&str, &str) = ("person", "whose PIN, where people have PINs of their own");
const TRY: Body = &[
    ("channel", "through which it was given, with an answer"),
    ("by", "who gave it"),
    PERSON,
];

const BODIES: [(&str, Body); 26] = [
    (
        "called",
        &[
            (
                "method",
                "`tools/call`, `prompts/get`, `resources/read`, or a flow of our own",
            ),
            (
                "origin",
                "who calls: `server`, `principal`, `client`, `clientName`, `tool`, `workspace`",
            ),
            (
                "flowVersion",
                "the version of the code that asks; another one does not go on with the call",
            ),
            ("owner", "the process that runs it"),
            ("arguments", "what it was called with"),
            ("run", "`true` for a run of a script"),
        ],
    ),
    (
        "asked",
        &[
            ("key", "its name within the call"),
            (
                "digest",
                "of the question, by which a call that is run again finds it",
            ),
            (
                "occurrence",
                "which of the call's asks with this digest, from 0",
            ),
            ("origin", "who asks, as in `called`"),
            (
                "deadlineAt",
                "when it times out, in milliseconds since 1970; `null` for never",
            ),
            ("ask", "the whole question: message, details, form, danger"),
            ("sealTo", "the public key to which secrets are sealed"),
            (
                "inClient",
                "`true` where the agent's client was to show it at once",
            ),
            (
                "clientOpens",
                "`true` where the client was only to lead to the page",
            ),
        ],
    ),
    (
        "refused",
        &[
            ("refusals", "how many replies were invalid by then"),
            ("channel", "which channel brought it"),
            ("errors", "what was wrong: `field` and `message`"),
            (
                "takesAway",
                "`true` where the ask was taken from the client, and nothing that it says counts any more",
            ),
        ],
    ),
    (
        "decided",
        &[
            ("ask", "which ask"),
            (
                "outcome",
                "`status`, and in `detail` the answer, the reason or what was wrong; no secrets",
            ),
            (
                "channel",
                "through which it was answered; absent where no reply ended it",
            ),
            (
                "answeredBy",
                "the client with its version, the person or the token",
            ),
            ("at", "when"),
            ("durationMs", "from opening the ask to the decision"),
            ("fast", "`true` where it came faster than a person can read"),
            (
                "saidNo",
                "`true` where an answer said no, and the question was not turned down",
            ),
            (
                "presence",
                "what showed that a person gave it: `shownAt`, `gesture`, `terminal`, `agent`, `leftOut`",
            ),
            ("review", "comments, and the person's own version of a text"),
        ],
    ),
    (
        "extended",
        &[
            (
                "deadlineAt",
                "the new deadline, in milliseconds since 1970; `null` for never",
            ),
            (
                "by",
                "who asked for it; `holdpoint` where it went from the client to the inbox",
            ),
        ],
    ),
    (
        "step_started",
        &[
            STEP_NAME,
            STEP_OCCURRENCE,
            EPOCH,
            ("label", "what is about to be done, in words"),
        ],
    ),
    (
        "step_finished",
        &[
            STEP_NAME,
            STEP_OCCURRENCE,
            EPOCH,
            ("label", "what came of it, in words"),
            ("result", "what it ended with"),
        ],
    ),
    ("finished", &[EPOCH, ("result", "what the agent was told")]),
    (
        "taken_over",
        &[
            EPOCH,
            ("owner", "the process that has it now"),
            ("from", "the one that had it"),
        ],
    ),
    (
        "granted",
        &[
            ("grant", "its id"),
            ("principal", "who may use it"),
            ("purpose", "what for"),
            ("digest", "of exactly what was shown"),
            (
                "expiresAt",
                "until when it is good, in milliseconds since 1970",
            ),
        ],
    ),
    ("redeemed", &[("grant", "which one")]),
    ("agent_gone", &[]),
    ("agent_back", &[]),
    ("too_fast", REFUSED_REPLY),
    ("not_taken", REFUSED_REPLY),
    (
        "shown",
        &[("channel", "on which surface"), ("by", "to whom")],
    ),
    (
        "pin_set",
        &[
            (
                "check",
                "the digest of the stored hash: it tells which one counts",
            ),
            PERSON,
        ],
    ),
    ("pin_cleared", &[PERSON]),
    ("pin_tried", TRY),
    (
        "wrong_pin",
        &[
            TRY[0],
            TRY[1],
            ("tried", "`true`: an event `pin_tried` came before it"),
            PERSON,
        ],
    ),
    ("pin_given", TRY),
    (
        "agent_answered",
        &[
            ("agent", "what gave the agent away"),
            ("by", "in whose name"),
            ("command", "what was tried, where it was a command"),
            ("channel", "where an answer came from, where it was one"),
            ("why", "`inside_agent`, with an answer"),
            ("presence", "what the answer brought, as in `decided`"),
        ],
    ),
    (
        "token_made",
        &[
            ("name", "its name"),
            ("may", "`ask`, `answer`"),
            ("by", "who made it"),
        ],
    ),
    ("token_revoked", &[("name", "its name"), ("by", "who did")]),
    (
        "loss_accepted",
        &[
            ("by", "who accepted it"),
            (
                "mark",
                "`seq` and `hash` of the event up to which the record once came",
            ),
            ("held", "the same of the last event that it had then"),
        ],
    ),
    (
        "pruned",
        &[
            ("by", "who pruned"),
            (
                "before",
                "what was older than this, in milliseconds since 1970",
            ),
            ("from", "the first event without its body"),
            ("to", "the last one"),
            ("events", "how many"),
            (
                "digest",
                "of their numbers and hashes: a body that is missing for another reason is a flaw",
            ),
        ],
    ),
];

const STEP_NAME: (&str, &str) = ("name", "the step's name");
const STEP_OCCURRENCE: (&str, &str) = ("occurrence", "which of the steps of this name, from 0");
const REFUSED_REPLY: Body = &[
    ("channel", "through which it came"),
    ("by", "from whom"),
    (
        "why",
        "`too_fast`, `no_terminal`, `no_presence`, `not_shown`, `not_deliberate`, `not_beforehand`, `not_by_program`, \
         `own_ask`, `not_by_client`, `taken_away` or `untouched`",
    ),
    ("presence", "what it brought, as in `decided`"),
];

const INTRODUCTION: &str = "\
<!-- Made from crates/journal/src/event.rs and crates/cli/src/reference/events_page.rs by a test; do not edit. -->
# The events of the journal

The record is a list of events. Each is written before the next thing happens, is never changed, and holds the hash of \
the one before it. `holdpoint log export` prints them, one line of JSON each:

| key | is |
|---|---|
| `seq` | its place in the chain, from 1 |
| `at` | when, in UTC, to the millisecond |
| `kind` | what, one of the words below |
| `call`, `ask` | which call and which ask it is about; `null` where it is about none |
| `body` | the rest, by kind; `null` where it was pruned |
| `hash` | over this event and the hash before it, as hexadecimal digits |
| `prunedBy` | the number of the event that says that the body was removed; only there where it was |

A field that says nothing is left out. A kind that is not on this page comes from a newer program: it is shown by its \
word and verified by its hash all the same. [The record](../record.md) tells what can be done with it, \
[inside the journal](../internals/journal.md) how it is kept.

## Kinds
";
