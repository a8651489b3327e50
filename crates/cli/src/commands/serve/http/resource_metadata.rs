//! Tells clients which issuer gives tokens for this server (RFC 9728).

use super::access_tokens::ASK;
use axum::{Json, Router, routing::get};
use serde_json::{Value, json};
use url::Url;

const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";

/// Where the description of a resource is: its path goes behind the well-known one.
pub fn address(resource: &str) -> String {
    match resource.parse::<Url>() {
        Ok(mut url) => {
            let path = url.path().trim_end_matches('/').to_owned();
            url.set_path(&format!("{WELL_KNOWN}{path}"));
            url.set_query(None);
            url.set_fragment(None);
            url.into()
        }
        Err(_) => WELL_KNOWN.to_owned(),
    }
}

/// Serves the description, to everybody.
pub fn routes(resource: &str, issuer: &str) -> Router {
    let described = describe(resource, issuer);
    let tell = move || {
        let described = described.clone();
        async move { Json(described) }
    };
    Router::new()
        .route(WELL_KNOWN, get(tell.clone()))
        .route(&format!("{WELL_KNOWN}/{{*path}}"), get(tell))
}

fn describe(resource: &str, issuer: &str) -> Value {
    json!({
        "resource": resource,
        "authorization_servers": [issuer],
        "scopes_supported": [ASK],
        "bearer_methods_supported": ["header"],
        "resource_name": "Holdpoint",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_resource_goes_behind_the_well_known_one() {
        let check = |resource, wanted: &str| assert_eq!(address(resource), wanted);
        let at = "https://ask.example/.well-known/oauth-protected-resource";
        check("https://ask.example/mcp", &format!("{at}/mcp"));
        check("https://ask.example/a/mcp/", &format!("{at}/a/mcp"));
        check("https://ask.example", at);
        check(
            "http://127.0.0.1:8080/mcp",
            "http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp",
        );
    }
}
