//! Files: patterns, links, and reading in the workspace.

use crate::cases::{Links, decide, file, now, own, tool, verdict};
use holdpoint_policy::{Holder, RealPath, Reason, Verdict};
use serde_json::json;

#[test]
fn a_rule_for_read_is_for_all_that_reads_and_one_for_edit_for_all_that_changes() {
    let rules = r#"
allow = ["Read(src/**)", "Edit(out/**)"]
ask = ["Write(out/asked/**)"]
deny = ["Edit(out/denied/**)"]
"#;
    let check = |name: &str, input, wanted| {
        assert_eq!(verdict(rules, &tool(name, input)), wanted, "{name}")
    };
    check("Read", json!({"file_path": "/w/src/x"}), Verdict::Allow);
    check(
        "Grep",
        json!({"pattern": "x", "path": "src/deep"}),
        Verdict::Allow,
    );
    check("Grep", json!({"pattern": "x"}), Verdict::Ask);
    check("Glob", json!({"pattern": "src/deep/*.rs"}), Verdict::Allow);
    check("Glob", json!({"pattern": "/etc/*"}), Verdict::Ask);
    check(
        "Glob",
        json!({"pattern": "*/../../x", "path": "src/deep"}),
        Verdict::Ask,
    );
    check("LS", json!({"path": "/w/src/x"}), Verdict::Allow);
    check("Edit", json!({"file_path": "/w/src/x"}), Verdict::Ask);
    check("Edit", json!({"file_path": "out/x"}), Verdict::Allow);
    check("Write", json!({"file_path": "/w/out/x"}), Verdict::Allow);
    check(
        "MultiEdit",
        json!({"file_path": "/w/out/x"}),
        Verdict::Allow,
    );
    check(
        "NotebookEdit",
        json!({"notebook_path": "/w/out/x"}),
        Verdict::Allow,
    );
    check(
        "NotebookEdit",
        json!({"notebook_path": "/w/out/denied/x"}),
        Verdict::Deny,
    );
    check("Edit", json!({"file_path": "/w/out/asked/x"}), Verdict::Ask);
    check("Write", json!({"file_path": "/w/out/../x"}), Verdict::Ask);
    check(
        "Write",
        json!({"file_path": "/w/out/../out/x"}),
        Verdict::Allow,
    );
    check("Write", json!({}), Verdict::Ask);
    check("Write", json!({"file_path": 1}), Verdict::Ask);
}

#[test]
fn a_link_is_allowed_with_its_target_and_denied_with_either() {
    let rules = own(r#"
allow = ["Read(src/**)", "Read(//shared/**)"]
deny = ["Read(~/.ssh/**)"]
"#);
    let links = Links(vec![
        ("/w/src/shared", RealPath::Elsewhere("/shared/x".into())),
        ("/w/src/etc", RealPath::Elsewhere("/etc/x".into())),
        (
            "/w/src/key",
            RealPath::Elsewhere("/home/ann/.ssh/id".into()),
        ),
        (
            "/home/ann/.ssh/open",
            RealPath::Elsewhere("/w/src/x".into()),
        ),
        ("/w/src/lost", RealPath::Unknown),
    ]);
    let check = |path: &str, wanted| {
        let ruling = rules.decide(&file("Read", path), &links, &[], &Holder::default(), now());
        assert_eq!(ruling.verdict, wanted, "{path}");
    };
    check("/w/src/plain", Verdict::Allow);
    check("/w/src/shared", Verdict::Allow);
    check("/w/src/etc", Verdict::Ask);
    check("/w/src/key", Verdict::Deny);
    check("/home/ann/.ssh/open", Verdict::Deny);
    check("/w/src/lost", Verdict::Ask);
}

#[test]
fn reading_in_the_workspace_has_a_default_of_its_own() {
    let reads = own("workspace_reads = \"allow\"\ndeny = [\"Read(.env)\"]");
    let ruling = decide(&reads, &file("Read", "/w/x"));
    assert_eq!(
        (ruling.verdict, &ruling.reasons[..]),
        (Verdict::Allow, &[Reason::ReadsInWorkspace][..])
    );
    assert_eq!(
        decide(&reads, &file("Read", "/etc/x")).verdict,
        Verdict::Ask
    );
    assert_eq!(
        decide(&reads, &file("Read", "/w/../etc/x")).verdict,
        Verdict::Ask
    );
    assert_eq!(decide(&reads, &file("Edit", "/w/x")).verdict, Verdict::Ask);
    assert_eq!(
        decide(&reads, &file("Read", "/w/.env")).verdict,
        Verdict::Deny
    );
    assert_eq!(
        decide(&reads, &tool("Grep", json!({"pattern": "x"}))).verdict,
        Verdict::Allow
    );
    let links = Links(vec![
        ("/w/x", RealPath::Elsewhere("/etc/x".into())),
        ("/w/y", RealPath::Unknown),
    ]);
    for path in ["/w/x", "/w/y"] {
        let ruling = reads.decide(&file("Read", path), &links, &[], &Holder::default(), now());
        assert_eq!(ruling.verdict, Verdict::Ask, "{path}");
    }
    let asks = "default = \"allow\"\nworkspace_reads = \"ask\"";
    assert_eq!(verdict(asks, &file("Read", "/w/x")), Verdict::Ask);
    assert_eq!(verdict(asks, &file("Read", "/etc/x")), Verdict::Allow);
}
