//! A command that the grammar does not understand, cut at everything that could end a command. What comes of it
//! is only for rules that ask and deny.

use super::{Part, Redirected, Word};

/// The most pieces that are looked at.
const MOST: usize = 256;

pub(super) fn parts(command: &str) -> Vec<Part> {
    let plain = without_quotes(command);
    let ends = [
        ';', '&', '|', '\n', '(', ')', '{', '}', '`', '$', '<', '>', '!',
    ];
    let pieces = plain.split(ends).take(MOST);
    let words_of = |piece: &str| -> Vec<Word> {
        let words = piece.split_whitespace().map(|word| Word {
            text: word.to_owned(),
            expands: false,
        });
        words.collect()
    };
    let mut parts = Vec::new();
    for piece in pieces {
        let words = words_of(piece);
        let settings = words
            .iter()
            .take_while(|word| word.text.contains('='))
            .count();
        // What is set may be what a rule is about, and so may the command behind it.
        for start in [0, settings] {
            if start < words.len() {
                parts.push(Part::new(piece, Vec::new(), words[start..].to_vec()));
            }
            if settings == 0 {
                break;
            }
        }
    }
    parts
}

/// The files that stand behind `<` and `>`.
pub(super) fn files(command: &str) -> Vec<Redirected> {
    let plain = without_quotes(command);
    let signs = plain.match_indices(['<', '>']).take(MOST);
    let files = signs.filter_map(|(at, sign)| {
        let rest = plain[at + 1..].trim_start_matches(['>', '|', '!', '&', ' ', '\t']);
        let ends = [' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>', '`', '}'];
        let path = rest.split(ends).next().unwrap_or_default();
        let is_file = !path.is_empty()
            && !path
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-');
        (is_file && !path.starts_with("/dev/")).then(|| Redirected {
            text: format!("{sign} {path}"),
            path: Some(path.to_owned()),
            writes: sign == ">",
        })
    });
    files.collect()
}

fn without_quotes(command: &str) -> String {
    let is_quote = |char: &char| matches!(char, '"' | '\'' | '\\');
    command.chars().filter(|char| !is_quote(char)).collect()
}
