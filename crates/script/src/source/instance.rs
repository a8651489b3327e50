//! A module's source as a function that gives what the module exports: to call it makes a fresh instance of the
//! module, and costs a fraction of loading one.
//!
//! It is a module itself, with the imports and one function in which everything else lies. So nothing in it means
//! anything else than before. A source for which that would not be plain stays a module.

use super::edits::Edits;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;
use oxc_syntax::scope::ScopeFlags;
use serde_json::Value;

/// The source of the function, as a module's default export.
#[derive(Debug, PartialEq)]
pub(crate) struct Instance {
    pub text: String,
    /// How many columns there are in its first line before the source's own.
    pub indent: u32,
}

/// The function, where the source can be one.
pub(super) fn instance(program: &Program<'_>, text: &str) -> Option<Instance> {
    let mut outermost = Outermost::default();
    outermost.visit_program(program);
    if outermost.awaits || program.hashbang.is_some() {
        return None;
    }
    let mut parts = Parts {
        text,
        edits: Edits::new(text),
        imports: String::new(),
        exports: Vec::new(),
    };
    for statement in &program.body {
        parts.statement(statement)?;
    }
    let Parts {
        mut edits,
        imports,
        exports,
        ..
    } = parts;
    let before = format!("{imports}export default()=>{{");
    let indent = before.chars().count() as u32;
    edits.insert(0, before);
    let exports = exports.join(",");
    // The source may end in a comment.
    let text = format!(
        "{}\n;return{{__proto__:null,{exports}}}}}",
        edits.finish().text
    );
    Some(Instance { text, indent })
}

/// Finds what only a module itself can do.
#[derive(Default)]
struct Outermost {
    awaits: bool,
}

impl<'a> Visit<'a> for Outermost {
    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.awaits = true;
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.awaits |= it.r#await;
        walk::walk_for_of_statement(self, it);
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}
}

struct Parts<'s> {
    text: &'s str,
    edits: Edits<'s>,
    imports: String,
    /// As properties of an object.
    exports: Vec<String>,
}

impl Parts<'_> {
    fn statement(&mut self, statement: &Statement<'_>) -> Option<()> {
        let span = statement.span();
        let (start, end) = (span.start as usize, span.end as usize);
        match statement {
            Statement::ImportDeclaration(_) => {
                let import = &self.text[start..end];
                // What has several lines, or a comment in it, would have to be written anew.
                if import.contains(['\n', '\r', '\u{2028}', '\u{2029}']) || import.contains("/*") {
                    return None;
                }
                self.imports += &format!("{};", import.trim_end_matches(';'));
                self.edits.erase(start, end);
            }
            Statement::ExportDefaultDeclaration(it) => {
                let (name, declared) = match &it.declaration {
                    ExportDefaultDeclarationKind::ClassDeclaration(it) => (&it.id, it.span),
                    ExportDefaultDeclarationKind::FunctionDeclaration(it) => (&it.id, it.span),
                    _ => return None,
                };
                // One without a name is called `default`, and nothing else can be.
                self.export("default", name.as_ref()?.name.as_str())?;
                self.edits.blank(start, declared.start as usize);
            }
            Statement::ExportDeclaration(it) => {
                self.declaration(&it.declaration)?;
                let declared = it.declaration.span().start as usize;
                self.edits.blank(start, declared);
            }
            Statement::ExportNamedDeclaration(it) => {
                for one in &it.specifiers {
                    let ModuleExportName::IdentifierReference(local) = &one.local else {
                        return None;
                    };
                    self.export(one.exported.name().as_str(), local.name.as_str())?;
                }
                self.edits.erase(start, end);
            }
            Statement::ExportAllDeclaration(_) | Statement::ExportFromDeclaration(_) => {
                return None;
            }
            _ => {}
        }
        Some(())
    }

    fn declaration(&mut self, declared: &Declaration<'_>) -> Option<()> {
        match declared {
            Declaration::VariableDeclaration(it) => {
                for one in &it.declarations {
                    let BindingPattern::BindingIdentifier(name) = &one.id else {
                        return None;
                    };
                    self.export(name.name.as_str(), name.name.as_str())?;
                }
                Some(())
            }
            Declaration::FunctionDeclaration(it) => self.export_own(it.id.as_ref()?),
            Declaration::ClassDeclaration(it) => self.export_own(it.id.as_ref()?),
            _ => None,
        }
    }

    fn export_own(&mut self, name: &BindingIdentifier<'_>) -> Option<()> {
        self.export(name.name.as_str(), name.name.as_str())
    }

    fn export(&mut self, exported: &str, local: &str) -> Option<()> {
        // In an object it would be something else.
        if exported == "__proto__" {
            return None;
        }
        self.exports
            .push(format!("{}:{local}", Value::from(exported)));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::source::Source;

    fn check(source: &str, wanted: Option<&str>) {
        let read = Source::read("test.js", source).unwrap();
        let text = read.instance.map(|instance| instance.text);
        assert_eq!(text.as_deref(), wanted, "{source}");
    }

    #[test]
    fn a_module_becomes_a_function_that_gives_its_exports() {
        check(
            "let n = 0; // state\nexport default class A {}\nexport function* b() { yield n++; }",
            Some(concat!(
                "export default()=>{let n = 0; // state\n               class A {}\n",
                "       function* b() { yield n++; }\n",
                r#";return{__proto__:null,"default":A,"b":b}}"#
            )),
        );
        check(
            "export const a = 1, b = 2;\nconst c = 3;\nexport { c as default, c as 'd e' };",
            Some(concat!(
                "export default()=>{       const a = 1, b = 2;\nconst c = 3;\n",
                ";                                   \n",
                r#";return{__proto__:null,"a":a,"b":b,"default":c,"d e":c}}"#
            )),
        );
        check(
            "import { io } from '@portel/photon';\nexport function a() {}",
            Some(concat!(
                "import { io } from '@portel/photon';export default()=>{;                                   \n",
                "       function a() {}\n",
                r#";return{__proto__:null,"a":a}}"#
            )),
        );
    }

    #[test]
    fn what_is_not_plain_stays_a_module() {
        for source in [
            "export const a = await 1;",
            "for await (const a of []) {}\nexport function b() {}",
            "export default class { [await 1]() {} }",
            "export default class {}",
            "export default function* () {}",
            "export default { a: 1 };",
            "export const { a } = { a() {} };",
            "export * from '@portel/photon';",
            "export { io } from '@portel/photon';",
            "import {\n  io, // what is asked\n} from '@portel/photon';\nexport function a() {}",
            "function a() {}\nexport { a as __proto__ };",
            "#!/usr/bin/env node\nexport function a() {}",
        ] {
            check(source, None);
        }
    }

    #[test]
    fn what_a_function_awaits_is_its_own() {
        for source in [
            "export async function a() { await 1; }",
            "const a = async () => await 1;\nexport { a };",
            "export default class A { async a() { for await (const b of []) {} } }",
        ] {
            assert!(
                Source::read("test.js", source).unwrap().instance.is_some(),
                "{source}"
            );
        }
    }
}
