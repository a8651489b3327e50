//! Examples beside a rule: they are checked whenever it is loaded, so that a rule does what its author thinks.

use super::values::{File, Value, json};
use crate::{
    Holder, NoLinks, Rules, RulesError, ToolUse,
    rule::{Rule, Tools},
};
use jiff::Timestamp;

/// Checks that the rule matches all of these, or none.
pub(super) fn check(
    file: &File<'_>,
    value: &Value<'_>,
    rule: &Rule,
    wanted: bool,
) -> Result<(), RulesError> {
    let examples = file.array(value, "a list of examples", r#"["git push origin"]"#)?;
    let mut alone = Rules::none();
    alone.add(rule.clone());
    for example in examples {
        let at = example.span().start;
        let Some(tool_use) = tool_use(rule, example) else {
            let what = "this example is neither arguments as JSON nor, for Bash, a command";
            return Err(file.error(at, what));
        };
        let judged = alone.judge(
            &tool_use,
            &NoLinks,
            &[],
            &Holder::default(),
            Timestamp::UNIX_EPOCH,
        );
        if judged.matched.is_empty() == wanted {
            let shown = file.written(example.span());
            let what = if wanted {
                format!("the rule does not match its example {shown}: change one of the two")
            } else {
                format!("the rule matches {shown}, which it should not: change one of the two")
            };
            return Err(file.error(at, what));
        }
    }
    Ok(())
}

fn tool_use(rule: &Rule, example: &Value<'_>) -> Option<ToolUse> {
    let tool = match &rule.tools {
        Tools::Named(name) => name.to_string(),
        Tools::Server(start) => format!("{start}x"),
        Tools::OfServer(_, pattern) | Tools::Fit(pattern) => pattern.replace('*', "x"),
        Tools::ReadOnlyTrusted => return None,
    };
    let input = match json(example.get_ref())? {
        serde_json::Value::String(text) => match serde_json::from_str(&text) {
            Ok(input @ serde_json::Value::Object(_)) => input,
            _ if tool == "Bash" => serde_json::json!({ "command": text }),
            _ if crate::rule::file_argument(&tool).is_some() => {
                serde_json::json!({ crate::rule::file_argument(&tool)?: text })
            }
            _ if tool == "WebFetch" => serde_json::json!({ "url": text }),
            _ => return None,
        },
        input @ serde_json::Value::Object(_) => input,
        _ => return None,
    };
    let mut tool_use = ToolUse::new(tool, input, "/workspace");
    tool_use.home = Some("/home/person".into());
    Some(tool_use)
}
