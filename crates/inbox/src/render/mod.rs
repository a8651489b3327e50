//! Renders agent text as harmless HTML.
//!
//! Markdown only: HTML in it is shown as the text that it is. Nothing is loaded from anywhere, an
//! image is its description and address, and a link shows where it leads. What comes out passes a
//! sanitizer that knows only the tags and classes used here, and then every hidden character is
//! written out.

mod code;
mod diff;
#[cfg(test)]
mod tests;

use ammonia::Builder;
use holdpoint::visible;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html};
use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// What is nested deeper loses its marks and keeps its text: a sanitizer's time grows with the
/// square of the depth, and no person reads that.
const DEEPEST: usize = 32;

/// Renders Markdown as harmless HTML.
pub fn markdown(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let events = harmless(Parser::new_ext(text, options));
    let mut shown = String::with_capacity(text.len() * 2);
    html::push_html(&mut shown, events.into_iter());
    visible(&SANITIZER.clean(&shown).to_string()).into_owned()
}

/// Renders code as harmless HTML, coloured where the language is known.
pub fn code(language: &str, text: &str) -> String {
    let shown = code_block(&CodeBlockKind::Fenced(language.into()), text);
    visible(&SANITIZER.clean(&shown).to_string()).into_owned()
}

/// The events with HTML as text, links with their address, images as words, and diffs coloured.
fn harmless<'a>(parser: Parser<'a>) -> Vec<Event<'a>> {
    let mut events = Vec::new();
    let mut parser = parser.peekable();
    // The links that are open: where each leads, and where its text begins.
    let mut links: Vec<(CowStr<'a>, usize)> = Vec::new();
    let mut images: Vec<CowStr<'a>> = Vec::new();
    let mut depth = 0;
    while let Some(event) = parser.next() {
        match event {
            Event::Html(raw) | Event::InlineHtml(raw) => events.push(Event::Text(raw)),
            Event::Start(Tag::HtmlBlock) => events.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => events.push(Event::End(TagEnd::Paragraph)),
            Event::Start(Tag::Link { dest_url, .. }) => {
                if leads_out(&dest_url) {
                    let open = format!("<a href=\"{}\">", escape(&dest_url));
                    events.push(Event::InlineHtml(open.into()));
                }
                links.push((dest_url, events.len()));
            }
            Event::End(TagEnd::Link) => {
                if let Some((address, start)) = links.pop() {
                    let same = text_of(&events[start..]) == *address;
                    if leads_out(&address) {
                        events.push(Event::InlineHtml("</a>".into()));
                    }
                    if !same {
                        events.push(Event::InlineHtml(shown_address(&address).into()));
                    }
                }
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                events.push(Event::Text("[image: ".into()));
                images.push(dest_url);
            }
            Event::End(TagEnd::Image) => {
                events.push(Event::Text("]".into()));
                if let Some(address) = images.pop() {
                    events.push(Event::InlineHtml(shown_address(&address).into()));
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let mut code = String::new();
                while let Some(Event::Text(text)) =
                    parser.next_if(|event| matches!(event, Event::Text(_)))
                {
                    code.push_str(&text);
                }
                parser.next_if(|event| matches!(event, Event::End(TagEnd::CodeBlock)));
                events.push(Event::Html(code_block(&kind, &code).into()));
            }
            Event::Start(tag) => {
                depth += 1;
                if depth <= DEEPEST {
                    events.push(Event::Start(tag));
                }
            }
            Event::End(tag) => {
                if depth <= DEEPEST {
                    events.push(Event::End(tag));
                }
                depth -= 1;
            }
            other => events.push(other),
        }
    }
    events
}

fn code_block(kind: &CodeBlockKind<'_>, code: &str) -> String {
    let language = match kind {
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default(),
        CodeBlockKind::Indented => "",
    };
    match language {
        "diff" | "patch" => diff::coloured(code),
        language => code::coloured(language, code),
    }
}

/// Whether an address is one that a browser may be sent to. A relative one would lead into the
/// page itself.
fn leads_out(address: &str) -> bool {
    let known = ["http://", "https://", "mailto:"];
    let start = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    known.iter().any(|scheme| start.starts_with(scheme))
}

fn shown_address(address: &str) -> String {
    format!(" <span class=\"address\">({})</span>", escape(address))
}

fn text_of(events: &[Event<'_>]) -> String {
    let text = |event: &Event<'_>| match event {
        Event::Text(text) | Event::Code(text) => text.to_string(),
        _ => String::new(),
    };
    events.iter().map(text).collect()
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

const TAGS: [&str; 26] = [
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
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

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut sanitizer = Builder::empty();
    sanitizer
        .tags(HashSet::from(TAGS))
        .tag_attributes(HashMap::from([
            ("a", HashSet::from(["href"])),
            ("ol", HashSet::from(["start"])),
        ]))
        .allowed_classes(HashMap::from([
            (
                "span",
                HashSet::from([
                    "address", "line", "add", "del", "hunk", "meta", "com", "str", "num", "kw",
                ]),
            ),
            ("pre", HashSet::from(["diff"])),
        ]))
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(ammonia::UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer nofollow"))
        .set_tag_attribute_value("a", "target", "_blank")
        .strip_comments(true);
    sanitizer
});
