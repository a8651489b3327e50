//! Renders code with a little colour: comments, texts, numbers and the commonest keywords, in one pass over
//! the characters. It need not know a language to help the eye, and cannot be made slow.

use super::escape;

/// Renders the code as a block, coloured where it knows the language.
pub(super) fn coloured(language: &str, code: &str, attributes: &str) -> String {
    let inner = match comments_of(language) {
        Some(comments) => spans(code, comments),
        None => escape(code),
    };
    format!("<pre{attributes}><code>{inner}</code></pre>\n")
}

/// What begins a comment that ends with its line.
fn comments_of(language: &str) -> Option<&'static [&'static str]> {
    Some(match language.to_ascii_lowercase().as_str() {
        "rust" | "rs" | "js" | "javascript" | "ts" | "typescript" | "jsx" | "tsx" | "java"
        | "c" | "cpp" | "c++" | "cs" | "csharp" | "go" | "kotlin" | "swift" | "scala" | "php"
        | "dart" | "json5" | "jsonc" => &["//"],
        "python" | "py" | "sh" | "bash" | "shell" | "zsh" | "yaml" | "yml" | "toml" | "ruby"
        | "rb" | "perl" | "r" | "make" | "makefile" | "dockerfile" | "ini" | "elixir" => &["#"],
        "sql" | "lua" | "haskell" | "hs" | "ada" => &["--"],
        "json" => &[],
        _ => return None,
    })
}

const KEYWORDS: &str = " abstract and as async await begin bool break case catch char class const \
    continue create def default defer delete do double drop elif else elsif end enum except export \
    extends false finally float fn for foreach from func function if impl implements import in insert \
    int interface into is join key lambda let long loop match mod module move mut namespace new nil \
    none not null on or order package pass primary private protected pub public raise ref return \
    select self set static string struct super switch table then this throw trait true try type \
    typeof union unless unsafe until update use using var void where while with yield ";

fn spans(code: &str, comments: &[&str]) -> String {
    let mut shown = String::with_capacity(code.len() * 2);
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let (class, length) = if comments.iter().any(|mark| rest.starts_with(mark)) {
            ("com", rest.find('\n').unwrap_or(rest.len()))
        } else if matches!(first, '"' | '\'' | '`') {
            match text_length(rest, first) {
                Some(length) => ("str", length),
                None => ("", first.len_utf8()),
            }
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (class_of(&rest[..length]), length)
        } else {
            ("", first.len_utf8())
        };
        let (part, after) = rest.split_at(length);
        match class {
            "" => shown.push_str(&escape(part)),
            _ => shown.push_str(&format!("<span class=\"{class}\">{}</span>", escape(part))),
        }
        rest = after;
    }
    shown
}

/// A longer text in quotes is left alone: looking for its end again and again takes time.
const LONGEST_TEXT: usize = 200;

/// How long a text in quotes is, which must end on its line.
fn text_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (place, char) in rest.char_indices().take(LONGEST_TEXT).skip(1) {
        match char {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if char == quote => return Some(place + char.len_utf8()),
            _ => {}
        }
    }
    None
}

fn class_of(word: &str) -> &'static str {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return "num";
    }
    let known = word.len() <= 12 && KEYWORDS.contains(&format!(" {} ", word.to_ascii_lowercase()));
    if known { "kw" } else { "" }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_colour() {
        let check = |language: &str, code: &str, inner: &str| {
            let wanted = format!("<pre><code>{inner}</code></pre>\n");
            assert_eq!(coloured(language, code, ""), wanted, "{code}");
        };
        check(
            "rust",
            "let x = \"<b>\"; // 1",
            "<span class=\"kw\">let</span> x = <span class=\"str\">&quot;&lt;b&gt;&quot;</span>; <span class=\"com\">// 1</span>",
        );
        check(
            "sql",
            "SELECT 42 -- all\nFROM t",
            "<span class=\"kw\">SELECT</span> <span class=\"num\">42</span> <span class=\"com\">-- all</span>\n<span class=\"kw\">FROM</span> t",
        );
        check("rust", "it's <a>", "it&#39;s &lt;a&gt;");
        let long = format!("'{}'", "x".repeat(LONGEST_TEXT));
        check("rust", &long, &long.replace('\'', "&#39;"));
        check("", "let x = 1", "let x = 1");
        check("text", "# no comment", "# no comment");
    }
}
