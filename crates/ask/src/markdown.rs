//! Puts agent text into the Markdown that people read, so that it cannot leave its place.

/// Makes a block of code, with a fence that nothing in the text can close.
pub fn fenced(language: &str, text: &str) -> String {
    let longest = runs(text).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!(
        "{fence}{language}\n{}\n{fence}",
        text.trim_end_matches('\n')
    )
}

/// Makes code within a line.
pub fn code(text: &str) -> String {
    let longest = runs(text).max().unwrap_or(0);
    let text = text.replace(['\n', '\r'], "⏎");
    match longest {
        0 => format!("`{text}`"),
        longest => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// Makes a list of code, cut after so many items.
pub fn code_list(items: &[String], most: usize) -> String {
    let mut lines: Vec<_> = items
        .iter()
        .take(most)
        .map(|item| format!("- {}", code(item)))
        .collect();
    if let Some(more) = items.len().checked_sub(most).filter(|more| *more > 0) {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

/// Makes a list of agent text, one line or more each.
pub fn list(items: &[String]) -> String {
    let items = items.iter().map(|item| format!("- {}", indented(item)));
    items.collect::<Vec<_>>().join("\n")
}

/// Indents the further lines of an item under its first one.
pub fn indented(text: &str) -> String {
    text.trim().replace('\n', "\n  ")
}

/// Makes a quotation.
pub fn quoted(text: &str) -> String {
    let lines = text.trim().lines().map(|line| format!("> {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Gives the lines that fit into so many bytes, and how many bytes were left out.
pub fn cut(text: &str, most: usize) -> (&str, usize) {
    if text.len() <= most {
        return (text, 0);
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // A whole number of lines reads better, where a line is not longer than all the room.
    let end = text[..end].rfind('\n').map_or(end, |line| line + 1);
    (&text[..end], text.len() - end)
}

/// The lengths of the runs of backticks.
fn runs(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.split(|char| char != '`').map(str::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_block() {
        assert_eq!(fenced("diff", "+a\n"), "```diff\n+a\n```");
        assert_eq!(fenced("", "```\n# Approved"), "````\n```\n# Approved\n````");
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a\nb"), "`a⏎b`");
        assert_eq!(quoted("a\n\n# b"), "> a\n> \n> # b");
    }

    #[test]
    fn long_text_is_cut_at_a_line() {
        assert_eq!(cut("a\nb\n", 9), ("a\nb\n", 0));
        assert_eq!(cut("aa\nbb\ncc", 7), ("aa\nbb\n", 2));
        assert_eq!(cut("ééé", 3), ("é", 4));
    }

    #[test]
    fn long_lists_are_cut() {
        let items: Vec<String> = (1..=4).map(|n| n.to_string()).collect();
        assert_eq!(code_list(&items, 2), "- `1`\n- `2`\n- and 2 more");
        assert_eq!(code_list(&items[..2], 2), "- `1`\n- `2`");
        assert_eq!(list(&["a\nb".into()]), "- a\n  b");
    }
}
