//! The reference of the tools: what `tools/list` says of each, as people read it. The list is the snapshot
//! that `tests/it/tools_list.rs` holds to the real server.

use super::schema_table::{cell, table};
use crate::tool_set::{ToolSelection, ToolSet};
use serde_json::Value;
use std::fmt::Write;

const LISTED: &str = include_str!("../../tests/it/snapshots/it__tools_list__tools.snap");

/// What every result of a tool that asks may have, and the introduction explains.
const OF_EVERY_ASK: [&str; 5] = ["status", "askId", "proceed", "nextStep", "error"];

/// The page.
pub fn page() -> String {
    let listed = listed();
    let mut page = INTRODUCTION.to_owned();
    for set in ToolSet::ALL {
        let selection: ToolSelection = set.as_str().parse().unwrap();
        let own = |tool: &&Value| {
            let name = tool["name"].as_str().unwrap();
            // It comes along with every set that asks, and belongs to the first.
            selection.contains(name) && (name != "await_answer" || set == ToolSet::Elicit)
        };
        let _ = write!(page, "\n## The set `{}`\n\n{}\n", set.as_str(), about(set));
        for tool in listed.iter().filter(own) {
            add_tool(&mut page, tool);
        }
    }
    page
}

/// What the server lists, as it does.
pub fn listed() -> Vec<Value> {
    let (_, json) = LISTED
        .split_once("expression: listed\n---\n")
        .expect("a snapshot has a head");
    serde_json::from_str(json).expect("the snapshot is a list of tools")
}

fn add_tool(page: &mut String, tool: &Value) {
    let text = |key: &str| tool[key].as_str().unwrap_or_default();
    let _ = write!(
        page,
        "\n### `{}`\n\n{}: {}\n",
        text("name"),
        text("title"),
        cell(text("description"))
    );
    let _ = write!(page, "\n*{}*\n", hints(tool));
    match table(&tool["inputSchema"], &[]) {
        fields if fields.is_empty() => page.push_str("\nIt takes no arguments.\n"),
        fields => {
            let _ = write!(page, "\nArguments:\n\n{fields}");
        }
    }
    let output = &tool["outputSchema"];
    let asks = output["properties"].get("status").is_some();
    let own = table(output, &OF_EVERY_ASK);
    let besides = match (asks, own.is_empty()) {
        (true, true) => "The result has the fields of every ask.",
        (true, false) => "The result, besides the fields of every ask:",
        (false, true) => "The result has `proceed`, `nextStep` and `error` only.",
        (false, false) => "The result, besides `proceed`, `nextStep` and `error`:",
    };
    let _ = write!(page, "\n{besides}\n");
    if !own.is_empty() {
        let _ = write!(page, "\n{own}");
    }
}

/// What a client may show of a tool before it is called.
fn hints(tool: &Value) -> String {
    let hints = &tool["annotations"];
    let is = |hint: &str| hints[hint] == true;
    let mut said = vec![
        match (is("readOnlyHint"), hints["destructiveHint"] != false) {
            (true, _) => "Changes nothing.",
            (false, true) => "May replace what is there, after a person's yes.",
            (false, false) => "Writes, and replaces nothing of anybody's.",
        },
    ];
    if is("idempotentHint") {
        said.push("Called again with the same arguments it changes nothing more.");
    }
    if tool["_meta"]["anthropic/alwaysLoad"] == true {
        said.push("Claude Code keeps it in view.");
    }
    said.join(" ")
}

fn about(set: ToolSet) -> &'static str {
    match set {
        ToolSet::Elicit => {
            "Single questions. [More about them](../questions.md), with the rules for forms and notes."
        }
        ToolSet::Orchestra => {
            "Plans in phases, with commits that git is asked about. [A run of it](../workflows.md#1-a-conductor-run-in-vs-code), \
             and [reviewing](../reviewing.md)."
        }
        ToolSet::Plans => "Plans in folders that people edit too. [More about them](../plans.md).",
        ToolSet::Onboarding => {
            "A repository's instruction file, taken over with a person's approval. [How](../onboarding.md)."
        }
        ToolSet::Record => {
            "What was decided earlier. It only reads. [What agents see of the record](../record.md#what-agents-see-of-it)."
        }
        ToolSet::Permission => {
            "The tool `permission`, which is not for agents and stands in no list that an agent is given unless \
             `--tools` names it: a harness calls it in place of its own prompt \
             (`claude -p --permission-prompt-tool mcp__holdpoint__permission`). [How](../prompts.md#headless-runs)."
        }
    }
}

const INTRODUCTION: &str = "\
<!-- Made from the server's tools/list by a test; do not edit. -->
# The tools

What `holdpoint serve` offers to agents over MCP: every tool with its arguments and its result, made from the schemas that \
the server itself lists. `--tools` chooses among them (of `serve` and of `init`), by set, preset or name:

| `--tools` | has |
|---|---|
| `all` | every tool on this page but `permission`; so does leaving it out |
| `ask` | `elicit_confirm`, `elicit_choice`, `elicit_input` |
| `approvals` | `request_plan_approval`, `request_phase_commit_approval`, `request_review_decision`, `elicit_confirm` |
| `elicit`, `orchestra`, `plans`, `onboarding`, `record`, `permission` | one of the sets below |
| `elicit,request_plan_approval` | a set and a tool |

`await_answer` comes along with whatever asks.

## The fields of every ask

The result of a tool that asks is structured content. These fields are in all of them:

| field | is |
|---|---|
| `status` | how the ask ended: `accepted`, `declined`, `cancelled`, `timed_out`, `unreachable`, `invalid`, `withdrawn`; or `pending`, while it waits |
| `proceed` | `true` for one thing only: a person's checked answer that says go on |
| `nextStep` | what the agent should do now, in one sentence |
| `askId` | the ask; `await_answer` takes it |
| `channel`, `answeredBy`, `durationMs` | through what it was answered, by whom, and how long that took, where somebody did |
| `reason` | why it ended so, where somebody said |
| `comments`, `edited` | what a person remarked on places of what was shown, and their own version of a text ([more](../reviewing.md)) |
| `retryAfterSeconds` | with `pending`: when to call `await_answer` |
| `error` | what is wrong with the call itself; nobody was asked |

`unreachable`, `timed_out` and `invalid` also set `isError`. The text of a result says the same in words and begins \
with `proceed: true` or `proceed: false`. `timeoutSeconds` is from 5 to 86400.
";
