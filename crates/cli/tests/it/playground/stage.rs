//! The binary, serving the page with the example scripts.

use super::{
    support::{Home, Process, eventually_blocking, new_home},
    tab::{Page, Tab},
};
use holdpoint_inbox::Keys;
use serde_json::Value;
use std::{fs, path::Path, path::PathBuf};

/// A home with the example scripts, and a server that has them.
pub struct Stage {
    pub home: Home,
    server: Option<Process>,
}

impl Stage {
    pub async fn set() -> Self {
        let home = new_home();
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scripts");
        let scripts = home.root().join("scripts");
        fs::create_dir(&scripts).unwrap();
        for name in ["kitchen-sink.js", "release.js"] {
            fs::copy(examples.join(name), scripts.join(name)).unwrap();
        }
        let mut stage = Self { home, server: None };
        stage.start().await;
        stage
    }

    pub fn scripts(&self) -> PathBuf {
        self.home.root().join("scripts")
    }

    /// Starts the server, and waits for its page.
    pub async fn start(&mut self) {
        let scripts = self.scripts();
        let args = ["serve", "--http", "127.0.0.1:0", "--scripts"];
        let mut command = self.home.command(&args);
        let before = self.address();
        self.server = Some(Process::start(command.arg(&scripts)));
        eventually_blocking("the page's address", || {
            self.address().filter(|now| before.as_ref() != Some(now))
        });
    }

    /// Kills the server, as a machine that loses power does.
    pub fn kill(&mut self) {
        self.server = None;
        fs::remove_file(self.beside("kept/page-address")).unwrap();
    }

    fn address(&self) -> Option<String> {
        fs::read_to_string(self.beside("kept/page-address")).ok()
    }

    fn beside(&self, name: &str) -> String {
        format!("{}-{name}", self.home.journal().display())
    }
}

impl Page for Stage {
    fn url_with_key(&self, path: &str) -> String {
        let key = fs::read(self.beside("keys/page")).unwrap();
        let key = Keys::new(key.try_into().unwrap()).opening_key().unwrap();
        format!("{}{path}#key={key}", self.address().unwrap())
    }
}

/// Waits for the ask with this message, then for its buttons.
pub async fn asked(tab: &Tab, message: &str) {
    tab.says(".asking .message", message).await;
    tab.armed().await;
}

/// Accepts the ask with this message as it stands.
pub async fn accept(tab: &Tab, message: &str) {
    asked(tab, message).await;
    tab.approve().await;
}

/// The result, once it is there: a value, or the words.
pub async fn result(tab: &Tab) -> Value {
    tab.see(".run[data-state=ended] .result :is(.told, .value)")
        .await;
    let shown = tab
        .js("return document.querySelector('.result :is(.told, .value)').textContent")
        .await;
    let text = shown.as_str().unwrap();
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}
