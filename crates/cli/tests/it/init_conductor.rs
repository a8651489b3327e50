//! `holdpoint init vscode --conductor`: the agent files, and whose they are.

use crate::init::place::Place;
use holdpoint_cli::{
    commands::serve::sources::{SourcesConfig, tool_server},
    tool_set::{AWAIT_ANSWER, ToolSelection},
};
use holdpoint_tools::Commit;
use rmcp::ServerHandler;
use std::{fs, path::PathBuf};

const NAMES: [&str; 4] = ["Conductor", "planning", "implement", "code-review"];

fn file(place: &Place, name: &str) -> PathBuf {
    let folder = place.folder().join(".github/agents");
    folder.join(format!("{name}.agent.md"))
}

fn agent(name: &str) -> String {
    let place = Place::of("vscode");
    assert!(place.init(&["--conductor"]).ok);
    fs::read_to_string(file(&place, name)).unwrap()
}

#[test]
fn four_files_once_and_twice() {
    let place = Place::of("vscode");
    let shown = place.init(&["--conductor", "--print"]);
    assert!(place.everything().is_empty());
    let first = place.init(&["--conductor"]);
    assert!(first.out.contains("Wrote 4 agent files to .github/agents."));
    assert!(first.out.contains("Choose Conductor"), "{}", first.out);
    for name in NAMES {
        let text = fs::read_to_string(file(&place, name)).unwrap();
        assert!(shown.out.contains(&text), "{name} is not in what was shown");
    }
    let once = place.everything();
    let second = place.init(&["--conductor"]);
    assert!(second.out.contains("up to date"), "{}", second.out);
    assert_eq!(place.everything(), once);
}

#[test]
fn a_persons_file_is_kept() {
    let place = Place::of("vscode");
    place.init(&["--conductor"]);
    let mine = fs::read_to_string(file(&place, "planning")).unwrap() + "\nAnswer in French.\n";
    fs::write(file(&place, "planning"), &mine).unwrap();
    fs::write(file(&place, "implement"), "mine").unwrap();
    fs::remove_file(file(&place, "Conductor")).unwrap();
    let shown = place.init(&["--conductor", "--print"]).out;
    let told = ".github/agents/planning.agent.md: yours, it would be left as it is.";
    assert!(shown.contains(told), "{shown}");
    let run = place.init(&["--conductor"]);
    assert!(run.ok);
    for name in ["planning", "implement"] {
        let told = format!("{name}.agent.md differs from ours and was left as it is");
        assert!(run.out.contains(&told), "{}", run.out);
    }
    assert!(run.out.contains("Wrote 1 agent file to"), "{}", run.out);
    assert_eq!(fs::read_to_string(file(&place, "planning")).unwrap(), mine);
    assert_eq!(
        fs::read_to_string(file(&place, "implement")).unwrap(),
        "mine"
    );
}

#[test]
fn what_an_older_version_wrote_is_replaced() {
    let place = Place::of("vscode");
    place.init(&["--conductor"]);
    let ours = fs::read_to_string(file(&place, "planning")).unwrap();
    let old = |digest: &str| {
        format!("old\n\n<!-- holdpoint agent file, version 0, sha256 {digest}: replaced … -->\n")
    };
    let told = |text: &str| {
        fs::write(file(&place, "planning"), text).unwrap();
        place.init(&["--conductor"]).out
    };
    let out = told(&old(&sha("older\n")));
    assert!(out.contains("differs from ours"), "{out}");
    let out = told(&ours.replace('\n', "\r\n"));
    assert!(out.contains("up to date"), "{out}");
    let out = told(&old(&sha("old\n")));
    assert!(out.contains("Wrote 1 agent file"), "{out}");
    assert_eq!(fs::read_to_string(file(&place, "planning")).unwrap(), ours);
}

fn sha(text: &str) -> String {
    use sha2::{Digest, Sha256};
    let hash = Sha256::digest(text);
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_broken_config_stops_the_agent_files_too() {
    let place = Place::of("vscode");
    place.put("{");
    let before = place.everything();
    assert!(!place.init(&["--conductor"]).ok);
    assert_eq!(place.everything(), before);
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
    ("await_answer", &["askId"]),
    ("elicit_choice", &[]),
];

#[test]
fn the_conductor_calls_tools_that_there_are() {
    let text = agent("Conductor");
    let sources = SourcesConfig {
        tools: ToolSelection::all(),
        workspace: std::env::temp_dir(),
        plans_dir: "plans".into(),
        commit: Commit::Verify,
        git_filters: Vec::new(),
    };
    let server = tool_server(sources.sources().unwrap());
    for (name, arguments) in CALLS {
        assert!(text.contains(&format!("`{name}`")), "{name}");
        // It comes with every server, not from a set of tools.
        if *name == AWAIT_ANSWER {
            continue;
        }
        let tool = server.get_tool(name).unwrap_or_else(|| panic!("{name}"));
        let known = tool.input_schema["properties"].as_object().unwrap();
        for argument in *arguments {
            assert!(text.contains(&format!("`{argument}`")), "{argument}");
            assert!(known.contains_key(*argument), "{name}: {argument}");
        }
        let required = tool.input_schema.get("required");
        for needed in required
            .and_then(|all| all.as_array())
            .into_iter()
            .flatten()
        {
            let needed = needed.as_str().unwrap();
            let told = arguments.contains(&needed) || arguments.is_empty();
            assert!(told, "{name} needs {needed}");
        }
    }
}

#[test]
fn the_conductor_has_a_fallback() {
    let text = agent("Conductor");
    for words in [
        "`nextStep`",
        "`unreachable`",
        "`revisionNotes`",
        "Please answer **approve**, **request changes** or **cancel**.",
    ] {
        assert!(text.contains(words), "{words}");
    }
}

#[test]
fn each_file_starts_with_a_header_that_vs_code_reads() {
    for name in NAMES {
        let text = agent(name);
        let header = text.strip_prefix("---\n").unwrap();
        let (header, _) = header.split_once("\n---\n").unwrap();
        let keys: Vec<_> = header
            .lines()
            .map(|line| line.split_once(": ").unwrap().0)
            .collect();
        let known = [
            "name",
            "description",
            "argument-hint",
            "tools",
            "agents",
            "user-invocable",
            "disable-model-invocation",
        ];
        assert!(keys.iter().all(|key| known.contains(key)), "{keys:?}");
        assert!(header.contains(&format!("name: {name}\n")), "{header}");
    }
}
