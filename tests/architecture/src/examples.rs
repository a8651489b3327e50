//! What an author of a server uses has examples, and the compiler sees them: each type and function has one
//! of its own, and each method is used in some example of its crate.

use crate::{
    modules::exports,
    sources::{root, rust_files},
    tokens::{group, is_punct, is_word, tokens},
};
use proc_macro2::{Delimiter, TokenTree};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What authors are given and do not need a way into: how a refusal is made is not theirs (nor an error), what
/// scripts emit is shown by Holdpoint's own surfaces, the page is hosted by the binary, and a server's
/// prompts and resources are rmcp's own, unless they come from several sources, as the binary's do. `fuzz_door` is there for
/// fuzz targets alone.
const NOT_THE_AUTHORS: [&str; 19] = [
    "Artifact",
    "ArtifactKind",
    "Emit",
    "Emits",
    "FlowResult",
    "InboxPlace",
    "Level",
    "ParkedInbox",
    "PromptSource",
    "Refusal",
    "ResourceSource",
    "SCRIPT_METHOD",
    "ToNobody",
    "ToolCall",
    "Tone",
    "UnnamedServer",
    "fuzz_door",
    "store_page_address",
    "stored_page_address",
];

/// What of the domain authors meet in every tool.
const OF_THE_DOMAIN: [&str; 5] = ["Ask", "ChannelKind", "Decision", "Digest", "Outcome"];

/// A public type, function or method, with its documentation.
struct Item {
    name: String,
    /// The type that it is a method of.
    of: Option<String>,
    takes_self: bool,
    docs: String,
}

#[test]
fn whatever_an_author_uses_has_a_compiled_example() {
    let (desk, domain) = (items("crates/desk/src"), items("crates/ask/src"));
    let all = desk.iter().chain(&domain);
    let examples: String = all.map(|item| compiled(&item.docs)).collect();
    let mut missing = without_example(&desk, &exported_to_authors(), &examples);
    let names = OF_THE_DOMAIN.map(str::to_owned).into();
    missing.extend(without_example(&domain, &names, &examples));
    assert!(
        missing.is_empty(),
        "these have no compiled example: a type or function needs one in its own documentation, and a method \
         must be used in one of its crate\n{}",
        missing.join("\n")
    );
}

/// The names of this set without an example of their own, and the methods of its types that no example uses.
fn without_example(items: &[Item], names: &BTreeSet<String>, examples: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut missing = Vec::new();
    for item in items {
        match &item.of {
            None if names.contains(&item.name) => {
                found.insert(item.name.clone());
                if compiled(&item.docs).is_empty() {
                    missing.push(item.name.clone());
                }
            }
            Some(of) if names.contains(of) && !uses(examples, of, item) => {
                missing.push(format!("{of}::{}", item.name));
            }
            _ => {}
        }
    }
    let unknown: Vec<_> = names.difference(&found).collect();
    assert!(unknown.is_empty(), "no source of {unknown:?} was found");
    missing
}

fn uses(examples: &str, of: &str, method: &Item) -> bool {
    let name = &method.name;
    let mut ways = vec![format!("{of}::{name}(")];
    if method.takes_self {
        ways.extend([format!(".{name}("), format!(".{name}::<")]);
    }
    ways.iter().any(|way| examples.contains(way))
}

/// The code in these docs that is compiled.
fn compiled(docs: &str) -> String {
    let (mut code, mut inside) = (String::new(), None);
    for line in docs.lines() {
        match (line.trim_start().strip_prefix("```"), inside) {
            (Some(kind), None) => {
                inside = Some(matches!(kind.trim(), "" | "rust" | "no_run"));
            }
            (Some(_), Some(_)) => inside = None,
            (None, Some(true)) => code.extend([line, "\n"]),
            (None, _) => {}
        }
    }
    code
}

/// What `holdpoint` exports from its own modules, but for errors and what is not the authors'.
fn exported_to_authors() -> BTreeSet<String> {
    let source = root().join("crates/desk/src");
    let exports = exports(&Vec::new(), &tokens(&source.join("lib.rs")));
    let mut names: BTreeSet<_> = exports
        .into_iter()
        .filter(|(_, module)| {
            module.first().is_some_and(|first| {
                source.join(first).is_dir() || source.join(format!("{first}.rs")).is_file()
            })
        })
        .map(|(name, _)| name)
        .filter(|name| !name.ends_with("Error") && !NOT_THE_AUTHORS.contains(&name.as_str()))
        .collect();
    // `tool` is a module whose own documentation has the example.
    assert!(names.remove("testing") && names.remove("tool"));
    let testing = items_of(&source.join("author/testing.rs"));
    names.extend(
        testing
            .into_iter()
            .filter(|item| item.of.is_none() && !item.name.is_empty())
            .map(|item| item.name),
    );
    names
}

/// The public items of all files below a folder; a file's own documentation is an item without a name.
fn items(folder: &str) -> Vec<Item> {
    let files = rust_files(&root().join(folder)).into_iter();
    files.flat_map(|file| items_of(&file)).collect()
}

fn items_of(file: &Path) -> Vec<Item> {
    let mut items = Vec::new();
    read(&tokens(file), None, file, &mut items);
    items
}

/// Reads the items of a file, or the methods of an `impl`.
fn read(tokens: &[TokenTree], of: Option<&str>, file: &Path, items: &mut Vec<Item>) {
    let (mut docs, mut about_file) = (String::new(), String::new());
    let mut at = 0;
    while at < tokens.len() {
        if is_punct(&tokens[at], '#') {
            let inner = is_punct(&tokens[at + 1], '!');
            at += 2 + usize::from(inner);
            let into = if inner { &mut about_file } else { &mut docs };
            into.push_str(&doc(&tokens[at - 1], file));
            continue;
        }
        let item = &tokens[at..];
        let docs = std::mem::take(&mut docs);
        if is_word(&item[0], "impl") && of.is_none() {
            read_impl(item, file, items);
        } else if is_word(&item[0], "pub") {
            items.extend(read_item(item, of, docs));
        }
        at += 1;
    }
    items.push(Item {
        name: String::new(),
        of: None,
        takes_self: false,
        docs: about_file,
    });
}

/// Reads the methods of an `impl` of a type itself.
fn read_impl(tokens: &[TokenTree], file: &Path, items: &mut Vec<Item>) {
    let body = tokens
        .iter()
        .position(|token| group(token, Delimiter::Brace).is_some());
    let Some(body) = body else { return };
    let (head, mut depth, mut of) = (&tokens[1..body], 0, None);
    for (index, token) in head.iter().enumerate() {
        let is_arrow = index > 0 && is_punct(&head[index - 1], '-');
        if is_punct(token, '<') {
            depth += 1;
        } else if is_punct(token, '>') && !is_arrow {
            depth -= 1;
        } else if depth == 0 && is_word(token, "for") {
            return;
        } else if depth == 0 && of.is_none() {
            of = Some(token.to_string());
        }
    }
    let methods = group(&tokens[body], Delimiter::Brace).unwrap_or_default();
    read(&methods, of.as_deref(), file, items);
}

/// Reads an item that begins with `pub`, if everybody may use it.
fn read_item(tokens: &[TokenTree], of: Option<&str>, docs: String) -> Option<Item> {
    let is_any = |token: &TokenTree, words: &[&str]| words.iter().any(|word| is_word(token, word));
    let mut rest = tokens[1..]
        .iter()
        .skip_while(|token| is_any(token, &["async", "const", "unsafe"]));
    let kind = rest.next()?;
    is_any(kind, &["struct", "enum", "trait", "fn", "type"]).then_some(())?;
    let name = rest.next()?.to_string();
    let arguments = rest.find_map(|token| group(token, Delimiter::Parenthesis));
    let takes_self = is_word(kind, "fn")
        && arguments.is_some_and(|all| all.iter().take(4).any(|token| is_word(token, "self")));
    Some(Item {
        name,
        of: of.map(str::to_owned),
        takes_self,
        docs,
    })
}

/// The text of a `#[doc = …]`, also where that is another file's; nothing of other attributes.
fn doc(attribute: &TokenTree, file: &Path) -> String {
    let Some(tokens) = group(attribute, Delimiter::Bracket) else {
        return String::new();
    };
    match tokens.as_slice() {
        [doc, _, TokenTree::Literal(text)] if is_word(doc, "doc") => {
            let text = text.to_string();
            let text = text.trim_start_matches('r').trim_matches(['#', '"']);
            format!("{}\n", text.replace("\\\"", "\"").replace(r"\\", r"\"))
        }
        [doc, _, include, _, path] if is_word(doc, "doc") && is_word(include, "include_str") => {
            let path = path.to_string();
            let path = path.trim_matches(|letter: char| "( \")".contains(letter));
            let path: PathBuf = file.parent().unwrap().join(path);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        }
        _ => String::new(),
    }
}
