//! The permission to use a tool.

use super::{
    change, command, other_tool,
    text::{code, one_line, quoted},
};
use crate::{
    Incoming, ToolPrompt,
    fields::{ALLOW, DECISION, DENY, REASON, REMEMBER},
};
use holdpoint_ask::{
    Ask, Field, Form, Kind,
    field::{Choice, Ending, Pick, Text},
};
use holdpoint_policy::{Reason, Ruling, ScopeOffer, Verdict};

/// What is longer than this is shown below the question.
const SHORT: usize = 4 * 1024;

pub(super) fn ask(
    incoming: &Incoming,
    tool: &ToolPrompt,
    ruling: &Ruling,
    offers: &[ScopeOffer],
) -> Ask {
    let subject = match tool.tool_use.tool.as_str() {
        "Bash" | "PowerShell" => command::subject(tool),
        "Edit" | "Write" => change::subject(tool),
        _ => other_tool::subject(tool),
    };
    let mut message = vec![
        format!("## {}", subject.question),
        who_asks(incoming, &tool.tool_use.folder),
    ];
    let mut details = Vec::new();
    if subject.thing.len() <= SHORT {
        message.push(subject.thing);
    } else {
        details.push(subject.thing);
    }
    details.extend(subject.notes);
    details.extend(parts(ruling));
    if let Some(description) = subject.description {
        details.push(format!("**The agent says**\n\n{}", quoted(&description)));
    }
    details.push(said(ruling));
    let offers = if ruling.danger { &[] } else { offers };
    let ask = Ask::new(message.join("\n\n"), form(offers))
        .details(details.join("\n\n"))
        .titled(subject.title);
    with_danger(ask, ruling)
}

/// Says which harness asks, and where it is at work.
pub(super) fn who_asks(incoming: &Incoming, folder: &str) -> String {
    let agent = incoming.subagent.as_deref();
    let agent = agent.map(|agent| format!(" for its agent {}", code(agent)));
    let asks = format!(
        "**{}** asks{}, in {}.",
        incoming.harness.name(),
        agent.unwrap_or_default(),
        code(folder)
    );
    if incoming.unattended {
        format!("{asks} It runs headless: nobody is prompted there.")
    } else {
        asks
    }
}

/// The ask, dangerous where the rules say so.
pub(super) fn with_danger(ask: Ask, ruling: &Ruling) -> Ask {
    if !ruling.danger {
        return ask;
    }
    let because = ruling.reasons.iter().find_map(|reason| match reason {
        Reason::Rule {
            because: Some(because),
            ..
        } => Some(because),
        _ => None,
    });
    ask.dangerous().consequence(match because {
        Some(because) => format!("Your rules mark it as dangerous: {}", one_line(because)),
        None => "Your rules mark it as dangerous.".to_owned(),
    })
}

/// Nothing is chosen beforehand. A permission is remembered only where the person chooses one.
fn form(offers: &[ScopeOffer]) -> Form {
    let decision = Choice {
        options: vec![
            Pick::new(ALLOW)
                .label("Allow once")
                .ending(Ending::go("Allow once", "Allowed")),
            Pick::new(DENY)
                .label("Deny")
                .ending(Ending::hold("Deny", "Denied").wants(REASON)),
        ],
        ..Choice::default()
    };
    let reason = Text {
        max_length: Some(1000),
        multiline: true,
        ..Text::default()
    };
    let form = Form::new()
        .field(Field::new(DECISION, Kind::Choice(decision)).title("Your decision"))
        .field(
            Field::new(REASON, Kind::Text(reason))
                .title("Reason")
                .help("Told to the agent with a no.")
                .optional(),
        );
    if offers.is_empty() {
        return form;
    }
    let remember = Choice {
        options: offers.iter().map(offer).collect(),
        ..Choice::default()
    };
    let remember = Field::new(REMEMBER, Kind::Choice(remember))
        .title("Remember this answer")
        .help("With a yes only. Left empty, it is allowed this once.")
        .optional();
    let with_offers = form.clone().field(remember);
    // What cannot be shown whole is not offered.
    match with_offers.check() {
        Ok(()) => with_offers,
        Err(_) => form,
    }
}

fn offer(offer: &ScopeOffer) -> Pick {
    let lately: Vec<_> = offer
        .would_have_allowed
        .iter()
        .map(|used| one_line(used))
        .collect();
    let lately = match lately.as_slice() {
        [] => "It would have allowed nothing lately.".to_owned(),
        lately => format!("It would have allowed lately: {}", lately.join(" · ")),
    };
    Pick::new(&offer.value)
        .label(&offer.label)
        .description(lately)
}

/// The parts of a command line, with what the rules say of each; none where there is only one.
fn parts(ruling: &Ruling) -> Option<String> {
    if ruling.parts.len() < 2 {
        return None;
    }
    let parts = ruling.parts.iter();
    let lines = parts.map(|part| format!("- {}: {}", code(&part.text), one_line(&part.why)));
    let lines: Vec<_> = lines.collect();
    Some(format!("**Its parts**\n\n{}", lines.join("\n")))
}

/// What the rules said, and why.
pub(super) fn said(ruling: &Ruling) -> String {
    let lines = ruling
        .reasons
        .iter()
        .map(|reason| format!("- {}", why(reason)));
    let lines: Vec<_> = lines.collect();
    format!("**What your rules say**\n\n{}", lines.join("\n"))
}

fn why(reason: &Reason) -> String {
    match reason {
        Reason::Rule {
            verdict,
            text,
            place,
            because,
        } => {
            let verdict = match verdict {
                Verdict::Allow => "Allowed",
                Verdict::Ask => "Asked",
                Verdict::Deny => "Denied",
            };
            let because = because
                .as_deref()
                .map(|because| format!(": {}", one_line(because)));
            format!(
                "{verdict} by {} in {}, line {}{}",
                code(text),
                code(&place.file),
                place.line,
                because.unwrap_or_default()
            )
        }
        Reason::Scope { pattern, .. } => {
            format!("Allowed by a permission that you gave: {}", code(pattern))
        }
        Reason::Default(Verdict::Allow) => "No rule speaks of it: allowed by default".into(),
        Reason::Default(Verdict::Ask) => "No rule speaks of it: you are asked by default".into(),
        Reason::Default(Verdict::Deny) => "No rule speaks of it: denied by default".into(),
        Reason::ReadsInWorkspace => "It reads inside the workspace, which is allowed".into(),
        Reason::Unclear(why) => {
            format!(
                "What it does cannot be told before it runs: {}",
                one_line(why)
            )
        }
        Reason::ChangedDefinition => {
            "The tool is not what it was when you were asked about it before".into()
        }
    }
}
