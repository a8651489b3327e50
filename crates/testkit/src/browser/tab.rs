//! A browser tab, and what a person does in it.

use super::driver::{self, ConsoleLog};
use crate::PATIENCE;
use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{
        InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
        TouchActions,
    },
    elements::Element,
};
use holdpoint::AskId;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::{
    path::Path,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The keys that send a form.
pub const CTRL_ENTER: &str = "\u{e009}\u{e007}";
/// The key that ends a line.
pub const ENTER: &str = "\u{e007}";
/// Longer than a button is held for a yes that is dangerous.
pub const HOLD: Duration = Duration::from_millis(1300);
/// Whether there is such a control, and it can be pressed. An ask that must be read first is scrolled to its
/// start and to its end, as a person would.
const READY: &str = "(css) => { const one = document.querySelector(css); \
    if (one?.classList.contains('not-seen')) { \
      const ask = one.closest('.ask'); \
      window.atEnd = !window.atEnd; \
      if (window.atEnd) ask.querySelector('.last-line').scrollIntoView({ block: 'end' }); \
      else ask.scrollIntoView({ block: 'start' }); \
    } \
    return one && !one.disabled && one.ariaDisabled !== 'true'; }";
/// Why a page may not go on: it is hidden or not drawn, another page holds a lock, a request hangs.
const STATE: &str = "const done = arguments[0]; \
    const drawn = new Promise((then) => { requestAnimationFrame(() => then(true)); setTimeout(() => then(false), 2000); }); \
    const answered = fetch('/healthz').then(({ status }) => status, String); \
    const late = new Promise((then) => setTimeout(() => then('none'), 2000)); \
    const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/')) \
      .map(({ name, responseStatus, duration }) => [name, responseStatus, duration]); \
    Promise.all([drawn, Promise.race([answered, late]), navigator.locks?.query()]).then(([drawn, answered, locks]) => \
      done({ hidden: document.hidden, focus: document.hasFocus(), now: performance.now(), drawn, answered, locks, requests }));";
/// The key that is held for what follows it.
const CTRL: char = '\u{e009}';

/// A page that a tab can be let into.
pub trait Page {
    /// The address of this path, with the key that lets a browser in.
    fn url_with_key(&self, path: &str) -> String;
}

/// A browser of its own, with one tab.
pub struct Tab {
    /// What drives the browser.
    pub client: Client,
    profile: TempDir,
}

impl Tab {
    /// A browser that knows nothing yet.
    pub async fn blank() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let capabilities = driver::capabilities(profile.path().to_str().unwrap());
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let address = driver::address();
        let started = builder.capabilities(capabilities).connect(&address);
        let client = within("the browser's start", started).await.unwrap();
        Self { client, profile }
    }

    /// A browser at this address of the page, let in by its key.
    pub async fn at(page: &impl Page, path: &str) -> Self {
        let tab = Self::blank().await;
        tab.go(&page.url_with_key(path)).await;
        tab
    }

    /// A browser with this ask before it.
    pub async fn with(page: &impl Page, id: AskId) -> Self {
        Self::at(page, &format!("/ask/{id}")).await
    }

    /// Goes to an address and waits until the page is there.
    pub async fn go(&self, url: &str) {
        within(url, self.client.goto(url)).await.unwrap();
        self.ready().await;
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        let refreshed = within("loading again", self.client.refresh()).await;
        refreshed.unwrap();
        self.ready().await;
    }

    async fn ready(&self) {
        self.until("document.documentElement.dataset.ready").await;
    }

    /// What a script gives.
    pub async fn js(&self, script: &str) -> Value {
        let executed = within(script, self.client.execute(script, vec![])).await;
        executed.unwrap()
    }

    /// Waits until an expression is true.
    pub async fn until(&self, expression: &str) {
        let start = Instant::now();
        let script = format!("return Boolean({expression})");
        while self.js(&script).await != json!(true) {
            if start.elapsed() > PATIENCE {
                panic!("never true: {expression}\n{}", self.state().await);
            }
            tokio::time::sleep(Duration::from_millis(15)).await;
        }
    }

    /// What the page shows, and what the browser thinks of it.
    async fn state(&self) -> String {
        let shown = self.js("return document.body.innerText").await;
        let asked = self.client.execute_async(STATE, vec![]);
        let state = within("its state", asked).await;
        let complaints = self.complaints().await;
        let shown = shown.as_str().unwrap_or("?");
        format!("{shown}\n{state:?}\n{complaints:#?}")
    }

    /// Waits until there is such an element, and gives it.
    pub async fn see(&self, css: &str) -> Element {
        self.until(&format!("document.querySelector({})", json!(css)))
            .await;
        self.client.find(Locator::Css(css)).await.unwrap()
    }

    /// Waits until such an element says this.
    pub async fn says(&self, css: &str, words: &str) {
        let (css, words) = (json!(css), json!(words));
        self.until(&format!(
            "[...document.querySelectorAll({css})].some((element) => element.innerText.includes({words}))"
        ))
        .await;
    }

    /// Clicks, once that can be done: the page may put another element in its place meanwhile.
    pub async fn click(&self, css: &str) {
        let start = Instant::now();
        let element = format!("document.querySelector({})", json!(css));
        loop {
            self.until(&format!("({READY})({})", json!(css))).await;
            self.js(&format!("{element}?.scrollIntoView({{ block: 'center' }})"))
                .await;
            let element = self.see(css).await;
            match within(css, element.click()).await {
                Ok(()) => return,
                Err(error) if start.elapsed() > PATIENCE => panic!("{css}: {error}"),
                Err(_) => {}
            }
        }
    }

    /// Types into a field.
    pub async fn enter(&self, css: &str, text: &str) {
        let element = self.see(css).await;
        element.send_keys(text).await.unwrap();
    }

    /// Types something else into a field.
    pub async fn replace(&self, css: &str, text: &str) {
        self.see(css).await.clear().await.unwrap();
        self.enter(css, text).await;
    }

    /// Sets a picker, whose keys depend on the language.
    pub async fn pick(&self, css: &str, value: &str) {
        self.see(css).await;
        self.js(&format!(
            "const input = document.querySelector({}); input.value = {}; \
             input.dispatchEvent(new Event('input', {{ bubbles: true }}));",
            json!(css),
            json!(value)
        ))
        .await;
    }

    /// Presses keys while nothing is being typed into.
    pub async fn press(&self, keys: &str) {
        self.js("document.activeElement?.blur()").await;
        self.enter("body", keys).await;
    }

    /// Presses keys, wherever the focus is: unlike [`Tab::enter`], it focuses nothing for them.
    pub async fn keys(&self, keys: &str) {
        let mut actions = KeyActions::new("keys".into());
        for value in keys.chars() {
            actions = actions.then(KeyAction::Down { value });
            if value != CTRL {
                actions = actions.then(KeyAction::Up { value });
            }
        }
        if keys.contains(CTRL) {
            actions = actions.then(KeyAction::Up { value: CTRL });
        }
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Taps an element with a finger.
    pub async fn tap(&self, css: &str) {
        let element = self.see(css).await;
        let button = MOUSE_BUTTON_LEFT;
        let actions = TouchActions::new("finger".into())
            .then(PointerAction::MoveToElement {
                element,
                duration: None,
                x: 0.0,
                y: 0.0,
            })
            .then(PointerAction::Down { button })
            .then(PointerAction::Up { button });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Holds a key down for this long, wherever the focus is.
    pub async fn hold_key(&self, value: char, duration: Duration) {
        let actions = KeyActions::new("keys".into())
            .then(KeyAction::Down { value })
            .then(KeyAction::Pause { duration })
            .then(KeyAction::Up { value });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Holds the mouse down on an element for this long, once it can be pressed.
    pub async fn hold(&self, css: &str, duration: Duration) {
        self.until(&format!("({})({})", READY, json!(css))).await;
        self.js(&format!(
            "document.querySelector({})?.scrollIntoView({{ block: 'center' }})",
            json!(css)
        ))
        .await;
        let element = self.see(css).await;
        let button = MOUSE_BUTTON_LEFT;
        let actions = MouseActions::new("mouse".into())
            .then(PointerAction::MoveToElement {
                element,
                duration: None,
                x: 0.0,
                y: 0.0,
            })
            .then(PointerAction::Down { button })
            .then(PointerAction::Pause { duration })
            .then(PointerAction::Up { button });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Says yes to the ask before it: holds the button where that is asked for.
    pub async fn approve(&self) {
        self.armed().await;
        let dangerous = "return Boolean(document.querySelector('#submit.danger'))";
        if self.js(dangerous).await == json!(true) {
            self.hold("#submit", HOLD).await;
        } else {
            self.send().await;
        }
    }

    /// Sends the ask before it by its button, and does not wait for what could be undone.
    pub async fn send(&self) {
        self.click("#submit").await;
        self.send_now().await;
    }

    /// Sends what is held back to be undone, where something is.
    pub async fn send_now(&self) {
        let held = "return Boolean(document.querySelector('#send-now'))";
        if self.js(held).await == json!(true) {
            self.click("#send-now").await;
        }
    }

    /// Waits until the buttons that decide can be pressed.
    pub async fn armed(&self) {
        self.until(&format!("({READY})('#submit')")).await;
    }

    /// What the browser complained of since it was asked last: script errors, refused loads, CSP.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.client.issue_cmd(ConsoleLog).await.unwrap();
        let entries = log.as_array().unwrap().iter();
        entries
            .filter(|entry| entry["level"] != "INFO" && entry["level"] != "DEBUG")
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// The folder of the browser's own files, by which its processes are known.
    pub fn profile(&self) -> &Path {
        self.profile.path()
    }

    /// Closes the browser.
    pub async fn close(self) {
        let closed = within("the browser's end", self.client.close()).await;
        closed.unwrap();
    }
}

/// What the browser does for one command. It says which one it was where a browser hangs.
async fn within<T>(what: &str, done: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(PATIENCE, done).await;
    done.unwrap_or_else(|_| panic!("the browser hangs in {what}"))
}

/// The input, or one of the inputs, of a field.
pub fn field(name: &str, input: &str) -> String {
    format!("[data-field=\"{name}\"] {input}")
}
