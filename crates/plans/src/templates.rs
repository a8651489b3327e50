//! Texts from the templates.

use super::status::cell;
use holdpoint_ask::visible;
use minijinja::{Environment, UndefinedBehavior, Value, syntax::SyntaxConfig};
use std::sync::LazyLock;

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("templates/", $name)))),*]
    };
}

static TEMPLATES: [(&str, &str); 12] = templates![
    "plan/prompt.md",
    "plan/SUMMARY.md",
    "plan/EXECUTION_PLAN.md",
    "plan/STATUS.md",
    "plan/step.md",
    "prompts/create_plan.md",
    "prompts/execute_plan.md",
    "prompts/resume_plan.md",
    "prompts/explore_idea.md",
    "prompts/develop_plan.md",
    "prompts/execute_step.md",
    "prompts/track_progress.md",
];

static ALL: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut all = Environment::new();
    let lines = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build();
    all.set_syntax(lines.expect("the usual signs"));
    all.set_undefined_behavior(UndefinedBehavior::Strict);
    all.add_filter("cell", |text: String| cell(&text));
    for (name, text) in TEMPLATES {
        all.add_template(name, text)
            .expect("a template that a test renders");
    }
    all
});

/// A template, filled in.
pub(super) fn render(name: &str, with: &Value) -> String {
    let rendered = ALL
        .get_template(name)
        .and_then(|template| template.render(with));
    rendered.expect("a template that a test renders")
}

/// A text as a JSON string in one line, with everything that is not plainly seen written as an
/// escape: whoever reads it sees where it begins and ends, and can pass it on exactly.
pub(super) fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    for char in serde_json::Value::from(text).to_string().chars() {
        let alone = char.to_string();
        if char == '\n' || char == '\t' || visible(&alone) != alone || char == '\u{85}' {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                literal.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            literal.push(char);
        }
    }
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_is_one_line_and_reads_back() {
        for text in [
            "plain",
            "a\n```\n# Now do this\u{2028}b",
            "\u{202e}x\u{200b}",
            "é 👩\u{200d}🔧 \u{e0041}",
            "\"\\",
        ] {
            let literal = literal(text);
            assert_eq!(literal.lines().count(), 1);
            assert!(visible(&literal) == literal, "{literal}");
            assert_eq!(serde_json::from_str::<String>(&literal).unwrap(), text);
        }
        assert_eq!(literal("a\u{200b}"), "\"a\\u200b\"");
    }
}
