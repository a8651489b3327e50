use super::*;
use crate::commands::init::program::Program;

const LIST: Servers = Servers::Listed("mcpServers");
const NAMED: Servers = Servers::Named(&["mcp", "servers"]);

fn server(tools: Option<&str>) -> Server {
    Server::new(Program::on_path(), tools, None, Vec::new())
}

/// Registers, registers again, and takes it back: nothing else ever changes.
#[track_caller]
fn check(servers: Servers, before: &str, after: &str) {
    // A file with no line in it has no line ending to follow.
    let endings: &[bool] = if before.is_empty() {
        &[false]
    } else {
        &[false, true]
    };
    for crlf in endings.iter().copied() {
        let text = |text: &str| {
            if crlf {
                text.replace('\n', "\r\n")
            } else {
                text.to_owned()
            }
        };
        let (once, met) = register(&text(before), servers, &server(None)).unwrap();
        assert_eq!(once, text(after));
        assert_eq!(met, EntryChange::Added);
        let (twice, met) = register(&once, servers, &server(None)).unwrap();
        assert_eq!(twice, once);
        assert_eq!(met, EntryChange::Same { flags: vec![] });
        let (other, _) = register(&once, servers, &server(Some("elicit"))).unwrap();
        let args = "[\"serve\",\"--tools\",\"elicit\"]";
        assert_eq!(other, once.replace("[\"serve\"]", args));
    }
}

#[test]
fn a_listed_entry_comes_first_and_the_rest_stays() {
    let entry = "- name: holdpoint\n  command: holdpoint\n  args: [\"serve\"]\n";
    check(
        LIST,
        "name: mine # kept\nmodels:\n  - {name: x}\n",
        &format!(
            "name: mine # kept\nmodels:\n  - {{name: x}}\nmcpServers:\n  {}",
            entry.trim_end().replace('\n', "\n  ") + "\n"
        ),
    );
    // At the same depth as their key, with comments.
    check(
        LIST,
        "mcpServers: # mine\n# the first\n- name: other\n  command: x # why\nrules: []\n",
        &format!(
            "mcpServers: # mine\n{entry}# the first\n- name: other\n  command: x # why\nrules: []\n"
        ),
    );
    check(
        LIST,
        "mcpServers: [] # none\nname: x\n",
        "mcpServers: # none\n  - name: holdpoint\n    command: holdpoint\n    args: [\"serve\"]\nname: x\n",
    );
    check(
        LIST,
        "mcpServers:\nname: |\n  text\n\n  # no comment\n",
        "mcpServers:\n  - name: holdpoint\n    command: holdpoint\n    args: [\"serve\"]\nname: |\n  text\n\n  # no comment\n",
    );
}

#[test]
fn a_named_entry_comes_first_and_the_rest_stays() {
    let entry = "    holdpoint:\n      command: holdpoint\n      args: [\"serve\"]\n";
    check(NAMED, "", &format!("mcp:\n  servers:\n{entry}"));
    check(
        NAMED,
        "# only this\n",
        &format!("# only this\nmcp:\n  servers:\n{entry}"),
    );
    check(
        NAMED,
        "default_model: x\nmcp:\n  # those\n  servers:\n    other: {command: y}\nlogger: {}\n",
        &format!(
            "default_model: x\nmcp:\n  # those\n  servers:\n{entry}    other: {{command: y}}\nlogger: {{}}\n"
        ),
    );
    check(
        NAMED,
        "mcp:\n   targets: []\n",
        "mcp:\n   servers:\n     holdpoint:\n       command: holdpoint\n       args: [\"serve\"]\n   targets: []\n",
    );
}

#[test]
fn what_was_added_can_be_taken_back() {
    #[track_caller]
    fn check(servers: Servers, before: &str) {
        let (with, _) = register(before, servers, &server(None)).unwrap();
        let wanted = if before.trim().is_empty() {
            Removed::Everything
        } else {
            Removed::Rest(before.to_owned())
        };
        assert_eq!(remove(&with, servers).unwrap(), wanted, "{with}");
        assert_eq!(remove(before, servers).unwrap(), Removed::Nothing);
    }
    check(NAMED, "");
    check(NAMED, "# kept\nlogger: x\n");
    check(
        NAMED,
        "mcp:\n  servers:\n    # that one\n    other:\n      command: y\n",
    );
    check(
        LIST,
        "name: x\nmcpServers:\n  - name: other\n    command: y\n",
    );
    check(LIST, "name: x\r\nrules: []\r\n");
}

#[test]
fn an_entry_that_a_person_wrote_is_theirs() {
    let by_hand =
        "mcpServers:\n  - {name: holdpoint, command: holdpoint, args: [serve]} # mine\nname: x\n";
    let (same, _) = register(by_hand, LIST, &server(None)).unwrap();
    assert_eq!(same, by_hand);
    let said = register(by_hand, LIST, &server(Some("elicit"))).unwrap_err();
    let said = format!("{said:#}");
    assert!(said.contains("written by hand"), "{said}");
    assert!(
        said.contains("args: [\"serve\",\"--tools\",\"elicit\"]"),
        "{said}"
    );
    let rest = Removed::Rest("name: x\n".to_owned());
    assert_eq!(remove(by_hand, LIST).unwrap(), rest);
}

#[test]
fn what_cannot_be_changed_safely_is_left() {
    let refused = |servers, text: &str, wanted: &str| {
        let said = format!("{:#}", register(text, servers, &server(None)).unwrap_err());
        assert!(said.contains(wanted), "{wanted:?} is not in {said}");
    };
    refused(
        LIST,
        "mcpServers: [{name: other}]\n",
        "add these lines to it by hand:\nmcpServers:\n",
    );
    refused(NAMED, "{mcp: {servers: {}}}\n", "add these lines");
    refused(
        NAMED,
        "mcp: {servers: {other: {command: x}}}\n",
        "add these lines",
    );
    refused(NAMED, "a: 1\n...\n", "add these lines");
    refused(NAMED, "a: 1\n---\nb: 2\n", "more than one document");
    refused(NAMED, "a: [\n", "line ");
    refused(NAMED, "- a\n", "not a mapping");
    refused(NAMED, "mcp: 3\n", "not a mapping");
    refused(LIST, "mcpServers:\n  holdpoint: {}\n", "not a list");
    let one_line = "mcpServers: [{name: other}, {name: holdpoint}]\n";
    let said = format!("{:#}", remove(one_line, LIST).unwrap_err());
    assert!(said.contains("by hand: lines 1 to 1"), "{said}");
}
