//! All scripts of a page as one file, and all its styles: a browser loads two files rather than seventy, and what
//! they have in common is compressed once. It is made of the files as they are, without their comments and indents.
//!
//! The scripts are modules of one plain form, which the tests hold: each import is one line of names from another
//! file, what is exported is declared so, no import leads back, and no text goes over the end of a line.

use std::fmt::Write;

/// A file of the page by its name.
pub(crate) type File = fn(&str) -> Option<&'static str>;

/// The script of this name with all that it imports, each in a function of its own, in the order in which a browser
/// would run them.
pub(crate) fn script(entry: &'static str, file: File) -> String {
    let mut order = Vec::new();
    collect(entry, file, &mut order);
    let mut all = String::new();
    for name in order {
        let text = file(name).unwrap_or_default();
        let (mut head, mut body, mut exported) = (String::new(), String::new(), Vec::new());
        for line in code(text) {
            if let Some((names, from)) = import(line) {
                let names = names.replace(" as ", ": ");
                let _ = writeln!(head, "const {{{names}}} = {};", variable(from));
            } else if let Some(rest) = line.strip_prefix("export ") {
                exported.extend(declared(rest));
                let _ = writeln!(body, "{rest}");
            } else {
                let _ = writeln!(body, "{line}");
            }
        }
        let exported = exported.join(", ");
        let _ = writeln!(
            all,
            "const {} = (() => {{\n{head}{body}return {{ {exported} }};\n}})();",
            variable(name)
        );
    }
    all
}

/// These styles, one after another.
pub(crate) fn style(names: &[&str], file: File) -> String {
    let texts = names.iter().filter_map(|name| file(name));
    let lines = texts.flat_map(str::lines).map(str::trim);
    let mut in_comment = false;
    let mut all = String::new();
    for line in lines {
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.is_empty() {
            let _ = writeln!(all, "{line}");
        }
        if line.ends_with("*/") {
            in_comment = false;
        }
    }
    all
}

fn collect(name: &'static str, file: File, order: &mut Vec<&'static str>) {
    let text = file(name).unwrap_or_default();
    for (_, from) in text.lines().filter_map(import) {
        if !order.contains(&from) {
            collect(from, file, order);
        }
    }
    if !order.contains(&name) {
        order.push(name);
    }
}

/// The lines without comments that stand by themselves, and without their indents.
fn code(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut in_comment = false;
    text.lines().map(str::trim).filter(move |line| {
        let begins = line.starts_with("/*");
        let is_code = !in_comment && !begins && !line.starts_with("//") && !line.is_empty();
        in_comment = (in_comment || begins) && !line.ends_with("*/");
        is_code
    })
}

/// The names that a line imports, and from which file.
fn import(line: &'static str) -> Option<(&'static str, &'static str)> {
    let (names, from) = line.strip_prefix("import {")?.split_once("} from './")?;
    Some((names, from.strip_suffix("';")?))
}

/// The name that a declaration gives.
fn declared(text: &str) -> Option<&str> {
    let text = text.trim_start_matches("async ");
    let (_, rest) = text.split_once(' ')?;
    rest.split(|one: char| !one.is_alphanumeric() && one != '_' && one != '$')
        .next()
}

/// The variable that holds what a file exports. No name in the files begins so.
fn variable(name: &str) -> String {
    format!("$$_{}", name.trim_end_matches(".js"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assets::FILES;
    use std::collections::BTreeSet;

    fn example(name: &str) -> Option<&'static str> {
        match name {
            "a.js" => Some("// A.\n\nimport { b as c } from './b.js';\n\nc(1);\n"),
            "b.js" => Some(
                "/** Of two\n * lines. */\nexport async function b(x) {\n  // Why.\n  return x;\n}\n",
            ),
            "a.css" => Some("/* A. */\n\na {\n  top: 0;\n}\n"),
            _ => None,
        }
    }

    #[test]
    fn a_bundle_has_each_file_once_and_no_comments() {
        let all = script("a.js", example);
        let b =
            "const $$_b = (() => {\nasync function b(x) {\nreturn x;\n}\nreturn { b };\n})();\n";
        let a = "const $$_a = (() => {\nconst { b: c } = $$_b;\nc(1);\nreturn {  };\n})();\n";
        assert_eq!(all, format!("{b}{a}"));
        assert_eq!(style(&["a.css"], example), "a {\ntop: 0;\n}\n");
    }

    #[test]
    fn the_scripts_have_the_form_that_a_bundle_needs() {
        let scripts = FILES.iter().filter(|(name, _)| name.ends_with(".js"));
        for (name, text) in scripts {
            assert!(!text.contains("$$_"), "{name}");
            for line in text.lines() {
                assert_eq!(line.matches('`').count() % 2, 0, "{name}: {line}");
                let is_import = line.starts_with("import ");
                assert_eq!(is_import, import(line).is_some(), "{name}: {line}");
                assert!(!line.contains("import("), "{name}: {line}");
                let kinds = [
                    "function ",
                    "function* ",
                    "async function ",
                    "const ",
                    "class ",
                ];
                let export = line.strip_prefix("export ");
                assert!(
                    export.is_none_or(|rest| kinds.iter().any(|kind| rest.starts_with(kind))),
                    "{name}: {line}"
                );
            }
            let mut above = BTreeSet::new();
            assert!(!leads_back(name, &mut above), "{name} imports itself");
        }
    }

    /// Whether following its imports leads to a file again that is on the way there.
    fn leads_back(name: &str, above: &mut BTreeSet<String>) -> bool {
        if !above.insert(name.to_owned()) {
            return true;
        }
        let text = FILES.iter().find(|(known, _)| *known == name).unwrap().1;
        let back = text
            .lines()
            .filter_map(import)
            .any(|(_, from)| leads_back(from, above));
        above.remove(name);
        back
    }
}
