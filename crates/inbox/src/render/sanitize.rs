//! The sanitizer: the last step of rendering, which knows only the tags, attributes and classes used here.

use ammonia::Builder;
use holdpoint::visible;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// Gives the HTML with nothing in it but what this crate writes, and every hidden character written out.
pub(super) fn clean(html: &str) -> String {
    visible(&SANITIZER.clean(html).to_string()).into_owned()
}

pub(super) const TAGS: [&str; 28] = [
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

const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];
const BLOCKS: [&str; 5] = ["p", "li", "tr", "pre", "blockquote"];

const SPAN_CLASSES: [&str; 20] = [
    "address", "line", "add", "del", "hunk", "meta", "box", "done", "open", "unseen", "number",
    "com", "str", "num", "kw", "fn", "ty", "tag", "op", "w",
];

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut attributes = HashMap::from([
        ("a", HashSet::from(["href"])),
        ("ol", HashSet::from(["start"])),
        ("div", HashSet::from(["data-diff", "data-line"])),
    ]);
    attributes.extend(BLOCKS.map(|tag| (tag, HashSet::from(["data-line"]))));
    attributes.extend(HEADINGS.map(|tag| (tag, HashSet::from(["data-line", "id"]))));
    let mut sanitizer = Builder::empty();
    sanitizer
        .tags(HashSet::from(TAGS))
        .tag_attributes(attributes)
        .attribute_filter(|_, attribute, value| {
            let fits = match attribute {
                "data-line" => is_lines(value),
                "data-diff" => is_number(value),
                "id" => value
                    .strip_prefix("m-")
                    .or(value.strip_prefix("d-"))
                    .is_some_and(is_number),
                _ => true,
            };
            fits.then_some(Cow::Borrowed(value))
        })
        .allowed_classes(HashMap::from([
            ("span", HashSet::from(SPAN_CLASSES)),
            ("pre", HashSet::from(["diff"])),
            ("div", HashSet::from(["diff"])),
            ("li", HashSet::from(["task", "more"])),
            ("p", HashSet::from(["same"])),
            ("th", HashSet::from(["center", "right"])),
            ("td", HashSet::from(["center", "right"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer nofollow"))
        .set_tag_attribute_value("a", "target", "_blank")
        .strip_comments(true);
    sanitizer
});

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_lines(text: &str) -> bool {
    match text.split_once('-') {
        Some((first, last)) => is_number(first) && is_number(last),
        None => is_number(text),
    }
}
