//! Renders a unified diff, with a class for each line.

use super::escape;

/// Renders the diff as a block of lines.
pub(super) fn coloured(diff: &str, attributes: &str) -> String {
    let mut shown = format!("<pre class=\"diff\"{attributes}><code>");
    for line in diff.lines() {
        let class = match line.as_bytes() {
            [b'+', b'+', b'+', b' ', ..] | [b'-', b'-', b'-', b' ', ..] => " meta",
            [b'+', ..] => " add",
            [b'-', ..] => " del",
            [b'@', b'@', ..] => " hunk",
            [b' ', ..] | [] => "",
            _ => " meta",
        };
        shown.push_str(&format!(
            "<span class=\"line{class}\">{}\n</span>",
            escape(line)
        ));
    }
    shown.push_str("</code></pre>\n");
    shown
}
