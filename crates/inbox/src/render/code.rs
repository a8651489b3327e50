//! Renders code as a block of HTML, coloured where the language is known.

use super::{
    colour::{Budget, Colours, Language},
    escape,
};

/// Renders the code as a block with these attributes.
pub(super) fn coloured(
    language: &str,
    code: &str,
    attributes: &str,
    budget: &mut Budget,
) -> String {
    let inner = match Language::named(language) {
        Some(language) => spans(code, Colours::new(language), budget),
        None => escape(code),
    };
    format!("<pre{attributes}><code>{inner}</code></pre>\n")
}

fn spans(code: &str, mut colours: Colours, budget: &mut Budget) -> String {
    let mut shown = String::with_capacity(code.len() * 2);
    for line in code.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        let mut place = 0;
        for (range, class) in colours.line(text, budget) {
            shown.push_str(&escape(&text[place..range.start]));
            let inside = escape(&text[range.clone()]);
            shown.push_str(&format!("<span class=\"{class}\">{inside}</span>"));
            place = range.end;
        }
        shown.push_str(&escape(&line[place..]));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_escaped_and_coloured() {
        let check = |language: &str, code: &str, inner: &str| {
            let wanted = format!("<pre><code>{inner}</code></pre>\n");
            let shown = coloured(language, code, "", &mut Budget::default());
            assert_eq!(shown, wanted, "{code}");
        };
        check(
            "rust",
            "let x = \"<b>\"; // 1\n",
            "<span class=\"kw\">let</span> x <span class=\"op\">=</span> <span class=\"str\">&quot;&lt;b&gt;&quot;</span>; <span class=\"com\">// 1</span>\n",
        );
        check("", "let x = <1>", "let x = &lt;1&gt;");
        check("text", "# no comment", "# no comment");
    }
}
