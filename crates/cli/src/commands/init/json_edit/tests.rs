//! Texts as people have them, and the same text after something was put in and taken out again.

use super::*;

/// `KEY` is where a member is put.
const TEXTS: &[&str] = &[
    "{}",
    "{}\n",
    "{ }",
    "{ \"a\": 1 }",
    "{\"a\":1}\n",
    "{ \"a\": 1, }\n",
    "{ \"a\": 1 } // last\n",
    "{\n  \"a\": 1\n}\n",
    "{\n  \"a\": 1 // why\n}\n",
    "{\n  \"a\": 1, // why\n}\n",
    "{\n  \"a\": 1\n  // below\n}\n",
    "{\n  \"a\": 1, /* x */ // y\n\n  // below\n\n}\n",
    "{\n  // above\n}\n",
    "{ // beside\n}\n",
    "{\n\t\"a\": {\n\t\t\"b\": []\n\t}\n}",
    "{\r\n    \"a\": [\r\n        1\r\n    ]\r\n}\r\n",
    "// first\n{\n  \"a\": 1,\n  \"b\": \"} // no comment\"\n}\n// last\n",
    "{\n  \"KEY\": {\n    \"a\": 1\n  }\n}\n",
    "{\n  \"KEY\": {\n    // why\n  }\n}\n",
    "{ \"KEY\": { \"a\": 1 }, \"b\": 2 }",
    "{\n  \"KEY\": { \"a\": 1 },\n  \"b\": 2\n}\n",
    "{\n  \"KEY\": {\n    \"a\": { \"c\": 1, }, // why\n    /* \"off\": {}, */\n  },\n}\n",
    "{\n  \"KEY\": { \"a\": 1 /* x */ }\n}\n",
];

fn entry() -> Value {
    json!({ "command": "x", "args": ["y", "z"], "env": { "A": "1" } })
}

#[test]
fn what_is_put_in_and_taken_out_leaves_the_text_as_it_was() {
    for text in TEXTS {
        let with = set(text, &["KEY", "ours"], &entry()).unwrap();
        let read = read(&with).unwrap();
        assert_eq!(read["KEY"]["ours"], entry(), "{text}\n{with}");
        assert_eq!(set(&with, &["KEY", "ours"], &entry()).unwrap(), with);
        let rest = take(&with, &["KEY".into(), "ours".into()])
            .unwrap()
            .unwrap();
        assert_eq!(rest, *text, "{with}");

        let with = set_among(text, &["first"], &json!(1), Among::First).unwrap();
        let rest = take(&with, &["first".into()]).unwrap().unwrap();
        assert_eq!(rest, *text, "{with}");
    }
}

#[test]
fn items_too() {
    for text in [
        "{}\n",
        "{ \"a\": 1 }",
        "{\n  \"LIST\": [\"a\"]\n}\n",
        "{\n  \"LIST\": [ \"a\", ]\n}\n",
        "{\n  \"LIST\": [\n    \"a\", // why\n    \"b\"\n  ],\n  \"z\": 1\n}\n",
        "{\n  \"LIST\": [\n    { \"a\": 1 }\n  ]\n}\n",
        "{ \"LIST\": [{ \"a\": 1 }] }\n",
    ] {
        for item in [json!("ours"), json!({ "ours": [{ "b": 1 }] })] {
            let with = push(text, &["LIST"], &item).unwrap();
            let list = list_at(&with, &["LIST".into()]).unwrap().unwrap();
            assert_eq!(list.last(), Some(&item), "{with}");
            let last = Step::Item(list.len() - 1);
            let rest = take(&with, &["LIST".into(), last]).unwrap().unwrap();
            assert_eq!(rest, text, "{with}");
        }
    }
}

#[test]
fn what_was_written_meanwhile_stays() {
    let check = |now: &str, rest: &str| {
        let found = take(now, &["KEY".into(), "ours".into()]).unwrap();
        assert_eq!(found.as_deref(), Some(rest), "{now}");
    };
    check(
        "{\n  \"KEY\": {\n    // of ours\n    \"ours\": { \"a\": 1 }, // beside\n    \"new\": 1\n  }\n}\n",
        "{\n  \"KEY\": {\n    // of ours // beside\n    \"new\": 1\n  }\n}\n",
    );
    check(
        "{\n  \"KEY\": {\n    \"ours\": 1\n  },\n  \"new\": {}\n}\n",
        "{\n  \"new\": {}\n}\n",
    );
    check(
        "{ \"KEY\": { \"a\": 1, \"ours\": 2, \"new\": 3 } }",
        "{ \"KEY\": { \"a\": 1, \"new\": 3 } }",
    );
    check(
        "{ \"KEY\": { \"ours\": 2, \"new\": 3 } }",
        "{ \"KEY\": { \"new\": 3 } }",
    );
    check(
        "{\n  \"KEY\": {\n    \"ours\": 1 // mine\n  }\n}\n",
        "{\n  \"KEY\": { // mine\n  }\n}\n",
    );
    assert_eq!(take("{}", &["KEY".into(), "ours".into()]).unwrap(), None);
}

#[test]
fn a_file_without_anything_gets_lines() {
    let wanted = "{\n  \"KEY\": {\n    \"a\": 1\n  }\n}\n";
    for text in ["", "\n", "  "] {
        assert_eq!(set(text, &["KEY", "a"], &json!(1)).unwrap(), wanted);
    }
    let commented = set("// mine\n", &["KEY", "a"], &json!(1)).unwrap();
    assert_eq!(commented, format!("// mine\n{wanted}"));
    assert!(is_void("{\n}\n") && !is_void("{ // x\n}") && !is_void("{\"a\":1}"));
}

#[test]
fn a_value_is_changed_in_its_place() {
    let text = "{\n  \"a\": { \"b\": [ 1 , 2 ], \"c\": 3 } // why\n}\n";
    assert_eq!(set(text, &["a", "b"], &json!([1, 2])).unwrap(), text);
    let now = set(text, &["a", "b"], &json!(["x"])).unwrap();
    assert_eq!(now, text.replace("[ 1 , 2 ]", "[\"x\"]"));
}

#[test]
fn what_is_of_another_kind_or_there_twice_is_told_with_its_line() {
    for (text, told) in [
        ("[]", "line 1: the file is not a JSON object"),
        ("{\n\"KEY\": [] }", "line 2: `KEY` is not an object"),
        (
            "{\n\"KEY\": { \"ours\":1,\n\"ours\":2 } }",
            "line 3: `ours` is there twice",
        ),
    ] {
        let said = set(text, &["KEY", "ours"], &entry()).unwrap_err();
        assert_eq!(said.to_string(), told);
    }
    let said = push("{\n\"LIST\": {} }", &["LIST"], &json!(1)).unwrap_err();
    assert_eq!(said.to_string(), "line 2: `LIST` is not a list");
}
