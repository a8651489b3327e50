//! Names that are safe in a path: a plan's code, a step's file.

use holdpoint::tool::ToolError;
use holdpoint_workspace::kebab_case;

/// The most characters of a code.
pub(super) const MOST: usize = 64;
/// What a code looks like, for a form.
pub(super) const PATTERN: &str = "[a-z0-9]+(-[a-z0-9]+)*";
/// The most characters of a title in a file name.
const FILE: usize = 60;

/// A code that was given, if it is one.
pub(super) fn checked(code: &str) -> Result<String, ToolError> {
    let code = code.trim();
    match flaw(code) {
        None => Ok(code.to_owned()),
        Some(what) => Err(ToolError::argument("code", what)),
    }
}

/// What is wrong with a code.
pub(super) fn flaw(code: &str) -> Option<String> {
    let kebab_case = code.split('-').all(|part| {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        !part.is_empty() && part.bytes().all(fits)
    });
    let count = code.chars().count();
    if count > MOST {
        Some(format!(
            "expected at most {MOST} characters, and there are {count}"
        ))
    } else if !kebab_case {
        let shown: String = holdpoint_ask::visible(code).chars().take(80).collect();
        Some(format!(
            "expected kebab-case like \"add-login\" (a-z, 0-9 and single hyphens), and it is {shown:?}"
        ))
    } else if is_device(code) {
        Some(format!(
            "{code:?} is a device's name on some systems; expected another"
        ))
    } else {
        None
    }
}

/// A name for the plan that a code can do without.
pub(super) fn name(code: &str) -> String {
    let words = code.replace('-', " ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}

/// The file of a step, in the plan's folder.
pub(super) fn step_file(number: u32, title: &str) -> String {
    let name: String = kebab_case(title).chars().take(FILE).collect();
    let name = name.trim_end_matches('-');
    match name {
        "" => format!("plan/{number:02}-step.md"),
        name => format!("plan/{number:02}-{name}.md"),
    }
}

/// Names that some systems keep for devices, whatever the folder.
fn is_device(code: &str) -> bool {
    let port = |name: &str| {
        code.strip_prefix(name)
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(code, "con" | "prn" | "aux" | "nul") || port("com") || port("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_safe_names() {
        let long = "a".repeat(MOST);
        for good in ["add-login", "a", "7", "v2-api", "  trimmed ", &long] {
            assert!(checked(good).is_ok(), "{good}");
        }
        let longer = "a".repeat(MOST + 1);
        for bad in [
            "",
            "Add",
            "add login",
            "add_login",
            "-a",
            "a-",
            "a--b",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "ä",
            "a\0",
            "a\nb",
            "nul",
            "com1",
            ".a",
            "a\u{200b}",
            &longer,
        ] {
            assert!(checked(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn titles_become_file_names() {
        assert_eq!(step_file(1, "Add the form"), "plan/01-add-the-form.md");
        assert_eq!(step_file(12, "../../etc/passwd"), "plan/12-etc-passwd.md");
        assert_eq!(step_file(3, "!?"), "plan/03-step.md");
        assert!(step_file(3, &"long ".repeat(99)).len() < 80);
        assert_eq!(name("add-login"), "Add login");
    }
}
