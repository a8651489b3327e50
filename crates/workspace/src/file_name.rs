//! Names that are safe as the name of a file.

/// The most characters of a name that came from outside.
const MOST: usize = 100;

/// A name in kebab case: letters and digits of any script, single hyphens between them.
pub fn kebab_case(name: &str) -> String {
    let mut kebab = String::new();
    for char in name.trim().chars() {
        if char.is_alphanumeric() {
            kebab.extend(char.to_lowercase());
        } else if !kebab.is_empty() && !kebab.ends_with('-') {
            kebab.push('-');
        }
    }
    kebab.trim_end_matches('-').to_owned()
}

/// The last part of a name that came from outside, with nothing in it but letters, digits and a few
/// signs. It is never empty, hidden or a path.
pub fn safe_file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_safe = |char: char| char.is_alphanumeric() || "._- ()".contains(char);
    let name: String = last
        .chars()
        .map(|char| if is_safe(char) { char } else { '_' })
        .take(MOST)
        .collect();
    match name.trim_matches(['.', ' ']) {
        "" => "file".to_owned(),
        name => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_kebab_case() {
        let check = |name: &str, kebab: &str| assert_eq!(kebab_case(name), kebab, "{name:?}");
        check("Add Login", "add-login");
        check("  über--große_Pläne! ", "über-große-pläne");
        check("v1.2", "v1-2");
        check("-rf", "rf");
        check("../..", "");
    }

    #[test]
    fn names_that_do_no_harm() {
        let check = |name: &str, safe: &str| assert_eq!(safe_file_name(name), safe, "{name:?}");
        check("plan.md", "plan.md");
        check("../../etc/passwd", "passwd");
        check("C:\\temp\\a b.txt", "a b.txt");
        check("..", "file");
        check("", "file");
        check(".hidden", "hidden");
        check("naïve 東京.png", "naïve 東京.png");
        check("a\u{202e}gpj.exe\0", "a_gpj.exe_");
        check("<img src=x>.png", "_img src_x_.png");
        assert_eq!(safe_file_name(&"x".repeat(500)).len(), MOST);
    }
}
