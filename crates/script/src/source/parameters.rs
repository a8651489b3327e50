//! What a method takes, as its parameters and its doc comment say, and how it takes it: one object with
//! all arguments, or one after the other.

use super::{
    jsdoc::{Doc, Param},
    kinds::{Kinds, literal_value},
};
use crate::engine::Passing;
use holdpoint_ask::arguments::{Argument, ArgumentKind, Arguments};
use oxc_ast::ast::*;

/// What a method takes, and how.
pub(super) struct Taken {
    pub arguments: Arguments,
    pub passing: Passing,
}

/// The names that people give to the one object with all arguments.
const WHOLE: [&str; 9] = [
    "args",
    "arguments",
    "opts",
    "options",
    "params",
    "input",
    "props",
    "_",
    "object",
];

impl Taken {
    /// What these parameters take. A TypeScript method without any takes nothing; a JavaScript one does
    /// not say.
    pub fn read<'a>(
        parameters: &FormalParameters<'a>,
        doc: &Doc,
        kinds: &Kinds<'a>,
        typescript: bool,
    ) -> Self {
        if is_positional(parameters, doc, kinds) {
            return positional(parameters, doc, kinds);
        }
        let typed = match parameters.items.first() {
            None if typescript && doc.params.is_empty() => Some(Vec::new()),
            None => None,
            Some(only) => entries(only, kinds),
        };
        Self {
            arguments: object(typed, doc, kinds),
            passing: Passing::Object,
        }
    }
}

/// Whether the arguments come one after the other. A single parameter gets the object with all of them,
/// unless its type, its default or its comment says that it is a value of its own.
fn is_positional<'a>(parameters: &FormalParameters<'a>, doc: &Doc, kinds: &Kinds<'a>) -> bool {
    let Some(first) = parameters.items.first() else {
        return parameters.rest.is_some();
    };
    let BindingPattern::BindingIdentifier(name) = &first.pattern else {
        return false;
    };
    if parameters.items.len() > 1 || parameters.rest.is_some() {
        return true;
    }
    let is_value = |kind: &ArgumentKind| {
        !matches!(
            kind,
            ArgumentKind::Any | ArgumentKind::Object | ArgumentKind::Record(_)
        )
    };
    if let Some(annotation) = &first.type_annotation {
        let kind = kinds.read(&annotation.type_annotation).kind;
        return is_value(&kind);
    }
    if let Some(default) = &first.initializer {
        return literal_value(default).is_some();
    }
    let [only] = doc.params.as_slice() else {
        return false;
    };
    only.name == name.name.as_str()
        && match &only.wanted {
            Some(wanted) => is_value(&kinds.read_jsdoc(wanted).kind),
            None => !WHOLE.contains(&only.name.as_str()),
        }
}

fn positional<'a>(parameters: &FormalParameters<'a>, doc: &Doc, kinds: &Kinds<'a>) -> Taken {
    let (mut names, mut listed) = (Vec::new(), Vec::new());
    for (index, it) in parameters.items.iter().enumerate() {
        let name = match &it.pattern {
            BindingPattern::BindingIdentifier(name) => name.name.to_string(),
            _ => doc
                .params
                .get(index)
                .map_or_else(|| format!("arg{}", index + 1), |param| param.name.clone()),
        };
        let mut argument = Argument::new(name.clone(), ArgumentKind::Any);
        let annotation = it.type_annotation.as_ref();
        by_type(
            &mut argument,
            annotation.map(|annotation| &annotation.type_annotation),
            kinds,
        );
        argument.required &= !it.optional;
        by_default(
            &mut argument,
            it.initializer.as_deref(),
            annotation.is_some(),
        );
        let typed = annotation.is_some() || it.initializer.is_some();
        by_comment(&mut argument, doc, kinds, typed);
        listed.push(argument);
        names.push(name);
    }
    if let Some(rest) = &parameters.rest {
        let name = match &rest.rest.argument {
            BindingPattern::BindingIdentifier(name) => name.name.to_string(),
            _ => "rest".to_owned(),
        };
        let mut argument = Argument::new(name.clone(), ArgumentKind::list(ArgumentKind::Any));
        let annotation = rest.type_annotation.as_ref();
        by_type(
            &mut argument,
            annotation.map(|annotation| &annotation.type_annotation),
            kinds,
        );
        argument.required = false;
        by_comment(&mut argument, doc, kinds, true);
        if !matches!(argument.kind, ArgumentKind::List(_)) {
            argument.kind = ArgumentKind::list(argument.kind);
        }
        listed.push(argument);
        names.push(format!("...{name}"));
    }
    Taken {
        arguments: Arguments::Listed(listed),
        passing: Passing::Positional(names),
    }
}

fn by_type<'a>(argument: &mut Argument, it: Option<&TSType<'a>>, kinds: &Kinds<'a>) {
    if let Some(it) = it {
        let parsed = kinds.read(it);
        argument.kind = parsed.kind;
        argument.required &= !parsed.optional;
    }
}

/// What has a default may be left out; where nothing else says what it is, the default does.
fn by_default(argument: &mut Argument, default: Option<&Expression<'_>>, typed: bool) {
    let Some(default) = default else { return };
    argument.required = false;
    let Some(value) = literal_value(default) else {
        return;
    };
    if !typed {
        argument.kind = match &value {
            value if value.is_string() => ArgumentKind::Text,
            value if value.is_number() => ArgumentKind::Number,
            value if value.is_boolean() => ArgumentKind::Boolean,
            value if value.is_array() => ArgumentKind::list(ArgumentKind::Any),
            _ => ArgumentKind::Any,
        };
    }
    argument.default = (!value.is_null() && argument.kind.accepts(&value)).then_some(value);
}

/// What the comment says of an argument. Its type counts before that of the code.
fn by_comment(argument: &mut Argument, doc: &Doc, kinds: &Kinds<'_>, typed: bool) {
    let same = |param: &&Param| own_name(param) == argument.name;
    let Some(param) = doc.params.iter().find(same) else {
        return;
    };
    match &param.wanted {
        Some(wanted) => {
            let parsed = kinds.read_jsdoc(wanted);
            let default = argument.default.take();
            argument.kind = parsed.kind;
            argument.default = default.filter(|value| argument.kind.accepts(value));
            argument.required &= !parsed.optional;
        }
        None if !typed => {
            argument.kind = ArgumentKind::Text;
            argument.required = false;
        }
        None => {}
    }
    argument.required &= !param.optional;
    param.describe(argument);
}

/// The entries of the one object that a method takes, where its type says.
fn entries<'a>(parameter: &FormalParameter<'a>, kinds: &Kinds<'a>) -> Option<Vec<Argument>> {
    let annotation = parameter.type_annotation.as_ref()?;
    let ArgumentKind::Record(mut entries) = kinds.read(&annotation.type_annotation).kind else {
        return None;
    };
    if parameter.optional || parameter.initializer.is_some() {
        for entry in &mut entries {
            entry.required = false;
        }
    }
    let BindingPattern::ObjectPattern(pattern) = &parameter.pattern else {
        return Some(entries);
    };
    for property in &pattern.properties {
        let (Some(name), BindingPattern::AssignmentPattern(assigned)) =
            (property.key.static_name(), &property.value)
        else {
            continue;
        };
        if let Some(entry) = entries.iter_mut().find(|entry| entry.name == name) {
            by_default(entry, Some(&assigned.right), true);
        }
    }
    Some(entries)
}

/// The arguments of a method that takes them as one object, which some like to name in its comment:
/// `opts`, then `opts.name`.
fn object(typed: Option<Vec<Argument>>, doc: &Doc, kinds: &Kinds<'_>) -> Arguments {
    let by_code = typed.is_some();
    let mut listed = typed.unwrap_or_default();
    for argument in &mut listed {
        by_comment(argument, doc, kinds, true);
    }
    if let [only] = doc.params.as_slice()
        && WHOLE.contains(&only.name.as_str())
        && !listed.iter().any(|argument| argument.name == only.name)
    {
        let kind = only
            .wanted
            .as_ref()
            .map(|wanted| kinds.read_jsdoc(wanted).kind);
        match kind {
            Some(ArgumentKind::Record(entries)) if !by_code => return Arguments::Listed(entries),
            None | Some(ArgumentKind::Object | ArgumentKind::Any | ArgumentKind::Record(_)) => {
                return if by_code {
                    Arguments::Listed(listed)
                } else {
                    Arguments::Any
                };
            }
            Some(_) => {}
        }
    }
    if doc.params.is_empty() && !by_code {
        return Arguments::Any;
    }
    let root = |param: &Param| Some(param.name.split_once('.')?.0.to_owned());
    let roots: Vec<_> = doc.params.iter().filter_map(root).collect();
    for param in &doc.params {
        // What the type of the code does not know is only believed with a type of its own.
        if roots.contains(&param.name) || (by_code && param.wanted.is_none()) {
            continue;
        }
        let name = own_name(param);
        let plain = |character: char| character.is_alphanumeric() || "_$-".contains(character);
        if name.chars().all(plain) && !listed.iter().any(|other| other.name == name) {
            let mut argument = Argument::new(name, ArgumentKind::Any);
            by_comment(&mut argument, doc, kinds, false);
            listed.push(argument);
        }
    }
    Arguments::Listed(listed)
}

/// The name of an argument, without that of the object which it is in.
fn own_name(param: &Param) -> &str {
    param
        .name
        .split_once('.')
        .map_or(&*param.name, |(_, name)| name)
}
