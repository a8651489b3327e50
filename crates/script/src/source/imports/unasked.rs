//! Questions that are taken for their answers: what builds an ask gives an object, a generator is one, and
//! a promise is too; each is as true as a person's yes.

use super::super::strip::Refused;
use crate::engine::MODULES;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::Span;
use std::collections::{HashMap, HashSet};

/// Refuses the first question that is awaited, or judged, before it is asked.
pub(super) fn check(program: &Program<'_>) -> Result<(), Refused> {
    let mut declared = Declared::default();
    declared.visit_program(program);
    let mut judged = Judged {
        declared,
        refused: None,
    };
    judged.visit_program(program);
    judged.refused.map_or(Ok(()), Err)
}

/// What `io.ask` has.
const KINDS: [&str; 9] = [
    "text", "password", "confirm", "select", "number", "file", "date", "form", "url",
];

/// What a method gives when it is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Generator,
    Promise,
    /// It may be anything.
    Value,
}

/// The names in a source that tell what builds a question.
#[derive(Default)]
struct Declared {
    /// Names for photon's module as a whole, for its `io`, and for its `ask`.
    modules: HashSet<String>,
    io: HashSet<String>,
    ask: HashSet<String>,
    /// What the methods and fields of this name give, in all classes.
    members: HashMap<String, Gives>,
}

impl Declared {
    fn member(&mut self, key: &PropertyKey<'_>, gives: Gives) {
        let Some(name) = key.name() else { return };
        let all = self.members.entry(name.into_owned()).or_insert(gives);
        if *all != gives {
            *all = Gives::Value;
        }
    }

    fn import(&mut self, specifier: &ImportDeclarationSpecifier<'_>) {
        match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(it) => {
                let names = match it.imported.name().as_str() {
                    "io" => &mut self.io,
                    "ask" => &mut self.ask,
                    _ => return,
                };
                names.insert(it.local.name.to_string());
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                self.modules.insert(it.local.name.to_string());
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => {}
        }
    }

    fn is_module(&self, it: &Expression<'_>) -> bool {
        matches!(it, Expression::Identifier(name) if self.modules.contains(name.name.as_str()))
    }

    /// Whether this is the module's `ask`, by whatever way.
    fn is_ask(&self, it: &Expression<'_>) -> bool {
        match it.get_inner_expression() {
            Expression::Identifier(name) => self.ask.contains(name.name.as_str()),
            Expression::StaticMemberExpression(it) if it.property.name == "ask" => {
                match it.object.get_inner_expression() {
                    Expression::Identifier(name) if self.io.contains(name.name.as_str()) => true,
                    Expression::StaticMemberExpression(io) if io.property.name == "io" => {
                        self.is_module(&io.object)
                    }
                    other => self.is_module(other),
                }
            }
            _ => false,
        }
    }

    /// What is wrong with a call whose result is judged, or awaited, as if it were an answer.
    fn flaw(&self, call: &CallExpression<'_>, awaited: bool) -> Option<String> {
        match call.callee.get_inner_expression() {
            Expression::StaticMemberExpression(it) => {
                let name = it.property.name.as_str();
                if self.is_ask(&it.object) && KINDS.contains(&name) {
                    return Some(question(&format!("io.ask.{name}"), name));
                }
                matches!(it.object, Expression::ThisExpression(_))
                    .then(|| self.own(name, name, call, awaited))
                    .flatten()
            }
            Expression::PrivateFieldExpression(it) => {
                matches!(it.object, Expression::ThisExpression(_))
                    .then(|| {
                        let name = it.field.name.as_str();
                        self.own(name, &format!("#{name}"), call, awaited)
                    })
                    .flatten()
            }
            _ => None,
        }
    }

    /// The same for a method of the class.
    fn own(
        &self,
        name: &str,
        shown: &str,
        call: &CallExpression<'_>,
        awaited: bool,
    ) -> Option<String> {
        let gives = match (self.members.get(name), name) {
            (Some(gives), _) => *gives,
            (None, "ask") => {
                let kind = match call.arguments.first() {
                    Some(Argument::StringLiteral(kind)) => kind.value.as_str(),
                    _ => "",
                };
                return Some(question("this.ask", kind));
            }
            (None, "confirm" | "elicit") => Gives::Promise,
            (None, _) => return None,
        };
        match gives {
            Gives::Generator => Some(format!(
                "this.{shown}(…) gives a generator that has not run, and asks nobody: write `yield* this.{shown}(…)`"
            )),
            Gives::Promise if !awaited => Some(format!(
                "this.{shown}(…) gives a promise, which is always true: write `await this.{shown}(…)`"
            )),
            Gives::Promise | Gives::Value => None,
        }
    }
}

fn question(built_by: &str, kind: &str) -> String {
    let rather = match kind {
        "confirm" => "this.confirm(…)",
        _ => "this.elicit({ ask: … })",
    };
    format!(
        "{built_by}(…) makes a question and asks nobody: `yield` it, or write `await {rather}` instead"
    )
}

impl<'a> Visit<'a> for Declared {
    fn visit_import_declaration(&mut self, it: &ImportDeclaration<'a>) {
        if MODULES.contains(&it.source.value.as_str()) {
            for specifier in it.specifiers.iter().flatten() {
                self.import(specifier);
            }
        }
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        let gives = match it.kind {
            MethodDefinitionKind::Method if it.value.generator => Gives::Generator,
            MethodDefinitionKind::Method if it.value.r#async => Gives::Promise,
            _ => Gives::Value,
        };
        self.member(&it.key, gives);
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        self.member(&it.key, Gives::Value);
        walk::walk_property_definition(self, it);
    }

    /// `this.name = …`
    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if let AssignmentTarget::StaticMemberExpression(target) = &it.left {
            let name = target.property.name.to_string();
            self.members.insert(name, Gives::Value);
        }
        walk::walk_assignment_expression(self, it);
    }

    /// Methods of objects have a `this` of their own.
    fn visit_object_property(&mut self, it: &ObjectProperty<'a>) {
        if it.method {
            self.member(&it.key, Gives::Value);
        }
        walk::walk_object_property(self, it);
    }

    /// `constructor(private ask: …)`
    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if let (true, Some(name)) = (
            it.accessibility.is_some() || it.readonly,
            it.pattern.get_identifier_name(),
        ) {
            self.members.insert(name.to_string(), Gives::Value);
        }
        walk::walk_formal_parameter(self, it);
    }
}

/// Where a source judges, or awaits, what it has not asked.
struct Judged {
    declared: Declared,
    refused: Option<Refused>,
}

impl Judged {
    fn refuse(&mut self, span: Span, message: String) {
        let at = span.start;
        if self.refused.as_ref().is_none_or(|first| at < first.at) {
            self.refused = Some(Refused { at, message });
        }
    }

    /// What decides which way the script goes.
    fn judge(&mut self, it: &Expression<'_>) {
        self.call(it, false);
        match it.get_inner_expression() {
            // Its left side is judged where it is visited, like the test below.
            Expression::LogicalExpression(it) => self.judge(&it.right),
            Expression::ConditionalExpression(it) => {
                self.judge(&it.consequent);
                self.judge(&it.alternate);
            }
            _ => {}
        }
    }

    fn call(&mut self, it: &Expression<'_>, awaited: bool) {
        let call = match it.get_inner_expression() {
            Expression::CallExpression(call) => call,
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => call,
                _ => return,
            },
            _ => return,
        };
        if let Some(message) = self.declared.flaw(call, awaited) {
            self.refuse(call.span, message);
        }
    }
}

impl<'a> Visit<'a> for Judged {
    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.call(&it.argument, true);
        walk::walk_await_expression(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.judge(&it.test);
        walk::walk_if_statement(self, it);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.judge(&it.test);
        walk::walk_while_statement(self, it);
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.judge(&it.test);
        walk::walk_do_while_statement(self, it);
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        if let Some(test) = &it.test {
            self.judge(test);
        }
        walk::walk_for_statement(self, it);
    }

    fn visit_switch_statement(&mut self, it: &SwitchStatement<'a>) {
        self.judge(&it.discriminant);
        walk::walk_switch_statement(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        self.judge(&it.test);
        walk::walk_conditional_expression(self, it);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        self.judge(&it.left);
        walk::walk_logical_expression(self, it);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::LogicalNot {
            self.judge(&it.argument);
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        if it.operator.is_equality() {
            self.judge(&it.left);
            self.judge(&it.right);
        }
        walk::walk_binary_expression(self, it);
    }
}
