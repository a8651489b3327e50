//! What a plan is called, in arguments and in file names.

use holdpoint::tool::ToolError;
use holdpoint_ask::markdown::one_line;
use holdpoint_workspace::kebab_case;
use serde_json::Value;

/// The most characters of a name in a file name.
const MOST: usize = 100;

/// A plan's name for a file of its own. One that reads like a path is refused, not corrected.
pub(super) fn file_name(name: &str) -> Result<String, ToolError> {
    let refused = |what: &str| Err(ToolError::argument("planName", what));
    if name.contains(['/', '\\', '\0']) || name.trim().starts_with('.') {
        return refused("expected a name like \"add-login\", not a path");
    }
    let kebab = kebab_case(name);
    match kebab.chars().count() {
        0 => refused("expected a name with letters or digits in it"),
        count if count > MOST => refused("expected a name of at most 100 characters"),
        _ => Ok(kebab),
    }
}

/// Which plan a recorded call was about: its name, or else the name in its plan file's.
pub(super) fn from_call(arguments: &Value) -> Option<String> {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    from_name_or_file(text("planName"), text("planFile"))
}

/// Which plan this name and this file belong to.
pub(super) fn from_name_or_file(name: Option<&str>, file: Option<&str>) -> Option<String> {
    let by_file = || {
        let file = file?.rsplit(['/', '\\']).next()?;
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        Some(kebab_case(stem.strip_suffix("-plan").unwrap_or(stem)))
    };
    name.map(kebab_case)
        .or_else(by_file)
        .filter(|name| !name.is_empty())
}

/// What a phase is called: "phase 2 of “auth”".
pub(super) fn phase(number: u32, plan: Option<&str>) -> String {
    match plan {
        Some(plan) => format!("phase {number} of “{}”", one_line(plan)),
        None => format!("phase {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_file_names() {
        let good = |name: &str| file_name(name).map_err(|error| error.to_string());
        assert_eq!(good("Add Login").unwrap(), "add-login");
        assert_eq!(good("  über--große_Pläne! ").unwrap(), "über-große-pläne");
        assert_eq!(good("v1.2").unwrap(), "v1-2");
        assert_eq!(good("-rf").unwrap(), "rf");
        for bad in [
            "",
            " ",
            "..",
            "../x",
            "a/b",
            "a\\b",
            ".hidden",
            "!!!",
            "a\0",
            &"x".repeat(101),
        ] {
            assert!(good(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_plan_by_its_name_or_its_file() {
        let check = |name, file, plan: Option<&str>| {
            assert_eq!(from_name_or_file(name, file).as_deref(), plan)
        };
        check(Some("Add Login"), None, Some("add-login"));
        check(None, Some("plans/add-login-plan.md"), Some("add-login"));
        check(Some("x"), Some("plans/add-login-plan.md"), Some("x"));
        check(None, Some("plans/notes.md"), Some("notes"));
        check(None, None, None);
        check(Some("!"), None, None);
    }
}
