//! `holdpoint init --http`: a server at an address, whose key stands in no file of the workspace.

use crate::support::*;
use std::fs;

const URL: &str = "http://127.0.0.1:8080/mcp";

#[test]
fn the_key_is_never_written_into_a_workspace_file() {
    let check = |client: &str, file: &str, wanted: &[&str]| {
        let home = new_home();
        home.command(&["log"]).output().unwrap();
        let key = [7u8; 32];
        let keys = format!("{}-keys", home.journal().display());
        fs::create_dir_all(&keys).unwrap();
        fs::write(format!("{keys}/http"), key).unwrap();
        let args = ["init", client, "--http", URL];
        let done = home.run(&args);
        assert!(done.status.success(), "{client}: {}", stderr(&done));
        assert!(
            stdout(&done).contains("holdpoint token show"),
            "{}",
            stdout(&done)
        );
        let text = fs::read_to_string(home.workspace().join(file)).unwrap();
        for part in wanted.iter().chain(&[URL]) {
            assert!(text.contains(part), "{client}: no {part} in {text}");
        }
        assert!(!text.contains(&"07".repeat(32)), "{client}: {text}");
        let again = home.run(&args);
        assert!(again.status.success(), "{client}: {}", stderr(&again));
        assert_eq!(
            fs::read_to_string(home.workspace().join(file)).unwrap(),
            text
        );
        let other = home.run(&["init", client, "--http", "http://127.0.0.1:9/mcp"]);
        assert!(
            !other.status.success() && stderr(&other).contains(URL),
            "{client}"
        );
    };
    check(
        "vscode",
        ".vscode/mcp.json",
        &[
            "\"Bearer ${input:holdpoint-http-key}\"",
            "\"id\": \"holdpoint-http-key\"",
            "\"password\": true",
        ],
    );
    check("claude", ".mcp.json", &["\"Bearer ${HOLDPOINT_HTTP_KEY}\""]);
    check(
        "cursor",
        ".cursor/mcp.json",
        &["\"Bearer ${env:HOLDPOINT_HTTP_KEY}\""],
    );
    check(
        "codex",
        ".codex/config.toml",
        &[
            "bearer_token_env_var = \"HOLDPOINT_HTTP_KEY\"",
            "tool_timeout_sec",
        ],
    );
}

#[test]
fn every_client_names_the_key_in_its_own_way() {
    let home = new_home();
    fs::create_dir_all(home.root().join(".continue")).unwrap();
    fs::write(home.root().join(".continue/config.yaml"), "name: x\n").unwrap();
    for (client, file, wanted) in [
        (
            "copilot",
            "work/.github/mcp.json",
            "\"Bearer ${HOLDPOINT_HTTP_KEY}\"",
        ),
        (
            "gemini",
            "work/.gemini/settings.json",
            "\"httpUrl\": \"http://127.0.0.1:8080/mcp\"",
        ),
        (
            "qwen",
            "work/.qwen/settings.json",
            "\"Bearer ${HOLDPOINT_HTTP_KEY}\"",
        ),
        (
            "opencode",
            "work/opencode.json",
            "\"Bearer {env:HOLDPOINT_HTTP_KEY}\"",
        ),
        (
            "continue",
            ".continue/config.yaml",
            "Authorization: \"Bearer ${{ secrets.HOLDPOINT_HTTP_KEY }}\"",
        ),
        (
            "fast-agent",
            "work/fastagent.config.yaml",
            "Authorization: \"Bearer ${HOLDPOINT_HTTP_KEY}\"",
        ),
    ] {
        let args = ["init", client, "--http", URL];
        let done = home.run(&args);
        assert!(done.status.success(), "{client}: {}", stderr(&done));
        let text = fs::read_to_string(home.root().join(file)).unwrap();
        assert!(
            text.contains(wanted) && text.contains(URL),
            "{client}: {text}"
        );
        let again = home.run(&args);
        assert!(stdout(&again).contains("nothing was changed"), "{client}");
        let other = home.run(&["init", client]);
        assert!(stderr(&other).contains(URL), "{client}: {}", stderr(&other));
        let removed = home.run(&["init", client, "--remove"]);
        assert!(removed.status.success(), "{client}: {}", stderr(&removed));
    }
    for (client, why) in [("cline", "no variable"), ("kilo", "no variable")] {
        let said = stderr(&home.run(&["init", client, "--http", URL]));
        assert!(said.contains(why), "{client}: {said}");
    }
}

#[test]
fn an_entry_that_starts_a_program_and_an_address_that_is_none_stay_as_they_are() {
    let home = new_home();
    for client in ["vscode", "codex"] {
        assert!(home.run(&["init", client]).status.success());
        let said = stderr(&home.run(&["init", client, "--http", URL]));
        assert!(said.contains("starts a program"), "{said}");
    }
    for address in [
        "127.0.0.1:8080",
        "ftp://x/mcp",
        "http://user:pass@127.0.0.1/mcp",
    ] {
        let refused = home.run(&["init", "claude", "--http", address]);
        assert_eq!(refused.status.code(), Some(2), "{address}");
    }
    let said = stderr(&home.run(&["init", "claude-desktop", "--http", URL]));
    assert!(said.contains("programs only"), "{said}");
}
