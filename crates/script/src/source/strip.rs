//! TypeScript without its types: what only the type checker needs is blanked, and the little that stands
//! for code of its own (enums, properties made of a constructor's parameters) is written out.

use super::{
    comments::Comments,
    edits::{Code, Edits},
    enums, parameter_properties,
    type_names::{holds_types_only, type_names},
};
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;
use std::collections::HashSet;

/// What a source is not allowed to hold: where, and what to write instead.
#[derive(Debug)]
pub(super) struct Refused {
    pub at: u32,
    pub message: String,
}

/// Blanks the types of a source; also gives where the statements started that are for types alone.
///
/// # Errors
/// When it holds what has no plain JavaScript in its place.
pub(super) fn strip(
    program: &Program<'_>,
    comments: Comments<'_>,
) -> Result<(Code, HashSet<u32>), Refused> {
    let mut strip = Strip {
        edits: Edits::new(comments.text),
        comments,
        values: HashSet::new(),
        types: type_names(program),
        erased: HashSet::new(),
        refused: None,
    };
    strip.visit_program(program);
    for statement in &program.body {
        strip.module_statement(statement);
    }
    match strip.refused {
        Some(refused) => Err(refused),
        None => Ok((strip.edits.finish(), strip.erased)),
    }
}

pub(super) struct Strip<'s> {
    pub(super) edits: Edits<'s>,
    pub(super) comments: Comments<'s>,
    /// The names that are used as values.
    values: HashSet<String>,
    /// The names that the module declares as types alone.
    types: HashSet<String>,
    /// Where the statements started that are for types alone.
    erased: HashSet<u32>,
    refused: Option<Refused>,
}

fn ends(span: Span) -> (usize, usize) {
    (span.start as usize, span.end as usize)
}

impl Strip<'_> {
    pub(super) fn refuse(&mut self, span: Span, message: &str) {
        if self
            .refused
            .as_ref()
            .is_none_or(|first| span.start < first.at)
        {
            self.refused = Some(Refused {
                at: span.start,
                message: message.to_owned(),
            });
        }
    }

    fn erase(&mut self, span: Span) {
        let (start, end) = ends(span);
        self.erased.insert(span.start);
        self.edits.erase(start, end);
    }

    fn text(&self, start: usize, end: usize) -> &str {
        &self.comments.text[start..end]
    }

    /// Blanks the marks `?` or `!` behind a name, before its type.
    fn mark(&mut self, after: u32, before: u32, mark: &str) {
        if let Some(at) = self.comments.find(after as usize, before as usize, mark) {
            self.edits.blank(at, at + 1);
        }
    }

    /// Blanks the modifiers before a name. The first one leaves a semicolon where a member starts, since
    /// the member before may have none.
    fn modifiers(&mut self, start: u32, name: u32, member: bool) {
        const WORDS: [&str; 7] = [
            "public",
            "private",
            "protected",
            "readonly",
            "override",
            "abstract",
            "declare",
        ];
        let (start, name) = (start as usize, name as usize);
        for word in WORDS {
            if let Some(at) = self.comments.find(start, name, word) {
                let first = (member && at == start).then_some(';');
                self.edits.blank_as(at, at + word.len(), first, None);
            }
        }
    }

    /// Blanks one of several things with commas between them, and its comma.
    fn list_item(&mut self, span: Span, end: u32) {
        let (start, item_end) = ends(span);
        let comma = self.comments.find(item_end, end as usize, ",");
        self.edits.blank(start, comma.map_or(item_end, |at| at + 1));
    }

    /// Whether a declaration is for the type checker alone.
    fn is_type_only(declaration: &Declaration<'_>) -> bool {
        match declaration {
            Declaration::VariableDeclaration(it) => it.declare,
            Declaration::FunctionDeclaration(it) => it.declare || it.body.is_none(),
            Declaration::ClassDeclaration(it) => it.declare,
            Declaration::TSEnumDeclaration(it) => it.declare,
            Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_)
            | Declaration::TSGlobalDeclaration(_) => true,
            Declaration::TSNamespaceDeclaration(it) => it.declare || holds_types_only(&it.body),
            Declaration::TSImportEqualsDeclaration(it) => it.import_kind.is_type(),
        }
    }

    fn module_statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::ImportDeclaration(it) => self.import(it),
            Statement::ExportNamedDeclaration(it) if !it.export_kind.is_type() => {
                let types: Vec<_> = it
                    .specifiers
                    .iter()
                    .filter(|one| self.exports_type(one))
                    .collect();
                for specifier in types {
                    self.list_item(specifier.span, it.span.end);
                }
            }
            _ => {}
        }
    }

    fn exports_type(&self, specifier: &ExportSpecifier<'_>) -> bool {
        let local = specifier.local.name();
        specifier.export_kind.is_type() || self.types.contains(local.as_str())
    }

    /// An import that is used in types only is not there when the code runs.
    fn import(&mut self, it: &ImportDeclaration<'_>) {
        let Some(specifiers) = &it.specifiers else {
            return;
        };
        let erased = |specifier: &&ImportDeclarationSpecifier<'_>| {
            let is_type = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => one.import_kind.is_type(),
                _ => false,
            };
            is_type || !self.values.contains(specifier.name().as_ref())
        };
        let types: Vec<_> = specifiers.iter().filter(erased).collect();
        if it.import_kind.is_type() || (!specifiers.is_empty() && types.len() == specifiers.len()) {
            return self.erase(it.span);
        }
        for specifier in types {
            match (specifier, &specifiers[0]) {
                (ImportDeclarationSpecifier::ImportNamespaceSpecifier(all), default) => {
                    let (from, to) = (default.span().end as usize, all.span.end as usize);
                    self.edits.blank(from, to);
                }
                _ => self.list_item(specifier.span(), it.source.span.start),
            }
        }
    }

    /// An arrow must stand on the line where its parameters end.
    fn arrow_on_its_line(&mut self, it: &ArrowFunctionExpression<'_>) {
        let (start, end) = ends(it.params.span);
        if let Some(types) = &it.type_parameters {
            let (from, to) = ends(types.span);
            if self.text(from, start).contains('\n') {
                self.edits.blank_as(from, to, Some('('), None);
                self.edits.blank(start, start + 1);
            } else {
                self.edits.blank(from, to);
            }
        }
        if let Some(returns) = &it.return_type {
            let (from, to) = ends(returns.span);
            if self.text(end, to).contains('\n') && self.text(end - 1, end) == ")" {
                self.edits.blank(end - 1, end);
                self.edits.blank_as(from, to, None, Some(')'));
            } else {
                self.edits.blank(from, to);
            }
        }
    }

    fn abstract_class(&mut self, it: &Class<'_>) {
        const WORD: &str = "abstract";
        let start = it.span.start as usize;
        let at = if self.comments.text[start..].starts_with(WORD) {
            Some(start)
        } else {
            let before = self.comments.text[..start].trim_end();
            before.ends_with(WORD).then(|| before.len() - WORD.len())
        };
        if let Some(at) = at {
            self.edits.blank(at, at + WORD.len());
        }
    }
}

impl<'a> Visit<'a> for Strip<'_> {
    fn visit_statement(&mut self, it: &Statement<'a>) {
        let erased = match it {
            Statement::ExportDeclaration(export) => Self::is_type_only(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
                ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.body.is_none(),
                _ => false,
            },
            Statement::ExportNamedDeclaration(export) => export.export_kind.is_type(),
            Statement::ExportFromDeclaration(export) => export.export_kind.is_type(),
            Statement::ExportAllDeclaration(export) => export.export_kind.is_type(),
            Statement::TSNamespaceExportDeclaration(_) => true,
            other => other.as_declaration().is_some_and(Self::is_type_only),
        };
        if erased {
            return self.erase(it.span());
        }
        match it {
            // They wait until it is known which names are used.
            Statement::ImportDeclaration(_) | Statement::ExportNamedDeclaration(_) => {}
            _ => walk::walk_statement(self, it),
        }
        self.edits.end_statement(it.span().end as usize);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.values.insert(it.name.to_string());
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        let (start, end) = ends(it.span);
        self.edits.blank(start, end);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        let (start, end) = ends(it.span);
        self.edits.blank(start, end);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        let (start, end) = ends(it.span);
        self.edits.blank(start, end);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        let end = it.expression.span().end;
        self.edits.blank(end as usize, it.span.end as usize);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        let end = it.expression.span().end;
        self.edits.blank(end as usize, it.span.end as usize);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        let end = it.expression.span().end;
        self.edits.blank(end as usize, it.span.end as usize);
        self.visit_expression(&it.expression);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        let (start, end) = (it.span.start as usize, it.expression.span().start as usize);
        // `return` ends at the end of its line, and these would begin a block or a declaration.
        const BEGINNINGS: [&str; 5] = ["{", "function", "async", "class", "let"];
        let begins = |word: &&str| self.comments.text[end..].starts_with(word);
        let held = self.text(start, end).contains('\n') || BEGINNINGS.iter().any(begins);
        self.edits.blank_as(start, end, held.then_some('('), None);
        if held {
            self.edits.insert(it.span.end as usize, ")");
        }
        self.visit_expression(&it.expression);
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        let name = it.pattern.span();
        self.visit_decorators(&it.decorators);
        self.modifiers(it.span.start, name.start, false);
        if it.optional {
            let before = it
                .type_annotation
                .as_ref()
                .map(|annotation| annotation.span.start);
            self.mark(
                name.end,
                before.unwrap_or(it.span.end.max(name.end + 1)),
                "?",
            );
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        let (start, all) = (it.span.end as usize, self.comments.text.len());
        let end = self.comments.find(start, all, ")").unwrap_or(start);
        self.list_item(it.span, end as u32);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let (true, Some(annotation)) = (it.definite, &it.type_annotation) {
            self.mark(it.id.span().end, annotation.span.start, "!");
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        self.arrow_on_its_line(it);
        self.visit_formal_parameters(&it.params);
        self.visit_arrow_function_body(&it.body);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        self.visit_decorators(&it.decorators);
        if it.r#abstract {
            self.abstract_class(it);
        }
        if let (Some(first), Some(last)) = (it.implements.first(), it.implements.last()) {
            let heritage = it
                .heritage
                .as_ref()
                .map(|heritage| heritage.expression.span().end);
            let name = it.id.as_ref().map(|id| id.span.end);
            let from = heritage.or(name).unwrap_or(it.span.start) as usize;
            if let Some(word) = self
                .comments
                .find(from, first.span.start as usize, "implements")
            {
                self.edits.blank(word, last.span.end as usize);
            }
        }
        if let Some(types) = &it.type_parameters {
            self.visit_ts_type_parameter_declaration(types);
        }
        if let Some(heritage) = &it.heritage {
            self.visit_class_heritage(heritage);
        }
        for element in &it.body.body {
            if let ClassElement::MethodDefinition(method) = element
                && method.kind.is_constructor()
            {
                parameter_properties::write_out(self, &method.value, it.heritage.is_some());
            }
        }
        self.visit_class_body(&it.body);
    }

    fn visit_class_element(&mut self, it: &ClassElement<'a>) {
        match it {
            ClassElement::TSIndexSignature(it) => self.erase(it.span),
            ClassElement::AccessorProperty(it) => {
                self.refuse(
                    it.span,
                    "accessor fields are not supported: write a get and a set method",
                );
            }
            _ => walk::walk_class_element(self, it),
        }
        self.edits.end_statement(it.span().end as usize);
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        if it.value.body.is_none() {
            return self.erase(it.span);
        }
        self.visit_decorators(&it.decorators);
        let key = it.key.span();
        self.modifiers(it.span.start, key.start, true);
        if it.optional {
            self.mark(key.end, it.value.params.span.start, "?");
        }
        if it.computed {
            self.visit_property_key(&it.key);
        }
        self.visit_function(&it.value, ScopeFlags::Function);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        let set_elsewhere = it.definite && it.value.is_none();
        if it.declare
            || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
            || set_elsewhere
        {
            return self.erase(it.span);
        }
        self.visit_decorators(&it.decorators);
        let key = it.key.span();
        self.modifiers(it.span.start, key.start, true);
        let before = it
            .type_annotation
            .as_ref()
            .map(|annotation| annotation.span.start);
        if it.optional {
            self.mark(key.end, before.unwrap_or(it.span.end), "?");
        }
        if it.definite {
            self.mark(key.end, before.unwrap_or(it.span.end), "!");
        }
        if it.computed {
            self.visit_property_key(&it.key);
        }
        if let Some(annotation) = &it.type_annotation {
            self.visit_ts_type_annotation(annotation);
        }
        if let Some(value) = &it.value {
            self.visit_expression(value);
        }
    }

    fn visit_decorators(&mut self, it: &oxc_allocator::Vec<'a, Decorator<'a>>) {
        if let Some(first) = it.first() {
            self.refuse(
                first.span,
                "decorators are not supported: call the function instead",
            );
        }
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        enums::write_out(self, it);
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        self.refuse(
            it.span,
            "a namespace with values is not supported: write an object (const name = { … }) instead",
        );
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.refuse(
            it.span,
            "import … = is not supported: write const name = … instead",
        );
    }

    fn visit_ts_export_assignment(&mut self, it: &TSExportAssignment<'a>) {
        self.refuse(
            it.span,
            "export = is not supported: write export default instead",
        );
    }
}
