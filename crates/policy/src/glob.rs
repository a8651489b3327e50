//! Text with stars in it.

/// Whether a text fits a pattern in which `*` stands for any characters, none included.
///
/// It is matched as it is written: ten thousand rules are loaded by every process of a hook, and nearly none of
/// them is ever compared with anything.
pub(crate) fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut in_text) = (0, 0);
    // Where to go on when a star has to take one byte more.
    let mut star: Option<(usize, usize)> = None;
    while in_text < text.len() {
        if pattern.get(at) == Some(&b'*') {
            at += 1;
            star = Some((at, in_text));
        } else if pattern.get(at) == Some(&text[in_text]) {
            at += 1;
            in_text += 1;
        } else if let Some((after, taken)) = star {
            at = after;
            in_text = taken + 1;
            star = Some((after, in_text));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

/// Whether a name fits one name of a path's pattern: `*` and `?` stand for characters, `[…]` for one of several.
pub(crate) fn name_fits(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?', '[', '\\']) {
        return pattern == name;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut in_name) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        if pattern.get(at) == Some(&'*') {
            at += 1;
            star = Some((at, in_name));
        } else if let Some(next) = one_fits(&pattern, at, name[in_name]) {
            at = next;
            in_name += 1;
        } else if let Some((after, taken)) = star {
            at = after;
            in_name = taken + 1;
            star = Some((after, in_name));
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|char| *char == '*')
}

/// Where the pattern goes on, if what stands there fits this one character.
fn one_fits(pattern: &[char], at: usize, char: char) -> Option<usize> {
    match *pattern.get(at)? {
        '?' => Some(at + 1),
        '\\' => (*pattern.get(at + 1)? == char).then_some(at + 2),
        '[' => match set(pattern, at) {
            Some((set, after)) => one_of(set, char).then_some(after),
            None => (char == '[').then_some(at + 1),
        },
        plain => (plain == char).then_some(at + 1),
    }
}

/// What stands between the brackets, and where the pattern goes on behind them.
fn set(pattern: &[char], at: usize) -> Option<(&[char], usize)> {
    let inside = &pattern[at + 1..];
    let first = usize::from(matches!(inside.first(), Some('!' | '^')));
    // A bracket that comes first stands for itself.
    let length = inside
        .iter()
        .skip(first + 1)
        .position(|char| *char == ']')?
        + first
        + 1;
    Some((&inside[..length], at + length + 2))
}

fn one_of(set: &[char], char: char) -> bool {
    let (not, set) = match set {
        ['!' | '^', rest @ ..] => (true, rest),
        _ => (false, set),
    };
    let mut at = 0;
    let mut found = false;
    while at < set.len() {
        if let [from, '-', to, ..] = set[at..] {
            found |= (from..=to).contains(&char);
            at += 3;
        } else {
            found |= set[at] == char;
            at += 1;
        }
    }
    found != not
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, text, wanted) in [
            ("git *", "git push", true),
            ("git *", "git", false),
            ("git*", "git", true),
            ("*", "", true),
            ("* --version", "node --version", true),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "a1b2b3", false),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, text), wanted, "{pattern} {text}");
        }
    }

    #[test]
    fn names_of_paths_know_sets_and_single_characters() {
        for (pattern, name, wanted) in [
            ("*.rs", "lib.rs", true),
            ("*.rs", "lib.rst", false),
            ("?.rs", "ä.rs", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]x]", "]", true),
            ("[x", "[x", true),
            ("\\*x", "*x", true),
            ("\\*x", "ax", false),
            (".env*", ".env.local", true),
        ] {
            assert_eq!(name_fits(pattern, name), wanted, "{pattern} {name}");
        }
    }
}
