//! Properties that a constructor's parameters make, as JavaScript.

use super::strip::Strip;
use oxc_ast::ast::*;
use oxc_span::GetSpan;

/// `constructor(private name: string)` sets `this.name`, behind the call of the base class.
pub(super) fn write_out(strip: &mut Strip<'_>, constructor: &Function<'_>, derived: bool) {
    let mut names = Vec::new();
    for parameter in &constructor.params.items {
        let is_property =
            parameter.accessibility.is_some() || parameter.readonly || parameter.r#override;
        if let (true, BindingPattern::BindingIdentifier(name)) = (is_property, &parameter.pattern) {
            names.push(name.name.as_str());
        }
    }
    let Some(body) = constructor.body.as_ref().filter(|_| !names.is_empty()) else {
        return;
    };
    let set: String = names
        .iter()
        .map(|name| format!("this.{name}={name};"))
        .collect();
    if !derived {
        return match body.directives.last() {
            // It may end with its line only.
            Some(last) => strip
                .edits
                .insert(last.span.end as usize, format!(";{set}")),
            None => strip.edits.insert(body.span.start as usize + 1, set),
        };
    }
    let base = body
        .statements
        .iter()
        .find(|statement| calls_base(statement));
    match base {
        Some(base) => strip
            .edits
            .insert(base.span().end as usize, format!(";{set}")),
        None => strip.refuse(
            constructor.params.span,
            "call super(…) in the constructor's own body, where its parameters become properties",
        ),
    }
}

fn calls_base(statement: &Statement<'_>) -> bool {
    let Statement::ExpressionStatement(statement) = statement else {
        return false;
    };
    match &statement.expression {
        Expression::CallExpression(call) => matches!(call.callee, Expression::Super(_)),
        _ => false,
    }
}
