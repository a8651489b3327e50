//! One rule, read from its string: `Tool` or `Tool(specifier)`, as Claude Code writes them.

use crate::{
    RulePlace, Verdict, command_pattern::CommandPattern, condition::Condition,
    domain::DomainPattern, glob, path_pattern::PathPattern,
};
use holdpoint_ask::nearest::nearest;
use serde_json::Value;
use std::sync::Arc;

/// One rule.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub verdict: Verdict,
    /// As it is written.
    pub text: Box<str>,
    pub file: Arc<str>,
    pub line: usize,
    pub because: Option<Box<str>>,
    pub danger: bool,
    pub tools: Tools,
    pub what: What,
    pub when: Vec<Condition>,
}

/// Which tools a rule is about.
#[derive(Debug, Clone)]
pub(crate) enum Tools {
    /// The one of this name, and those that do the same.
    Named(Box<str>),
    /// Those of an MCP server whose names begin so: `mcp__github__`.
    Server(Box<str>),
    /// Those of an MCP server whose names fit: its beginning, and the pattern.
    OfServer(Box<str>, Box<str>),
    /// Those whose names fit.
    Fit(Box<str>),
    /// Those that a trusted server says change nothing.
    ReadOnlyTrusted,
}

/// Which uses of its tools a rule is about.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// All.
    Any,
    /// Commands.
    Command(CommandPattern),
    /// Files.
    Path(PathPattern),
    /// Servers of the web.
    Domain(DomainPattern),
    /// Those with an argument that fits.
    Argument(Box<str>, Box<str>),
}

/// The tools that read files; a rule for `Read` is for all of them.
pub(crate) const READERS: [&str; 5] = ["Read", "Glob", "Grep", "LS", "NotebookRead"];
/// The tools that change files; a rule for `Edit` is for all of them.
pub(crate) const EDITORS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
/// Other tools that people write rules for.
const OTHERS: [&str; 8] = [
    "Agent",
    "Bash",
    "ExitPlanMode",
    "Skill",
    "Task",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
];

/// What allows MCP tools by what their servers say of them.
pub(crate) const READ_ONLY_TRUSTED: &str = "read-only @trusted";

impl Rule {
    /// Reads a rule string of one of the three lists.
    ///
    /// # Errors
    /// When it is none, or one that this list may not have; in words.
    pub fn parse(text: &str, verdict: Verdict) -> Result<Self, String> {
        let (tools, what) = read(text.trim(), verdict)?;
        Ok(Self {
            verdict,
            text: text.trim().into(),
            file: Arc::from(""),
            line: 0,
            because: None,
            danger: false,
            tools,
            what,
            when: Vec::new(),
        })
    }

    pub fn place(&self) -> RulePlace {
        RulePlace {
            file: self.file.to_string(),
            line: self.line,
        }
    }

    /// Whether it is about this tool, whatever it is used for.
    pub fn is_about(&self, tool: &str) -> bool {
        match &self.tools {
            Tools::Named(name) => {
                covers(name, tool, self.verdict, matches!(self.what, What::Path(_)))
            }
            Tools::Server(start) => {
                tool.starts_with(&**start) || Some(tool) == start.strip_suffix("__")
            }
            Tools::OfServer(_, pattern) | Tools::Fit(pattern) => glob::fits(pattern, tool),
            // Whoever asks knows whether the server is trusted.
            Tools::ReadOnlyTrusted => false,
        }
    }

    /// Whether the arguments fit, as far as their values are looked at.
    pub fn fits_input(&self, input: &Value) -> bool {
        let argument_fits = match &self.what {
            What::Argument(name, pattern) => match input.get(&**name) {
                Some(Value::String(text)) => glob::fits(pattern, text),
                Some(other) => glob::fits(pattern, &other.to_string()),
                None => false,
            },
            _ => true,
        };
        argument_fits && self.when.iter().all(|condition| condition.fits(input))
    }
}

/// Whether a rule that names a tool is about another one that does the same.
fn covers(named: &str, tool: &str, verdict: Verdict, has_path: bool) -> bool {
    named == tool
        || match named {
            "Read" => READERS.contains(&tool),
            "Edit" => EDITORS.contains(&tool),
            // Who asks about writing a file means every change to it.
            "Write" => has_path && verdict != Verdict::Allow && EDITORS.contains(&tool),
            _ => false,
        }
}

fn read(text: &str, verdict: Verdict) -> Result<(Tools, What), String> {
    if text == READ_ONLY_TRUSTED {
        return match verdict {
            Verdict::Allow => Ok((Tools::ReadOnlyTrusted, What::Any)),
            _ => Err(format!("`{READ_ONLY_TRUSTED}` can only be in `allow`")),
        };
    }
    let (tool, specifier) = match text.split_once('(') {
        None => (text, None),
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(specifier) => (tool, Some(specifier.trim())),
            None => return Err(format!("`{text}` has no `)` at its end")),
        },
    };
    let plain = |char: char| char.is_alphanumeric() || "_-.*:/@".contains(char);
    if tool.is_empty() || !tool.chars().all(plain) {
        return Err(format!(
            "`{text}` is not a rule: a rule is `Tool` or `Tool(specifier)`"
        ));
    }
    let tools = tools(tool, verdict)?;
    let what = match specifier {
        None | Some("") => What::Any,
        // Of files it would be those of one folder.
        Some("*") if !READERS.contains(&tool) && !EDITORS.contains(&tool) => What::Any,
        Some(specifier) => what(tool, specifier, verdict)?,
    };
    Ok((tools, what))
}

fn tools(tool: &str, verdict: Verdict) -> Result<Tools, String> {
    if let Some(rest) = tool.strip_prefix("mcp__") {
        // The last `__` that has nothing but a name before it ends the server.
        let literal = rest.split('*').next().unwrap_or_default();
        match rest.split_once("__") {
            _ if verdict == Verdict::Allow && rest.contains('*') && !literal.contains("__") => {
                return Err(format!(
                    "`{tool}` would allow tools of servers that nobody named: in `allow` a `*` can only stand behind \
                     `mcp__server__`"
                ));
            }
            None if !rest.contains('*') && !rest.is_empty() => {
                return Ok(Tools::Server(format!("{tool}__").into()));
            }
            Some((server, "*")) if !server.contains('*') => {
                return Ok(Tools::Server(format!("mcp__{server}__").into()));
            }
            Some((server, _)) if rest.contains('*') && !server.contains('*') => {
                return Ok(Tools::OfServer(
                    format!("mcp__{server}__").into(),
                    tool.into(),
                ));
            }
            _ => {}
        }
    }
    if tool.contains('*') {
        return match verdict {
            Verdict::Allow => Err(format!(
                "`{tool}` would allow tools that nobody named: in `allow` a `*` can only stand behind `mcp__server__`"
            )),
            _ => Ok(Tools::Fit(tool.into())),
        };
    }
    let same = |known: &&str| known.eq_ignore_ascii_case(tool) && *known != tool;
    if let Some(known) = known().find(same) {
        return Err(format!(
            "there is no tool `{tool}`: did you mean `{known}`?"
        ));
    }
    Ok(Tools::Named(tool.into()))
}

fn known() -> impl Iterator<Item = &'static str> {
    READERS.into_iter().chain(EDITORS).chain(OTHERS)
}

fn what(tool: &str, specifier: &str, verdict: Verdict) -> Result<What, String> {
    match tool {
        "Bash" => Ok(What::Command(CommandPattern::new(specifier))),
        _ if READERS.contains(&tool) || EDITORS.contains(&tool) => {
            PathPattern::parse(specifier, verdict).map(What::Path)
        }
        "WebFetch" if specifier.starts_with("domain:") => {
            DomainPattern::parse(&specifier["domain:".len()..]).map(What::Domain)
        }
        _ if verdict == Verdict::Allow => Err(match nearest(tool, known()) {
            Some(near) if near != tool => {
                format!("`{tool}` takes no specifier in `allow`: did you mean `{near}`?")
            }
            _ => format!(
                "`{tool}({specifier})` would allow by an argument's value, which does not make a call safe: in `allow` \
                 only `Bash(…)`, `Read(…)`, `Edit(…)`, `Write(…)` and `WebFetch(domain:…)` can have one"
            ),
        }),
        "Agent" | "Task" if !specifier.contains(':') => {
            Ok(What::Argument("subagent_type".into(), specifier.into()))
        }
        "Skill" if !specifier.contains(':') => Ok(What::Argument("skill".into(), specifier.into())),
        _ => match specifier.split_once(':') {
            Some((name, value)) if !name.is_empty() && !name.contains('*') => {
                Ok(What::Argument(name.trim().into(), value.trim().into()))
            }
            _ => Err(format!(
                "`{tool}({specifier})` names no argument: write `{tool}(argument:value)`"
            )),
        },
    }
}

/// The argument that names the file of a tool that reads or changes files.
pub(crate) fn file_argument(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "Read" | "Edit" | "Write" | "MultiEdit" => "file_path",
        "NotebookEdit" | "NotebookRead" => "notebook_path",
        "Glob" | "Grep" | "LS" => "path",
        _ => return None,
    })
}
