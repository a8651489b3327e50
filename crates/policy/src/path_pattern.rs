//! Which files a rule is about: gitignore's patterns, as Claude Code reads them.

use crate::{
    Verdict, glob,
    place::{Bases, below, plain},
};

/// A pattern of paths.
#[derive(Debug, Clone)]
pub(crate) struct PathPattern {
    begins: Begins,
    /// The names, from the folder that it begins at.
    names: Box<[Box<str>]>,
    /// Only what is in the folder, not a file of its name.
    folder_only: bool,
}

/// The folder that a pattern begins at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begins {
    /// `//etc/hosts`
    Root,
    /// `~/.ssh/**`
    Home,
    /// `/src/**`
    Workspace,
    /// `src/**`, `./src/**`, `*.rs`
    Folder,
}

impl PathPattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is none, in words.
    pub fn parse(text: &str, verdict: Verdict) -> Result<Self, String> {
        if text.starts_with('!') {
            return Err(
                "a pattern cannot begin with `!`: say what is meant, not what is not".into(),
            );
        }
        let (begins, rest) = match text {
            text if text.starts_with("//") => (Begins::Root, &text[2..]),
            "~" => (Begins::Home, ""),
            text if text.starts_with("~/") => (Begins::Home, &text[2..]),
            text if text.starts_with('/') => (Begins::Workspace, &text[1..]),
            text => (Begins::Folder, text),
        };
        let dotted = begins == Begins::Folder && rest.starts_with("./");
        let folder_only = rest.ends_with('/');
        let mut names: Vec<Box<str>> = Vec::new();
        for name in rest.split('/') {
            match name {
                "" | "." => {}
                ".." => {
                    return Err(
                        "a pattern cannot climb with `..`: begin it at the root, `//…`".into(),
                    );
                }
                name => names.push(name.into()),
            }
        }
        if names.is_empty() && begins == Begins::Folder {
            names.push("**".into());
        }
        // A single name is found at any depth. `./name` is read as strictly as its list asks for: allowed
        // only where it says, asked and denied at any depth.
        let anywhere = match verdict {
            Verdict::Allow => !dotted,
            Verdict::Ask | Verdict::Deny => true,
        };
        if begins == Begins::Folder && names.len() == 1 && anywhere && &*names[0] != "**" {
            names.insert(0, "**".into());
        }
        Ok(Self {
            begins,
            names: names.into(),
            folder_only,
        })
    }

    /// A name that each path that fits has, if the pattern has one without stars: what it is found by.
    pub fn key(&self) -> Option<&str> {
        let literal = |name: &&str| !name.contains(['*', '?', '[', '\\']);
        self.names.iter().map(AsRef::as_ref).rfind(literal)
    }

    /// Whether an absolute and plain path fits. Where it is to be asked or denied, a pattern that begins at the
    /// folder of the tool also begins at the workspace, so that changing the folder gets around nothing.
    pub fn fits(&self, path: &str, bases: &Bases, verdict: Verdict) -> bool {
        let base = match self.begins {
            Begins::Root => Some("/"),
            Begins::Home => bases.home.as_deref(),
            Begins::Workspace => Some(&*bases.workspace),
            Begins::Folder => {
                let strict = verdict != Verdict::Allow;
                if strict && self.fits_below(path, &bases.workspace, verdict) {
                    return true;
                }
                (strict || bases.in_workspace(&bases.folder)).then_some(&*bases.folder)
            }
        };
        base.is_some_and(|base| self.fits_below(path, base, verdict))
    }

    fn fits_below(&self, path: &str, base: &str, verdict: Verdict) -> bool {
        let Some(rest) = below(path, base) else {
            return false;
        };
        // A folder that fits has everything in it: so any beginning of the path will do.
        let names: Vec<&str> = rest.split('/').filter(|name| !name.is_empty()).collect();
        let whole = !self.folder_only || verdict != Verdict::Allow;
        names_fit(&self.names, &names, whole)
    }
}

/// Whether the names, or the first of them, fit. `whole` says whether all of them may be used up.
fn names_fit(pattern: &[Box<str>], names: &[&str], whole: bool) -> bool {
    let (mut at, mut taken) = (0, 0);
    let mut stars: Option<(usize, usize)> = None;
    loop {
        if at == pattern.len() {
            // What is left over is inside a folder that fits.
            if taken < names.len() || whole {
                return true;
            }
        } else if &*pattern[at] == "**" {
            if at + 1 == pattern.len() {
                // `x/**` is what is in it, not `x`.
                return taken < names.len() || pattern.len() == 1;
            }
            at += 1;
            stars = Some((at, taken));
            continue;
        } else if names
            .get(taken)
            .is_some_and(|name| glob::name_fits(&pattern[at], name))
        {
            at += 1;
            taken += 1;
            continue;
        }
        match stars {
            Some((after, from)) if from < names.len() => {
                at = after;
                taken = from + 1;
                stars = Some((after, taken));
            }
            _ => return false,
        }
    }
}

/// The pattern for everything in the folder of this file, as a rule writes it; none outside the workspace and in
/// its root.
pub(crate) fn folder_of(path: &str, bases: &Bases) -> Option<String> {
    let path = plain(path);
    let (folder, _) = below(&path, &bases.workspace)?.rsplit_once('/')?;
    let safe = !folder.contains(['*', '?', '[', '\\', '(', ')', '!']) && !folder.is_empty();
    safe.then(|| format!("/{folder}/**"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_gitignores() {
        let check = |pattern: &str, path: &str, wanted: (bool, bool)| {
            let bases = Bases {
                folder: "/w/app".into(),
                workspace: "/w/app".into(),
                home: Some("/home/ann".into()),
            };
            let fits = |verdict| {
                let parsed = PathPattern::parse(pattern, verdict).unwrap();
                parsed.fits(path, &bases, verdict)
            };
            let got = (fits(Verdict::Allow), fits(Verdict::Deny));
            assert_eq!(got, wanted, "{pattern} {path}");
        };
        const YES: (bool, bool) = (true, true);
        const NO: (bool, bool) = (false, false);
        check("src/**", "/w/app/src/a/b.rs", YES);
        check("src/**", "/w/app/src", NO);
        check("src/**", "/w/app/x/src/b.rs", NO);
        check("/src/*.rs", "/w/app/src/b.rs", YES);
        check("/src/*.rs", "/w/app/src/a/b.rs", NO);
        check("src/**/b.rs", "/w/app/src/b.rs", YES);
        check("src/**/b.rs", "/w/app/src/x/y/b.rs", YES);
        check("*.rs", "/w/app/deep/down/b.rs", YES);
        check("*.rs", "/elsewhere/b.rs", NO);
        check(".env", "/w/app/deep/.env", YES);
        check("./.env", "/w/app/.env", YES);
        check("./.env", "/w/app/deep/.env", (false, true));
        check("node_modules", "/w/app/x/node_modules/y/z.js", YES);
        check("src", "/w/app/src/deep/x", YES);
        check("build/", "/w/app/build", (false, true));
        check("build/", "/w/app/build/x", YES);
        check("~/.ssh/**", "/home/ann/.ssh/id", YES);
        check("~/.ssh/**", "/home/bob/.ssh/id", NO);
        check("//etc/**", "/etc/passwd", YES);
        check("//**", "/etc/passwd", YES);
        check("**", "/w/app/x", YES);
        check("**/secret/**", "/w/app/a/secret/b", YES);
        check("a/**/b/**/c", "/w/app/a/x/b/b/y/c", YES);
        check("a/**/b/**/c", "/w/app/a/x/b/b/y/d", NO);
    }

    #[test]
    fn another_folder_loosens_nothing() {
        let bases = Bases {
            folder: "/tmp".into(),
            workspace: "/w/app".into(),
            home: None,
        };
        let fits = |pattern: &str, path: &str, verdict| {
            let parsed = PathPattern::parse(pattern, verdict).unwrap();
            parsed.fits(path, &bases, verdict)
        };
        assert!(fits("./.env", "/w/app/.env", Verdict::Deny));
        assert!(!fits("src/**", "/tmp/src/x", Verdict::Allow));
        assert!(!fits("~/x", "/home/ann/x", Verdict::Deny));
    }

    #[test]
    fn what_no_pattern_says() {
        assert!(PathPattern::parse("!x", Verdict::Deny).is_err());
        assert!(PathPattern::parse("../x", Verdict::Allow).is_err());
    }

    #[test]
    fn the_folder_of_a_file_is_offered_inside_the_workspace_only() {
        let bases = Bases {
            folder: "/w".into(),
            workspace: "/w".into(),
            home: None,
        };
        let folder = |path| folder_of(path, &bases);
        assert_eq!(folder("/w/src/a/x.rs").as_deref(), Some("/src/a/**"));
        assert_eq!(folder("/w/x.rs"), None);
        assert_eq!(folder("/etc/passwd"), None);
    }
}
