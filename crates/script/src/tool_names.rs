//! Names of tools.

/// The longest name that clients take.
const LONGEST: usize = 64;

/// Why a tool cannot have a name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ToolNameError {
    #[error(
        "the method {method} cannot be a tool: a tool's name has letters a-z, digits and _, not {character}"
    )]
    Character { method: String, character: char },
    #[error("the file's name gives its tools their name, so it needs letters a-z or digits")]
    NoLetters,
    #[error(
        "the tool's name {0} is longer than {LONGEST} characters: shorten the file's or the method's name"
    )]
    TooLong(String),
}

/// The name of a method's tool: `kitchen-sink` and `askUserName` make `kitchen_sink_askUserName`.
pub(crate) fn tool_name(file: &str, method: &str) -> Result<String, ToolNameError> {
    let plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if let Some(character) = method.chars().find(|character| !plain(*character)) {
        let method = method.to_owned();
        return Err(ToolNameError::Character { method, character });
    }
    let file = snake(file);
    if !file.contains(|character: char| character.is_ascii_alphanumeric()) {
        return Err(ToolNameError::NoLetters);
    }
    let name = format!("{file}_{method}");
    if name.len() > LONGEST {
        return Err(ToolNameError::TooLong(name));
    }
    Ok(name)
}

/// `kitchenSink`, `kitchen-sink` and `Kitchen sink` are `kitchen_sink`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut lower_before = false;
    for character in name.chars() {
        if !character.is_ascii_alphanumeric() {
            if !snake.is_empty() && !snake.ends_with('_') {
                snake.push('_');
            }
            lower_before = false;
            continue;
        }
        if character.is_ascii_uppercase() && lower_before {
            snake.push('_');
        }
        lower_before = !character.is_ascii_uppercase();
        snake.push(character.to_ascii_lowercase());
    }
    snake.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::tool_name;

    #[test]
    fn tools_are_named_after_file_and_method() {
        let check = |file: &str, method: &str, name: &str| {
            assert_eq!(tool_name(file, method).as_deref(), Ok(name));
        };
        check("kitchen-sink", "askUserName", "kitchen_sink_askUserName");
        check("kitchenSink", "a", "kitchen_sink_a");
        check("release", "run", "release_run");
        check("HTTP check.v2", "run", "http_check_v2_run");
        check("--a--", "b", "a_b");
    }

    #[test]
    fn names_that_no_tool_can_have_are_refused() {
        let check = |file: &str, method: &str, why: &str| {
            let refused = tool_name(file, method).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        };
        check("a", "größe", "not ö");
        check("a", "$", "not $");
        check("日本", "a", "needs letters");
        check(&"a".repeat(60), "method", "longer than 64");
    }
}
