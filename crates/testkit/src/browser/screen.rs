//! The screen that a tab is seen on: its size, its colours, and pictures of it.

use super::Tab;
use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};
use std::path::Path;
use url::Url;

/// A screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// In pixels of CSS.
    pub width: u32,
    /// In pixels of CSS.
    pub height: u32,
    /// The person likes dark colours.
    pub dark: bool,
}

impl Screen {
    /// A screen of this size, with light colours.
    pub fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            dark: false,
        }
    }

    /// The same screen with dark colours.
    pub fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// Whether it is a phone's, which is touched.
    pub fn is_phone(self) -> bool {
        self.width < 600
    }
}

impl Tab {
    /// Shows the tab on this screen.
    pub async fn on(&self, screen: Screen) {
        let phone = screen.is_phone();
        let metrics = json!({
            "width": screen.width, "height": screen.height, "mobile": phone,
            "deviceScaleFactor": if phone { 2 } else { 1 },
        });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)
            .await;
        let touch = json!({ "enabled": phone });
        self.devtools("Emulation.setTouchEmulationEnabled", touch)
            .await;
        let colours = if screen.dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": colours }]);
        self.media(features).await;
    }

    /// Shows the tab as a system does that forces its own few colours on every page.
    pub async fn with_forced_colours(&self) {
        self.media(json!([{ "name": "forced-colors", "value": "active" }]))
            .await;
    }

    async fn media(&self, features: Value) {
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await;
    }

    /// Writes a picture of what is on the screen.
    pub async fn picture(&self, file: &Path) {
        let png = self.client.screenshot().await.unwrap();
        std::fs::write(file, png).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }

    /// Asks the browser's developer tools for something.
    pub async fn devtools(&self, method: &'static str, params: Value) -> Value {
        let command = DevTools { method, params };
        self.client.issue_cmd(command).await.unwrap()
    }
}

/// A command to the developer tools of the browser.
#[derive(Debug)]
struct DevTools {
    method: &'static str,
    params: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        let session = session.unwrap_or_default();
        base.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        let body = json!({ "cmd": self.method, "params": self.params });
        (http::Method::POST, Some(body.to_string()))
    }
}
