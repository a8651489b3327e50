//! The files of the page, embedded in the binary: no build step, nothing to fetch.

use crate::{api, bundle, etag, etag::Hosting};
use axum::{
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use std::{collections::HashMap, sync::LazyLock};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../page/", $name)))),*]
    };
}

/// Each file of the page.
pub(crate) const FILES: &[(&str, &str)] = files![
    "action_bar.js",
    "api.js",
    "app.js",
    "ask.css",
    "ask.js",
    "ask_list.js",
    "ask_store.js",
    "bar.css",
    "browser_key.js",
    "charts.js",
    "clock.js",
    "comment_card.js",
    "comments.js",
    "connection.js",
    "copying.js",
    "dates.js",
    "deadline.js",
    "decide_together.js",
    "decision.js",
    "dialogs.js",
    "diff.css",
    "diff.js",
    "diff_file.js",
    "diff_lines.js",
    "dom.js",
    "drafts.js",
    "editing.js",
    "emits.js",
    "empty.js",
    "ending_buttons.js",
    "endings.js",
    "fields.js",
    "file.js",
    "file_tree.js",
    "filters.js",
    "first_steps.js",
    "form.css",
    "form.js",
    "full_asks.js",
    "gate.js",
    "highlight.css",
    "icon-waiting.svg",
    "icon.svg",
    "in_view.js",
    "keys.js",
    "line_changes.js",
    "list.css",
    "list_address.js",
    "list_place.js",
    "lists.js",
    "live.js",
    "method.js",
    "notify.js",
    "nowhere.js",
    "numbers.js",
    "odd.js",
    "options.js",
    "origin.js",
    "outline.js",
    "places.js",
    "pointing.js",
    "press.js",
    "read_only.js",
    "reading_place.js",
    "remembered.css",
    "remembered.js",
    "remembered_count.js",
    "remembering.js",
    "review.css",
    "rounds.js",
    "run.js",
    "safeguards.js",
    "scriptlist.js",
    "scripts.css",
    "scripts.js",
    "scroll.js",
    "selection.js",
    "shell.js",
    "shown_text.js",
    "snooze.js",
    "stats.css",
    "stats.js",
    "storage.js",
    "style.css",
    "texts.js",
    "undo.js",
];

/// What is sent again only if it has changed: it holds no data.
const KEPT: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The HTML of all addresses at which asks are shown. It holds no data: the script reads that.
pub(crate) async fn page(State(hosting): State<Hosting>, headers: HeaderMap) -> Response {
    html(&hosting, &headers, include_str!("../page/index.html"), "/")
}

/// The page of statistics, which holds no data either.
pub(crate) async fn stats(State(hosting): State<Hosting>, headers: HeaderMap) -> Response {
    html(
        &hosting,
        &headers,
        include_str!("../page/stats.html"),
        "/stats",
    )
}

/// The page of what is remembered, which holds no data either.
pub(crate) async fn remembered(State(hosting): State<Hosting>, headers: HeaderMap) -> Response {
    html(
        &hosting,
        &headers,
        include_str!("../page/remembered.html"),
        "/remembered",
    )
}

/// The page of scripts, which holds no data either.
pub(crate) async fn scripts(State(hosting): State<Hosting>, headers: HeaderMap) -> Response {
    html(
        &hosting,
        &headers,
        include_str!("../page/scripts.html"),
        "/scripts",
    )
}

/// Answers for an address that does not exist: with a page to a browser, with JSON to a program.
pub(crate) async fn nothing_here(uri: Uri, headers: HeaderMap) -> Response {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    if uri.path().starts_with("/api/") || !accept.is_some_and(|kinds| kinds.contains("text/html")) {
        return api::error::nothing_here().into_response();
    }
    let page = whole(include_str!("../page/404.html"), "");
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

fn html(hosting: &Hosting, headers: &HeaderMap, page: &str, address: &str) -> Response {
    let page = whole(page, address);
    etag::unless_known(headers, tag(hosting, &page), || {
        ([(header::CACHE_CONTROL, KEPT)], Html(page)).into_response()
    })
}

/// The pages, by the name of their script.
const PAGES: [(&str, &str); 5] = [
    ("app", include_str!("../page/index.html")),
    ("nowhere", include_str!("../page/404.html")),
    ("remembered", include_str!("../page/remembered.html")),
    ("scripts", include_str!("../page/scripts.html")),
    ("stats", include_str!("../page/stats.html")),
];

/// What each page loads, in two files: all its scripts, and all its styles.
static BUNDLES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut bundles = HashMap::new();
    for (name, text) in PAGES {
        let entry = named(text, "<script type=\"module\" src=\"");
        let entry = entry.first().copied().unwrap_or_default();
        let styles: Vec<&str> = named(include_str!("../page/head.html"), STYLE)
            .into_iter()
            .chain(named(text, STYLE))
            .collect();
        bundles.insert(format!("{name}.all.js"), bundle::script(entry, source));
        bundles.insert(format!("{name}.all.css"), bundle::style(&styles, source));
    }
    bundles
});

const STYLE: &str = "<link rel=\"stylesheet\" href=\"";

/// The files of the page that follow this mark.
fn named<'a>(page: &'a str, mark: &str) -> Vec<&'a str> {
    let rest = page.split(mark).skip(1);
    let names = rest.filter_map(|rest| rest.strip_prefix("/assets/")?.split('"').next());
    names.collect()
}

/// A file as it is.
fn source(name: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text)
}

/// A page with what all pages have in common; `address` is where its navigation says that it is.
fn whole(page: &str, address: &str) -> String {
    in_two_files(&with_parts(page, address))
}

/// The page with its styles and its scripts in one file each.
fn in_two_files(page: &str) -> String {
    let Some((name, _)) = page
        .split_once("<script type=\"module\" src=\"/assets/")
        .and_then(|(_, rest)| rest.split_once(".js\""))
    else {
        return page.to_owned();
    };
    let style = format!("{STYLE}/assets/{name}.all.css\">\n");
    let lines = page.split_inclusive('\n');
    let kept: String = lines.filter(|line| !line.starts_with(STYLE)).collect();
    let script = format!("<script type=\"module\" src=\"/assets/{name}.");
    kept.replacen(&format!("{script}js\""), &format!("{script}all.js\""), 1)
        .replacen("<script ", &format!("{style}<script "), 1)
}

fn with_parts(page: &str, address: &str) -> String {
    let link = format!("<a href=\"{address}\"");
    let here = format!("{link} aria-current=\"page\"");
    let header =
        include_str!("../page/header.html").replacen(&format!("{link} "), &format!("{here} "), 1);
    let head = include_str!("../page/head.html");
    page.replacen("<!-- head.html -->\n", head, 1)
        .replacen("<!-- header.html -->\n", &header, 1)
}

/// One of its files.
pub(crate) async fn file(
    State(hosting): State<Hosting>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let bundle = || BUNDLES.get(&name).map(String::as_str);
    let Some(text) = source(&name).or_else(bundle) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    etag::unless_known(&headers, tag(&hosting, text), || {
        let about = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind(&name))),
            (header::CACHE_CONTROL, KEPT),
        ];
        (about, text).into_response()
    })
}

/// A validator that only this hosting makes: another program that had this port before cannot have left a file
/// behind that passes for one of these.
fn tag(hosting: &Hosting, text: &str) -> HeaderValue {
    etag::of(format!("{}\n{text}", hosting.0).as_bytes())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "image/svg+xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, fs};

    #[test]
    fn every_file_of_the_page_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let names = fs::read_dir(folder).unwrap();
        let there: BTreeSet<_> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.ends_with(".html"))
            .collect();
        let embedded = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(there, embedded);
    }
}
