//! Every payload becomes what is written beside it: what was read, what a person sees, and each reply.

use crate::{
    payloads::{self, Payload},
    shapes,
};
use holdpoint_ask::{Ask, Kind, describe::error_chain, field::Pick};
use holdpoint_harness::{
    Decision, Harness, Incoming, Over, Prompt, ask_for, leave_failure_to_harness, read, reply,
    reply_to_failure,
};
use holdpoint_policy::{
    CommandPart, Covers, Lifetime, Reason, RulePlace, Ruling, ScopeOffer, Verdict,
};
use std::fmt::Write as _;

#[test]
fn claude() {
    check(Harness::Claude);
}

#[test]
fn codex() {
    check(Harness::Codex);
}

#[test]
fn vscode() {
    check(Harness::VsCode);
}

#[test]
fn copilot() {
    check(Harness::Copilot);
}

#[test]
fn cursor() {
    check(Harness::Cursor);
}

#[test]
fn gemini() {
    check(Harness::Gemini);
}

#[test]
fn opencode() {
    check(Harness::OpenCode);
}

fn check(harness: Harness) {
    for payload in payloads::of(harness) {
        if payload.name.starts_with("permission-tool") {
            continue;
        }
        let name = format!("{harness}/{}", payload.name);
        let incoming = read(payload.harness, &payload.bytes, &payload.around)
            .unwrap_or_else(|error| panic!("{name}: {}", error_chain(&error)));
        assert_eq!(incoming.harness, harness, "{name}");
        let text = story(&payload, &incoming);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.replace('/', "-"), text);
        });
    }
}

fn story(payload: &Payload, incoming: &Incoming) -> String {
    let mut text = about(incoming);
    let mut ruling = ruling();
    if !matches!(&incoming.prompt, Prompt::Tool(tool) if tool.tool_use.tool == "Bash") {
        ruling.parts.clear();
    }
    match ask_for(incoming, &ruling, &[offer()]) {
        Ok(ask) => {
            ask.check().unwrap();
            assert!(ask.in_person);
            if matches!(incoming.prompt, Prompt::Tool(_) | Prompt::Plan(_)) {
                assert!(ask.form.endings().is_some(), "{}", payload.name);
            }
            let _ = write!(text, "\n{}", shown(&ask));
        }
        Err(instead) => {
            let _ = writeln!(text, "\nno ask: {instead:?}");
        }
    }
    text.push('\n');
    let why = || "Ann is out".to_owned();
    for (name, decision) in [
        (
            "allow",
            Decision::Allow {
                updated_input: None,
            },
        ),
        ("deny", Decision::Deny { reason: why() }),
        ("defer", Decision::Defer { reason: why() }),
        ("leave", Decision::LeaveToHarness { reason: why() }),
    ] {
        let said = reply(incoming, &decision);
        shapes::check(incoming, &said, &format!("{} {name}", payload.name));
        say(&mut text, name, &said);
    }
    let said = reply_to_failure(payload.harness, &payload.bytes, "The disk is full.");
    shapes::check(incoming, &said, &format!("{} failure", payload.name));
    say(&mut text, "failure", &said);
    let said = leave_failure_to_harness(payload.harness, &payload.bytes, "The disk is full.");
    shapes::check(incoming, &said, &format!("{} failure, left", payload.name));
    say(&mut text, "failure, left", &said);
    text
}

fn say(text: &mut String, name: &str, said: &holdpoint_harness::HookReply) {
    let _ = write!(text, "{name}: {}", said.exit_code);
    for (stream, words) in [("", &said.stdout), ("stderr ", &said.stderr)] {
        if !words.is_empty() {
            let _ = write!(text, " {stream}{}", words.trim_end());
        }
    }
    text.push('\n');
}

/// What was read.
fn about(incoming: &Incoming) -> String {
    let Incoming {
        harness,
        event,
        session,
        turn,
        folder,
        call_id,
        subagent: _,
        unattended,
        prompt,
    } = incoming;
    let told = |value: &Option<String>| value.clone().unwrap_or("-".into());
    let mut text = format!(
        "{harness} {event}, session {session}, turn {}, call {}\nin {folder}{}\n",
        told(turn),
        told(call_id),
        if *unattended { ", headless" } else { "" }
    );
    let tool = |text: &mut String, tool: &holdpoint_harness::ToolPrompt| {
        let known = &tool.tool_use;
        let _ = writeln!(
            text,
            "tool {} (there {}) {}\nin {}, workspace {}{}",
            known.tool,
            tool.name,
            known.input,
            known.folder,
            known.workspace,
            if tool.about_to_prompt {
                ", about to prompt"
            } else {
                ""
            }
        );
    };
    match prompt {
        Prompt::Tool(used) => tool(&mut text, used),
        Prompt::Over(Over::Tool(used)) => {
            text.push_str("over: ");
            tool(&mut text, used);
        }
        Prompt::Questions(asked) => {
            let _ = writeln!(text, "{} questions", asked.questions.len());
        }
        Prompt::Plan(plan) => {
            let _ = writeln!(text, "plan in {}", told(&plan.file));
        }
        Prompt::Form(form) => {
            let _ = writeln!(text, "form of {}", form.server);
        }
        Prompt::Over(over) => {
            let _ = writeln!(text, "over: {over:?}");
        }
        Prompt::Nothing => text.push_str("nothing\n"),
    }
    text
}

/// What a person sees.
fn shown(ask: &Ask) -> String {
    let mut text = format!("[{}]\n{}\n\n", ask.title(), ask.shown());
    if let Some(danger) = ask.danger() {
        let _ = writeln!(text, "DANGER {danger}");
    }
    if let Some(editable) = &ask.editable {
        let _ = writeln!(text, "EDITABLE {:?} {}", editable.of, editable.title);
    }
    for field in &ask.form.fields {
        let _ = writeln!(
            text,
            "{} {:?}{}",
            field.name,
            field.full_label(),
            field
                .help
                .as_deref()
                .map_or(String::new(), |help| format!(" - {help}"))
        );
        let (options, other): (&[Pick], bool) = match &field.kind {
            Kind::Choice(choice) => (&choice.options, choice.other),
            Kind::Choices(choices) => (&choices.options, choices.other),
            _ => (&[], false),
        };
        for option in options {
            let _ = writeln!(
                text,
                "  {} {:?} {}",
                option.value,
                option.shown(),
                option.description.as_deref().unwrap_or_default()
            );
        }
        if other {
            text.push_str("  or own words\n");
        }
    }
    text
}

/// What the rules said, as an example.
pub fn ruling() -> Ruling {
    let part = |text: &str, verdict, why: &str| CommandPart {
        text: text.into(),
        verdict,
        why: why.into(),
    };
    Ruling {
        verdict: Verdict::Ask,
        danger: false,
        reasons: vec![Reason::Rule {
            verdict: Verdict::Ask,
            text: "Bash(git push *)".into(),
            place: RulePlace {
                file: "~/.config/holdpoint/rules.toml".into(),
                line: 12,
            },
            because: Some("others see it".into()),
        }],
        parts: vec![
            part("one", Verdict::Ask, "asked by `Bash(git push *)`"),
            part("two", Verdict::Allow, "allowed by `Bash(two *)`"),
        ],
        scope: None,
    }
}

fn offer() -> ScopeOffer {
    ScopeOffer {
        covers: Covers::Pattern("Bash(git push *)".into()),
        lifetime: Lifetime::Session,
        value: "session pattern".into(),
        label: "`git push` with any arguments, in this session".into(),
        would_have_allowed: vec!["git push".into(), "git push origin main".into()],
    }
}
