//! A yes is deliberate: nothing submits by itself, a dangerous yes is held or typed, and the question
//! was in view for as long as it takes to read it.

use super::{
    stage::Stage,
    tab::{CTRL_ENTER, ENTER, HOLD, Tab, field},
};
use holdpoint::{
    Ask, Field, Form, Gesture, Kind,
    field::{Choice, Choices, Number, Pick, Rating, Text, Toggle},
};
use serde_json::json;
use std::time::Duration;

/// Less than a button is held for a yes that is dangerous.
const EARLY: Duration = Duration::from_millis(500);

fn every_kind() -> Form {
    let picks = |count: usize| (0..count).map(|at| Pick::new(format!("p{at}"))).collect();
    let kinds = [
        ("text", Kind::Text(Text::default())),
        ("number", Kind::Number(Number::default())),
        ("toggle", Kind::Toggle(Toggle::default())),
        ("stars", Kind::Rating(Rating::default())),
        ("confirm", Kind::Confirm),
        (
            "choice",
            Kind::Choice(Choice {
                options: picks(20),
                other: true,
                ..Choice::default()
            }),
        ),
        (
            "choices",
            Kind::Choices(Choices {
                options: picks(2),
                ..Choices::default()
            }),
        ),
    ];
    let optional = |(name, kind)| Field::new(name, kind).optional();
    kinds
        .into_iter()
        .map(optional)
        .fold(Form::new(), Form::field)
}

/// Each place where Enter could be taken for "send".
const PLACES: [(&str, &str); 8] = [
    ("text", "input"),
    ("number", "input"),
    ("toggle", "input"),
    ("stars", "input"),
    ("confirm", "input[value=Yes]"),
    ("choice", ".filter"),
    ("choice", ".own"),
    ("choices", "input"),
];

#[tokio::test]
async fn enter_submits_nothing_on_a_radio_in_a_filter_or_in_a_text() {
    for dangerous in [false, true] {
        let stage = Stage::set().await;
        let ask = Ask::new("Which?", every_kind());
        let id = stage
            .ask(if dangerous { ask.dangerous() } else { ask })
            .await;
        let tab = Tab::with(&stage, id).await;
        tab.armed().await;
        for (name, input) in PLACES {
            let place = json!(field(name, input));
            tab.js(&format!("document.querySelector({place}).focus()"))
                .await;
            tab.keys(ENTER).await;
        }
        if dangerous {
            tab.enter("#word", "confirm").await;
            tab.keys(ENTER).await;
        }
        // What a form would do of its own accord, too.
        tab.js("document.querySelector('.ask form').requestSubmit()")
            .await;
        tab.until("document.querySelector('#submit')").await;
        tab.js("window.told = undefined; fetch('/api/asks').then(() => { window.told = true; })")
            .await;
        tab.until("window.told").await;
        assert!(stage.now(id).await.is_none(), "dangerous: {dangerous}");
        tab.see("#submit").await;
        tab.close().await;
    }
}

#[tokio::test]
async fn a_dangerous_yes_is_held_by_pointer_and_released_early_does_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Drop the table?").dangerous()).await;
    let tab = Tab::with(&stage, id).await;
    tab.click("#submit").await;
    tab.says(".trouble", "Hold the button").await;
    tab.hold("#submit", EARLY).await;
    tab.click(".ask .message").await;
    tab.keys(CTRL_ENTER).await;
    tab.hold("#submit", EARLY).await;
    assert!(stage.now(id).await.is_none());
    tab.hold("#submit", HOLD).await;
    assert_eq!(stage.accepted(id).await, json!({ "confirmed": true }));
    tab.close().await;
}

#[tokio::test]
async fn a_dangerous_yes_is_held_by_keyboard() {
    for key in [' ', '\u{e007}'] {
        let stage = Stage::set().await;
        let id = stage.ask(Ask::confirm("Drop the table?").dangerous()).await;
        let tab = Tab::with(&stage, id).await;
        tab.armed().await;
        tab.js("document.querySelector('#submit').focus()").await;
        tab.hold_key(key, Duration::from_millis(20)).await;
        tab.hold_key(key, EARLY).await;
        assert!(stage.now(id).await.is_none());
        tab.hold_key(key, HOLD).await;
        stage.accepted(id).await;
        assert_eq!(tab.complaints().await, [""; 0]);
        tab.close().await;
    }
}

#[tokio::test]
async fn enter_that_was_held_before_it_could_be_pressed_decides_nothing() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.see("#submit").await;
    // As far as the button knows, the ask has only just come into view.
    tab.js("dispatchEvent(new Event('blur')); document.querySelector('#submit').focus()")
        .await;
    tab.js("document.querySelector('#submit').dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }))")
        .await;
    tab.js("dispatchEvent(new Event('focus'))").await;
    tab.until("document.querySelector('#submit').ariaDisabled === 'true'")
        .await;
    tab.keys(" ").await;
    assert!(stage.now(id).await.is_none());
    tab.approve().await;
    stage.accepted(id).await;
    tab.close().await;
}

#[tokio::test]
async fn a_dangerous_yes_is_given_by_typing_the_word_of_the_ask() {
    let stage = Stage::set().await;
    let ask = Ask::confirm("Drop the table?")
        .dangerous()
        .with_word("orders")
        .consequence("Can be rolled back for 7 days.");
    let id = stage.ask(ask).await;
    let tab = Tab::with(&stage, id).await;
    // What is said about the danger is the ask's, not a line of ours.
    tab.says(".warning", "Can be rolled back for 7 days.").await;
    let all = tab
        .js("return document.querySelector('.ask').innerText")
        .await;
    assert!(!all.as_str().unwrap().contains("undone"), "{all}");
    tab.says(".word label", "orders").await;
    tab.enter("#word", "confirm").await;
    tab.click("#submit").await;
    tab.says(".trouble", "Hold the button").await;
    assert!(stage.now(id).await.is_none());
    tab.replace("#word", "orders").await;
    tab.keys(ENTER).await;
    tab.says("#submit", "Approve").await;
    assert!(stage.now(id).await.is_none());
    tab.click("#submit").await;
    assert_eq!(stage.accepted(id).await, json!({ "confirmed": true }));
    let word = Gesture::Word("orders".into());
    let presence = stage.decision(id).await.presence.unwrap();
    assert_eq!(presence.gesture, Some(word));
    tab.close().await;
}

#[tokio::test]
async fn the_buttons_wait_for_the_reading_time_and_begin_anew_when_nobody_looks() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Drop the table?").dangerous()).await;
    let tab = Tab::with(&stage, id).await;
    let since = "document.querySelector('#submit').ariaDisabled";
    tab.armed().await;
    // The tab is left and come back to: nothing counts until it has been in view again.
    tab.js("dispatchEvent(new Event('blur'))").await;
    assert_eq!(tab.js(&format!("return {since}")).await, json!("true"));
    tab.hold("#submit", EARLY).await;
    assert!(stage.now(id).await.is_none());
    tab.approve().await;
    stage.accepted(id).await;
    let decision = stage.decision(id).await;
    let shown = decision.presence.unwrap().shown_at.unwrap();
    let seen = decision.at.as_millisecond() - shown.as_millisecond();
    assert!(seen >= 1_000, "in view for {seen} ms");
    tab.close().await;
}

/// A pointer goes down on the button before it can be pressed, and these events follow once it can.
async fn press_too_early(tab: &Tab, pointer: &str, events: &[&str]) {
    let script = format!(
        "const yes = document.querySelector('#submit'); dispatchEvent(new Event('blur')); \
         const fire = (type) => yes.dispatchEvent(new PointerEvent(type, \
           {{ pointerType: {pointer:?}, isPrimary: true, bubbles: !type.endsWith('leave') }})); \
         fire('pointerdown'); window.fired = false; \
         const rest = () => {{ \
           if (yes.ariaDisabled === 'true') return setTimeout(rest, 10); \
           for (const type of {events:?}) fire(type); \
           window.fired = true; \
         }}; rest();"
    );
    tab.js(&script).await;
    tab.until("window.fired").await;
    tab.js("window.told = undefined; fetch('/api/stats').then(() => { window.told = true; })")
        .await;
    tab.until("window.told").await;
}

#[tokio::test]
async fn a_press_that_began_too_early_counts_neither_by_touch_nor_by_leaving_and_coming_back() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    let tap = ["pointerup", "pointerleave", "click"];
    press_too_early(&tab, "touch", &tap).await;
    assert!(stage.now(id).await.is_none(), "by touch");
    let leave = ["pointerleave", "pointerenter", "pointerup", "click"];
    press_too_early(&tab, "mouse", &leave).await;
    assert!(stage.now(id).await.is_none(), "by leaving");
    // What assistive technology clicks has no press before it.
    tab.js("document.querySelector('#submit').click()").await;
    tab.send_now().await;
    stage.accepted(id).await;
    tab.close().await;
}

#[tokio::test]
async fn a_tap_is_a_press() {
    let stage = Stage::set().await;
    let id = stage.ask(Ask::confirm("Go?")).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.tap("#submit").await;
    tab.send_now().await;
    stage.accepted(id).await;
    tab.close().await;
}
