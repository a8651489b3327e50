//! Which of a module's names are types alone, and which namespaces.

use oxc_ast::ast::*;
use std::collections::HashSet;

/// The names that a module declares as types and not as values.
pub(super) fn type_names(program: &Program<'_>) -> HashSet<String> {
    let (mut types, mut values) = (HashSet::new(), HashSet::new());
    for statement in &program.body {
        let declaration = match statement {
            Statement::ExportDeclaration(export) => Some(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => {
                let (names, id) = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(it) => {
                        (&mut values, it.id.as_ref())
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(it) => {
                        (&mut values, it.id.as_ref())
                    }
                    ExportDefaultDeclarationKind::TSInterfaceDeclaration(it) => {
                        (&mut types, Some(&it.id))
                    }
                    _ => continue,
                };
                names.extend(id.map(|id| id.name.to_string()));
                continue;
            }
            other => other.as_declaration(),
        };
        match declaration {
            Some(Declaration::TSTypeAliasDeclaration(it)) => {
                types.insert(it.id.name.to_string());
            }
            Some(Declaration::TSInterfaceDeclaration(it)) => {
                types.insert(it.id.name.to_string());
            }
            Some(Declaration::VariableDeclaration(it)) => {
                let bound = it
                    .declarations
                    .iter()
                    .flat_map(|one| one.id.get_binding_identifiers());
                values.extend(bound.map(|id| id.name.to_string()));
            }
            Some(Declaration::FunctionDeclaration(it)) => {
                values.extend(it.id.iter().map(|id| id.name.to_string()));
            }
            Some(Declaration::ClassDeclaration(it)) => {
                values.extend(it.id.iter().map(|id| id.name.to_string()));
            }
            Some(Declaration::TSEnumDeclaration(it)) => {
                values.insert(it.id.name.to_string());
            }
            _ => {}
        }
    }
    types.retain(|name| !values.contains(name));
    types
}

/// Whether a namespace holds nothing that is there when the script runs.
pub(super) fn holds_types_only(body: &TSNamespaceDeclarationBody<'_>) -> bool {
    match body {
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => holds_types_only(&inner.body),
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().all(|statement| {
            let declaration = match statement {
                Statement::ExportDeclaration(export) => Some(&export.declaration),
                other => other.as_declaration(),
            };
            matches!(
                declaration,
                Some(
                    Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_)
                )
            )
        }),
    }
}
