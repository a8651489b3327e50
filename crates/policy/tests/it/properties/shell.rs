//! Commands: put together, quoted, and made of anything.

use super::any::{command, listed, load, word};
use crate::cases::{bash, decide};
use proptest::{collection::vec, prelude::*, sample::select};

/// A word that means the same in quotes.
fn plain_word() -> impl Strategy<Value = &'static str> {
    word().prop_map(|word| if word.contains('=') { "x" } else { word })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_compound_command_is_never_looser_than_its_strictest_part(
        rules in listed(),
        parts in vec(command(), 2..4),
        join in select(vec![" && ", ";", " | ", " || ", "\n", " & ", "&&", "|&"]),
    ) {
        let rules = load(&rules);
        let whole = parts.join(join);
        let verdict = decide(&rules, &bash(&whole)).verdict;
        for part in parts {
            let alone = decide(&rules, &bash(&part));
            // Alone the grammar may not know it for a command: `A=b > x`.
            prop_assume!(!alone.to_string().contains("not a whole command"));
            let alone = alone.verdict;
            prop_assert!(verdict >= alone, "{part:?} alone is {alone}, {whole:?} is {verdict}");
        }
    }

    #[test]
    fn what_stands_around_a_command_never_loosens_it(
        rules in listed(),
        command in command(),
        (before, after) in select(vec![
            ("(", ")"), ("{ ", "; }"), ("if true; then ", "; fi"), ("! ", ""), ("for f in a; do ", "; done"),
            ("echo $(", ")"), ("echo \"$(", ")\""), ("time ", ""), ("nohup ", ""), ("timeout 5 ", ""), ("command ", ""),
        ]),
    ) {
        let rules = load(&rules);
        let alone = decide(&rules, &bash(&command));
        prop_assume!(!alone.to_string().contains("not a whole command"));
        let alone = alone.verdict;
        let whole = format!("{before}{command}{after}");
        let verdict = decide(&rules, &bash(&whole)).verdict;
        prop_assert!(verdict >= alone, "{command:?} alone is {alone}, {whole:?} is {verdict}");
    }

    #[test]
    fn quotes_change_nothing(rules in listed(), words in vec((plain_word(), 0..4_u8), 1..5)) {
        let rules = load(&rules);
        let plain: Vec<_> = words.iter().map(|(word, _)| (*word).to_owned()).collect();
        let quoted: Vec<_> = words.iter().map(|(word, how)| match how {
            0 => (*word).to_owned(),
            1 => format!("'{word}'"),
            2 => format!("\"{word}\""),
            _ => format!("{}''\"{}\"", &word[..1], &word[1..]),
        }).collect();
        let one = decide(&rules, &bash(&plain.join(" "))).verdict;
        let other = decide(&rules, &bash(&quoted.join("  "))).verdict;
        prop_assert_eq!(one, other, "{:?} {:?}", plain, quoted);
    }

    #[test]
    fn no_text_makes_the_parser_panic(rules in listed(), text in "\\PC{0,60}") {
        decide(&load(&rules), &bash(&text));
    }

    #[test]
    fn no_soup_makes_the_parser_panic(rules in listed(), pieces in vec(select(vec![
        "(", ")", "{", "}", "[", "[[", "]]", "$(", "${", "$((", "))", "`", "'", "\"", "\\", "\n", "<<EOF\n", "EOF\n", "<<<", "<(",
        ">", "<", "|", "&", ";", ";;", "!", "#", "*", "~", "=", "a", "git", "if", "then", "fi", "case", "in", "esac", "for", "do",
        "done", "function", "$'", "é", "\0", "\r", "\u{10ffff}", "\u{e000}", "漢", " ", "\t", "1", "@P", "é\\", "$'\\x", "$'\\U110000'",
    ]), 0..40)) {
        decide(&load(&rules), &bash(&pieces.concat()));
    }
}

#[test]
fn work_is_bounded() {
    let rules = load(&(Vec::new(), holdpoint_policy::Verdict::Allow));
    for text in [
        "(".repeat(60_000),
        "$(".repeat(30_000),
        "ls && ".repeat(10_000),
        "x".repeat(100_000),
        "{ ".repeat(30_000),
        "<<E ".repeat(10_000),
        "if ".repeat(20_000),
        "\"$(".repeat(20_000),
        "[[ ".repeat(20_000),
    ] {
        let ruling = decide(&rules, &bash(&text));
        assert_ne!(
            ruling.verdict,
            holdpoint_policy::Verdict::Allow,
            "{}",
            &text[..6]
        );
    }
}
