//! The page itself, embedded: no build step, nothing to fetch.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
};

/// Each file of the page, with its type.
const FILES: [(&str, &str, &[u8]); 2] = [
    (
        "app.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../page/app.js"),
    ),
    (
        "style.css",
        "text/css; charset=utf-8",
        include_bytes!("../page/style.css"),
    ),
];

/// The one HTML of all addresses of the page. It holds no data: the script reads that.
pub(crate) async fn page() -> Html<&'static str> {
    Html(include_str!("../page/index.html"))
}

/// One of its files.
pub(crate) async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, bytes)) => ([(header::CONTENT_TYPE, *kind)], *bytes).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
