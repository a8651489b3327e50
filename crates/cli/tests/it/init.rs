//! `holdpoint init` as people run it: each client's file in every state it may be in.
//!
//! A case is a file before and after, written once for all clients that share its syntax. In a
//! template `KEY` is where the client lists its servers, `BINARY` what starts Holdpoint there, `FOLDER`
//! the arguments that name the folder where the client needs one, and `ENTRY` the whole entry, indented
//! as its line is (`COMMAS`: with trailing commas, as the file has them).

mod cases;
pub mod place;
mod workspace;

use cases::{BROKEN, Case, Syntax, WORKING};
use place::{CLIENTS, Client, Place};

/// What a file can be beside its text.
#[derive(Debug, Clone, Copy)]
enum Form {
    Plain,
    Crlf,
    Bom,
    CrlfAndBom,
    Link,
}

const FORMS: &[Form] = &[
    Form::Plain,
    Form::Crlf,
    Form::Bom,
    Form::CrlfAndBom,
    Form::Link,
];

/// The clients that are tried with every form.
const VARIED: [&str; 3] = ["vscode", "opencode", "codex"];

impl Form {
    fn text(self, text: &str) -> String {
        let crlf = || text.replace('\n', "\r\n");
        match self {
            Self::Plain | Self::Link => text.into(),
            Self::Crlf => crlf(),
            Self::Bom => format!("\u{feff}{text}"),
            Self::CrlfAndBom => format!("\u{feff}{}", crlf()),
        }
    }
}

fn check(client: &'static Client, case: &Case, form: Form) {
    let about = format!("{} · {} · {form:?}", client.name, case.name);
    let place = Place::new(client);
    let before = case.before.map(|before| form.text(&place.filled(before)));
    if let Some(before) = &before {
        match form {
            Form::Link => place.link(before),
            _ => place.put(before),
        }
    }
    let untouched = place.everything();
    let print = [case.args, &["--print"]].concat();

    let shown = place.register(&print);
    assert!(shown.ok, "{about}: {}", shown.err);
    assert_eq!(place.everything(), untouched, "{about}: --print wrote");
    assert!(shown.out.contains(place.told()), "{about}: {}", shown.out);

    let first = place.register(case.args);
    assert!(first.ok, "{about}: {}", first.err);
    let expected = form.text(&place.filled(case.after));
    assert_eq!(place.text(), expected, "{about}");
    assert!(first.out.contains(case.told), "{about}: {}", first.out);
    assert!(first.out.contains("Next: "), "{about}: {}", first.out);
    let unchanged = first.out.contains("nothing was changed");
    let same = before.as_ref() == Some(&expected);
    assert_eq!(unchanged, same, "{about}: {}", first.out);
    if let Form::Link = form {
        assert!(place.file().is_symlink(), "{about}: the link is gone");
    }

    let once = place.everything();
    let second = place.register(case.args);
    assert!(second.ok, "{about}: {}", second.err);
    assert_eq!(place.everything(), once, "{about}: twice is not once");
    let same = "nothing was changed";
    assert!(second.out.contains(same), "{about}: {}", second.out);
    let shown = place.register(&print);
    let same = "nothing would change";
    assert!(shown.out.contains(same), "{about}: {}", shown.out);

    // What `init` found under the name, it replaced.
    if before
        .as_ref()
        .is_some_and(|text| text.contains("holdpoint"))
    {
        return;
    }
    let removed = place.init(&["--remove"]);
    assert!(removed.ok, "{about}: {}", removed.err);
    let nothing = ["", "{}"];
    match before.map(|text| text.trim_start_matches('\u{feff}').trim().to_owned()) {
        Some(text) if !nothing.contains(&&*text) => {
            let left = place.everything();
            assert_eq!(left, untouched, "{about}: {}", removed.out)
        }
        // A link stays, and what it leads to.
        Some(_) if matches!(form, Form::Link) => {
            assert!(nothing.contains(&place.text().trim()), "{about}")
        }
        // A file goes in which there was nothing.
        _ => assert_eq!(place.everything().len(), 0, "{about}"),
    }
}

fn of<'a>(cases: &'a [Case], client: &Client) -> impl Iterator<Item = &'a Case> {
    let syntax = client.syntax;
    cases.iter().filter(move |case| {
        // Without an entry, a file is what it is for the others.
        let bare = case.before.is_none_or(|text| !text.contains("holdpoint"));
        let shared = syntax == Syntax::Local && case.syntax == Syntax::Json && bare;
        case.syntax == syntax || shared
    })
}

#[test]
fn every_client_in_every_state() {
    for client in &CLIENTS {
        for case in of(WORKING, client) {
            let forms = match case.before {
                None => &FORMS[..1],
                // A file with no line in it has no line ending to follow.
                Some(text) if !text.contains('\n') => &[Form::Plain, Form::Bom, Form::Link],
                // One client for each way to write an entry.
                Some(_) if !VARIED.contains(&client.name) => &FORMS[..1],
                Some(_) => FORMS,
            };
            for form in forms {
                check(client, case, *form);
            }
        }
    }
}

#[test]
fn a_broken_file_is_left_alone() {
    for client in &CLIENTS {
        for case in of(BROKEN, client) {
            let place = Place::new(client);
            place.put(&place.filled(case.before.unwrap()));
            let untouched = place.everything();
            for print in [&["--print"][..], &[]] {
                let run = place.register(print);
                let about = format!("{} · {}: {}", client.name, case.name, run.err);
                assert!(!run.ok, "{about}");
                assert_eq!(place.everything(), untouched, "{about}");
                let told = place.filled(case.told);
                for part in [place.told(), "was left as it is", &told] {
                    assert!(run.err.contains(part), "{part:?} is not in {about}");
                }
            }
        }
    }
}

#[test]
fn what_is_printed_is_what_is_written() {
    let place = Place::of("vscode");
    let shown = place.init(&["--print", "--tools", "elicit"]);
    place.init(&["--tools", "elicit"]);
    let text = place.text();
    assert_eq!(
        shown.out,
        format!(".vscode/mcp.json: would be created:\n{text}")
    );

    let shown = place.init(&["--print", "--tools", "orchestra"]);
    assert_eq!(
        shown.out,
        ".vscode/mcp.json: would be changed:
--- .vscode/mcp.json
+++ .vscode/mcp.json
@@ -3,7 +3,7 @@
     \"holdpoint\": {
       \"type\": \"stdio\",
       \"command\": \"holdpoint\",
-      \"args\": [\"serve\", \"--tools\", \"elicit\"]
+      \"args\": [\"serve\", \"--tools\", \"orchestra\"]
     }
   }
 }
"
    );
}

#[test]
fn usage_is_checked_before_anything_else() {
    let place = Place::of("vscode");
    let run = place.init(&["--tools", "elicit,orchstra"]);
    assert!(!run.ok);
    assert!(run.err.contains("orchstra"), "{}", run.err);
    let place = Place::of("cursor");
    let run = place.init(&["--conductor"]);
    assert!(!run.ok);
    assert_eq!(
        run.err,
        "holdpoint: --conductor knows the agent files of VS Code, Claude Code and Codex, not those of Cursor. Run `holdpoint init vscode --conductor`, or leave the flag out; nothing was written.\n"
    );
    assert!(place.everything().is_empty());
}

#[test]
fn a_file_that_is_no_text_is_left_alone() {
    let place = Place::of("claude");
    place.put("");
    std::fs::write(place.file(), b"{\n\xff}").unwrap();
    let run = place.init(&[]);
    let told = ".mcp.json was left as it is: line 2: it is not UTF-8 text";
    assert!(!run.ok && run.err.contains(told), "{}", run.err);
}

#[cfg(unix)]
mod on_unix {
    use super::*;
    use std::{
        fs::{self, Permissions},
        os::unix::fs::{PermissionsExt, symlink},
        path::Path,
    };

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_stay() {
        let place = Place::of("claude");
        place.put("{}");
        fs::set_permissions(place.file(), Permissions::from_mode(0o640)).unwrap();
        assert!(place.init(&[]).ok);
        assert_eq!(mode(&place.file()), 0o640);
    }

    #[test]
    fn a_new_file_is_as_open_as_any() {
        let place = Place::of("claude");
        assert!(place.init(&[]).ok);
        let other = place.folder().join("other");
        fs::write(&other, "").unwrap();
        assert_eq!(mode(&place.file()), mode(&other));
    }

    #[test]
    fn a_read_only_file_stays() {
        let place = Place::of("claude");
        place.put("{}");
        fs::set_permissions(place.file(), Permissions::from_mode(0o444)).unwrap();
        let run = place.init(&[]);
        assert!(!run.ok && run.err.contains("read-only"), "{}", run.err);
        assert_eq!(place.text(), "{}");
    }

    #[test]
    fn a_link_to_what_is_not_there_yet_is_followed() {
        let place = Place::of("codex");
        place.put("");
        let elsewhere = place.folder().join("dotfiles/codex.toml");
        fs::remove_file(place.file()).unwrap();
        symlink("../dotfiles/codex.toml", place.file()).unwrap();
        assert!(place.init(&[]).ok);
        assert!(place.file().is_symlink() && elsewhere.is_file());
    }

    #[test]
    fn links_in_a_circle_are_told() {
        let place = Place::of("codex");
        place.put("");
        fs::remove_file(place.file()).unwrap();
        symlink(place.file(), place.file()).unwrap();
        let run = place.init(&[]);
        assert!(!run.ok && run.err.contains("config.toml"), "{}", run.err);
    }
}
