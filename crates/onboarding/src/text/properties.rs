//! Generated files: nothing is lost, and twice is once.

use super::{analysis::Analysis, canonical::migrate, corpus, document::Document, loss_check::lost};
use proptest::prelude::*;
use std::time::Instant;

/// Lines that Markdown makes something of, in any order.
fn line() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Use tabs.",
        "Never use tabs.",
        "Use 2 spaces for indentation.",
        "Line length: 80",
        "Indent with 4 spaces.",
        "Always write tests. Keep them short.",
        "TODO",
        "run `make`",
        "See [a](b/c).",
        "See [a](d/e).",
        "use **bold",
        "`code",
        "plain words",
        "a, b",
        "Ünïcode 日本",
        "Handle errors properly.",
        "It is fast.",
        "<!-- hidden",
        "-->",
        "</div>",
        "[x]: http://y",
    ]);
    let lead = prop::sample::select(vec![
        "", "", "", "- ", "- ", "* ", "+ ", "  - ", "    ", "1. ", "# ", "## ", "### ", "> ",
        "   ", "-   ",
    ]);
    let odd = prop::sample::select(vec![
        "",
        "",
        "```",
        "~~~",
        "---",
        "===",
        "| a | b |",
        "|---|---|",
        "***",
        "<div>",
        "\t- tab",
        "#",
        "-",
        "## To be settled",
        "[^1]: note",
        "  ",
        "---\nkey: value\n---",
    ]);
    prop_oneof![
        5 => (lead, words).prop_map(|(lead, words)| format!("{lead}{words}")),
        3 => odd.prop_map(str::to_owned),
    ]
}

fn check(text: &str) -> bool {
    let migrated = migrate(text);
    let removed = migrated.removed.iter().map(|removed| removed.text.as_str());
    let gone = lost(text, &migrated.text, removed);
    assert!(
        gone.is_empty(),
        "{gone:?} of {text:?} in {:?}",
        migrated.text
    );
    let twice = migrate(&migrated.text);
    assert_eq!(twice.text, migrated.text, "{text:?}");
    for problem in Analysis::new(&Document::read(text)).problems {
        let count = text.lines().count();
        assert!(
            problem.lines.iter().all(|line| (1..=count).contains(line)),
            "{problem:?}"
        );
    }
    migrated.untouched
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_of_generated_files_is_lost(lines in prop::collection::vec(line(), 0..24), end in any::<bool>(), crlf in any::<bool>()) {
        let mut text = lines.join("\n");
        if end { text.push('\n'); }
        if crlf { text = text.replace('\n', "\r\n"); }
        check(&text);
    }

    #[test]
    fn nothing_of_any_text_is_lost(text in "(\\PC|\n| |-|#|`){0,200}") {
        check(&text);
    }
}

/// Files of the corpus, cut and put together anew: most of them can be rearranged.
#[test]
fn files_made_of_the_corpus() {
    let cases = corpus::cases("tuned");
    let mut untouched = 0;
    for (number, case) in cases.iter().enumerate() {
        let other = &cases[(number * 7 + 3) % cases.len()];
        let lines: Vec<_> = case
            .text
            .lines()
            .zip(other.text.lines())
            .flat_map(|(a, b)| [a, b])
            .collect();
        untouched += usize::from(check(&lines.join("\n")));
        untouched += usize::from(check(&format!("{}\n{}", case.text, other.text)));
    }
    assert!(untouched <= cases.len() / 10, "{untouched}");
}

/// So many bytes of rules, most of them different and many alike.
fn large(bytes: usize) -> String {
    let mut text = String::from("# Large\n");
    for number in 0.. {
        if number % 50 == 0 {
            text.push_str(&format!("\n## Section {}\n\n", number / 50));
        }
        let (thing, place) = (number % 997, number % 89);
        text.push_str(&match number % 5 {
            0 => format!("- Use helper{thing} for task{place} in module{number}.\n"),
            1 => format!("- Never call service{thing} from layer{place}.\n"),
            2 => format!("- The timeout of job{thing} is {place} seconds.\n"),
            3 => format!("- Always write tests for feature{thing} before {place} o'clock.\n"),
            _ => "- Handle errors properly.\n".to_owned(),
        });
        if text.len() >= bytes {
            return text;
        }
    }
    text
}

#[test]
fn a_megabyte_takes_less_than_a_second() {
    // Code that is not optimised takes many times as long: it is given an eighth.
    let (bytes, most) = if cfg!(debug_assertions) {
        (1 << 17, 10.0)
    } else {
        (1 << 20, 1.0)
    };
    let text = large(bytes);
    let begun = Instant::now();
    let analysis = Analysis::new(&Document::read(&text));
    let took = begun.elapsed();
    println!(
        "{} bytes, {} rules, {} problems: {took:?}",
        text.len(),
        analysis.rules,
        analysis.problems.len()
    );
    assert!(took.as_secs_f64() < most, "{took:?}");
}
