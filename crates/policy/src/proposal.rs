//! The pattern by which a use of a tool could be remembered: as narrow as people still find useful.

use crate::{
    ToolUse, Verdict,
    command_pattern::CommandPattern,
    domain::host_of,
    path_pattern::folder_of,
    place::{Bases, below},
    rule::{EDITORS, READERS, Rule, file_argument},
    shell::{Part, Runs, SUBCOMMANDS, Taken},
};

/// The rule for a use of a tool other than Bash.
pub(crate) fn of_tool(tool_use: &ToolUse) -> Option<String> {
    let tool = &*tool_use.tool;
    let rule = match tool {
        "Bash" => return None,
        "WebFetch" => {
            let host = host_of(tool_use.input.get("url")?.as_str()?)?;
            format!("WebFetch(domain:{host})")
        }
        _ if EDITORS.contains(&tool) => format!("Edit({})", of_file(tool_use)?),
        _ if READERS.contains(&tool) => format!("Read({})", of_file(tool_use)?),
        _ => tool.to_owned(),
    };
    Rule::parse(&rule, Verdict::Allow).is_ok().then_some(rule)
}

fn of_file(tool_use: &ToolUse) -> Option<String> {
    let bases = Bases::of(tool_use);
    let path = tool_use
        .input
        .get(file_argument(&tool_use.tool)?)?
        .as_str()?;
    let path = bases.absolute(path)?;
    let searches = matches!(&*tool_use.tool, "Glob" | "Grep" | "LS");
    if !searches && let Some(folder) = folder_of(&path, &bases) {
        return Some(folder);
    }
    // A folder that is searched, or a file in the root.
    let inside = below(&path, &bases.workspace)?;
    let plain = !inside.is_empty() && !inside.contains(['*', '?', '[', '\\', '!', '(', ')']);
    plain.then(|| format!("/{inside}"))
}

/// The rules for the parts of a command that this one could be remembered by; none where it is unclear, or a part
/// of it has none.
pub(crate) fn of_command(command: &str) -> Option<Vec<String>> {
    let taken = Taken::apart(command);
    if taken.unclear.is_some()
        || taken.parts.is_empty()
        || taken.files.iter().any(|file| file.writes)
    {
        return None;
    }
    taken.parts.iter().map(of_part).collect()
}

/// The rule for the text of one part.
pub(crate) fn of_text(text: &str) -> Option<String> {
    let taken = Taken::apart(text);
    match taken.parts.as_slice() {
        [part] if taken.unclear.is_none() && taken.files.is_empty() => of_part(part),
        _ => None,
    }
}

/// The rule for one part: a program that has subcommands with its subcommand, and any other as it is.
fn of_part(part: &Part) -> Option<String> {
    if part.settings > 0 || part.runs != Runs::Itself {
        return None;
    }
    let words: Vec<&str> = part.inner().map(|word| &*word.text).collect();
    let pattern = match subcommand(&words) {
        Some(count) => format!("{} *", words[..count].join(" ")),
        None if part.wrapping == 0 => part.text.clone(),
        None => return None,
    };
    let line = part.line();
    let stars = pattern.matches('*').count();
    let allowed_stars = usize::from(pattern.ends_with(" *") && subcommand(&words).is_some());
    let fits = stars == allowed_stars
        && !pattern.contains('\n')
        && CommandPattern::new(&pattern).allows(part, &line);
    let rule = format!("Bash({pattern})");
    (fits && Rule::parse(&rule, Verdict::Allow).is_ok()).then_some(rule)
}

/// How many words say what a program with subcommands does.
fn subcommand(words: &[&str]) -> Option<usize> {
    let plain = |word: &&str| {
        let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_:.".contains(char);
        !word.starts_with('-') && !word.is_empty() && word.chars().all(is_plain)
    };
    let (program, rest) = words.split_first()?;
    if !SUBCOMMANDS.contains(program) || !rest.first().is_some_and(plain) {
        return None;
    }
    // `npm run` runs anything: what it runs must be said too.
    let deeper = matches!(*program, "gh" | "glab" | "aws" | "az" | "gcloud")
        || matches!(
            rest[0],
            "run" | "exec" | "x" | "dlx" | "compose" | "tool" | "mod"
        );
    if deeper {
        rest.get(1).is_some_and(plain).then_some(3)
    } else {
        Some(2)
    }
}

#[cfg(all(test, feature = "shell"))]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_command_is_remembered_by_its_subcommand_or_as_it_is() {
        let check = |command: &str, wanted: &[&str]| {
            assert_eq!(of_command(command).unwrap_or_default(), wanted, "{command}");
        };
        check("git push origin main", &["Bash(git push *)"]);
        check("npm run test -- --watch", &["Bash(npm run test *)"]);
        check("docker compose up -d", &["Bash(docker compose up *)"]);
        check(
            "cargo test && ls -la",
            &["Bash(cargo test *)", "Bash(ls -la)"],
        );
        check("timeout 5 cargo test", &["Bash(cargo test *)"]);
        check("echo 'a b'", &["Bash(echo 'a b')"]);
        for unclear in [
            "ls *.rs",
            "sudo ls",
            "ls > x",
            "ls $(pwd)",
            "git -c a=b log",
            "A=1 ls",
            "find . -exec ls ;",
        ] {
            check(unclear, &[]);
        }
    }

    #[test]
    fn other_tools_are_remembered_by_folder_domain_and_name() {
        let check = |tool: &str, input: serde_json::Value, wanted: Option<&str>| {
            assert_eq!(of_tool(&ToolUse::new(tool, input, "/w")).as_deref(), wanted);
        };
        check(
            "Edit",
            json!({"file_path": "/w/src/a/x.rs"}),
            Some("Edit(/src/a/**)"),
        );
        check(
            "Write",
            json!({"file_path": "/w/x.rs"}),
            Some("Edit(/x.rs)"),
        );
        check("Write", json!({"file_path": "/etc/x"}), None);
        check("LS", json!({"path": "/w/src"}), Some("Read(/src)"));
        check(
            "WebFetch",
            json!({"url": "https://a.example.com/x"}),
            Some("WebFetch(domain:a.example.com)"),
        );
        check(
            "mcp__github__get_issue",
            json!({}),
            Some("mcp__github__get_issue"),
        );
        check("Bash", json!({"command": "ls"}), None);
    }
}
