//! How each file of `crates/script/tests/photon` is driven, and what must come out.

use serde_json::{Value, json};

/// One generator tool of one file.
pub struct Case {
    /// The file.
    pub file: &'static str,
    /// Its method.
    pub method: &'static str,
    /// What it is given.
    pub arguments: Value,
    /// What it is answered: how the question begins, and the answer. Each is used once, in this order where
    /// questions begin alike.
    pub answers: Vec<(&'static str, Value)>,
    /// What it returns; or, where the file cannot be used here, a part of why.
    pub wanted: Result<Value, &'static str>,
}

impl Case {
    /// The file's name without its endings.
    pub fn stem(&self) -> &'static str {
        self.file.split('.').next().unwrap()
    }

    /// The name of its tool.
    pub fn tool(&self) -> String {
        format!("{}_{}", self.stem().replace('-', "_"), self.method)
    }
}

fn case(
    file: &'static str,
    method: &'static str,
    arguments: Value,
    answers: &[(&'static str, Value)],
    wanted: Value,
) -> Case {
    let answers = answers.to_vec();
    Case {
        file,
        method,
        arguments,
        answers,
        wanted: Ok(wanted),
    }
}

fn unusable(file: &'static str, method: &'static str, why: &'static str) -> Case {
    let (arguments, answers) = (json!({}), Vec::new());
    Case {
        file,
        method,
        arguments,
        answers,
        wanted: Err(why),
    }
}

pub fn cases() -> Vec<Case> {
    vec![
        case(
            "greeting.photon.ts",
            "welcome",
            json!({ "tone": "formal" }),
            &[("Who is there?", json!("Ada"))],
            json!("Good day, Ada."),
        ),
        case(
            "todo.photon.ts",
            "add",
            json!({ "title": "Buy milk" }),
            &[("How urgent is", json!("high"))],
            json!({ "total": 1, "last": { "id": 1, "title": "Buy milk", "priority": "high", "done": false } }),
        ),
        case(
            "trip-planner.photon.ts",
            "plan",
            json!({ "start": "Bern", "stops": 2 }),
            &[
                ("When do you leave?", json!("2027-03-01")),
                ("Stop 1", json!("Milan")),
                ("Nights in Milan", json!(2)),
                ("Stop 2", json!("Rome")),
                ("Nights in Rome", json!(3)),
            ],
            json!({
                "legs": [{ "from": "Bern", "to": "Milan", "nights": 2 }, { "from": "Milan", "to": "Rome", "nights": 3 }],
                "nights": 5, "leaves": "2027-03-01",
            }),
        ),
        case(
            "deploy-checklist.photon.ts",
            "walk",
            json!({ "version": "1.4.0" }),
            &[
                ("Is build", json!(true)),
                ("Is test", json!(true)),
                ("Is ship", json!(true)),
            ],
            json!({ "shipped": true, "passed": ["build", "test", "ship"] }),
        ),
        case(
            "survey.photon.ts",
            "take",
            json!({}),
            &[(
                "About your week",
                json!({ "name": "Ada", "hours": 38, "remote": true, "mood": "good" }),
            )],
            json!({ "summary": "Ada: 38 h, good", "answers": { "name": "Ada", "hours": 38, "remote": true, "mood": "good" } }),
        ),
        case(
            "expense-tracker.photon.ts",
            "record",
            json!({ "what": "lunch" }),
            &[("How much for lunch?", json!(12.5))],
            json!({ "total": "12.50", "count": 1 }),
        ),
        case(
            "four-in-a-row.photon.ts",
            "play",
            json!({}),
            &[
                ("Turn 1", json!("1")),
                ("Turn 2", json!("1")),
                ("Turn 3", json!("1")),
            ],
            json!({ "winner": "X", "board": ["....", "X...", "X...", "XOO."] }),
        ),
        case(
            "number-guess.photon.ts",
            "guess",
            json!({ "secret": 7 }),
            &[
                ("Your guess?", json!(5)),
                ("Your guess?", json!(9)),
                ("Your guess?", json!(7)),
            ],
            json!({ "found": true, "tries": 3 }),
        ),
        case(
            "recipe-scaler.photon.ts",
            "scale",
            json!({ "servings": 8, "unit": "g" }),
            &[("What do you leave out?", json!(["sugar"]))],
            json!(["500.0 g flour", "250.0 g butter"]),
        ),
        case(
            "release-notes.photon.ts",
            "write",
            json!({}),
            &[
                ("Which changes", json!(["Dark theme", "Export to CSV"])),
                ("Title?", json!("Version 2")),
            ],
            json!({ "lines": 3 }),
        ),
        case(
            "handle-check.photon.ts",
            "choose",
            json!({}),
            &[
                ("Handle (try 1)", json!("root")),
                ("Handle (try 2)", json!("ada")),
            ],
            json!("ada"),
        ),
        case(
            "setup-wizard.photon.ts",
            "run",
            json!({}),
            &[
                ("Project name?", json!("bridge")),
                ("Language?", json!("rs")),
                ("Send telemetry?", json!(false)),
            ],
            json!({ "name": "bridge", "language": "rs", "telemetry": false }),
        ),
        case(
            "tea-timer.photon.ts",
            "brew",
            json!({}),
            &[("Which tea?", json!("green"))],
            json!({ "kind": "green", "steps": 3 }),
        ),
        case(
            "poem-stream.photon.ts",
            "recite",
            json!({}),
            &[("A line, please", json!("the sea is wide"))],
            json!({ "words": 4 }),
        ),
        case(
            "feedback.photon.js",
            "give",
            json!({ "topic": "lunch" }),
            &[
                ("Stars for lunch?", json!(2)),
                ("What could be better?", json!("more salt")),
            ],
            json!({ "topic": "lunch", "stars": 2, "text": "more salt" }),
        ),
        case(
            "unit-converter.photon.ts",
            "convert",
            json!({ "value": 1.5, "from": "km" }),
            &[("To which unit?", json!("m"))],
            json!("1500.00 m"),
        ),
        case(
            "meeting.photon.ts",
            "book",
            json!({ "people": 3 }),
            &[
                ("Which room?", json!("oak")),
                ("On which day?", json!("2027-05-04")),
            ],
            json!({ "room": "oak", "floor": 1, "at": "2027-05-04" }),
        ),
        case(
            "inventory.photon.ts",
            "take",
            json!({ "amount": 5 }),
            &[
                ("What do you take?", json!("tool")),
                ("Only 3 left", json!(true)),
            ],
            json!({ "tool": 0, "part": 40 }),
        ),
        case(
            "quiz.photon.ts",
            "play",
            json!({}),
            &[
                ("How many legs", json!("8")),
                ("Which is a prime?", json!("9")),
            ],
            json!({ "score": 1, "of": 2, "wrong": ["Which is a prime?"] }),
        ),
        case(
            "palette.photon.ts",
            "pick",
            json!({ "count": 2 }),
            &[("Colour 1?", json!("#c33")), ("Colour 2?", json!("#36c"))],
            json!("#c33, #36c"),
        ),
        case(
            "approval-chain.photon.ts",
            "ask_all",
            json!({ "subject": "the text" }),
            &[
                ("As editor", json!(true)),
                ("As lawyer", json!(true)),
                ("As boss", json!(true)),
            ],
            json!({
                "approved": true,
                "steps": [
                    { "who": "editor", "approved": true }, { "who": "lawyer", "approved": true },
                    { "who": "boss", "approved": true },
                ],
            }),
        ),
        case(
            "diary.photon.ts",
            "write",
            json!({}),
            &[
                ("How was it?", json!("fine")),
                ("What happened?", json!("rain")),
            ],
            json!({ "kept": 1, "last": "fine: rain" }),
        ),
        unusable("csv-import.photon.ts", "load", "yield { read:"),
        unusable("forecast.photon.ts", "tomorrow", "yield { fetch:"),
        unusable("branch-tidy.photon.ts", "tidy", "yield { run:"),
    ]
}
