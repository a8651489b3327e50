//! Shell commands, and what the same rules say of each: data behind one check.

use holdpoint_policy::{Holder, NoLinks, Rules, ToolUse};
use jiff::Timestamp;

const RULES: &str = r#"
allow = [
    "Bash(git *)", "Bash(ls *)", "Bash(echo *)", "Bash(cat *)", "Bash(grep *)", "Bash(npm run test:*)", "Bash(cd *)",
    "Bash(pwd)", "Bash(python *)", "Bash(node *)", "Bash(bash *)", "Bash(find *)", "Bash(make lint*)",
    "Bash(FOO=1 make lint *)", "Bash(sudo apt list)", "Bash(export *)", "Edit(out/**)", "Bash(cp *)", "Bash(touch *)",
]
ask = ["Bash(git push *)", "Edit(src/locked/**)", "Bash(git)"]
deny = ["Bash(rm -rf *)", "Read(.env)"]
"#;

#[test]
fn each_command_gets_its_verdict() {
    let rules = Rules::own(RULES, "rules.toml").unwrap();
    let mut wrong = Vec::new();
    let mut count = 0;
    let lines = include_str!("commands.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (wanted, command) = line.split_once(' ').unwrap();
        let command = command
            .strip_prefix("  ")
            .or(command.strip_prefix(' '))
            .unwrap_or(command);
        let command = command.replace('⏎', "\n").replace('⇥', "\t");
        let mut tool_use = ToolUse::bash(&command, "/w");
        tool_use.home = Some("/home/ann".into());
        let ruling = rules.decide(
            &tool_use,
            &NoLinks,
            &[],
            &Holder::default(),
            Timestamp::UNIX_EPOCH,
        );
        if ruling.verdict.to_string() != wanted {
            wrong.push(format!("{line}\n    is {}: {ruling}", ruling.verdict));
        }
        count += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {count}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(count >= 150, "{count}");
}
