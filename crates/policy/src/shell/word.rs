//! Words of a command without their quotes.

use super::{Taken, Word};
use tree_sitter::Node;

/// The text of a node.
pub(super) fn text<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    // A node that begins inside a character is nothing that a rule could name.
    source.get(node.byte_range()).unwrap_or("\u{fffd}")
}

/// Reads a word, and notes what in it only running it would tell. Gives the substitutions in it.
pub(super) fn read<'t>(
    node: Node<'t>,
    source: &str,
    taken: &mut Taken,
    inside: &mut Vec<Node<'t>>,
) -> Word {
    let mut word = Word {
        text: String::new(),
        expands: false,
    };
    add(node, source, taken, inside, &mut word, 0);
    word
}

fn add<'t>(
    node: Node<'t>,
    source: &str,
    taken: &mut Taken,
    inside: &mut Vec<Node<'t>>,
    word: &mut Word,
    depth: usize,
) {
    let raw = text(node, source);
    if depth > 16 {
        return taken.doubt("a word is nested too deep");
    }
    match node.kind() {
        "word" | "number" | "variable_name" | "test_operator" | "special_variable_name" => {
            plain(raw, word);
            if node.named_child_count() > 0 {
                taken.doubt(format!("`{raw}` is computed when it runs"));
            }
        }
        "raw_string" => word
            .text
            .push_str(raw.trim_start_matches('\'').trim_end_matches('\'')),
        "ansi_c_string" => {
            let body = raw.trim_start_matches("$'");
            ansi(body.strip_suffix('\'').unwrap_or(body), word);
        }
        "string" | "translated_string" => {
            word.expands |= raw.starts_with('$');
            let mut at = node.start_byte() + raw.find('"').map_or(0, |quote| quote + 1);
            let end = node.end_byte().saturating_sub(1);
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                quoted(source.get(at..child.start_byte()).unwrap_or_default(), word);
                match child.kind() {
                    "string_content" => quoted(text(child, source), word),
                    _ => add(child, source, taken, inside, word, depth + 1),
                }
                at = child.end_byte();
            }
            quoted(source.get(at..end).unwrap_or_default(), word);
        }
        "concatenation" => {
            let mut at = node.start_byte();
            let mut cursor = node.walk();
            for child in node.children(&mut cursor) {
                if child.start_byte() != at {
                    taken.doubt("two words run into each other");
                }
                at = child.end_byte();
                add(child, source, taken, inside, word, depth + 1);
            }
            // Braces and brackets come in pieces.
            word.expands |= opens(raw);
        }
        "simple_expansion" => {
            word.text.push_str(raw);
            word.expands = true;
        }
        "expansion" => {
            word.text.push_str(raw);
            word.expands = true;
            if !is_plain_expansion(raw) {
                taken.doubt(format!("`{raw}` is computed when it runs"));
            }
        }
        "arithmetic_expansion" => {
            word.text.push_str(raw);
            word.expands = true;
            let plain = |char: char| char.is_ascii_digit() || "$() +-*/%<>".contains(char);
            if !raw.chars().all(plain) || raw.contains("++") || raw.contains("--") {
                taken.doubt(format!("`{raw}` is computed when it runs"));
            }
        }
        "command_substitution" | "process_substitution" => {
            word.text.push_str(raw);
            word.expands = true;
            inside.push(node);
            taken.doubt(format!("`{}` is only known when it runs", short(raw)));
        }
        "brace_expression" => {
            word.text.push_str(raw);
            word.expands = true;
        }
        "extglob_pattern" | "regex" if !raw.contains(['(', '$', '`']) => {
            word.text.push_str(raw);
            word.expands = true;
        }
        // Pieces of a concatenation that have no name of their own.
        "{" | "}" | "[" | "]" | "," | "=" | ":" | "$" | "#" | "%" | "!" | "@" | "^" | "+" | "-" => {
            word.text.push_str(raw);
        }
        _ => {
            word.text.push_str(raw);
            word.expands = true;
            taken.doubt(format!("`{}` is not a plain word", short(raw)));
        }
    }
}

/// A word without quotes: a backslash makes the next character plain.
fn plain(raw: &str, word: &mut Word) {
    let mut chars = raw.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(next) => word.text.push(next),
            },
            '*' | '?' | '[' => {
                word.expands = true;
                word.text.push(char);
            }
            _ => word.text.push(char),
        }
    }
    word.expands |= opens(raw);
}

/// Inside double quotes a backslash makes only some characters plain.
fn quoted(raw: &str, word: &mut Word) {
    let mut chars = raw.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some('\n')) => {
                chars.next();
            }
            ('\\', Some('$' | '`' | '"' | '\\')) => word.text.extend(chars.next()),
            _ => word.text.push(char),
        }
    }
}

/// What stands between `$'` and `'`. What has no simple reading is left as it is, and may be anything.
fn ansi(raw: &str, word: &mut Word) {
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        word.text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(kind) = rest.chars().next() else {
            break;
        };
        rest = &rest[kind.len_utf8()..];
        let (radix, most) = match kind {
            'x' => (16, 2),
            'u' => (16, 4),
            'U' => (16, 8),
            '0'..='7' => {
                rest = &raw[raw.len() - rest.len() - 1..];
                (8, 3)
            }
            'n' | 't' | 'r' => {
                word.text.push(' ');
                continue;
            }
            '\\' | '\'' | '"' | '?' => {
                word.text.push(kind);
                continue;
            }
            _ => {
                word.expands = true;
                continue;
            }
        };
        let digits = rest
            .chars()
            .take(most)
            .take_while(|char| char.is_digit(radix));
        let length = digits.count();
        let code = u32::from_str_radix(&rest[..length], radix).ok();
        rest = &rest[length..];
        match code.and_then(char::from_u32).filter(|char| *char != '\0') {
            Some(char) => word.text.push(char),
            None => word.expands = true,
        }
    }
    word.text.push_str(rest);
}

/// Whether it holds braces that a shell makes several words of.
fn opens(raw: &str) -> bool {
    raw.contains('{') && (raw.contains(',') || raw.contains("..")) || raw.contains('[')
}

/// `${name}` and the ways to write it that neither set nor run anything: a default, a length, a part cut off.
fn is_plain_expansion(raw: &str) -> bool {
    let Some(inside) = raw
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
    else {
        return false;
    };
    let inside = inside.strip_prefix('#').unwrap_or(inside);
    let name = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let after = inside.trim_start_matches(name);
    let operators = ["", ":-", "-", ":+", "+", "#", "%"];
    let operator = after.len() - after.trim_start_matches([':', '-', '+', '#', '%']).len();
    let known = match &after[..operator] {
        "##" | "%%" => true,
        operator => operators.contains(&operator),
    };
    let rest = &after[operator..];
    let literal = |char: char| name(char) || "./-,* ".contains(char);
    known
        && after.len() < inside.len()
        && (operator > 0 || rest.is_empty())
        && rest.chars().all(literal)
}

/// The beginning of a text, for a message.
pub(super) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
