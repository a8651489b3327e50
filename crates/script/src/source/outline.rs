//! What a source declares: its classes and functions, with what their comments, parameters and modifiers
//! say.

use super::{comments::Comments, jsdoc::Doc, kinds::Kinds, parameters::Taken};
use crate::engine::{MethodLocation, Passing};
use holdpoint_ask::arguments::Arguments;
use oxc_ast::ast::*;
use oxc_span::GetSpan;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// What a source declares.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// By class, none for functions, and name.
    methods: HashMap<(Option<String>, String), Declared>,
    classes: HashMap<String, DeclaredClass>,
    /// What the comment says that the source begins with, where it is not that of a class or function.
    first: Option<String>,
}

/// A method or function.
#[derive(Debug, Default, Clone)]
pub(crate) struct Declared {
    pub description: Option<String>,
    pub arguments: Arguments,
    pub passing: Passing,
    /// The JSON Schema of what it returns, where its comment says so.
    pub returns: Option<Map<String, Value>>,
    /// Not for others: `private`, `protected`, `@internal`.
    pub hidden: bool,
    /// A signature without a body, before the method itself.
    signature: bool,
}

#[derive(Debug, Default)]
struct DeclaredClass {
    description: Option<String>,
    base: Option<String>,
    /// The constructor's parameters that have no default.
    wanted: Vec<String>,
}

impl Outline {
    pub(super) fn read<'a>(
        program: &'a Program<'a>,
        comments: Comments<'a>,
        kinds: &Kinds<'a>,
        typescript: bool,
    ) -> Self {
        let mut reader = Reader {
            outline: Self::default(),
            comments,
            kinds,
            typescript,
        };
        for (index, statement) in program.body.iter().enumerate() {
            let declares = reader.statement(statement);
            if index == 0 && !declares {
                let doc = comments.doc_before(statement.span().start);
                reader.outline.first = doc.and_then(|doc| Doc::parse(doc).description);
            }
        }
        reader.outline
    }

    /// What is declared of a method, by its own class or one that this extends.
    pub fn method(&self, location: &MethodLocation) -> Option<&Declared> {
        let name = &location.name;
        let Some(owner) = &location.owner else {
            let declared = location.declared.as_ref();
            let own = self.methods.get(&(None, name.clone()));
            return own.or_else(|| self.methods.get(&(None, declared?.clone())));
        };
        let mut class = Some(owner.as_str());
        for _ in 0..=self.classes.len() {
            let key = (class?.to_owned(), name.clone());
            if let Some(found) = self.methods.get(&(Some(key.0.clone()), key.1)) {
                return Some(found);
            }
            class = self
                .classes
                .get(&key.0)
                .and_then(|class| class.base.as_deref());
            if class.is_none() {
                break;
            }
        }
        None
    }

    /// What the file is for: what its class says, or the comment at its beginning.
    pub fn about<'a>(&self, owners: impl Iterator<Item = Option<&'a str>>) -> Option<String> {
        let mut classes = owners.flatten().filter_map(|owner| self.classes.get(owner));
        let class = classes.find_map(|class| class.description.clone());
        class.or_else(|| self.first.clone())
    }

    /// The parameters that a class's constructor wants, and nobody gives it.
    pub fn constructor(&self, class: &str) -> &[String] {
        self.classes.get(class).map_or(&[], |class| &class.wanted)
    }
}

struct Reader<'a, 'k> {
    outline: Outline,
    comments: Comments<'a>,
    kinds: &'k Kinds<'a>,
    typescript: bool,
}

impl<'a> Reader<'a, '_> {
    /// Reads a statement; true if it declares a class or a function.
    fn statement(&mut self, statement: &'a Statement<'a>) -> bool {
        let at = statement.span().start;
        match statement {
            Statement::ExportDeclaration(it) => self.declaration(&it.declaration, at),
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ExportDefaultDeclarationKind::ClassDeclaration(it) => self.class(it, "default", at),
                ExportDefaultDeclarationKind::FunctionDeclaration(it) => {
                    self.function(it, "default", at)
                }
                other => other
                    .as_expression()
                    .is_some_and(|value| self.expression(value, "default", at)),
            },
            other => other
                .as_declaration()
                .is_some_and(|declaration| self.declaration(declaration, at)),
        }
    }

    fn declaration(&mut self, it: &'a Declaration<'a>, at: u32) -> bool {
        match it {
            Declaration::ClassDeclaration(it) => self.class(it, "", at),
            Declaration::FunctionDeclaration(it) => self.function(it, "", at),
            Declaration::VariableDeclaration(it) => {
                let mut declares = false;
                for (index, one) in it.declarations.iter().enumerate() {
                    let at = if index == 0 { at } else { one.span.start };
                    if let (BindingPattern::BindingIdentifier(name), Some(value)) =
                        (&one.id, &one.init)
                    {
                        declares |= self.expression(value, name.name.as_str(), at);
                    }
                }
                declares
            }
            _ => false,
        }
    }

    /// A class or function that is the value of a variable, and has its name.
    fn expression(&mut self, it: &'a Expression<'a>, name: &str, at: u32) -> bool {
        match it {
            Expression::ClassExpression(it) => self.class(it, name, at),
            Expression::FunctionExpression(it) => self.function(it, name, at),
            Expression::ArrowFunctionExpression(it) => {
                let doc = self.doc(at, it.span.start);
                let declared = self.declared(&it.params, &doc);
                self.outline
                    .methods
                    .insert((None, name.to_owned()), declared);
                true
            }
            Expression::ParenthesizedExpression(it) => self.expression(&it.expression, name, at),
            _ => false,
        }
    }

    fn function(&mut self, it: &'a Function<'a>, name: &str, at: u32) -> bool {
        let name = it.id.as_ref().map_or(name, |id| id.name.as_str());
        let doc = self.doc(at, it.span.start);
        let mut declared = self.declared(&it.params, &doc);
        declared.signature = it.body.is_none();
        self.insert((None, name.to_owned()), declared);
        true
    }

    fn class(&mut self, it: &'a Class<'a>, name: &str, at: u32) -> bool {
        let name = it.id.as_ref().map_or(name, |id| id.name.as_str());
        let mut class = DeclaredClass {
            description: self.doc(at, it.span.start).description,
            ..DeclaredClass::default()
        };
        if let Some(heritage) = &it.heritage
            && let Expression::Identifier(base) = &heritage.expression
        {
            class.base = Some(base.name.to_string());
        }
        for element in &it.body.body {
            let ClassElement::MethodDefinition(method) = element else {
                continue;
            };
            if method.kind.is_constructor() && method.value.body.is_some() {
                class.wanted = wanted(&method.value.params);
            }
            if !method.kind.is_method() || method.r#static || method.computed {
                continue;
            }
            let (Some(key), false) = (method.key.static_name(), method.key.is_private_identifier())
            else {
                continue;
            };
            let doc = self.doc(method.span.start, method.key.span().start);
            let mut declared = self.declared(&method.value.params, &doc);
            declared.signature = method.value.body.is_none();
            let closed = |access: TSAccessibility| access != TSAccessibility::Public;
            declared.hidden |= method.accessibility.is_some_and(closed);
            self.insert((Some(name.to_owned()), key.into_owned()), declared);
        }
        self.outline.classes.insert(name.to_owned(), class);
        true
    }

    /// Signatures come first and are often what is documented.
    fn insert(&mut self, key: (Option<String>, String), mut declared: Declared) {
        if let Some(before) = self
            .outline
            .methods
            .get(&key)
            .filter(|before| before.signature)
        {
            declared.description = declared.description.or_else(|| before.description.clone());
            declared.hidden |= before.hidden;
        }
        self.outline.methods.insert(key, declared);
    }

    fn doc(&self, outer: u32, inner: u32) -> Doc {
        let doc = self.comments.doc_before(outer);
        let doc = doc.or_else(|| self.comments.doc_before(inner));
        doc.map(Doc::parse).unwrap_or_default()
    }

    fn declared(&self, parameters: &FormalParameters<'a>, doc: &Doc) -> Declared {
        let taken = Taken::read(parameters, doc, self.kinds, self.typescript);
        Declared {
            description: doc.description.clone(),
            arguments: taken.arguments,
            passing: taken.passing,
            returns: doc.returns(self.kinds),
            hidden: doc.hidden,
            signature: false,
        }
    }
}

/// The parameters that must be given.
fn wanted(parameters: &FormalParameters<'_>) -> Vec<String> {
    let items = parameters.items.iter();
    let items = items.filter(|item| item.initializer.is_none() && !item.optional);
    let names = items.map(|item| match &item.pattern {
        BindingPattern::BindingIdentifier(name) => name.name.to_string(),
        _ => "{ … }".to_owned(),
    });
    names.collect()
}
