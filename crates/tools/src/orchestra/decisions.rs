//! What was decided about a plan, as the journal has it.

use super::Flow;
use super::plan_name;
use holdpoint::{
    Decision, Outcome,
    journal::{AskQuery, AskRecord, JournalError, StepRecord},
    review::TextOf,
};
use holdpoint_ask::markdown::quoted;
use serde_json::Value;

/// The tools whose asks decide about a plan, and what each is called in a report.
const TOOLS: [(&str, &str); 3] = [
    (super::plan_approval::NAME, "Plan approval"),
    (super::phase_commit::NAME, "Phase commit"),
    (super::review::NAME, "Failed review"),
];
/// How many asks are read at once.
const PAGE: usize = 256;

/// An ask about a plan, with the arguments of its call and what the call did.
pub(super) struct Asked {
    pub ask: AskRecord,
    pub arguments: Value,
    pub steps: Vec<StepRecord>,
}

/// The asks of these tools about a plan, newest first, at most so many: this caller's, in this
/// workspace, and not of this very call.
pub(super) async fn asked_about(
    flow: &Flow,
    plan: &str,
    tools: &[&str],
    most: Option<usize>,
) -> Result<Vec<Asked>, JournalError> {
    let journal = flow.cx.desk().journal();
    let mut found = Vec::new();
    let mut query = AskQuery {
        principal: Some(flow.cx.session().principal.clone()),
        limit: Some(PAGE),
        ..AskQuery::default()
    };
    loop {
        let page = journal.asks(query.clone()).await?;
        let full = page.len() == PAGE;
        query.before = page.last().map(|ask| ask.id);
        for ask in page {
            let tool = ask.origin.tool.as_deref().unwrap_or_default();
            let here = ask.origin.is_seen_by(flow.cx.origin());
            let Some(call) = ask.call.filter(|call| *call != flow.cx.call_id()) else {
                continue;
            };
            if !here || !tools.contains(&tool) {
                continue;
            }
            let Some(history) = journal.call(call).await? else {
                continue;
            };
            if plan_name::from_call(&history.call.arguments).as_deref() == Some(plan) {
                found.push(Asked {
                    ask,
                    arguments: history.call.arguments,
                    steps: history.steps,
                });
            }
            if most.is_some_and(|most| found.len() >= most) {
                return Ok(found);
            }
        }
        if !full {
            return Ok(found);
        }
    }
}

/// Every decision about a plan as a list in Markdown, oldest first; and how many there are.
pub(super) async fn decided(flow: &Flow, plan: &str) -> Result<(String, usize), JournalError> {
    let tools = TOOLS.map(|(tool, _)| tool);
    let asked = asked_about(flow, plan, &tools, None).await?;
    let items: Vec<_> = asked.iter().rev().filter_map(item).collect();
    let count = items.len();
    let text = match count {
        0 => "None on record under this plan's name.".to_owned(),
        _ => items.join("\n"),
    };
    Ok((text, count))
}

fn item(asked: &Asked) -> Option<String> {
    let decision = asked.ask.decision.as_ref()?;
    let tool = asked.ask.origin.tool.as_deref();
    let (_, what) = TOOLS.iter().find(|(name, _)| Some(*name) == tool)?;
    let phase = match asked.arguments.get("phaseNumber").and_then(Value::as_u64) {
        Some(phase) => format!(", phase {phase}"),
        None => String::new(),
    };
    let (word, words) = match &decision.outcome {
        Outcome::Accepted(answer) => {
            let word = answer.get("decision").and_then(Value::as_str);
            (word.unwrap_or("accepted"), said(&asked.ask, answer))
        }
        Outcome::Declined { reason } => ("declined", reason.clone().unwrap_or_default()),
        outcome => (outcome.status(), String::new()),
    };
    let words = [words, reviewed(decision)];
    let words = words.into_iter().filter(|words| !words.is_empty());
    let words = words.collect::<Vec<_>>().join("\n\n");
    let by = match (&decision.answered_by, decision.channel) {
        (Some(by), Some(channel)) => format!(", by {by} ({})", channel.as_str()),
        (None, Some(channel)) => format!(", by {}", channel.as_str()),
        (_, None) => String::new(),
    };
    let at = decision.at.strftime("%Y-%m-%d %H:%M:%S UTC");
    let mut item = format!("- {at}: {what}{phase}: **{word}**{by}");
    if !words.is_empty() {
        let words = quoted(&holdpoint_ask::visible(&words)).replace('\n', "\n  ");
        item.push_str(&format!("\n\n  {words}\n"));
    }
    Some(item)
}

/// The comments of the person, and that they edited a text.
fn reviewed(decision: &Decision) -> String {
    let Some(review) = &decision.review else {
        return String::new();
    };
    let mut parts = Vec::new();
    if !review.comments.is_empty() {
        parts.push(format!("Comments:\n\n{}", review.text()));
    }
    if let Some(edited) = &review.edited {
        let what = match &edited.of {
            TextOf::Field(name) | TextOf::File(name) => name,
        };
        let (digest, shown) = (edited.digest, edited.shown);
        parts.push(format!(
            "With their edits to {what}: SHA-256 {digest}, shown as {shown}."
        ));
    }
    parts.join("\n\n")
}

/// What the person wrote beside the decision itself.
fn said(ask: &AskRecord, answer: &holdpoint::Answer) -> String {
    let mut lines = Vec::new();
    for field in &ask.ask.form.fields {
        let Some(text) = answer.get(&field.name).and_then(Value::as_str) else {
            continue;
        };
        match field.name.as_str() {
            "decision" => {}
            name if name.starts_with("answer_") => {
                lines.push(format!("{} → {text}", field.label()));
            }
            _ => lines.push(text.to_owned()),
        }
    }
    lines.join("\n")
}
