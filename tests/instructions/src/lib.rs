//! How many instructions the busiest paths take, held to what they took before: see `tests/counts`.

/// By how much a count may differ, in percent of what it was.
pub const TOLERANCE: u64 = 10;

/// What there is to say of a path's count, where it is not as before.
pub fn verdict(path: &str, count: u64, before: u64) -> Option<String> {
    let change = count.abs_diff(before);
    let percent = change as f64 / before as f64 * 100.0;
    let said = |word: &str, advice: &str| {
        format!("{path}: {count} instructions, {percent:.1} % {word} than {before}: {advice}")
    };
    if change * 100 <= before * TOLERANCE {
        return None;
    }
    Some(if count > before {
        said("more", "find what takes them before you renew the baseline")
    } else {
        said(
            "less",
            "well done; renew the baseline, so that it is not lost again",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_let_pass_and_more_is_said() {
        assert_eq!(verdict("stdio", 1_100, 1_000), None);
        assert_eq!(verdict("stdio", 900, 1_000), None);
        let more = verdict("stdio", 1_101, 1_000).unwrap();
        assert!(
            more.contains("1101 instructions, 10.1 % more than 1000"),
            "{more}"
        );
        let less = verdict("stdio", 899, 1_000).unwrap();
        assert!(less.contains("10.1 % less"), "{less}");
    }
}
