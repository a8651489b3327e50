//! Agent text as the page shows it: read by an HTML parser, it holds the tags and attributes that this crate writes
//! and no others, nothing is loaded, no tag reaches beyond the text, and no character is hidden.

use crate::sections;
use holdpoint_ask::visible::is_visible;
use holdpoint_inbox::render;
use html5ever::{
    Attribute,
    tendril::StrTendril,
    tokenizer::{BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer},
};
use std::cell::RefCell;

/// The input is a Markdown text; after a line `---` what it became, and after another one code.
pub fn check(data: &[u8]) {
    let Some([text, after, code]) = sections(data) else {
        return;
    };
    is_harmless(&render::markdown(text));
    let shown = render::shown(text, Some(after));
    is_harmless(&shown.message);
    is_harmless(shown.details.as_deref().unwrap_or_default());
    for heading in &shown.outline {
        assert!(is_visible(&heading.text), "{heading:?}");
    }
    let diffs = serde_json::to_value(&shown.diffs).unwrap();
    texts(&diffs, &mut |text| {
        assert!(is_visible(text), "{text:?} in a diff")
    });
    if let Some(changes) = render::changes(text, after) {
        is_harmless(&changes);
    }
    let (language, code) = code.split_once('\n').unwrap_or(("", code));
    is_harmless(&render::code(language, code));
    assert!(is_visible(&render::plain(text)), "as plain text");
}

fn texts(value: &serde_json::Value, visit: &mut impl FnMut(&str)) {
    match value {
        serde_json::Value::String(text) => visit(text),
        serde_json::Value::Array(values) => values.iter().for_each(|value| texts(value, visit)),
        serde_json::Value::Object(fields) => fields.values().for_each(|value| texts(value, visit)),
        _ => {}
    }
}

/// What this crate writes. Repeated here: a slip in the sanitizer's own list must not be one here, too.
const TAGS: [&str; 28] = [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "div",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "ins",
    "li",
    "ol",
    "p",
    "pre",
    "span",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];
const WITHOUT_END: [&str; 2] = ["br", "hr"];

fn is_harmless(html: &str) {
    assert!(is_visible(html), "something is hidden in {html:?}");
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(html));
    let tokenizer = Tokenizer::new(Page::default(), Default::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    let open = tokenizer.sink.open.borrow();
    assert!(open.is_empty(), "{open:?} are left open in {html:?}");
}

/// What a page is told of the text.
#[derive(Default)]
struct Page {
    open: RefCell<Vec<String>>,
}

impl TokenSink for Page {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => self.tag(&tag),
            Token::CharacterTokens(_) | Token::EOFToken => {}
            other => panic!("{other:?}"),
        }
        TokenSinkResult::Continue
    }
}

impl Page {
    fn tag(&self, tag: &Tag) {
        let name = &*tag.name;
        assert!(TAGS.contains(&name), "<{name}>");
        assert!(!tag.had_duplicate_attributes, "<{name}> names one twice");
        tag.attrs
            .iter()
            .for_each(|attribute| attribute_of(name, attribute));
        let mut open = self.open.borrow_mut();
        match tag.kind {
            TagKind::StartTag if WITHOUT_END.contains(&name) => {}
            TagKind::StartTag => open.push(name.to_owned()),
            TagKind::EndTag => assert_eq!(open.pop().as_deref(), Some(name), "closed"),
        }
    }
}

fn attribute_of(tag: &str, attribute: &Attribute) {
    let (name, value) = (&*attribute.name.local, &*attribute.value);
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = match (tag, name) {
        ("a", "href") => ["http:", "https:", "mailto:"]
            .iter()
            .any(|scheme| value.to_lowercase().starts_with(scheme)),
        ("a", "target") => value == "_blank",
        ("a", "rel") => value == "noopener noreferrer nofollow",
        ("ol", "start") => number(value),
        ("div", "data-diff") => number(value),
        (_, "data-line") => value.split('-').all(number),
        ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", "id") => value
            .strip_prefix("m-")
            .or(value.strip_prefix("d-"))
            .is_some_and(number),
        ("span" | "pre" | "div" | "li" | "p" | "th" | "td", "class") => {
            let allowed = |class: &str| {
                !class.is_empty() && class.bytes().all(|byte| byte.is_ascii_lowercase())
            };
            value.is_empty() || value.split(' ').all(allowed)
        }
        _ => false,
    };
    assert!(fits, "<{tag} {name}={value:?}>");
}
