//! The files of the page, embedded in the binary: no build step, nothing to fetch.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../page/", $name)))),*]
    };
}

/// Each file of the page.
const FILES: &[(&str, &str)] = files![
    "api.js",
    "app.js",
    "ask.css",
    "ask.js",
    "ask_list.js",
    "ask_store.js",
    "browser_key.js",
    "clock.js",
    "connection.js",
    "dates.js",
    "decide_together.js",
    "decision.js",
    "dialogs.js",
    "dom.js",
    "drafts.js",
    "emits.js",
    "fields.js",
    "file.js",
    "form.css",
    "form.js",
    "gate.js",
    "highlight.css",
    "icon-waiting.svg",
    "icon.svg",
    "in_view.js",
    "keys.js",
    "lists.js",
    "live.js",
    "method.js",
    "notify.js",
    "numbers.js",
    "odd.js",
    "options.js",
    "origin.js",
    "press.js",
    "read_only.js",
    "run.js",
    "safeguards.js",
    "scriptlist.js",
    "scripts.css",
    "scripts.js",
    "scroll.js",
    "shell.js",
    "snooze.js",
    "stats.css",
    "stats.js",
    "storage.js",
    "style.css",
    "texts.js",
];

/// The HTML of all addresses at which asks are shown. It holds no data: the script reads that.
pub(crate) async fn page() -> Html<String> {
    html(include_str!("../page/index.html"), "/")
}

/// The page of statistics, which holds no data either.
pub(crate) async fn stats() -> Html<String> {
    html(include_str!("../page/stats.html"), "/stats")
}

/// The page of scripts, which holds no data either.
pub(crate) async fn scripts() -> Html<String> {
    html(include_str!("../page/scripts.html"), "/scripts")
}

/// A page with what all pages have in common; `address` is where its navigation says that it is.
fn html(page: &str, address: &str) -> Html<String> {
    let link = format!("<a href=\"{address}\"");
    let here = format!("{link} aria-current=\"page\"");
    let nav =
        include_str!("../page/nav.html").replacen(&format!("{link}>"), &format!("{here}>"), 1);
    let head = include_str!("../page/head.html");
    Html(
        page.replacen("<!-- head.html -->\n", head, 1)
            .replacen("  <!-- nav.html -->\n", &nav, 1),
    )
}

/// One of its files.
pub(crate) async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => ([(header::CONTENT_TYPE, kind(&name))], *text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
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
