//! The examples of programs that ask: each is run, a person decides, and it acts on that.

use super::*;
use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(path)
}

/// The programs, each with what runs it.
fn programs() -> [(&'static str, Vec<PathBuf>); 3] {
    let [node, _] = clients::node_script("");
    let python = clients::tools().join("venv/bin/python");
    [
        ("python", vec![python, example("python/ask.py")]),
        ("typescript", vec![node, example("typescript/ask.ts")]),
        ("curl", vec![example("curl/ask.sh")]),
    ]
}

/// Runs a program against the page of this home while a person does this.
fn run(home: &Home, program: &[PathBuf], token: &str, person: impl FnOnce()) -> Output {
    let address = crate::inbox::browser::address(home).unwrap();
    let child = Command::new(&program[0])
        .args(&program[1..])
        .arg("2.4")
        .env("HOLDPOINT_URL", address)
        .env("HOLDPOINT_TOKEN", token)
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    person();
    child.wait_with_output().unwrap()
}

#[test]
fn each_of_them_acts_on_what_a_person_decides() {
    let home = new_home();
    let _page = client(&home, Value::Null, &[]);
    let token = token(&home, "deploy", "ask");
    let browser = Browser::open(&home);
    for (name, program) in programs() {
        let output = run(&home, &program, &token, || {
            let ask = browser.asked();
            assert_eq!(ask["origin"]["who"], "deploy asks", "{name}");
            assert!(
                ask["text"].as_str().unwrap().contains("2.4"),
                "{name}: {ask}"
            );
            browser.accept(&ask, json!({ "deploy": true, "when": "tonight" }));
        });
        let (said, out) = (stderr(&output), stdout(&output));
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
        assert!(
            out.starts_with("Deploying 2.4 tonight, as "),
            "{name}: {out}"
        );
        assert!(
            said.contains("/ask/"),
            "{name} says where to answer: {said}"
        );

        // A no, and a yes that is not to this.
        for (action, content, words) in [
            ("decline", json!({}), "Not yet."),
            (
                "accept",
                json!({ "deploy": false, "when": "now" }),
                "did not say yes",
            ),
        ] {
            let output = run(&home, &program, &token, || {
                let ask = browser.asked();
                browser.respond(json!({
                    "askId": ask["id"], "action": action, "content": content, "reason": "Not yet.",
                }));
            });
            let said = stderr(&output);
            assert_eq!(
                (output.status.code(), stdout(&output).as_str()),
                (Some(1), ""),
                "{name}: {said}"
            );
            assert!(
                said.contains("Not deployed") && said.contains(words),
                "{name}: {said}"
            );
        }
        let output = run(&home, &program, "holdpoint_deploy_00", || {});
        let said = stderr(&output);
        assert_eq!(
            (output.status.code(), stdout(&output).as_str()),
            (Some(1), ""),
            "{name}: {said}"
        );
        assert!(
            said.contains("This token is not known here"),
            "{name}: {said}"
        );
    }
}

#[test]
fn each_of_them_waits_for_a_page_that_moves_to_another_process() {
    for (name, program) in programs() {
        let home = new_home();
        let first = client(&home, Value::Null, &[]);
        let token = token(&home, "deploy", "ask");
        let asked = Browser::open(&home);
        let mut second = None;
        let output = run(&home, &program, &token, || {
            let ask = asked.asked();
            drop(first); // SIGKILL
            second = Some(client(&home, Value::Null, &[]));
            let browser = eventually_blocking("the page", || {
                Some(Browser::open(&home)).filter(|browser| browser.address == asked.address)
            });
            assert_eq!(browser.asked()["id"], ask["id"], "{name}");
            browser.accept(&ask, json!({ "deploy": true, "when": "now" }));
        });
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
        assert!(stdout(&output).starts_with("Deploying 2.4 now"), "{name}");
    }
}
