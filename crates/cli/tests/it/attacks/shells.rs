//! Shells that an agent has, and what has no terminal.

use super::{super::support::person::Person, Asked};
use holdpoint_testkit::attack_cases;

#[test]
fn no_shell_of_an_agent_answers() {
    let asked = Asked::new();
    for case in attack_cases("shells") {
        let line = asked.fill(case.text("line").unwrap());
        let marks = case.text("marks").unwrap_or_default().split_whitespace();
        let marks: Vec<_> = marks.map(|mark| (mark, "1")).collect();
        let mut person = Person::shell(&asked.home, &line, &marks);
        if let Some(typed) = case.text("typed") {
            person.types(typed);
        }
        let (seen, _) = person.ends();
        assert!(!seen.contains("#key="), "{}: {seen}", case.name);
        assert!(!seen.contains("holdpoint_mine_"), "{}: {seen}", case.name);
        assert!(
            !seen.contains("without a question"),
            "{}: {seen}",
            case.name
        );
        for file in [".gemini", ".qwen", ".claude", ".codex", ".mcp.json"] {
            let written = asked.home.workspace().join(file);
            assert!(!written.exists(), "{}: {file}", case.name);
        }
        asked.check(&format!("{}: {seen}", case.name));
    }
    // A person at a terminal can, so the check sees a yes.
    let line = asked.fill("$holdpoint answer PLAIN yes");
    let (seen, _) = Person::shell(&asked.home, &line, &[]).ends();
    assert_eq!(super::accepted(&asked.home), 1, "{seen}");
}
