//! Enums as JavaScript: an object with the values by name and, for numbers, the names by value.

use super::strip::Strip;
use oxc_ast::ast::{Expression, TSEnumDeclaration, TSEnumMember};
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

/// Writes an enum out, each member on its line.
pub(super) fn write_out(strip: &mut Strip<'_>, it: &TSEnumDeclaration<'_>) {
    let name = it.id.name.as_str();
    let (start, open) = (it.span.start as usize, it.body.span.start as usize);
    strip.edits.blank(start, it.id.span.start as usize);
    strip.edits.insert(it.id.span.start as usize, "var ");
    strip.edits.insert(open, ";");
    strip
        .edits
        .insert(open + 1, format!("{name}={name}||{{}};"));
    let mut before: Option<String> = None;
    for (index, member) in it.body.members.iter().enumerate() {
        let local = local_name(member, name, index);
        write_member(strip, member, name, &local, before.as_deref());
        let end = it
            .body
            .members
            .get(index + 1)
            .map_or(it.body.span.end, |next| next.span.start);
        if let Some(comma) = strip
            .comments
            .find(member.span.end as usize, end as usize, ",")
        {
            strip.edits.blank(comma, comma + 1);
        }
        before = Some(local);
    }
}

/// The name under which a member's value is known to the members behind it.
fn local_name(member: &TSEnumMember<'_>, of: &str, index: usize) -> String {
    let name = member.id.static_name();
    let is_identifier = matches!(member.id, oxc_ast::ast::TSEnumMemberName::Identifier(_));
    if is_identifier
        && name.as_str() != of
        && !oxc_syntax::keyword::is_reserved_keyword(name.as_str())
        && !["eval", "arguments"].contains(&name.as_str())
    {
        name.to_string()
    } else {
        format!("${of}{index}")
    }
}

fn write_member(
    strip: &mut Strip<'_>,
    member: &TSEnumMember<'_>,
    of: &str,
    local: &str,
    before: Option<&str>,
) {
    let (start, end) = (member.span.start as usize, member.span.end as usize);
    let key = serde_json::Value::from(member.id.static_name().as_str());
    let by_name = format!("{of}[{key}]={local};");
    let both = format!("{of}[{of}[{key}]={local}]={key};");
    match &member.initializer {
        None => {
            let value = before.map_or_else(|| "0".to_owned(), |before| format!("{before}+1"));
            strip.edits.blank(start, end);
            strip
                .edits
                .insert(start, format!("const {local}={value};{both}"));
        }
        Some(value) => {
            let from = value.span().start as usize;
            strip.edits.blank(start, from);
            strip.edits.insert(from, format!("const {local}=("));
            let set = match value {
                Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => by_name,
                Expression::NumericLiteral(_) => both,
                _ => format!("if(typeof {local}==='string'){by_name}else {both}"),
            };
            strip.visit_expression(value);
            strip.edits.insert(end, format!(");{set}"));
        }
    }
}
