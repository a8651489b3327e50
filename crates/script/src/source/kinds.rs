//! Types as kinds of arguments, those of TypeScript and those in JSDoc alike.

use super::comments::Comments;
use crate::source::jsdoc;
use holdpoint_ask::arguments::{Argument, ArgumentKind};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::Value;
use std::{cell::Cell, collections::HashMap};

/// What a type says.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct ParsedType {
    pub kind: ArgumentKind,
    /// It may be `undefined`.
    pub optional: bool,
}

/// How many types are read for one argument: names can lead to names, over and over.
const MOST: usize = 500;

/// How deep types are read.
const DEEPEST: usize = 16;

/// The types that a source declares, by name.
pub(super) struct Kinds<'a> {
    allocator: &'a Allocator,
    comments: Comments<'a>,
    declared: HashMap<&'a str, Declared<'a>>,
    left: Cell<usize>,
    depth: Cell<usize>,
}

enum Declared<'a> {
    Alias(&'a TSType<'a>),
    Interface(&'a TSInterfaceDeclaration<'a>),
    Enum(&'a TSEnumDeclaration<'a>),
}

impl<'a> Kinds<'a> {
    pub fn new(allocator: &'a Allocator, program: &'a Program<'a>, comments: Comments<'a>) -> Self {
        let declarations = program.body.iter().filter_map(|statement| match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            other => other.as_declaration(),
        });
        let declared = declarations.filter_map(|declaration| match declaration {
            Declaration::TSTypeAliasDeclaration(it) if it.type_parameters.is_none() => {
                Some((it.id.name.as_str(), Declared::Alias(&it.type_annotation)))
            }
            Declaration::TSInterfaceDeclaration(it) if it.type_parameters.is_none() => {
                Some((it.id.name.as_str(), Declared::Interface(it)))
            }
            Declaration::TSEnumDeclaration(it) => Some((it.id.name.as_str(), Declared::Enum(it))),
            _ => None,
        });
        Self {
            allocator,
            comments,
            declared: declared.collect(),
            left: Cell::new(MOST),
            depth: Cell::new(0),
        }
    }

    /// What a type says; what is not understood is anything.
    pub fn read(&self, it: &TSType<'a>) -> ParsedType {
        self.left.set(MOST);
        join(vec![self.member(it)])
    }

    /// What the type of a JSDoc tag says.
    pub fn read_jsdoc(&self, text: &str) -> ParsedType {
        let text = text.trim();
        let (text, optional) = match text.strip_suffix('=') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (text, many) = match text.strip_prefix("...") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let mut written = text.replace(".<", "<");
        if !written.contains(['\'', '"', '`']) {
            written = written.replace('*', "any");
        }
        let mut parsed = self.parse(&written);
        if many {
            parsed.kind = ArgumentKind::list(parsed.kind);
        }
        parsed.optional |= optional;
        parsed
    }

    fn parse(&self, text: &str) -> ParsedType {
        let source = self.allocator.alloc_str(&format!("type T = {text}\n;"));
        let parser = Parser::new(self.allocator, source, SourceType::ts());
        let parsed = parser.parse();
        let anything = ParsedType::default();
        if parsed.panicked || parsed.program.body.len() > 2 {
            return anything;
        }
        match parsed.program.body.first() {
            Some(Statement::TSTypeAliasDeclaration(it)) => self.read(&it.type_annotation),
            _ => anything,
        }
    }

    fn member(&self, it: &TSType<'a>) -> Member {
        let (left, depth) = (self.left.get(), self.depth.get());
        if left == 0 || depth == DEEPEST {
            return Member::Kind(ArgumentKind::Any);
        }
        self.left.set(left - 1);
        self.depth.set(depth + 1);
        let member = self.one_member(it);
        self.depth.set(depth);
        member
    }

    fn one_member(&self, it: &TSType<'a>) -> Member {
        let plain = Member::Kind;
        match it {
            TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => {
                plain(ArgumentKind::Text)
            }
            TSType::TSNumberKeyword(_) => plain(ArgumentKind::Number),
            TSType::TSBooleanKeyword(_) => plain(ArgumentKind::Boolean),
            TSType::TSObjectKeyword(_) | TSType::TSMappedType(_) => plain(ArgumentKind::Object),
            TSType::TSNullKeyword(_) => Member::Literal(Value::Null),
            TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_) => Member::Undefined,
            TSType::TSLiteralType(it) => literal(&it.literal),
            TSType::TSUnionType(it) => {
                Member::Union(it.types.iter().map(|one| self.member(one)).collect())
            }
            TSType::TSArrayType(it) => list(self.member(&it.element_type)),
            TSType::TSTupleType(_) => list(plain(ArgumentKind::Any)),
            TSType::TSParenthesizedType(it) => self.member(&it.type_annotation),
            TSType::TSTypeOperatorType(it) if it.operator == TSTypeOperatorOperator::Readonly => {
                self.member(&it.type_annotation)
            }
            TSType::TSTypeLiteral(it) => plain(ArgumentKind::Record(self.entries(&it.members))),
            TSType::TSIntersectionType(it) => self.intersection(&it.types),
            TSType::TSTypeReference(it) => self.reference(it),
            TSType::JSDocNullableType(it) => Member::Union(vec![
                self.member(&it.type_annotation),
                Member::Literal(Value::Null),
            ]),
            TSType::JSDocNonNullableType(it) => self.member(&it.type_annotation),
            _ => plain(ArgumentKind::Any),
        }
    }

    fn reference(&self, it: &TSTypeReference<'a>) -> Member {
        let TSTypeName::IdentifierReference(name) = &it.type_name else {
            return Member::Kind(ArgumentKind::Any);
        };
        let argument = |index: usize| {
            let arguments = it.type_arguments.as_ref();
            match arguments.and_then(|arguments| arguments.params.get(index)) {
                Some(argument) => self.member(argument),
                None => Member::Kind(ArgumentKind::Any),
            }
        };
        if let Some(declared) = self.declared.get(name.name.as_str()) {
            return self.declared(declared);
        }
        let plain = Member::Kind;
        match name.name.as_str() {
            "String" => plain(ArgumentKind::Text),
            "Number" | "float" | "double" => plain(ArgumentKind::Number),
            "integer" | "Integer" | "int" => plain(ArgumentKind::Integer),
            "Boolean" | "bool" => plain(ArgumentKind::Boolean),
            "Object" | "Record" => plain(ArgumentKind::Object),
            "Array" | "ReadonlyArray" | "Iterable" => list(argument(0)),
            // What editors want of a method that yields: `Script<string>`.
            "Promise" | "Script" | "AsyncScript" | "Readonly" => argument(0),
            "Partial" => every(argument(0), false),
            "Required" => every(argument(0), true),
            // What they return comes second.
            "Generator" | "AsyncGenerator" => argument(1),
            _ => plain(ArgumentKind::Any),
        }
    }

    fn declared(&self, declared: &Declared<'a>) -> Member {
        match declared {
            Declared::Alias(it) => self.member(it),
            Declared::Enum(it) => enum_values(it)
                .map_or(Member::Kind(ArgumentKind::Any), |values| {
                    Member::Union(values.into_iter().map(Member::Literal).collect())
                }),
            Declared::Interface(it) => {
                let mut entries = self.entries(&it.body.body);
                for base in &it.extends {
                    match self.base(&base.type_name) {
                        Some(Member::Kind(ArgumentKind::Record(inherited))) => {
                            add(&mut entries, inherited);
                        }
                        _ => return Member::Kind(ArgumentKind::Object),
                    }
                }
                Member::Kind(ArgumentKind::Record(entries))
            }
        }
    }

    /// What an interface extends.
    fn base(&self, name: &TSTypeName<'a>) -> Option<Member> {
        let TSTypeName::IdentifierReference(name) = name else {
            return None;
        };
        let declared = self.declared.get(name.name.as_str())?;
        let (left, depth) = (self.left.get().checked_sub(1)?, self.depth.get());
        if depth == DEEPEST {
            return None;
        }
        self.left.set(left);
        self.depth.set(depth + 1);
        let base = self.declared(declared);
        self.depth.set(depth);
        Some(base)
    }

    fn intersection(&self, types: &[TSType<'a>]) -> Member {
        let mut entries = Vec::new();
        for it in types {
            match self.member(it) {
                Member::Kind(ArgumentKind::Record(more)) => add(&mut entries, more),
                _ => return Member::Kind(ArgumentKind::Any),
            }
        }
        Member::Kind(ArgumentKind::Record(entries))
    }

    fn entries(&self, members: &[TSSignature<'a>]) -> Vec<Argument> {
        let mut entries: Vec<Argument> = Vec::new();
        for member in members {
            let TSSignature::TSPropertySignature(it) = member else {
                continue;
            };
            let Some(name) = it.key.static_name() else {
                continue;
            };
            let annotation = it.type_annotation.as_ref();
            let parsed =
                annotation.map(|annotation| join(vec![self.member(&annotation.type_annotation)]));
            let parsed = parsed.unwrap_or_default();
            let mut entry = Argument {
                required: !it.optional && !parsed.optional,
                ..Argument::new(name, parsed.kind)
            };
            if let Some(doc) = self.comments.doc_before(it.span.start) {
                jsdoc::describe(doc, &mut entry);
            }
            entries.retain(|other| other.name != entry.name);
            entries.push(entry);
        }
        entries
    }
}

/// The values of an enum, where they can be read.
fn enum_values(it: &TSEnumDeclaration<'_>) -> Option<Vec<Value>> {
    let mut next = Some(0.0);
    let members = it.body.members.iter().map(|member| {
        let value = match &member.initializer {
            None => whole(next?),
            Some(value) => literal_value(value)?,
        };
        next = value.as_f64().map(|number| number + 1.0);
        Some(value)
    });
    members.collect()
}

/// The value of an expression that is a literal, or made of literals.
pub(super) fn literal_value(it: &Expression<'_>) -> Option<Value> {
    match it {
        Expression::StringLiteral(it) => Some(it.value.as_str().into()),
        Expression::NumericLiteral(it) => Some(whole(it.value)),
        Expression::BooleanLiteral(it) => Some(it.value.into()),
        Expression::NullLiteral(_) => Some(Value::Null),
        Expression::TemplateLiteral(it) => it.single_quasi().map(|text| text.as_str().into()),
        Expression::UnaryExpression(it) if it.operator == UnaryOperator::UnaryNegation => {
            literal_value(&it.argument)?
                .as_f64()
                .map(|number| whole(-number))
        }
        Expression::ArrayExpression(it) => {
            let items = it.elements.iter();
            let items = items.map(|item| literal_value(item.as_expression()?));
            items.collect::<Option<Vec<_>>>().map(Value::from)
        }
        Expression::ParenthesizedExpression(it) => literal_value(&it.expression),
        Expression::TSAsExpression(it) => literal_value(&it.expression),
        _ => None,
    }
}

/// A number as JSON, without a fraction where it has none.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

fn literal(it: &TSLiteral<'_>) -> Member {
    match it {
        TSLiteral::BooleanLiteral(it) => Member::Literal(it.value.into()),
        TSLiteral::NumericLiteral(it) => Member::Literal(whole(it.value)),
        TSLiteral::StringLiteral(it) => Member::Literal(it.value.as_str().into()),
        TSLiteral::TemplateLiteral(it) => match it.single_quasi() {
            Some(text) => Member::Literal(text.as_str().into()),
            None => Member::Kind(ArgumentKind::Text),
        },
        TSLiteral::UnaryExpression(it) => {
            match literal_value(&it.argument).and_then(|value| value.as_f64()) {
                Some(number) => Member::Literal(whole(-number)),
                None => Member::Kind(ArgumentKind::Any),
            }
        }
        TSLiteral::BigIntLiteral(_) => Member::Kind(ArgumentKind::Any),
    }
}

/// Adds entries; what is there already stays.
fn add(entries: &mut Vec<Argument>, more: Vec<Argument>) {
    for entry in more {
        if !entries.iter().any(|other| other.name == entry.name) {
            entries.push(entry);
        }
    }
}

/// A record whose entries are all required, or none is.
fn every(member: Member, required: bool) -> Member {
    match member {
        Member::Kind(ArgumentKind::Record(mut entries)) => {
            for entry in &mut entries {
                entry.required = required;
            }
            Member::Kind(ArgumentKind::Record(entries))
        }
        other => other,
    }
}

/// One part of a union.
enum Member {
    Literal(Value),
    Kind(ArgumentKind),
    Union(Vec<Member>),
    Undefined,
}

fn list(member: Member) -> Member {
    Member::Kind(ArgumentKind::list(join(vec![member]).kind))
}

/// The one type of several members.
fn join(members: Vec<Member>) -> ParsedType {
    let (mut literals, mut kinds, mut optional) = (Vec::new(), Vec::new(), false);
    let mut todo = members;
    todo.reverse();
    while let Some(member) = todo.pop() {
        match member {
            Member::Literal(value) => literals.push(value),
            Member::Kind(kind) => kinds.push(kind),
            Member::Undefined => optional = true,
            Member::Union(inner) => todo.extend(inner.into_iter().rev()),
        }
    }
    if !literals.is_empty() {
        kinds.push(ArgumentKind::one_of(literals));
    }
    let kind = if kinds.contains(&ArgumentKind::Any) {
        ArgumentKind::Any
    } else {
        match kinds.len() {
            0 => ArgumentKind::Any,
            1 => kinds.remove(0),
            _ => ArgumentKind::Union(kinds),
        }
    };
    ParsedType { kind, optional }
}
