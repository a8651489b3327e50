//! Files as people have them, with and without the hooks.

use super::*;
use crate::commands::init::json_edit::is_void;
use clap::ValueEnum;
use serde_json::json;

/// What may be in the file of a client, `EVENT` standing for its first event.
const BEFORE: [&str; 12] = [
    "{}",
    "{}\n",
    "{\n}\n",
    "{ \"a\": 1 }",
    "{\n  // mine\n  \"a\": [1, 2], /* why */\n  \"b\": {}\n}\n",
    "{\n\t\"a\": 1,\n}\n",
    "{\n  \"hooks\": {\n    \"Other\": [\n      { \"command\": \"./mine.sh\" } // kept\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"EVENT\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"./mine.sh\" }\n        ]\n      }\n    ]\n  },\n  \"z\": null\n}\n",
    "{\n  \"hooks\": {\n    \"EVENT\": [\n      // the first\n      { \"command\": \"./mine.sh\" },\n      { \"command\": \"./second.sh\" }\n    ]\n  }\n}\n",
    "{ \"hooks\": { \"EVENT\": [{ \"command\": \"./mine.sh\" }] } }\n",
    "{\n    \"version\": 1,\n    \"hooks\": {\n        \"EVENT\": [\n            { \"command\": \"holdpoint log\" }\n        ]\n    }\n}",
    "{\r\n  \"a\": 1,\r\n  \"hooks\": {\r\n    \"EVENT\": [\r\n      { \"command\": \"./mine.sh\" }\r\n    ]\r\n  }\r\n}\r\n",
];

fn all() -> impl Iterator<Item = Registration> {
    let clients = Client::value_variants().iter();
    clients.filter_map(|client| Registration::new(*client, "linux"))
}

fn read(text: &str) -> Value {
    jsonc_parser::parse_to_serde_value(text, &Default::default()).unwrap()
}

#[test]
fn what_a_person_has_stays_and_comes_back() {
    for ours in all() {
        let client = ours.client;
        for before in BEFORE {
            let before = before.replace("EVENT", ours.events[0].name);
            let with = register(&before, &ours).unwrap();
            let about = format!("{client:?}: {before}\n{with}");
            for event in ours.events {
                let list = read(&with)["hooks"][event.name].clone();
                let last = list.as_array().and_then(|list| list.last().cloned());
                assert_eq!(last, Some(ours.item(event)), "{about}");
            }
            for part in before.split(['{', '}', '[', ']', ',', '\n', '\r']) {
                assert!(with.contains(part.trim()), "{part}: {about}");
            }
            let twice = register(&with, &ours).unwrap();
            assert_eq!(twice, with, "{about}");
            match remove(&with, client).unwrap() {
                Removed::Rest(rest) if ours.has_version() && !before.contains("version") => {
                    let mut rest = read(&rest);
                    rest.as_object_mut().unwrap().remove("version");
                    assert_eq!(rest, read(&before), "{about}");
                }
                // What was on one line is on several now.
                Removed::Rest(rest) if !before.trim_end().contains('\n') => {
                    assert_eq!(read(&rest), read(&before), "{about}");
                }
                Removed::Rest(rest) => assert_eq!(rest, before, "{about}"),
                Removed::Everything => assert!(is_void(&before), "{about}"),
                Removed::Nothing => panic!("{about}"),
            }
            assert_eq!(remove(&before, client).unwrap(), Removed::Nothing);
        }
    }
}

#[test]
fn an_older_entry_is_brought_up_to_date_in_its_place() {
    let ours = Registration::new(Client::Claude, "linux").unwrap();
    let old = r#"{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash", // narrowed
        "hooks": [
          { "type": "command", "command": "holdpoint", "args": ["hook", "claude", "--within", "20"], "timeout": 30, "if": "Bash(rm *)" },
          { "type": "command", "command": "./mine.sh" }
        ]
      },
      { "hooks": [{ "command": "holdpoint hook claude" }] }
    ],
    "Notification": [{ "hooks": [{ "command": "holdpoint hook claude" }] }]
  }
}
"#;
    let new = register(old, &ours).unwrap();
    let hooks = &read(&new)["hooks"];
    assert_eq!(hooks["Notification"], Value::Null, "{new}");
    let group = &hooks["PreToolUse"];
    assert_eq!(group.as_array().map(Vec::len), Some(1), "{new}");
    let mut wanted = ours.entry(&ours.events[0]);
    wanted["if"] = "Bash(rm *)".into();
    assert_eq!(group[0]["hooks"][0], wanted);
    assert_eq!(group[0]["hooks"][1]["command"], "./mine.sh");
    assert_eq!(group[0]["matcher"], "Bash");
    assert!(new.contains("\"matcher\": \"Bash\", // narrowed"), "{new}");
    let Removed::Rest(rest) = remove(&new, Client::Claude).unwrap() else {
        panic!("{new}");
    };
    let mine =
        json!([{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] }]);
    assert_eq!(read(&rest)["hooks"], json!({ "PreToolUse": mine }));
}

#[test]
fn one_file_is_for_two_clients() {
    let of = |client| Registration::new(client, "linux").unwrap();
    let vscode = register("", &of(Client::Vscode)).unwrap();
    assert_eq!(register(&vscode, &of(Client::Copilot)).unwrap(), vscode);
    let older = vscode.replace("hook vscode", "hook copilot");
    assert_eq!(register(&older, &of(Client::Vscode)).unwrap(), vscode);
    let beside = of(Client::Vscode).beside_claude();
    let beside = register(&vscode, &beside).unwrap();
    let only = "\"bash\": \"[ -n \\\"$COPILOT_CLI\\\" ] || holdpoint hook vscode --within 3590 || ";
    assert_eq!(beside.matches(only).count(), 2, "{beside}");
    assert_eq!(register(&beside, &of(Client::Copilot)).unwrap(), vscode);
    let gone = remove(&beside, Client::Copilot).unwrap();
    assert_eq!(gone, Removed::Everything);
}

#[test]
fn what_cannot_be_read_is_told() {
    let ours = Registration::new(Client::Cursor, "linux").unwrap();
    for (text, told) in [
        ("{ \"hooks\": [] }", "line 1: `hooks` is not an object"),
        (
            "{ \"hooks\": {\n\"preToolUse\": {} } }",
            "line 2: `preToolUse` is not a list",
        ),
        ("[]", "line 1: the file is not a JSON object"),
        (
            "{ \"hooks\": { \"preToolUse\": [],\n\"preToolUse\": [] } }",
            "line 2: `preToolUse` is there twice",
        ),
    ] {
        let error = register(text, &ours).unwrap_err();
        assert_eq!(error.to_string(), told);
    }
}
