//! Forms: each kind of field, what is wrong with it, what is kept of it.

use super::{
    stage::{Stage, origin},
    tab::{Tab, field},
};
use holdpoint::{
    Ask, Field, Form, Kind,
    field::{
        Choice, Choices, DateRange, File, Format, Integer, Link, Number, Pick, Rating, Text, Toggle,
    },
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Fills in a form of one field and checks what the desk got.
async fn check(kind: Kind, fill: impl AsyncFnOnce(&Tab), expected: Value) {
    let stage = Stage::set().await;
    let id = stage.form(Form::new().field(Field::new("it", kind))).await;
    let tab = Tab::with(&stage, id).await;
    fill(&tab).await;
    tab.send().await;
    assert_eq!(stage.accepted(id).await, json!({ "it": expected }));
    tab.see(".ended[data-outcome=accepted]").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

fn picks() -> Vec<Pick> {
    vec![
        Pick::new("s").label("Small").description("For one"),
        Pick::new("m").label("Medium").recommended(),
        Pick::new("l").label("Large"),
    ]
}

#[tokio::test]
async fn each_kind_in_one_form() {
    let stage = Stage::set().await;
    let text = |rules: Text| Kind::Text(rules);
    let moments = DateRange {
        min: Some("2026-07-01T00:00:00Z".into()),
        ..DateRange::default()
    };
    let fields = [
        ("text", text(Text::default())),
        (
            "lines",
            text(Text {
                multiline: true,
                max_length: Some(20),
                ..Text::default()
            }),
        ),
        (
            "mail",
            text(Text {
                format: Some(Format::Email),
                placeholder: Some("name@example.org".into()),
                ..Text::default()
            }),
        ),
        (
            "day-as-text",
            text(Text {
                format: Some(Format::Date),
                ..Text::default()
            }),
        ),
        (
            "kept",
            text(Text {
                default: Some("as it was".into()),
                ..Text::default()
            }),
        ),
        (
            "on",
            Kind::Toggle(Toggle {
                default: Some(true),
            }),
        ),
        ("off", Kind::Toggle(Toggle::default())),
        ("sure", Kind::Confirm),
        ("unsure", Kind::Confirm),
        (
            "size",
            Kind::Choice(Choice {
                options: picks(),
                ..Choice::default()
            }),
        ),
        (
            "own",
            Kind::Choice(Choice {
                options: picks(),
                other: true,
                ..Choice::default()
            }),
        ),
        (
            "sizes",
            Kind::Choices(Choices {
                options: picks(),
                other: true,
                min: Some(2),
                ..Choices::default()
            }),
        ),
        (
            "tempo",
            Kind::Number(Number {
                min: Some(20.0),
                step: Some(0.5),
                unit: Some("BPM".into()),
                ..Number::default()
            }),
        ),
        ("count", Kind::Integer(Integer::default())),
        ("stars", Kind::Rating(Rating::default())),
        ("day", Kind::Date(DateRange::default())),
        ("moment", Kind::DateTime(moments)),
        (
            "link",
            Kind::Link(Link {
                url: "https://example.com/terms?a=b".into(),
            }),
        ),
    ];
    let form = fields.into_iter().fold(Form::new(), |form, (name, kind)| {
        form.field(Field::new(name, kind))
    });
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;

    tab.enter(&field("text", "input"), "Grüße").await;
    tab.enter(&field("lines", "textarea"), "one\ntwo").await;
    tab.enter(&field("mail", "input"), "ada@example.org").await;
    tab.pick(&field("day-as-text", "input"), "2026-02-28").await;
    tab.click(&field("off", "input")).await;
    tab.click(&field("sure", "input[value=Yes]")).await;
    tab.click(&field("unsure", "input[value=No]")).await;
    tab.click(&field("size", "input[value=m]")).await;
    tab.enter(&field("own", ".own"), "tailored").await;
    tab.click(&field("sizes", "input[value=l]")).await;
    tab.enter(&field("sizes", ".own"), "XXL").await;
    tab.enter(&field("tempo", "input"), "120.5").await;
    tab.enter(&field("count", "input"), "-3").await;
    tab.click(&field("stars", ".star:nth-child(4)")).await;
    tab.pick(&field("day", "input"), "2026-12-24").await;
    tab.pick(&field("moment", "input"), "2026-07-28T09:30")
        .await;
    tab.says(&field("link", ".visit"), "https://example.com/terms?a=b")
        .await;
    tab.click(&field("link", "input")).await;
    tab.send().await;

    let expected = json!({
        "text": "Grüße", "lines": "one\ntwo", "mail": "ada@example.org",
        "day-as-text": "2026-02-28", "kept": "as it was", "on": true, "off": true,
        "sure": true, "unsure": false, "size": "m", "own": "tailored", "sizes": ["l", "XXL"],
        "tempo": 120.5, "count": -3, "stars": 4, "day": "2026-12-24",
        "moment": "2026-07-28T09:30:00+02:00", "link": true,
    });
    assert_eq!(stage.accepted(id).await, expected);
    tab.says(".ended h2", "Answered by ann on the page").await;
    tab.says(".answer", "Medium").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn nothing_that_decides_is_filled_in_and_settings_are() {
    let stage = Stage::set().await;
    let form = Form::new()
        .field(Field::new("sure", Kind::Confirm))
        .field(Field::new(
            "size",
            Kind::Choice(Choice {
                options: picks(),
                ..Choice::default()
            }),
        ))
        .field(Field::new(
            "sizes",
            Kind::Choices(Choices {
                options: picks(),
                ..Choices::default()
            }),
        ))
        .field(Field::new(
            "setting",
            Kind::Choice(Choice {
                options: picks(),
                default: Some("l".into()),
                ..Choice::default()
            }),
        ));
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;
    let checked = "return [...document.querySelectorAll('#reading input:checked')]\
        .map((it) => it.closest('.field').dataset.field + '=' + it.value)";
    let as_opened = json!(["setting=l"]);
    assert_eq!(tab.js(checked).await, as_opened);
    tab.says(&field("size", ".badge"), "Recommended").await;

    // Submitting as it is says what is missing and sends nothing.
    tab.send().await;
    let wrong = &field("sure", ".error");
    tab.says(wrong, "sure must be yes or no.").await;
    tab.says(&field("size", ".error"), "size must be chosen.")
        .await;
    assert!(stage.now(id).await.is_none());

    // What a person chose and did not send is not chosen for them after a reload.
    tab.click(&field("sure", "input[value=Yes]")).await;
    tab.click(&field("size", "input[value=s]")).await;
    tab.click(&field("setting", "input[value=m]")).await;
    tab.reload().await;
    assert_eq!(tab.js(checked).await, json!(["setting=m"]));
    tab.close().await;
}

#[tokio::test]
async fn what_is_wrong_is_said_at_the_field_and_then_it_is_right() {
    let stage = Stage::set().await;
    let code = Text {
        pattern: Some("[A-Z]{3}-[0-9]+".into()),
        ..Text::default()
    };
    let form = Form::new()
        .field(
            Field::new(
                "tempo",
                Kind::Integer(Integer {
                    min: Some(20),
                    max: Some(200),
                    unit: Some("BPM".into()),
                    ..Integer::default()
                }),
            )
            .title("Tempo"),
        )
        .field(Field::new("code", Kind::Text(code)).title("Code"));
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;

    tab.enter(&field("tempo", "input"), "900").await;
    tab.enter(&field("code", "input"), "abc").await;
    tab.send().await;
    let message = "Tempo must be at most 200 BPM.";
    tab.says(&field("tempo", ".error"), message).await;
    let focused = "return document.activeElement.closest('.field').dataset.field";
    assert_eq!(tab.js(focused).await, json!("tempo"));
    let invalid = field("tempo", "input[aria-invalid=true]");
    tab.see(&invalid).await;

    // What only the server can tell comes back to its field, too.
    tab.replace(&field("tempo", "input"), "120").await;
    tab.send().await;
    let message = "Code must match the pattern [A-Z]{3}-[0-9]+.";
    tab.says(&field("code", ".error"), message).await;
    tab.says(".trouble", "Nothing is decided yet").await;
    assert!(stage.now(id).await.is_none());

    tab.replace(&field("code", "input"), "ABC-7").await;
    tab.send().await;
    let expected = json!({ "tempo": 120, "code": "ABC-7" });
    assert_eq!(stage.accepted(id).await, expected);
    tab.close().await;
}

#[tokio::test]
async fn a_file_is_sent_and_lies_beside_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("übersicht.txt");
    std::fs::write(&path, "seven bytes").unwrap();
    let stage = Stage::set().await;
    let rules = File {
        accept: vec![".txt".into()],
        max_bytes: Some(20),
    };
    let form = Form::new().field(Field::new("it", Kind::File(rules)));
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;

    let large = folder.path().join("large.txt");
    std::fs::write(&large, [b'x'; 21]).unwrap();
    tab.enter(&field("it", "input"), large.to_str().unwrap())
        .await;
    tab.says(&field("it", "[role=status]"), "large.txt has 21 bytes.")
        .await;
    tab.send().await;
    tab.says(&field("it", ".error"), "it must have at most 20 bytes.")
        .await;

    tab.enter(&field("it", "input"), path.to_str().unwrap())
        .await;
    tab.says(&field("it", "[role=status]"), "SHA-256").await;
    tab.send().await;
    let value = stage.accepted(id).await["it"].clone();
    assert_eq!(value["name"], "übersicht.txt");
    assert_eq!(value["size"], 11);
    let digest: String = Sha256::digest("seven bytes")
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(value["sha256"], digest);
    let kept = std::path::Path::new(value["path"].as_str().unwrap());
    assert!(kept.starts_with(stage.folder().canonicalize().unwrap()));
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "seven bytes");
    tab.close().await;
}

#[tokio::test]
async fn a_draft_survives_a_reload_and_goes_with_the_answer() {
    let stage = Stage::set().await;
    let form = Form::new()
        .field(Field::new("name", Kind::Text(Text::default())))
        .field(Field::new("stars", Kind::Rating(Rating::default())))
        .field(Field::new("token", Kind::Secret).optional());
    // A secret has somebody who waits for it.
    let waiting = stage.desk.ask(origin(), Ask::new("Who?", form));
    let id = waiting.await.unwrap().id();
    let tab = Tab::with(&stage, id).await;
    tab.enter(&field("name", "input"), "half a na").await;
    tab.click(&field("stars", ".star:nth-child(2)")).await;
    tab.enter(&field("token", "input"), "correct-horse").await;
    tab.reload().await;
    let values = "return [...document.querySelectorAll('.fields input')]\
        .filter((it) => it.type !== 'radio' || it.checked).map((it) => it.value)";
    assert_eq!(tab.js(values).await, json!(["half a na", "2", ""]));
    let kept = "return JSON.stringify({ ...localStorage, ...sessionStorage })";
    let stored = tab.js(kept).await;
    assert!(stored.as_str().unwrap().contains("half a na"));
    assert!(!stored.as_str().unwrap().contains("correct-horse"));

    tab.enter(&field("name", "input"), "me").await;
    tab.send().await;
    let expected = json!({ "name": "half a name", "stars": 2 });
    assert_eq!(stage.accepted(id).await, expected);
    tab.see(".ended").await;
    let stored = tab.js(kept).await;
    assert!(!stored.as_str().unwrap().contains("half a na"));
    tab.close().await;
}

#[tokio::test]
async fn a_secret_is_found_nowhere() {
    const SECRET: &str = "hunter2-never-to-be-seen";
    let stage = Stage::set().await;
    let form = Form::new().field(Field::new("token", Kind::Secret));
    let waiting = stage.desk.ask(origin(), Ask::new("A token, please", form));
    let mut waiting = waiting.await.unwrap();
    let id = waiting.id();
    let tab = Tab::with(&stage, id).await;
    let input = tab.see(&field("token", "input")).await;
    assert_eq!(input.attr("type").await.unwrap().unwrap(), "password");
    tab.enter(&field("token", "input"), SECRET).await;
    tab.send().await;
    let decided = waiting.decided().await.unwrap();
    let answer = decided.outcome.accepted().expect("handed over");
    assert_eq!(answer["token"], SECRET);
    tab.says(".answer", "given, never stored").await;

    let page = "return document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage })";
    assert!(!tab.js(page).await.as_str().unwrap().contains(SECRET));
    tab.go(&stage.url("/history")).await;
    tab.see("#asks li").await;
    tab.js("window.told = undefined; import('/assets/api.js').then((api) => api.get('/api/log')).then((log) => { window.told = JSON.stringify(log); })").await;
    tab.until("window.told").await;
    let told = tab.js("return window.told").await;
    assert!(told.as_str().unwrap().contains(&id.to_string()));
    assert!(!told.as_str().unwrap().contains(SECRET));
    for entry in std::fs::read_dir(stage.folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes
                .windows(SECRET.len())
                .any(|window| window == SECRET.as_bytes());
            assert!(!found, "{}", path.display());
        }
    }
    tab.close().await;
}

#[tokio::test]
async fn an_optional_answer_can_be_taken_back_and_left_out() {
    let kind = Kind::Rating(Rating::default());
    let stage = Stage::set().await;
    let form = Form::new()
        .field(Field::new("stars", kind).optional())
        .field(Field::new("sure", Kind::Confirm).optional());
    let id = stage.form(form).await;
    let tab = Tab::with(&stage, id).await;
    tab.click(&field("stars", ".star:nth-child(1)")).await;
    tab.click(&field("stars", ".small")).await;
    tab.click(&field("sure", "input[value=Yes]")).await;
    tab.click(&field("sure", ".small")).await;
    tab.send().await;
    assert_eq!(stage.accepted(id).await, json!({}));
    tab.close().await;
}

#[tokio::test]
async fn many_options_can_be_filtered() {
    let options = (0..200).map(|number| Pick::new(format!("option {number}")));
    let rules = Choice {
        options: options.collect(),
        ..Choice::default()
    };
    let fill = async |tab: &Tab| {
        tab.enter(&field("it", ".filter"), "177").await;
        tab.until("document.querySelectorAll('.option:not([hidden])').length === 1")
            .await;
        tab.click(&field("it", ".option:not([hidden])")).await;
    };
    check(Kind::Choice(rules), fill, json!("option 177")).await;
}
