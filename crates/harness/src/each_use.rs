//! One call that is several uses of a tool: a patch of many files, a fetch of many addresses.

use crate::ToolPrompt;
use holdpoint_policy::{Ruling, ToolUse, Verdict};
use serde_json::Value;

/// The lists in arguments that rules know, and what one of each is called.
const SEVERAL: [(&str, &str); 2] = [("file_paths", "file_path"), ("urls", "url")];

impl ToolPrompt {
    /// The use of the tool, once for each file that it changes or address that it fetches: rules look at one.
    pub fn each_use(&self) -> Vec<ToolUse> {
        let input = &self.tool_use.input;
        let several = SEVERAL.into_iter().find_map(|(list, one)| {
            let values = input.get(list)?.as_array()?;
            (!values.is_empty() && input.get(one).is_none()).then_some((list, one, values))
        });
        let Some((list, one, values)) = several else {
            return vec![self.tool_use.clone()];
        };
        let uses = values.iter().map(|value| {
            let mut tool_use = self.tool_use.clone();
            if let Value::Object(input) = &mut tool_use.input {
                input.shift_remove(list);
                input.insert(one.to_owned(), value.clone());
            }
            tool_use
        });
        uses.collect()
    }

    /// What rules say of the call, by what they say of each use: the strictest counts, and danger of any.
    pub fn ruled(&self, decide: impl FnMut(&ToolUse) -> Ruling) -> Ruling {
        let uses = self.each_use();
        let mut rulings = uses.iter().map(decide);
        // There is always one use.
        let mut all = rulings.next().unwrap_or(Ruling {
            verdict: Verdict::Deny,
            danger: true,
            reasons: Vec::new(),
            parts: Vec::new(),
            scope: None,
        });
        for ruling in rulings {
            all.danger |= ruling.danger;
            all.parts.extend(ruling.parts);
            if ruling.verdict > all.verdict {
                (all.verdict, all.reasons, all.scope) =
                    (ruling.verdict, ruling.reasons, ruling.scope);
            } else if ruling.verdict == all.verdict {
                for reason in ruling.reasons {
                    if !all.reasons.contains(&reason) {
                        all.reasons.push(reason);
                    }
                }
                all.scope = all.scope.or(ruling.scope);
            }
        }
        all
    }
}
