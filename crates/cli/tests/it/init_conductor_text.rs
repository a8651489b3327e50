//! What the agent files say: that their clients can read them, and that they name what there is.

use crate::init_conductor::{Agents, CLIENTS};
use holdpoint_cli::{
    commands::serve::sources::{SourcesConfig, tool_server},
    tool_set::ToolSelection,
};
use holdpoint_tools::Commit;
use rmcp::ServerHandler;
use saphyr::{LoadableYamlNode, Yaml};
use std::collections::BTreeSet;

/// The four files of each client, with these arguments.
fn each(args: &[&str], mut check: impl FnMut(&str, [(&str, String); 4])) {
    for (client, own, files, _) in CLIENTS {
        let agents = Agents::new(client, own);
        let run = agents.init(&[&["--conductor"], args].concat());
        assert!(run.ok, "{client}: {}", run.err);
        check(client, files.map(|file| (file, agents.text(file))));
    }
}

/// What a file says before its text, by key, and its text.
fn read(file: &str, text: &str) -> (Vec<(String, String)>, String) {
    if file.ends_with(".toml") {
        let table: toml_edit::DocumentMut = text.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
        let mut keys: Vec<_> = table
            .iter()
            .map(|(key, value)| (key.to_owned(), value.as_str().unwrap().to_owned()))
            .collect();
        let (last, text) = keys.pop().unwrap();
        assert_eq!(last, "developer_instructions");
        return (keys, text);
    }
    let header = text.strip_prefix("---\n").unwrap();
    let (header, text) = header.split_once("\n---\n").unwrap();
    let yaml = Yaml::load_from_str(header).unwrap_or_else(|e| panic!("{file}: {e}"));
    let keys = yaml[0].as_mapping().unwrap().iter().map(|(key, value)| {
        let value = match value.as_str() {
            Some(text) => text.to_owned(),
            None => format!("{value:?}"),
        };
        (key.as_str().unwrap().to_owned(), value)
    });
    (keys.collect(), text.to_owned())
}

#[test]
fn each_client_can_read_its_files() {
    let vscode: &[&str] = &[
        "name",
        "description",
        "argument-hint",
        "tools",
        "agents",
        "model",
        "user-invocable",
        "disable-model-invocation",
    ];
    let claude: &[&str] = &["name", "description", "tools", "model"];
    let codex: &[&str] = &["name", "description", "model", "sandbox_mode"];
    each(&[], |client, files| {
        let known = match client {
            "vscode" => vscode,
            "claude" => claude,
            _ => codex,
        };
        let names = ["conductor", "planning", "implement", "code-review"];
        for ((file, text), name) in files.iter().zip(names) {
            let (keys, text) = read(file, text);
            assert!(
                keys.iter().all(|(key, _)| known.contains(&&**key)),
                "{keys:?}"
            );
            let value = |wanted: &str| keys.iter().find(|(key, _)| key == wanted);
            assert_eq!(value("name").unwrap().1.to_lowercase(), name, "{file}");
            assert!(value("description").unwrap().1.len() > 20, "{file}");
            assert!(value("model").is_none(), "{file}");
            assert!(text.trim_start().starts_with("# "), "{file}");
            assert!(!text.contains('{'), "{file}: a place was not filled in");
        }
    });
}

#[test]
fn a_model_is_written_for_the_agent_that_it_is_for() {
    // Whatever it is, it is one value and nothing else.
    for model in [
        "opus",
        "Claude Sonnet 4.5 (copilot)",
        "it's: #1 \"best\" \\n",
        "[a, b]",
        "*x & {y}",
        "true",
        "--- '''",
        "\"\"\"",
    ] {
        let implement = format!("implement={model}");
        let review = format!("review={model}");
        let args = ["--model-for", &implement, "--model-for", &review];
        each(&args, |client, files| {
            for (place, (file, text)) in files.iter().enumerate() {
                let (keys, _) = read(file, text);
                let found = keys.iter().find(|(key, _)| key == "model");
                let wanted = (place > 1).then_some(model);
                let found = found.map(|(_, value)| value.as_str());
                assert_eq!(found, wanted, "{client} {file}: {text}");
                assert!(
                    !keys
                        .iter()
                        .any(|(key, _)| key == "tools" && file.ends_with("toml"))
                );
            }
        });
    }
}

#[test]
fn a_model_stays_until_another_is_said() {
    for (client, own, files, _) in CLIENTS {
        let agents = Agents::new(client, own);
        let model = || {
            let (keys, _) = read(files[2], &agents.text(files[2]));
            keys.into_iter().find(|(key, _)| key == "model")
        };
        let init = |args: &[&str]| {
            let run = agents.init(&[&["--conductor"], args].concat());
            assert!(run.ok, "{}", run.err);
            run.out
        };
        init(&["--model-for", "implement=it's one"]);
        assert_eq!(model().unwrap().1, "it's one");
        assert!(init(&[]).contains("up to date"), "{client}");
        assert!(init(&["--model-for", "planning=x"]).contains("Wrote 1 agent file"));
        assert_eq!(model().unwrap().1, "it's one");
        init(&["--model-for", "implement=two"]);
        assert_eq!(model().unwrap().1, "two");
        init(&["--model-for", "implement="]);
        assert_eq!(model(), None);
    }
}

/// What the Conductor is told to call, and the arguments that it is told to give.
const CALLS: &[(&str, &[&str])] = &[
    (
        "request_plan_approval",
        &[
            "planSummary",
            "phaseCount",
            "openQuestions",
            "planName",
            "planFile",
        ],
    ),
    (
        "request_phase_commit_approval",
        &[
            "phaseNumber",
            "phaseSummary",
            "commitMessage",
            "filesModified",
            "planName",
            "reviewStatus",
        ],
    ),
    (
        "request_review_decision",
        &["phaseNumber", "findings", "summary", "planName"],
    ),
    (
        "record_phase_completion",
        &[
            "planName",
            "phaseNumber",
            "summary",
            "files",
            "functions",
            "tests",
            "reviewStatus",
            "commitMessage",
        ],
    ),
    (
        "record_plan_completion",
        &[
            "planName",
            "outcome",
            "summary",
            "phases",
            "files",
            "keyFunctions",
            "testCoverage",
            "recommendations",
        ],
    ),
];

/// The words between backticks.
fn words(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| !line.starts_with("```"));
    lines
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn the_conductor_calls_tools_that_there_are() {
    let sources = SourcesConfig {
        tools: ToolSelection::all(),
        workspace: std::env::temp_dir(),
        plans_dir: "plans".into(),
        commit: Commit::Verify,
        git_filters: Vec::new(),
    };
    let server = tool_server(sources.sources().unwrap());
    let tools = ToolSelection::all();
    let listed: String = CALLS
        .iter()
        .map(|(name, _)| serde_json::to_string(&server.get_tool(name)).unwrap())
        .collect();
    each(&[], |client, files| {
        let text = &files[0].1;
        let said = words(text);
        // Whatever looks like a tool or a decision is one, in all four files.
        for word in files.iter().flat_map(|(_, text)| words(text)) {
            let word = word.trim_start_matches("mcp__holdpoint__");
            let looks =
                word.contains('_') && word.chars().all(|c| c == '_' || c.is_ascii_lowercase());
            let there = tools.contains(word) || listed.contains(&format!("\"{word}\""));
            let other = ["subagent_type", "timed_out"].contains(&word);
            assert!(!looks || there || other, "{client}: {word}");
        }
        let mut fields = BTreeSet::from(["askId", "retryAfterSeconds", "nextStep"]);
        for (name, arguments) in CALLS {
            assert!(said.contains(name), "{client}: {name}");
            let tool = server.get_tool(name).unwrap_or_else(|| panic!("{name}"));
            let known = tool.input_schema["properties"].as_object().unwrap();
            for argument in *arguments {
                assert!(said.contains(argument), "{argument}");
                assert!(known.contains_key(*argument), "{name}: {argument}");
            }
            let required = tool.input_schema["required"].as_array().unwrap();
            for needed in required {
                let needed = needed.as_str().unwrap();
                assert!(arguments.contains(&needed), "{name} needs {needed}");
            }
            let output = tool.output_schema.as_ref().unwrap()["properties"].clone();
            let output = output.as_object().unwrap();
            let is_field = |word: &&&str| known.contains_key(**word) || output.contains_key(**word);
            fields.extend(said.iter().filter(is_field));
        }
        // Whatever looks like an argument or a field is one.
        for word in &said {
            let camel = word.chars().all(|char| char.is_ascii_alphabetic())
                && word.starts_with(|char: char| char.is_ascii_lowercase())
                && word.contains(|char: char| char.is_ascii_uppercase());
            assert!(!camel || fields.contains(word), "{client}: {word}");
        }
    });
}

#[test]
fn the_person_approves_the_plan_and_not_a_sentence() {
    each(&[], |client, files| {
        let text = &files[0].1;
        let place = |words: &str| {
            let found = text.find(words);
            found.unwrap_or_else(|| panic!("{client}: {words:?} is not in {text}"))
        };
        // Written and shown before it is asked about, the first time too.
        let written = place("Write the draft to `plans/<task>-plan.md`");
        let shown = place("show it in the chat, whole");
        let asked = place("Call `request_plan_approval`");
        let first = place("`planFile` (that path), the first time and every time");
        assert!(written < shown && shown < asked && asked < first);
        place("| `request_changes` | Go back to research: run **planning** again");
        // The file of a phase is there before its commit is asked about.
        let recorded = place("Call `record_phase_completion`");
        assert!(recorded < place("Call `request_phase_commit_approval`"));
        for words in [
            "| Phase | Title | Status |",
            "## Phase 1: <title>",
            "Keep the Status",
        ] {
            place(words);
        }
    });
}

#[test]
fn the_fallback_keeps_the_workflow() {
    each(&[], |client, files| {
        let text = &files[0].1;
        let (_, fallback) = text.split_once("## Without the tools").unwrap();
        for words in [
            "> elicitation is not available: answer approve, request changes or cancel\n",
            "commit and continue, commit and pause, revise or abort",
            "fix, accept as is or abort",
            "there is no silent yes",
            "# Phase <N> complete: <task>, <title of the phase>",
            "# Plan <complete | aborted>: <task>",
            "**<decision>**, in the chat: <what the person wrote>",
            "what a later run resumes from",
            "go on only when the commit is there",
        ] {
            assert!(fallback.contains(words), "{client}: {words}");
        }
        for words in ["`unreachable`", "`nextStep`", "Files open no gate"] {
            assert!(text.contains(words), "{client}: {words}");
        }
    });
}
