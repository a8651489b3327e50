//! Files in the style of photon's, unchanged, on all three surfaces: for clients of both eras, in the
//! terminal, and on the page. `docs/scripts.md` lists what cannot be used, under “Coming from photon”.

mod cases;
mod page;

use crate::support::{Home, Pipe, eventually_blocking, new_home};
use cases::{Case, cases};
use page::Page;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
};

/// How many must run on every surface.
const LEAST: usize = 22;

type Came = Result<Value, String>;

#[test]
fn files_in_the_style_of_photon_run_on_all_three_surfaces() {
    let cases = cases();
    assert_eq!(cases.len(), 25);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../script/tests/photon");
    let folder = folder.canonicalize().unwrap();
    let surfaces: [(&str, Vec<Came>); 4] = std::thread::scope(|scope| {
        let legacy = scope.spawn(|| by_client(&cases, &folder, false));
        let modern = scope.spawn(|| by_client(&cases, &folder, true));
        let terminal = scope.spawn(|| in_the_terminal(&cases, &folder));
        let page = scope.spawn(|| on_the_page(&cases, &folder));
        [
            ("legacy client", legacy.join().unwrap()),
            ("modern client", modern.join().unwrap()),
            ("terminal", terminal.join().unwrap()),
            ("page", page.join().unwrap()),
        ]
    });
    let mut everywhere = 0;
    let mut table = String::new();
    let mut wrong = Vec::new();
    for (place, case) in cases.iter().enumerate() {
        let mut runs = true;
        let mut line = format!("{:<28}", case.file);
        for (surface, came) in &surfaces {
            let came = &came[place];
            runs &= came.is_ok();
            line.push_str(if came.is_ok() { "  ran" } else { "  -  " });
            let fits = match (&case.wanted, came) {
                (Ok(wanted), Ok(came)) => wanted == came,
                (Err(why), Err(came)) => came.contains(why),
                _ => false,
            };
            if !fits {
                wrong.push(format!("{} ({surface}): {came:?}", case.file));
            }
        }
        everywhere += usize::from(runs);
        table.push_str(&format!("{line}\n"));
    }
    println!("{table}{everywhere} of {} run everywhere", cases.len());
    assert!(wrong.is_empty(), "{table}\n{}", wrong.join("\n"));
    assert!(everywhere >= LEAST, "{table}");
}

/// The answer to the question that begins so, the next one of those that begin alike.
fn answer_of(case: &Case, message: &str, alike: usize, field: &str) -> Value {
    let mut fitting = case
        .answers
        .iter()
        .filter(|(start, _)| message.starts_with(start));
    let answer = fitting.nth(alike).map(|(_, answer)| answer);
    let answer = answer.unwrap_or_else(|| panic!("{}: nobody thought of {message:?}", case.file));
    match answer {
        Value::Object(_) => answer.clone(),
        _ => json!({ field: answer }),
    }
}

/// What a script's tool gives: what it returned, or what went wrong.
fn returned(body: &Value) -> Came {
    match body.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err(body.to_string()),
    }
}

/// A home in which quick answers count.
fn home() -> Home {
    let home = new_home();
    home.config("fast_reply_ms = 0");
    home
}

/// Why a file cannot be loaded, as `holdpoint run` says it.
fn fault(home: &Home, file: &Path) -> String {
    let output = home.run(&["run", file.to_str().unwrap()]);
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn by_client(cases: &[Case], folder: &Path, modern: bool) -> Vec<Came> {
    let home = home();
    let mut command = home.command(&["serve", "--scripts", folder.to_str().unwrap()]);
    let mut client = if modern {
        Pipe::modern(&mut command)
    } else {
        Pipe::legacy(&mut command)
    };
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let has = |tool: &str| {
        tools
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["name"] == tool)
    };
    let drive = |case: &Case| {
        if !has(&case.tool()) {
            return Err(fault(&home, &folder.join(case.file)));
        }
        let params = json!({ "name": case.tool(), "arguments": case.arguments });
        let result = if modern {
            by_modern_client(&mut client, case, params)
        } else {
            by_legacy_client(&mut client, case, params)
        };
        returned(&result["structuredContent"])
    };
    cases.iter().map(drive).collect()
}

/// What a client's person answers to a form; `asked` are the questions before it.
fn reply(case: &Case, form: &Value, asked: &mut Vec<String>) -> Value {
    let message = form["message"].as_str().unwrap().to_owned();
    let alike = asked.iter().filter(|other| **other == message).count();
    let fields = form["requestedSchema"]["properties"].as_object().unwrap();
    let content = answer_of(case, &message, alike, fields.keys().next().unwrap());
    asked.push(message);
    json!({ "action": "accept", "content": content })
}

fn by_legacy_client(client: &mut Pipe, case: &Case, params: Value) -> Value {
    let id = client.request("tools/call", params);
    let mut asked = Vec::new();
    loop {
        let message = client.until(|message| {
            message["method"] == "elicitation/create"
                || message["id"] == id && message.get("method").is_none()
        });
        if message["method"] != "elicitation/create" {
            return message["result"].clone();
        }
        let reply = reply(case, &message["params"], &mut asked);
        client.send(json!({ "jsonrpc": "2.0", "id": message["id"], "result": reply }));
    }
}

fn by_modern_client(client: &mut Pipe, case: &Case, params: Value) -> Value {
    let mut asked = Vec::new();
    let mut round = client.ask("tools/call", params.clone())["result"].clone();
    while round["resultType"] == "input_required" {
        let requests = round["inputRequests"].as_object().unwrap();
        let replies = requests
            .iter()
            .map(|(key, request)| (key.clone(), reply(case, &request["params"], &mut asked)));
        let mut again = params.clone();
        again["inputResponses"] = Value::Object(replies.collect());
        again["requestState"] = round["requestState"].clone();
        round = client.ask("tools/call", again)["result"].clone();
    }
    round
}

/// Real processes without a terminal: their asks wait in the inbox, and somebody answers them there.
fn in_the_terminal(cases: &[Case], folder: &Path) -> Vec<Came> {
    let home = home();
    let nothing = home.root().join("no-scripts");
    fs::create_dir(&nothing).unwrap();
    let mut page = Page::open(&home, &nothing);
    let mut came = Vec::new();
    for some in cases.chunks(5) {
        let mut runs: Vec<_> = some
            .iter()
            .map(|case| {
                let file: PathBuf = folder.join(case.file);
                let mut command =
                    home.command(&["run", file.to_str().unwrap(), case.method, "--json"]);
                for (name, value) in case.arguments.as_object().unwrap() {
                    let text = value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned);
                    command.arg(format!("--{name}={text}"));
                }
                command
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped());
                command.spawn().unwrap()
            })
            .collect();
        eventually_blocking("the runs to end", || {
            page.answer_all(cases);
            let ended = runs.iter_mut().all(|run| run.try_wait().unwrap().is_some());
            ended.then_some(())
        });
        for run in runs {
            let output = run.wait_with_output().unwrap();
            let said = serde_json::from_slice::<Value>(&output.stdout);
            came.push(match said {
                Ok(said) => returned(&said),
                Err(_) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            });
        }
    }
    came
}

fn on_the_page(cases: &[Case], folder: &Path) -> Vec<Came> {
    let home = home();
    let mut page = Page::open(&home, folder);
    let mut came = Vec::new();
    for some in cases.chunks(10) {
        let runs: Vec<_> = some.iter().map(|case| page.begin(case)).collect();
        let results = eventually_blocking("the runs to end", || {
            page.answer_all(cases);
            let result = |run: &Result<String, String>| match run {
                Ok(id) => page.result(id).map(|body| returned(&body)),
                Err(why) => Some(Err(why.clone())),
            };
            runs.iter().map(result).collect::<Option<Vec<_>>>()
        });
        came.extend(results);
    }
    came
}
