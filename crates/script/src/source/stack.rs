//! How much of a thread's stack a source may take to parse.
//!
//! The parser calls itself for what is nested, and nothing stops it before the stack is full, which ends
//! the process. No closing bracket counts here, since one may stand in a comment or a text: so this is
//! more than any source takes that has as many marks.

/// The most that a thread is given; only what is used of it takes memory.
const MOST: usize = 512 << 20;

/// What every source is given.
const LEAST: usize = 1 << 20;

/// A level of brackets, as it was measured, and half as much again.
const BRACKET: usize = 4 << 10;

/// A level of operators or words.
const OPERATOR: usize = 1 << 10;

/// The words that can be repeated, each inside the one before.
const WORDS: [&str; 24] = [
    "abstract",
    "as",
    "assert",
    "asserts",
    "async",
    "await",
    "delete",
    "do",
    "else",
    "extends",
    "for",
    "function",
    "if",
    "in",
    "infer",
    "instanceof",
    "is",
    "keyof",
    "new",
    "readonly",
    "satisfies",
    "typeof",
    "void",
    "yield",
];

/// The stack that is enough for this source; none where that would be too much.
pub(super) fn needed(source: &str) -> Option<usize> {
    let mut needed = LEAST;
    let mut word = 0;
    let bytes = source.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        if byte.is_ascii_alphabetic() {
            continue;
        }
        if word < index && WORDS.contains(&&source[word..index]) {
            needed += OPERATOR;
        }
        word = index + 1;
        needed += match byte {
            b'(' | b'[' | b'{' | b'<' => BRACKET,
            b',' | b';' | b'"' | b'\'' | b')' | b']' | b'}' | b'_' | b'$' | b'\\' => 0,
            byte if byte.is_ascii_punctuation() => OPERATOR,
            _ => 0,
        };
    }
    (needed <= MOST).then_some(needed)
}

#[cfg(test)]
mod tests {
    use super::{BRACKET, LEAST, MOST, OPERATOR, needed};

    #[test]
    fn what_opens_counts_and_what_closes_does_not() {
        let check = |source: &str, more: usize| assert_eq!(needed(source), Some(LEAST + more));
        check("", 0);
        check("größe, 'x';", 0);
        check("(())", 2 * BRACKET);
        check("/*))*/((", 2 * BRACKET + 4 * OPERATOR);
        check("typeof typeof a", 2 * OPERATOR);
        check("typeofa typeof1 x.new", 3 * OPERATOR - OPERATOR);
        assert_eq!(needed(&"(".repeat(MOST / BRACKET)), None);
    }
}
