//! Parses JSDoc's types: `string[]`, `'a'|'b'`, `{ name: string, count?: number }`.

use holdpoint_ask::arguments::{Argument, ArgumentKind};
use serde_json::Value;

/// What a type says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ParsedType {
    pub kind: ArgumentKind,
    /// `{type=}`, or a union with `undefined`.
    pub optional: bool,
}

/// Parses a JSDoc type; what is not understood is anything.
pub(crate) fn parse(text: &str) -> ParsedType {
    let text = text.trim();
    let (text, optional) = match text.strip_suffix('=') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let mut parser = Parser { rest: text };
    let parsed = parser.union();
    match parsed {
        Some(mut parsed) if parser.rest.trim().is_empty() => {
            parsed.optional |= optional;
            parsed
        }
        _ => ParsedType {
            kind: ArgumentKind::Any,
            optional,
        },
    }
}

/// Parses a default as a value of its kind; nothing if it does not fit.
pub(crate) fn parse_default(text: &str, kind: &ArgumentKind) -> Option<Value> {
    let quoted = ['\'', '"', '`']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    let bare = || quoted.unwrap_or(text).to_owned();
    let value: Value = match (kind.type_name(), quoted) {
        (Some("string"), _) => bare().into(),
        (_, Some(quoted)) => quoted.into(),
        _ => serde_json::from_str(&text.replace('\'', "\"")).unwrap_or_else(|_| bare().into()),
    };
    kind.accepts(&value).then_some(value)
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, mark: &str) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn union(&mut self) -> Option<ParsedType> {
        self.eat("|");
        let mut members = vec![self.member()?];
        while self.eat("|") {
            members.push(self.member()?);
        }
        Some(join(members))
    }

    fn member(&mut self) -> Option<Member> {
        let nullable = self.eat("?");
        self.eat("!");
        let many = self.eat("...");
        let mut member = self.primary()?;
        while self.eat("[]") {
            member = list(member);
        }
        if many {
            member = list(member);
        }
        if self.eat("=") {
            return Some(Member::Union(vec![member, Member::Undefined]));
        }
        if nullable {
            Some(Member::Union(vec![member, Member::Literal(Value::Null)]))
        } else {
            Some(member)
        }
    }

    fn primary(&mut self) -> Option<Member> {
        self.rest = self.rest.trim_start();
        let first = self.rest.chars().next()?;
        match first {
            '(' => {
                self.eat("(");
                let inner = self.union()?;
                self.eat(")").then(|| Member::from(inner))
            }
            '{' => self.record(),
            '\'' | '"' | '`' => {
                let inner = &self.rest[1..];
                let end = inner.find(first)?;
                self.rest = &inner[end + 1..];
                Some(Member::Literal(inner[..end].into()))
            }
            '*' => {
                self.eat("*");
                Some(Member::Kind(ArgumentKind::Any))
            }
            _ => self.name(),
        }
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && !"_$.-+".contains(c));
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        word
    }

    fn name(&mut self) -> Option<Member> {
        let word = self.word();
        let word = word.strip_suffix('.').unwrap_or(word);
        let arguments = if self.eat("<") {
            self.arguments()?
        } else {
            Vec::new()
        };
        let mut arguments = arguments.into_iter();
        let plain = |kind: ArgumentKind| Some(Member::Kind(kind));
        let inner = |inner: Option<ParsedType>| {
            Some(inner.map_or(Member::Kind(ArgumentKind::Any), Member::from))
        };
        match word {
            "string" | "String" => plain(ArgumentKind::Text),
            "number" | "Number" | "float" | "double" => plain(ArgumentKind::Number),
            "integer" | "Integer" | "int" => plain(ArgumentKind::Integer),
            "boolean" | "Boolean" | "bool" => plain(ArgumentKind::Boolean),
            "object" | "Object" | "Record" => plain(ArgumentKind::Object),
            "null" => Some(Member::Literal(Value::Null)),
            "undefined" | "void" => Some(Member::Undefined),
            "true" => Some(Member::Literal(true.into())),
            "false" => Some(Member::Literal(false.into())),
            "Array" | "ReadonlyArray" | "Iterable" => inner(arguments.next()).map(list),
            // What editors want of a method that yields: `Script<string>`.
            "Promise" | "Script" | "AsyncScript" => inner(arguments.next()),
            // What they return comes second.
            "Generator" | "AsyncGenerator" => inner(arguments.nth(1)),
            "" => None,
            word => Some(match serde_json::from_str::<Value>(word) {
                Ok(number) if number.is_number() => Member::Literal(number),
                _ => Member::Kind(ArgumentKind::Any),
            }),
        }
    }

    fn arguments(&mut self) -> Option<Vec<ParsedType>> {
        let mut arguments = vec![self.union()?];
        while self.eat(",") {
            arguments.push(self.union()?);
        }
        self.eat(">").then_some(arguments)
    }

    /// `{ name: string, count?: number }`
    fn record(&mut self) -> Option<Member> {
        self.eat("{");
        let mut entries = Vec::new();
        while !self.eat("}") {
            let name = self.word();
            if name.is_empty() {
                return None;
            }
            let optional = self.eat("?");
            let parsed = if self.eat(":") {
                self.union()?
            } else {
                ParsedType::default()
            };
            entries.retain(|entry: &Argument| entry.name != name);
            entries.push(Argument {
                required: !optional && !parsed.optional,
                ..Argument::new(name, parsed.kind)
            });
            let _ = self.eat(",") || self.eat(";");
        }
        Some(Member::Kind(ArgumentKind::Record(entries)))
    }
}

/// One part of a union.
enum Member {
    Literal(Value),
    Kind(ArgumentKind),
    Union(Vec<Member>),
    Undefined,
}

impl From<ParsedType> for Member {
    fn from(parsed: ParsedType) -> Self {
        if parsed.optional {
            Self::Union(vec![Self::Kind(parsed.kind), Self::Undefined])
        } else {
            Self::Kind(parsed.kind)
        }
    }
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
