//! What a source wants of other files and modules: a script is one file, with a module that is built in.

mod unasked;

use super::strip::Refused;
use crate::engine::{MODULES, ONE_FILE};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use std::collections::HashSet;

/// Refuses the first import of another module, and what takes a question for its answer; `erased` are the statements that are for types alone.
pub(super) fn check(program: &Program<'_>, erased: &HashSet<u32>) -> Result<(), Refused> {
    let imports = program.body.iter().filter_map(|statement| match statement {
        Statement::ImportDeclaration(it) => Some((it.span, &it.source)),
        Statement::ExportAllDeclaration(it) => Some((it.span, &it.source)),
        Statement::ExportFromDeclaration(it) => Some((it.span, &it.source)),
        _ => None,
    });
    let mut other = imports.filter(|(span, source)| {
        !MODULES.contains(&source.value.as_str()) && !erased.contains(&span.start)
    });
    if let Some((span, source)) = other.next() {
        return Err(refused(span, source.value.as_str()));
    }
    let mut requires = Requires::default();
    requires.visit_program(program);
    match requires.found {
        Some((span, module)) if !requires.declared => Err(refused(span, &module)),
        _ => unasked::check(program),
    }
}

fn refused(span: Span, module: &str) -> Refused {
    let message = match instead(module) {
        Some(instead) => format!("{ONE_FILE}; {instead}"),
        None => ONE_FILE.to_owned(),
    };
    Refused {
        at: span.start,
        message,
    }
}

/// What a script does in place of using a module that many programs use.
fn instead(module: &str) -> Option<&'static str> {
    let module = module.strip_prefix("node:").unwrap_or(module);
    let first = module.split('/').next().unwrap_or(module);
    Some(match first {
        "fs" | "fs-extra" | "graceful-fs" => {
            "to read or write files, yield { read: 'path' } or { write: 'path', text: '…' }"
        }
        "child_process" | "execa" | "cross-spawn" | "shelljs" | "zx" | "simple-git" => {
            "to run a program, yield { run: ['program', 'argument'] }"
        }
        "http" | "https" | "http2" | "axios" | "node-fetch" | "undici" | "got" | "ky"
        | "superagent" => "to send a request, yield { fetch: 'https://…' }",
        "path" => "paths are texts with / between the names, relative to the workspace",
        "os" | "process" | "worker_threads" | "net" | "dgram" | "tls" | "dns" | "readline" => {
            "what it wants of the world or of a person, it yields"
        }
        _ => return None,
    })
}

/// Calls of `require`, which no module of the language has.
#[derive(Default)]
struct Requires {
    found: Option<(Span, String)>,
    declared: bool,
}

impl<'a> Visit<'a> for Requires {
    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let (Expression::Identifier(name), [Argument::StringLiteral(module)]) =
            (&it.callee, it.arguments.as_slice())
            && name.name == "require"
            && self.found.is_none()
        {
            self.found = Some((it.span, module.value.to_string()));
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.declared |= it.name == "require";
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
}
