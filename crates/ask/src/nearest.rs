//! The known name that a misspelt one was probably meant to be.

/// Gives the known name that is so like a wrong one that it was probably meant.
///
/// ```
/// use holdpoint_ask::nearest::nearest;
///
/// let known = ["minLength", "maxLength"];
/// assert_eq!(nearest("max_length", known), Some("maxLength"));
/// assert_eq!(nearest("zzz", known), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (likeness, closest) = closest(name, known)?;
    (likeness > 0.7).then_some(closest)
}

/// Gives the known name that is most like a wrong one, however little that is, and how like it is.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<(f64, &'a str)> {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    let wanted = plain(name);
    known
        .into_iter()
        .map(|known| (likeness(&wanted, &plain(known)), known))
        .max_by(|one, other| one.0.total_cmp(&other.0))
}

/// Says what was probably meant, or everything that is known: "did you mean `name`?"
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<_> = known.into_iter().collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected one of {}", known.join(", ")),
    }
}

/// Whether a name differs from a known one by a slip: one letter, or two where it is long.
///
/// ```
/// use holdpoint_ask::nearest::is_slip;
///
/// assert!(is_slip("dangerus", "dangerous") && is_slip("wrod", "word"));
/// assert!(!is_slip("label", "word"));
/// ```
pub fn is_slip(name: &str, known: &str) -> bool {
    let most = if known.len() >= 6 { 2 } else { 1 };
    strsim::damerau_levenshtein(name, known) <= most
}

/// Two names that differ by one letter, or by two that were swapped, are alike even where they are
/// too short for the usual measure.
fn likeness(one: &str, other: &str) -> f64 {
    let one_edit = strsim::damerau_levenshtein(one, other) == 1;
    strsim::jaro_winkler(one, other).max(if one_edit { 0.75 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        let check = |name: &str, wanted: &str| {
            let known = ["ask", "emit", "text", "maxLength", "trust.dangerous"];
            assert_eq!(did_you_mean(name, known), wanted, "{name}");
        };
        check("aks", "did you mean `ask`?");
        check("txt", "did you mean `text`?");
        check("max_length", "did you mean `maxLength`?");
        check("dangerous", "did you mean `trust.dangerous`?");
        check(
            "zzz",
            "expected one of ask, emit, text, maxLength, trust.dangerous",
        );
        assert_eq!(closest("zzz", []), None);
    }
}
