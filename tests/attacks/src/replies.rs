//! Replies that are not an answer, in both eras and over every transport.

use crate::{
    stand::{Question, accepted, check_no_yes, patient_stand, questions},
    wire::{Stop, TRANSPORTS, Transport, Wire},
};
use holdpoint_testkit::{Case, ERAS, Era, attack_cases};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::{runtime::Builder, time::timeout};

/// How often an attacker tries.
const TRIES: usize = 6;

/// Longer than any ask is open.
const LONG: Duration = Duration::from_secs(30);
/// How many cases meet the same server.
const PART: usize = 20;

/// What is sent in place of an answer.
enum Sent<'a> {
    /// In place of the `ElicitResult`.
    Reply(&'a str),
    /// In place of the whole message of a legacy client.
    Message(&'a str),
    /// In place of the `inputResponses` of a modern one.
    Responses(&'a str),
}

impl<'a> Sent<'a> {
    fn read(case: &'a Case) -> Self {
        let text = |key| case.text(key);
        text("reply")
            .map(Self::Reply)
            .or_else(|| text("message").map(Self::Message))
            .or_else(|| text("responses").map(Self::Responses))
            .unwrap_or_else(|| panic!("{}: nothing is sent", case.name))
    }

    fn is_of(&self, era: Era) -> bool {
        match self {
            Self::Reply(_) => true,
            Self::Message(_) => era == Era::Legacy,
            Self::Responses(_) => era == Era::Modern,
        }
    }
}

/// Sends this to every question until the call ends.
async fn attack(wire: &mut Wire, question: &Question, sent: &Sent<'_>) -> Value {
    let mut stop = wire.call(question).await;
    for _ in 0..TRIES {
        let (key, state) = match stop {
            Stop::Ended(answer) => return answer,
            Stop::Asked { key, state } => (key, state),
        };
        let filled = |text: &str| {
            let yes = question.yes.to_string();
            let text = text.replace("ACCEPT", r#"{"action":"accept","content":YES}"#);
            let (name, _) = yes[2..].split_once('"').unwrap();
            text.replace("YES", &yes)
                .replace("FIELD", name)
                .replace("VALUE", &question.yes[name].to_string())
                .replace("KEY", &key)
        };
        match sent {
            Sent::Reply(text) => wire.reply(question, &key, &state, &filled(text)).await,
            Sent::Message(text) => wire.send(&filled(text)).await,
            Sent::Responses(text) => wire.retry(question, &state, &filled(text)).await,
        }
        // What is no message at all may get no answer either.
        stop = match timeout(LONG, wire.stop()).await {
            Ok(stop) => stop,
            Err(_) => return Value::Null,
        };
    }
    match stop {
        Stop::Ended(answer) => answer,
        Stop::Asked { .. } => Value::Null,
    }
}

fn check(file: &str, era: Era, transport: Transport) {
    let all = attack_cases(file);
    for (part, some) in all.chunks(PART).enumerate() {
        // With a runtime of its own: what sessions leave behind ends with it.
        let runtime = Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build();
        runtime
            .unwrap()
            .block_on(check_some(file, some, part * PART, (era, transport)));
    }
}

async fn check_some(
    file: &str,
    some: &[Case],
    mut number: usize,
    (era, transport): (Era, Transport),
) {
    let stand = patient_stand().await;
    for case in some {
        let sent = Sent::read(case);
        let wanted = case.text("tool");
        let mut asked = questions();
        asked.retain(|question| wanted.is_none_or(|tool| question.tool == tool));
        if !sent.is_of(era) {
            continue;
        }
        // Each kind of question in its turn: all of them with each reply would take minutes.
        number += 1;
        let question = &asked[number % asked.len()].about(number);
        let mut wire = Wire::connect(&stand, era, transport).await;
        let answer = attack(&mut wire, question, &sent).await;
        let name = &case.name;
        let case = format!("{file}: {name} ({era:?}, {transport:?}, {question:?})");
        check_no_yes(&stand, &answer, &case).await;
    }
}

/// Each attack is one word away from this: a check that cannot see a yes would see none anywhere.
#[tokio::test(start_paused = true)]
async fn a_persons_own_yes_is_seen_by_the_check() {
    for era in ERAS {
        for transport in TRANSPORTS {
            for question in questions() {
                let stand = patient_stand().await;
                let mut wire = Wire::connect(&stand, era, transport).await;
                let answer = attack(&mut wire, &question, &Sent::Reply("ACCEPT")).await;
                let body = &answer["result"]["structuredContent"];
                let case = format!("{era:?} {transport:?} {question:?}: {answer}");
                assert_eq!(body["status"], json!("accepted"), "{case}");
                assert_eq!(accepted(&stand).await.len(), 1, "{case}");
            }
        }
    }
}

#[test]
fn no_reply_of_a_legacy_client_over_lines() {
    check("replies", Era::Legacy, Transport::Lines);
}

#[test]
fn no_reply_of_a_legacy_client_over_http() {
    check("replies", Era::Legacy, Transport::Http);
}

#[test]
fn no_reply_of_a_modern_client_over_lines() {
    check("replies", Era::Modern, Transport::Lines);
}

#[test]
fn no_reply_of_a_modern_client_over_http() {
    check("replies", Era::Modern, Transport::Http);
}

#[test]
fn no_content_that_is_almost_a_yes() {
    for era in ERAS {
        for transport in TRANSPORTS {
            check("contents", era, transport);
        }
    }
}
