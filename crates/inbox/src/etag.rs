//! What has not changed is not sent again: a validator made of the bytes that a browser would get.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use holdpoint::Digest;
use std::sync::Arc;

/// The number of a hosting, which no other has.
#[derive(Debug, Clone)]
pub(crate) struct Hosting(pub Arc<str>);

/// How many digits of the hash are sent; nobody gains from two lists that share them.
const DIGITS: usize = 32;

/// The validator of something that is made of these bytes. It is weak: the same is sent compressed and not.
pub(crate) fn of(bytes: &[u8]) -> HeaderValue {
    let hash = Digest::hash_bytes(bytes).to_string();
    let tag = format!("W/\"{}\"", &hash[..DIGITS]);
    HeaderValue::from_str(&tag).expect("hexadecimal digits")
}

/// Gives what `make` makes, unless whoever asks has it already.
pub(crate) fn unless_known(
    request: &HeaderMap,
    tag: HeaderValue,
    make: impl FnOnce() -> Response,
) -> Response {
    let mut response = if is_known(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        make()
    };
    response.headers_mut().insert(header::ETAG, tag);
    response
}

fn is_known(request: &HeaderMap, tag: &HeaderValue) -> bool {
    let known = request.get_all(header::IF_NONE_MATCH).iter();
    let mut known = known.filter_map(|value| value.to_str().ok());
    known.any(|list| {
        list.split(',')
            .any(|one| one.trim().as_bytes() == tag.as_bytes())
    })
}
