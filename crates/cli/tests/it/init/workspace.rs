//! `--workspace`: the folder of a client that starts its servers anywhere.

use super::place::{ANYWHERE, CLIENTS, Place, registering};
use crate::support::*;
use std::fs;

/// What the entry says of the folder.
fn said(home: &Home, file: &str) -> Vec<String> {
    let text = fs::read_to_string(home.root().join(file)).unwrap();
    let entry: serde_json::Value = serde_json::from_str(&text).unwrap();
    let args = &entry["mcpServers"]["holdpoint"]["args"];
    let args: Vec<String> = serde_json::from_value(args.clone()).unwrap();
    assert_eq!(args[0], "serve");
    args[1..].to_vec()
}

const DESKTOP: &str = ".config/Claude/claude_desktop_config.json";
const WINDSURF: &str = ".codeium/windsurf/mcp_config.json";

/// Those arguments, for a folder below the home's.
fn naming(home: &Home, folder: &str) -> Vec<String> {
    let folder = home.root().join(folder).canonicalize().unwrap();
    vec!["--workspace".into(), folder.to_str().unwrap().into()]
}

#[test]
fn its_whole_path_is_written() {
    let home = new_home();
    fs::create_dir_all(home.root().join("code/a b")).unwrap();
    let register = |folder: &str| {
        let done = home.run(&["init", "windsurf", "--workspace", folder]);
        assert!(done.status.success(), "{folder}: {}", stderr(&done));
        stdout(&done)
    };
    let told = register(".");
    assert!(told.starts_with("Registered Holdpoint with Windsurf in "));
    let wanted = naming(&home, "work");
    assert_eq!(said(&home, WINDSURF), wanted);
    let works = format!("\nThe server works in {}; for another folder", wanted[1]);
    assert!(told.contains(&works), "{told}");
    for folder in ["../code/a b/", "../code/../code/a b"] {
        register(folder);
        assert_eq!(said(&home, WINDSURF), naming(&home, "code/a b"));
    }
    let told = register(home.root().join("code/a b").to_str().unwrap());
    assert!(told.contains("nothing was changed"), "{told}");
    // What is not named again stays.
    let done = home.run(&["init", "windsurf", "--tools", "elicit"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let mut wanted = naming(&home, "code/a b");
    wanted.extend(["--tools".into(), "elicit".into()]);
    assert_eq!(said(&home, WINDSURF), wanted);
}

#[cfg(unix)]
#[test]
fn a_link_to_it_is_followed() {
    let home = new_home();
    let link = home.workspace().join("link");
    fs::create_dir(home.root().join("code")).unwrap();
    std::os::unix::fs::symlink("../code", link).unwrap();
    let done = home.run(&["init", "claude-desktop", "--workspace", "link"]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(said(&home, DESKTOP), naming(&home, "code"));
}

#[test]
fn one_that_is_not_there_is_refused() {
    for client in ANYWHERE {
        let place = Place::of(client);
        for (folder, shown) in [("nowhere", "nowhere"), ("../nowhere", "../nowhere")] {
            let run = place.init(&["--workspace", folder]);
            let wanted = format!(
                "holdpoint: --workspace {shown}: there is no such folder; nothing was written.\n"
            );
            assert!(!run.ok && run.err == wanted, "{}", run.err);
        }
        fs::write(place.folder().join("file"), "").unwrap();
        let run = place.init(&["--workspace", "file"]);
        assert!(!run.ok && run.err.contains("no such folder"), "{}", run.err);
        assert_eq!(place.everything().len(), 1, "{client}");
    }
}

#[test]
fn clients_that_need_none_refuse_it() {
    let in_home = ["cline", "claude-desktop", "windsurf"];
    let of_folders = CLIENTS.iter().map(|client| client.name);
    for client in of_folders.filter(|name| !in_home.contains(name)) {
        let place = Place::of(client);
        let run = place.init(&["--workspace", "."]);
        assert!(!run.ok, "{client}");
        for part in [
            "--workspace is for entries that hold for all folders",
            "starts this one in the folder whose file it is in",
            "Leave the flag out; nothing was written.",
        ] {
            assert!(run.err.contains(part), "{client}: {}", run.err);
        }
        assert!(place.everything().is_empty(), "{client}");
    }
    // An entry for all folders may name one, and need not.
    for (client, args) in [
        ("vscode", &["--user"][..]),
        ("claude", &["--user"]),
        ("codex", &["--user"]),
        ("zed", &["--user"]),
        ("cline", &[]),
    ] {
        let place = Place::of(client);
        let run = place.init(&[args, &["--workspace", "."]].concat());
        assert!(run.ok, "{client}: {}", run.err);
        let folder = place.folder().canonicalize().unwrap();
        let wanted = format!("\"--workspace\", \"{}\"]", folder.display());
        let files = place.everything().into_values();
        let texts: Vec<_> = files.map(|text| String::from_utf8(text).unwrap()).collect();
        assert!(texts.len() == 1 && texts[0].contains(&wanted), "{texts:?}");
        let without = Place::of(client).init(args);
        assert!(without.ok, "{client}: {}", without.err);
    }
}

#[test]
fn where_nobody_can_be_asked_the_command_is_said() {
    for (client, title) in [
        ("claude-desktop", "Claude Desktop"),
        ("windsurf", "Windsurf"),
    ] {
        let home = new_home();
        for args in [&["init", client][..], &["init", client, "--print"]] {
            let run = home.run(args);
            assert_eq!(run.status.code(), Some(1));
            assert_eq!(
                stderr(&run),
                format!(
                    "holdpoint: {title} starts its servers in no project's folder: name the one that its agents work in, as in `holdpoint init {client} --workspace DIR`; nothing was written.\n"
                )
            );
        }
        assert!(!home.root().join(".config").exists());
        assert!(!home.root().join(".codeium").exists());
    }
}

#[test]
fn an_entry_that_names_none_stays_and_is_told() {
    let home = new_home();
    let file = home.root().join(WINDSURF);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let before =
        r#"{ "mcpServers": { "holdpoint": { "command": "holdpoint", "args": ["serve"] } } }"#;
    fs::write(&file, before).unwrap();
    let done = home.run(&["init", "windsurf"]);
    assert!(done.status.success(), "{}", stderr(&done));
    let told = stdout(&done);
    for part in [
        "nothing was changed",
        "names no folder",
        "`--workspace DIR`",
    ] {
        assert!(told.contains(part), "{part:?} is not in {told}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
    let done = home.run(&registering("windsurf"));
    assert!(
        !stdout(&done).contains("names no folder"),
        "{}",
        stdout(&done)
    );
    assert_eq!(said(&home, WINDSURF), naming(&home, "work"));
}

#[test]
fn what_it_goes_with_and_what_not() {
    let place = Place::of("windsurf");
    for other in [&["--remove"][..], &["--http", "http://127.0.0.1:1/mcp"]] {
        let run = place.init(&[other, &["--workspace", "."]].concat());
        assert!(
            !run.ok && run.err.contains("cannot be used with"),
            "{}",
            run.err
        );
    }
    assert!(place.everything().is_empty());
    // An entry at an address works where its server does.
    let run = place.init(&["--http", "http://127.0.0.1:1/mcp"]);
    assert!(run.ok, "{}", run.err);
    for part in [
        "\"serverUrl\": \"http://127.0.0.1:1/mcp\"",
        "\"Bearer ${env:HOLDPOINT_HTTP_KEY}\"",
    ] {
        assert!(place.text().contains(part), "{}", place.text());
    }
    assert!(!run.out.contains("names no folder"), "{}", run.out);
    assert!(place.init(&["--remove"]).ok);
    assert!(place.everything().is_empty());
}

#[cfg(unix)]
mod at_a_terminal {
    use super::*;
    use crate::support::person::{ENTER, ESCAPE, Person};

    #[test]
    fn a_person_is_asked_for_it() {
        for (client, title, file) in [
            ("claude-desktop", "Claude Desktop", DESKTOP),
            ("windsurf", "Windsurf", WINDSURF),
        ] {
            let home = new_home();
            let question = format!("Which folder do the agents of {title} work in?");
            let mut person = Person::runs(&home, &["init", client], &[]);
            person.sees(&question).types(ENTER);
            let (shown, status) = person.ends();
            assert!(status.success(), "{shown}");
            assert!(shown.contains("Registered Holdpoint with "), "{shown}");
            assert_eq!(said(&home, file), naming(&home, "work"));
            // It is there: nobody is asked again, and none is needed to take it out.
            for more in [&[][..], &["--remove", "--print"], &["--remove"]] {
                let (code, shown) = Person::ran(&home, &[&["init", client], more].concat());
                assert_eq!(code, 0, "{shown}");
                assert!(!shown.contains(&question), "{shown}");
            }
            assert!(!home.root().join(file).exists(), "{client}");
        }
    }

    #[test]
    fn another_folder_is_named() {
        let home = new_home();
        fs::create_dir(home.root().join("code")).unwrap();
        for folder in ["../code", "~/code", "~/code/"] {
            let mut person = Person::runs(&home, &["init", "windsurf"], &[]);
            person.sees("Which folder").types("nowhere\r");
            person.sees("There is no such folder.");
            let back = "\u{7f}".repeat("nowhere".len());
            person.types(&back).types(folder).types(ENTER);
            let (shown, status) = person.ends();
            assert!(status.success(), "{shown}");
            assert_eq!(said(&home, WINDSURF), naming(&home, "code"), "{folder}");
            assert!(home.run(&["init", "windsurf", "--remove"]).status.success());
        }
    }

    #[test]
    fn a_person_may_name_none() {
        let home = new_home();
        let mut person = Person::runs(&home, &["init", "windsurf"], &[]);
        person.sees("Which folder").types(ESCAPE);
        let (shown, status) = person.ends();
        assert_eq!(status.exit_code(), 1, "{shown}");
        let told = "No folder was named; nothing was written.";
        assert!(shown.contains(told), "{shown}");
        assert!(!home.root().join(".codeium").exists());
    }

    #[test]
    fn what_is_shown_first_is_asked_for_too_and_not_written() {
        let home = new_home();
        let mut person = Person::runs(&home, &["init", "windsurf", "--print"], &[]);
        person.sees("Which folder").types(ENTER);
        let (shown, status) = person.ends();
        assert!(status.success(), "{shown}");
        assert!(shown.contains("would be created"), "{shown}");
        assert!(!home.root().join(".codeium").exists());
    }

    #[test]
    fn an_agent_is_not_asked() {
        let home = new_home();
        let mut person = Person::runs(&home, &["init", "windsurf"], &[("CLAUDECODE", "1")]);
        person.sees("`holdpoint init windsurf --workspace DIR`");
        assert_eq!(person.code(), 1);
    }
}
