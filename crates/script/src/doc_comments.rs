//! Which JSDoc comment belongs to which method, class or function.

use crate::{
    engine::{MODULES, MethodLocation},
    jsdoc::Doc,
    tokens::{Kind, Token, tokens},
};
use std::collections::HashMap;

/// The JSDoc comments of a file.
#[derive(Debug, Default)]
pub(crate) struct Docs {
    /// By class, none for functions, and name.
    methods: HashMap<(Option<String>, String), String>,
    classes: HashMap<String, String>,
    /// The comment that the file begins with, where it stands before nothing else.
    first: Option<String>,
    /// The byte of the first `import`.
    pub import: Option<usize>,
}

impl Docs {
    pub fn parse(source: &str) -> Self {
        let tokens = tokens(source);
        let mut docs = Self {
            import: import(&tokens),
            ..Self::default()
        };
        let mut scopes = Scopes::default();
        for (index, token) in tokens.iter().enumerate() {
            scopes.enter(&tokens, index);
            if token.kind == Kind::Doc {
                docs.tie(token.text, &tokens[index + 1..], scopes.class(), index == 0);
            }
        }
        docs
    }

    /// The doc comment of a method.
    pub fn method(&self, location: &MethodLocation) -> Option<Doc> {
        let name = &location.name;
        let own = self.methods.get(&(location.owner.clone(), name.clone()));
        let found = own.or_else(|| match &location.owner {
            // It may come from the class that this one extends.
            Some(_) => {
                let mut inherited = self.methods.iter();
                let inherited = inherited.find(|((class, key), _)| class.is_some() && key == name);
                inherited.map(|(_, doc)| doc)
            }
            None => self.methods.get(&(None, location.declared.clone()?)),
        });
        found.map(|doc| Doc::parse(doc))
    }

    /// The doc comment of the file: that of its class, or the one at its beginning.
    pub fn about<'a>(&self, owners: impl Iterator<Item = Option<&'a str>>) -> Option<Doc> {
        let mut owners = owners.flatten();
        let class = owners.find_map(|owner| self.classes.get(owner));
        class.or(self.first.as_ref()).map(|doc| Doc::parse(doc))
    }

    fn tie(&mut self, doc: &str, after: &[Token<'_>], class: Option<&str>, first: bool) {
        let doc = doc.to_owned();
        match (declared(after), class) {
            (Some(Declared::Class(name)), None) => drop(self.classes.insert(name, doc)),
            (Some(Declared::Function(name)), None) => {
                drop(self.methods.insert((None, name), doc));
            }
            (_, Some(class)) => {
                if let Some(name) = method(after) {
                    self.methods.insert((Some(class.to_owned()), name), doc);
                }
            }
            (None, None) if first => self.first = Some(doc),
            _ => {}
        }
    }
}

/// What is open where.
#[derive(Default)]
struct Scopes {
    /// For each open brace the class whose body it is.
    braces: Vec<Option<String>>,
    parens: usize,
    /// The classes whose bodies are to come, and the parentheses open at each.
    coming: Vec<(String, usize)>,
}

impl Scopes {
    fn enter(&mut self, tokens: &[Token<'_>], index: usize) {
        let token = &tokens[index];
        let before = |back: usize| index.checked_sub(back).map(|index| &tokens[index]);
        if token.is("class") && !before(1).is_some_and(|token| token.is(".")) {
            let next = tokens.get(index + 1);
            let own = next.filter(|next| next.kind == Kind::Word && !next.is("extends"));
            let name = match own {
                Some(own) => own.text,
                // An anonymous class has the name of what it is assigned to.
                None if before(1).is_some_and(|token| token.is("default")) => "default",
                None => before(2).map_or("", |token| token.text),
            };
            self.coming.push((name.to_owned(), self.parens));
        } else if token.is("(") {
            self.parens += 1;
        } else if token.is(")") {
            self.parens = self.parens.saturating_sub(1);
        } else if token.is("{") {
            let class = self.coming.pop_if(|(_, parens)| *parens == self.parens);
            self.braces.push(class.map(|(name, _)| name));
        } else if token.is("}") {
            self.braces.pop();
        }
    }

    /// The class in whose body we are, outside of its methods.
    fn class(&self) -> Option<&str> {
        self.braces.last()?.as_deref()
    }
}

enum Declared {
    Class(String),
    Function(String),
}

/// The class or function that these tokens declare.
fn declared(tokens: &[Token<'_>]) -> Option<Declared> {
    let mut rest = tokens.iter().peekable();
    let mut default = false;
    while let Some(word) = rest.next_if(|token| {
        ["export", "default", "async", "const", "let", "var"]
            .iter()
            .any(|word| token.is(word))
    }) {
        default |= word.is("default");
    }
    let first = rest.next()?;
    let named = |name: Option<&&Token<'_>>| match name {
        Some(name) if name.kind == Kind::Word && !name.is("extends") => Some(name.text.to_owned()),
        _ => default.then(|| "default".to_owned()),
    };
    if first.is("class") {
        return named(rest.peek()).map(Declared::Class);
    }
    if first.is("function") {
        rest.next_if(|token| token.is("*"));
        return named(rest.peek()).map(Declared::Function);
    }
    // `const name = async function* …` or `= class …`
    rest.next_if(|token| token.is("="))?;
    rest.next_if(|token| token.is("async"));
    let name = first.text.to_owned();
    match rest.next()? {
        token if token.is("function") => Some(Declared::Function(name)),
        token if token.is("class") => Some(Declared::Class(name)),
        _ => None,
    }
}

/// The method that these tokens of a class's body declare.
fn method(tokens: &[Token<'_>]) -> Option<String> {
    let mut rest = tokens.iter().peekable();
    while let Some(token) = rest.next() {
        let called = rest.peek().is_some_and(|next| next.is("("));
        match token.kind {
            Kind::Word if called => return Some(token.text.to_owned()),
            Kind::Text if called => {
                return Some(token.text[1..token.text.len() - 1].to_owned());
            }
            Kind::Word if ["static", "async", "get", "set"].contains(&token.text) => {}
            Kind::Mark if token.text == "*" => {}
            _ => return None,
        }
    }
    None
}

/// The first static import of something that is not built in, or export from elsewhere.
fn import(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(index + ahead);
        match token.text {
            "{" | "(" if token.kind == Kind::Mark => depth += 1,
            "}" | ")" if token.kind == Kind::Mark => depth = depth.saturating_sub(1),
            "import" if depth == 0 && token.kind == Kind::Word => {
                let other = ["(", ".", ":"];
                let expression = next(1).is_some_and(|next| other.iter().any(|mark| next.is(mark)));
                let module = tokens[index..]
                    .iter()
                    .find(|token| token.kind == Kind::Text);
                let known = module
                    .is_some_and(|module| MODULES.contains(&module.text.trim_matches(['"', '\''])));
                if !expression && !known {
                    return Some(token.at);
                }
            }
            "from" if depth == 0 && token.kind == Kind::Word => {
                let module = next(1).is_some_and(|next| next.kind == Kind::Text);
                let statement = tokens[..index].iter().rposition(|token| token.is("export"));
                if let (true, Some(statement)) = (module, statement) {
                    return Some(tokens[statement].at);
                }
            }
            _ => {}
        }
    }
    None
}
