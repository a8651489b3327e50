//! Which module of a crate uses which, read from the paths that begin with `crate`, `super` or `self`.

use crate::{
    sources::rust_files,
    tokens::{each_group, group, is_punct, is_word, tokens},
};
use proc_macro2::{Delimiter, TokenTree};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The names of a path, or of where a module is.
type Names = Vec<String>;

/// A crate's modules and the modules that each uses. The crate's root is none of them: it re-exports.
pub struct Modules(pub BTreeMap<Names, BTreeSet<Names>>);

impl Modules {
    /// Reads the sources of a package.
    pub fn of_package(package: &Path) -> Self {
        let source = package.join("src");
        let files: BTreeMap<Names, Vec<TokenTree>> = rust_files(&source)
            .iter()
            .map(|file| (module_of(&source, file), tokens(file)))
            .filter(|(module, _)| module.last().is_none_or(|name| name != "tests"))
            .collect();
        let exports: BTreeMap<_, _> = files
            .iter()
            .map(|(module, tokens)| (module.clone(), exports(module, tokens)))
            .collect();
        let resolve = |path: &[String], from: &Names| resolve(path, from, &files, &exports);
        let uses = files.iter().filter(|(module, _)| !module.is_empty());
        let uses = uses.map(|(module, tokens)| {
            let mut used: BTreeSet<_> = paths(tokens)
                .iter()
                .filter_map(|path| resolve(path, module))
                .collect();
            used.remove(module);
            (module.clone(), used)
        });
        Self(uses.collect())
    }

    /// The modules that all use each other, directly or through others; the largest set of them.
    pub fn largest_cycle(&self) -> BTreeSet<Names> {
        let reached: BTreeMap<_, _> = self
            .0
            .keys()
            .map(|module| (module, self.reached_from(module)))
            .collect();
        let cycles = reached.iter().map(|(module, others)| {
            let back = |other: &&Names| reached.get(other).is_some_and(|far| far.contains(*module));
            others.iter().filter(back).cloned().collect()
        });
        cycles.max_by_key(BTreeSet::len).unwrap_or_default()
    }

    fn reached_from(&self, module: &Names) -> BTreeSet<Names> {
        let mut reached = BTreeSet::new();
        let mut open = vec![module];
        while let Some(module) = open.pop() {
            for used in self.0.get(module).into_iter().flatten() {
                if reached.insert(used.clone()) {
                    open.push(used);
                }
            }
        }
        reached
    }
}

/// The module that a file is; the root has no names.
fn module_of(source: &Path, file: &Path) -> Names {
    let path = file.strip_prefix(source).unwrap().with_extension("");
    let mut names: Names = path
        .iter()
        .map(|name| name.to_str().unwrap().to_owned())
        .collect();
    if names == ["lib"] || names == ["main"] || names.last().is_some_and(|name| name == "mod") {
        names.pop();
    }
    names
}

/// The module in which a path ends, if it is one of this crate's.
fn resolve(
    path: &[String],
    from: &Names,
    files: &BTreeMap<Names, Vec<TokenTree>>,
    exports: &BTreeMap<Names, BTreeMap<String, Names>>,
) -> Option<Names> {
    let mut module = match path[0].as_str() {
        "crate" => Names::new(),
        _ => from.clone(),
    };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => {
                module.pop();
            }
            name => {
                let mut inner = module.clone();
                inner.push(name.to_owned());
                if files.contains_key(&inner) {
                    module = inner;
                } else {
                    let exported = exports.get(&module).and_then(|names| names.get(name));
                    let known = exported.filter(|module| files.contains_key(*module));
                    module = known.cloned().unwrap_or(module);
                    break;
                }
            }
        }
    }
    (!module.is_empty()).then_some(module)
}

/// The names that a module exports from others, and the modules that hold them.
pub fn exports(module: &Names, tokens: &[TokenTree]) -> BTreeMap<String, Names> {
    let mut exports = BTreeMap::new();
    for start in 0..tokens.len() {
        let is_public = start > 0
            && (is_word(&tokens[start - 1], "pub")
                || group(&tokens[start - 1], Delimiter::Parenthesis).is_some());
        if !is_public || !is_word(&tokens[start], "use") {
            continue;
        }
        for path in tree(&tokens[start + 1..]) {
            let (name, holder) = path.split_last().unwrap();
            let mut at = module.clone();
            for name in holder {
                match name.as_str() {
                    "crate" => at.clear(),
                    "self" => {}
                    "super" => {
                        at.pop();
                    }
                    name => at.push(name.to_owned()),
                }
            }
            exports.insert(name.clone(), at);
        }
    }
    exports
}

/// The paths of a file that begin at a module of its crate.
fn paths(tokens: &[TokenTree]) -> Vec<Names> {
    let mut paths = Vec::new();
    each_group(tokens, &mut |tokens| {
        for (index, token) in tokens.iter().enumerate() {
            let begins = ["crate", "super", "self"]
                .iter()
                .any(|word| is_word(token, word));
            let inside = index > 0 && is_punct(&tokens[index - 1], ':');
            if begins && !inside {
                paths.extend(tree(&tokens[index..]));
            }
        }
    });
    paths.retain(|path| path.len() > 1);
    paths
}

/// The paths of a tree such as `a::{b, c::{d, self}}` that these tokens begin with.
fn tree(tokens: &[TokenTree]) -> Vec<Names> {
    let mut path = Names::new();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        match token {
            TokenTree::Ident(name) => path.push(name.to_string()),
            TokenTree::Group(_) => {
                let Some(inner) = group(token, Delimiter::Brace) else {
                    break;
                };
                let branches = inner.split(|token| is_punct(token, ','));
                let branches = branches.flat_map(tree).filter(|branch| !branch.is_empty());
                return branches
                    .map(|branch| [path.clone(), branch].concat())
                    .collect();
            }
            _ => break,
        }
        let colons = rest.clone().take(2).filter(|token| is_punct(token, ':'));
        if colons.count() < 2 {
            break;
        }
        rest.nth(1);
    }
    if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
        path.pop();
    }
    vec![path]
}
