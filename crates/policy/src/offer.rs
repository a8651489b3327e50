//! The scopes that a person could give with their yes.

use crate::{
    Covers, Holder, Lifetime, NoLinks, Reason, Rules, Ruling, Scope, ScopeOffer, ToolUse, Verdict,
    proposal,
    rule::{EDITORS, READERS, Rule},
};
use jiff::Timestamp;

/// How long a scope for some minutes is good.
const MINUTES: u32 = 30;

/// The scopes that a person could give with a yes to this, narrowest first. None where it is dangerous, where a
/// rule asks or denies, and where the tool is not what it was.
///
/// ```
/// use holdpoint_policy::{Holder, NoLinks, Rules, ToolUse, offers};
///
/// let address = serde_json::json!({ "url": "https://example.com/guide" });
/// let fetch = ToolUse::new("WebFetch", address, "/work/app");
/// let holder = Holder { session: Some("s1".into()), ..Holder::default() };
/// let ruling = Rules::none().decide(&fetch, &NoLinks, &[], &holder, jiff::Timestamp::UNIX_EPOCH);
/// let offers = offers(&ruling, &fetch, &holder);
/// assert_eq!(offers[1].label, "Fetch from `example.com`, in this session");
/// assert_eq!(offers[1].value, "session pattern WebFetch(domain:example.com)");
/// ```
pub fn offers(ruling: &Ruling, tool_use: &ToolUse, holder: &Holder) -> Vec<ScopeOffer> {
    // A plan and a question are answered each time.
    if matches!(&*tool_use.tool, "ExitPlanMode" | "AskUserQuestion") {
        return Vec::new();
    }
    let by_itself = |reason: &Reason| matches!(reason, Reason::Default(_) | Reason::Unclear(_));
    if ruling.verdict != Verdict::Ask || ruling.danger || !ruling.reasons.iter().all(by_itself) {
        return Vec::new();
    }
    let mut offers = Vec::new();
    let exactly = Covers::Exactly(tool_use.digest());
    let shortest = match holder.session {
        Some(_) => Lifetime::Session,
        None => Lifetime::Minutes(MINUTES),
    };
    offers.push(offer(exactly, shortest));
    let is_unclear = ruling
        .reasons
        .iter()
        .any(|reason| matches!(reason, Reason::Unclear(_)));
    let Some(covers) = (!is_unclear).then(|| wider(ruling, tool_use)).flatten() else {
        return offers;
    };
    let lifetimes = [
        holder.session.as_ref().map(|_| Lifetime::Session),
        Some(Lifetime::Minutes(MINUTES)),
        holder.workspace.as_ref().map(|_| Lifetime::Workspace),
        // A folder of this workspace is another one elsewhere.
        (!is_file_tool(&tool_use.tool)).then_some(Lifetime::Always),
    ];
    for lifetime in lifetimes.into_iter().flatten() {
        offers.push(offer(covers.clone(), lifetime));
    }
    if is_file_tool(&tool_use.tool)
        && matches!(covers, Covers::Pattern(_))
        && holder.session.is_some()
    {
        offers.push(offer(
            Covers::Tool(tool_use.tool.clone()),
            Lifetime::Session,
        ));
    }
    // What a harness calls its tools may not be what a value can say.
    offers.retain(|offer| ScopeOffer::parse_value(&offer.value, tool_use).is_some());
    offers
}

/// What a scope with a pattern would cover.
fn wider(ruling: &Ruling, tool_use: &ToolUse) -> Option<Covers> {
    let tool = &*tool_use.tool;
    if tool != "Bash" {
        let rule = proposal::of_tool(tool_use)?;
        return Some(if rule == tool {
            Covers::Tool(rule)
        } else {
            Covers::Pattern(rule)
        });
    }
    // A scope has one pattern: it is offered where one part is asked about, or all have the same.
    let mut rules: Vec<String> = Vec::new();
    for asked in ruling
        .parts
        .iter()
        .filter(|part| part.verdict == Verdict::Ask)
    {
        rules.push(proposal::of_text(&asked.text)?);
    }
    rules.dedup();
    match rules.len() {
        1 => rules.pop().map(Covers::Pattern),
        _ => None,
    }
}

/// Whether a tool reads or changes files. Every use of such a one in a workspace is something that a person can
/// overlook; a command can be anything, and what is fetched can come from anywhere.
fn is_file_tool(tool: &str) -> bool {
    READERS.contains(&tool) || EDITORS.contains(&tool)
}

fn offer(covers: Covers, lifetime: Lifetime) -> ScopeOffer {
    let how_long = match lifetime {
        Lifetime::Session => "session".to_owned(),
        Lifetime::Minutes(minutes) => format!("{minutes}m"),
        Lifetime::Workspace => "workspace".to_owned(),
        Lifetime::Always => "always".to_owned(),
    };
    let value = match &covers {
        Covers::Exactly(_) => format!("{how_long} exactly"),
        Covers::Pattern(pattern) => format!("{how_long} pattern {pattern}"),
        Covers::Tool(tool) => format!("{how_long} tool {tool}"),
    };
    let what = match &covers {
        Covers::Exactly(_) => "Exactly this".to_owned(),
        Covers::Pattern(pattern) => in_words(pattern),
        Covers::Tool(tool) if is_file_tool(tool) => {
            format!("`{tool}` of any file in the workspace")
        }
        Covers::Tool(tool) => format!("`{tool}` with any arguments"),
    };
    let when = match lifetime {
        Lifetime::Session => "in this session".to_owned(),
        Lifetime::Minutes(minutes) => format!("for {minutes} minutes"),
        Lifetime::Workspace => "in this workspace, until revoked".to_owned(),
        Lifetime::Always => "everywhere, until revoked".to_owned(),
    };
    ScopeOffer {
        covers,
        lifetime,
        value,
        label: format!("{what}, {when}"),
        would_have_allowed: Vec::new(),
    }
}

/// A pattern as people see it.
fn in_words(pattern: &str) -> String {
    let inside = |start: &str| {
        pattern
            .strip_prefix(start)
            .and_then(|rest| rest.strip_suffix(')'))
    };
    let files = |verb: &str, path: &str| match path.strip_suffix("/**") {
        Some(folder) => format!("{verb} any file in `{}/`", folder.trim_start_matches('/')),
        None => format!("{verb} `{}`", path.trim_start_matches('/')),
    };
    if let Some(command) = inside("Bash(") {
        return match command.strip_suffix(" *") {
            Some(start) => format!("`{start}` with any arguments"),
            None => format!("The command `{command}`"),
        };
    }
    if let Some(path) = inside("Edit(") {
        return files("Change", path);
    }
    if let Some(path) = inside("Read(") {
        return files("Read", path);
    }
    match inside("WebFetch(domain:") {
        Some(domain) => format!("Fetch from `{domain}`"),
        None => format!("`{pattern}`"),
    }
}

impl ScopeOffer {
    /// Reads a value back. What `exactly` means is taken from the use of the tool that was asked about, not from
    /// the text. None where it is no value of an offer, or a scope that is never given.
    pub fn parse_value(value: &str, tool_use: &ToolUse) -> Option<(Covers, Lifetime)> {
        let (how_long, what) = value.split_once(' ')?;
        let lifetime = match how_long {
            "session" => Lifetime::Session,
            "workspace" => Lifetime::Workspace,
            "always" => Lifetime::Always,
            minutes => {
                let minutes: u32 = minutes.strip_suffix('m')?.parse().ok()?;
                (minutes > 0).then_some(Lifetime::Minutes(minutes))?
            }
        };
        let covers = match what.split_once(' ') {
            None if what == "exactly" => Covers::Exactly(tool_use.digest()),
            Some(("pattern", pattern)) => {
                Rule::parse(pattern, Verdict::Allow).ok()?;
                Covers::Pattern(pattern.to_owned())
            }
            Some(("tool", tool))
                if tool != "Bash"
                    && tool != "PowerShell"
                    && !tool.is_empty()
                    && !tool.contains('*') =>
            {
                Covers::Tool(tool.to_owned())
            }
            _ => return None,
        };
        Some((covers, lifetime))
    }
}

impl Scope {
    /// Whether it would allow this where there are no rules, whoever it was given to.
    pub fn covers(&self, tool_use: &ToolUse) -> bool {
        covers(&self.covers, tool_use)
    }
}

/// What a scope would have allowed of these, in short texts, each once.
pub fn would_have_allowed(wanted: &Covers, recent: &[ToolUse]) -> Vec<String> {
    let mut texts = Vec::new();
    for tool_use in recent.iter().filter(|tool_use| covers(wanted, tool_use)) {
        let text = tool_use.summary();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

fn covers(wanted: &Covers, tool_use: &ToolUse) -> bool {
    let scope = Scope {
        id: String::new(),
        covers: wanted.clone(),
        holder: Holder::default(),
        until: None,
    };
    let ruling = Rules::none().decide(
        tool_use,
        &NoLinks,
        &[scope],
        &Holder::default(),
        Timestamp::UNIX_EPOCH,
    );
    ruling.verdict == Verdict::Allow
}
