//! A modern client that calls again with another `requestState` than it was given.

use crate::{
    stand::{Question, check_no_yes, patient_stand, questions},
    wire::{Stop, TRANSPORTS, Wire},
};
use holdpoint_testkit::{Era, attack_cases};
use serde_json::{Value, json};

/// Changes a state as the case says.
fn forge(how: &str, state: &Value, other: &Value) -> Value {
    let text = state.as_str().unwrap();
    let (verb, given) = how.split_once(' ').unwrap_or((how, ""));
    let number = || given.parse::<usize>().unwrap();
    let flipped = |at: usize| {
        let mut bytes = text.as_bytes().to_vec();
        let at = at.min(bytes.len() - 1);
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).unwrap()
    };
    match verb {
        "flip" => flipped(number()).into(),
        "flip-last" => flipped(text.len() - 1 - number()).into(),
        "cut" => text[..text.len().saturating_sub(number())].into(),
        "cut-front" => text[number().min(text.len())..].into(),
        "append" => format!("{text}{given}").into(),
        "prepend" => format!("{given}{text}").into(),
        "upper" => text.to_uppercase().into(),
        "lower" => text.to_lowercase().into(),
        "reverse" => text.chars().rev().collect::<String>().into(),
        "twice" => format!("{text}{text}").into(),
        "half-other" => {
            let other = other.as_str().unwrap();
            let at = text.len().min(other.len()) / 2;
            format!("{}{}", &text[..at], &other[at..]).into()
        }
        "json" => serde_json::from_str(given).unwrap(),
        "in-list" => json!([state]),
        "in-object" => json!({ "requestState": state }),
        "other-call" => other.clone(),
        _ => panic!("{how} is not a way to forge a state"),
    }
}

#[tokio::test(start_paused = true)]
async fn no_forged_state_takes_an_answer_along() {
    for transport in TRANSPORTS {
        for case in attack_cases("states") {
            let stand = patient_stand().await;
            let mut wire = Wire::connect(&stand, Era::Modern, transport).await;
            let of = |wanted: &str| -> Question {
                let found = questions()
                    .into_iter()
                    .find(|question| question.tool == wanted);
                found.unwrap()
            };
            let question = of("elicit_confirm");
            let Stop::Asked { state: other, .. } = wire.call(&of("request_plan_approval")).await
            else {
                panic!("nobody was asked");
            };
            let Stop::Asked { key, state } = wire.call(&question).await else {
                panic!("nobody was asked");
            };
            let mut forged = question.clone();
            if let Some(tool) = case.text("tool") {
                forged = of(tool);
            }
            if let Some(arguments) = case.text("arguments") {
                forged.arguments = serde_json::from_str(arguments).unwrap();
            }
            let state = case
                .text("state")
                .map_or(state.clone(), |how| forge(how, &state, &other));
            let key = case.text("key").unwrap_or(&key);
            let accept = json!({ "action": "accept", "content": question.yes });
            let responses = json!({ key: accept }).to_string();
            wire.retry(&forged, &state, &responses).await;
            let answer = match wire.stop().await {
                Stop::Ended(answer) => answer,
                Stop::Asked { .. } => Value::Null,
            };
            let name = format!("{} ({transport:?}): {state}", case.name);
            check_no_yes(&stand, &answer, &name).await;
        }
    }
}
