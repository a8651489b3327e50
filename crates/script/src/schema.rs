//! JSDoc's types as JSON Schema.

use crate::Param;
use serde_json::{Map, Value, json};

/// What a type says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Type {
    /// Empty where anything goes.
    pub schema: Map<String, Value>,
    /// `{type=}`, or a union with `undefined`.
    pub optional: bool,
}

/// The schema of a JSDoc type; what is not understood is anything.
pub(crate) fn of(text: &str) -> Type {
    let text = text.trim();
    let (text, optional) = match text.strip_suffix('=') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let mut reader = Reader { rest: text };
    let parsed = reader.union();
    match parsed {
        Some(mut parsed) if reader.rest.trim().is_empty() => {
            parsed.optional |= optional;
            parsed
        }
        _ => Type {
            schema: Map::new(),
            optional,
        },
    }
}

/// The schema of an object with these arguments.
pub(crate) fn input(params: &[Param], open: bool) -> Map<String, Value> {
    let mut schema = object(json!({ "type": "object" }));
    if params.is_empty() && open {
        return schema;
    }
    let property = |param: &Param| {
        let mut property = param.schema.clone();
        if let Some(text) = &param.description {
            property.insert("description".into(), text.clone().into());
        }
        if let Some(default) = &param.default {
            property.insert("default".into(), default.clone());
        }
        (param.name.clone(), Value::Object(property))
    };
    let properties: Map<_, _> = params.iter().map(property).collect();
    schema.insert("properties".into(), properties.into());
    let required = params.iter().filter(|param| param.required);
    let required: Vec<_> = required.map(|param| param.name.clone()).collect();
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    schema.insert("additionalProperties".into(), open.into());
    schema
}

/// The properties of an object's schema, as arguments.
pub(crate) fn properties(schema: &Map<String, Value>) -> Option<Vec<Param>> {
    let required = schema.get("required").and_then(Value::as_array);
    let properties = schema.get("properties")?.as_object()?.iter();
    let param = |(name, schema): (&String, &Value)| Param {
        name: name.clone(),
        description: None,
        schema: schema.as_object().cloned().unwrap_or_default(),
        required: required.is_some_and(|required| required.iter().any(|key| key == name)),
        default: None,
    };
    Some(properties.map(param).collect())
}

/// A default as a value of its type; nothing if it is not one.
pub(crate) fn default(text: &str, schema: &Map<String, Value>) -> Option<Value> {
    let kind = schema.get("type").and_then(Value::as_str);
    let quoted = ['\'', '"', '`']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    let bare = || quoted.unwrap_or(text).to_owned();
    let value: Value = match (kind, quoted) {
        (Some("string"), _) => bare().into(),
        (_, Some(quoted)) => quoted.into(),
        _ => serde_json::from_str(&text.replace('\'', "\"")).unwrap_or_else(|_| bare().into()),
    };
    let whole = || value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let listed = schema.get("enum").and_then(Value::as_array);
    let fits = match kind {
        Some("integer") => whole(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    (fits && listed.is_none_or(|listed| listed.contains(&value))).then_some(value)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
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

    fn union(&mut self) -> Option<Type> {
        self.eat("|");
        let mut members = vec![self.member()?];
        while self.eat("|") {
            members.push(self.member()?);
        }
        Some(united(members))
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
            return Some(united_member(vec![member, Member::Undefined]));
        }
        if nullable {
            Some(united_member(vec![member, Member::Literal(Value::Null)]))
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
                self.eat(")").then(|| Member::of(inner))
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
                Some(Member::Schema(Map::new()))
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
        let plain = |kind: &str| Some(Member::Schema(object(json!({ "type": kind }))));
        match (word, arguments.into_iter().enumerate().collect::<Vec<_>>()) {
            ("string" | "String", _) => plain("string"),
            ("number" | "Number" | "float" | "double", _) => plain("number"),
            ("integer" | "Integer" | "int", _) => plain("integer"),
            ("boolean" | "Boolean" | "bool", _) => plain("boolean"),
            ("object" | "Object" | "Record", _) => plain("object"),
            ("null", _) => Some(Member::Literal(Value::Null)),
            ("undefined" | "void", _) => Some(Member::Undefined),
            ("true", _) => Some(Member::Literal(true.into())),
            ("false", _) => Some(Member::Literal(false.into())),
            ("Array" | "ReadonlyArray" | "Iterable", arguments) => {
                Some(match arguments.into_iter().next() {
                    Some((_, item)) => list(Member::of(item)),
                    None => Member::Schema(object(json!({ "type": "array" }))),
                })
            }
            // What editors want of a method that yields: `Script<string>`.
            ("Promise" | "Script" | "AsyncScript", arguments) => {
                let inner = arguments.into_iter().next();
                Some(inner.map_or(Member::Schema(Map::new()), |(_, inner)| Member::of(inner)))
            }
            // What they return comes second.
            ("Generator" | "AsyncGenerator", arguments) => {
                let returned = arguments.into_iter().nth(1);
                Some(returned.map_or(Member::Schema(Map::new()), |(_, inner)| Member::of(inner)))
            }
            ("", _) => None,
            (word, _) => Some(match serde_json::from_str::<Value>(word) {
                Ok(number) if number.is_number() => Member::Literal(number),
                _ => Member::Schema(Map::new()),
            }),
        }
    }

    fn arguments(&mut self) -> Option<Vec<Type>> {
        let mut arguments = vec![self.union()?];
        while self.eat(",") {
            arguments.push(self.union()?);
        }
        self.eat(">").then_some(arguments)
    }

    /// `{ name: string, count?: number }`
    fn record(&mut self) -> Option<Member> {
        self.eat("{");
        let (mut properties, mut required) = (Map::new(), Vec::new());
        while !self.eat("}") {
            let name = self.word();
            if name.is_empty() {
                return None;
            }
            let optional = self.eat("?");
            let kind = if self.eat(":") {
                self.union()?
            } else {
                Type::default()
            };
            if !optional && !kind.optional {
                required.push(Value::from(name));
            }
            properties.insert(name.to_owned(), kind.schema.into());
            let _ = self.eat(",") || self.eat(";");
        }
        let mut schema = object(json!({ "type": "object", "properties": properties }));
        if !required.is_empty() {
            schema.insert("required".into(), required.into());
        }
        Some(Member::Schema(schema))
    }
}

/// One part of a union.
enum Member {
    Literal(Value),
    Schema(Map<String, Value>),
    Union(Vec<Member>),
    Undefined,
}

impl Member {
    fn of(kind: Type) -> Self {
        if kind.optional {
            Self::Union(vec![Self::Schema(kind.schema), Self::Undefined])
        } else {
            Self::Schema(kind.schema)
        }
    }
}

fn united_member(members: Vec<Member>) -> Member {
    Member::Union(members)
}

fn list(member: Member) -> Member {
    let item = united(vec![member]).schema;
    let mut schema = object(json!({ "type": "array" }));
    if !item.is_empty() {
        schema.insert("items".into(), item.into());
    }
    Member::Schema(schema)
}

fn united(members: Vec<Member>) -> Type {
    let (mut literals, mut schemas, mut optional) = (Vec::new(), Vec::new(), false);
    let mut todo = members;
    todo.reverse();
    while let Some(member) = todo.pop() {
        match member {
            Member::Literal(value) => literals.push(value),
            Member::Schema(schema) => schemas.push(schema),
            Member::Undefined => optional = true,
            Member::Union(inner) => todo.extend(inner.into_iter().rev()),
        }
    }
    let schema = join(literals, schemas);
    Type { schema, optional }
}

fn join(literals: Vec<Value>, mut schemas: Vec<Map<String, Value>>) -> Map<String, Value> {
    if schemas.iter().any(Map::is_empty) {
        return Map::new();
    }
    let bare = |schema: &Map<String, Value>| schema.len() == 1 && schema["type"].is_string();
    // `string|null`
    if literals == [Value::Null] && schemas.iter().all(bare) && !schemas.is_empty() {
        let kinds = schemas.iter().map(|schema| schema["type"].clone());
        let kinds: Vec<_> = kinds.chain(["null".into()]).collect();
        return object(json!({ "type": kinds }));
    }
    if !literals.is_empty() {
        schemas.push(listed(literals));
    }
    match schemas.len() {
        0 => Map::new(),
        1 => schemas.remove(0),
        _ if schemas.iter().all(bare) => {
            let kinds: Vec<_> = schemas
                .iter()
                .map(|schema| schema["type"].clone())
                .collect();
            object(json!({ "type": kinds }))
        }
        _ => object(json!({ "anyOf": schemas })),
    }
}

/// One of these values.
fn listed(literals: Vec<Value>) -> Map<String, Value> {
    let mut schema = Map::new();
    let all = |is: fn(&Value) -> bool| literals.iter().all(is);
    let kind = match () {
        () if all(Value::is_string) => Some("string"),
        () if all(Value::is_number) => Some("number"),
        () if all(Value::is_null) => Some("null"),
        () if all(Value::is_boolean) && literals.len() == 2 => {
            return object(json!({ "type": "boolean" }));
        }
        () => None,
    };
    if let Some(kind) = kind {
        schema.insert("type".into(), kind.into());
    }
    if kind != Some("null") {
        schema.insert("enum".into(), literals.into());
    }
    schema
}
