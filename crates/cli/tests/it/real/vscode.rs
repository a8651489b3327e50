//! VS Code (code-server) in a browser: its chat, and the form that it shows there one field a page.

use super::{
    catalog,
    forms::is_yes,
    headless::statuses,
    station::{READING, Station},
};
use holdpoint_testkit::{
    browser::{ENTER, Tab},
    eventually,
};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    process::{Child, Stdio},
    time::Duration,
};

const F1: &str = "\u{e031}";
const ESCAPE: &str = "\u{e00c}";
const CHAT: &str = ".chat-input-container .native-edit-context";
/// The form that is open.
const FORM: &str = ".chat-question-carousel-container:not(.chat-question-carousel-used)";
/// With it a call ends `pending` soon: what is shown nowhere is not held longer.
const SHOWN_NOWHERE: &str = "hold_seconds = 1\n[clients.code-server]\nform = false\nurl = false\n";

/// VS Code with a task.
struct Editor {
    station: Station,
    tab: Tab,
}

impl Editor {
    async fn with_task(config: &'static str, scenario: &str) -> Self {
        let station = Station::new(&catalog::VSCODE, config);
        let mut server = station.process(catalog::VSCODE.interactive);
        let server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        // It ends with the station.
        let address = address(server.unwrap());
        let tab = Tab::blank().await;
        let folder = station.home.workspace();
        let url = format!("{address}?folder={}", folder.display());
        tab.client.goto(&url).await.unwrap();
        tab.see(CHAT).await;
        // The models of an endpoint are there once somebody has looked at the list.
        runs_command(&tab, "Chat: Manage Language Models").await;
        tab.says(".chat-input-picker-label", "Fake").await;
        tab.keys(ESCAPE).await;
        tab.until("!document.querySelector('.monaco-modal-editor-block')")
            .await;
        tab.js(&format!("document.querySelector({}).focus()", json!(CHAT)))
            .await;
        tab.keys(&format!("SCENARIO {scenario}")).await;
        tab.says(".chat-input-container", scenario).await;
        tab.keys(ENTER).await;
        Self { station, tab }
    }

    /// Reads the form that is open.
    async fn reads(&self) {
        self.tab.see(FORM).await;
        tokio::time::sleep(READING).await;
    }

    /// Goes to the last page of the form.
    async fn turns_pages(&self) {
        let next = format!("{FORM} .chat-question-nav-next");
        let more = format!(
            "return Boolean(document.querySelector({}))",
            json!(format!("{next}:not(.disabled)"))
        );
        while self.tab.js(&more).await == json!(true) {
            let page = self.tab.js(&label()).await;
            self.tab.click(&next).await;
            self.tab
                .until(&format!(
                    "({}) !== {page}",
                    label().trim_start_matches("return ")
                ))
                .await;
        }
    }

    async fn submits(&self) {
        self.tab
            .click(&format!("{FORM} .chat-question-submit-button"))
            .await;
    }

    /// Sends a form in which nothing was chosen, and puts away what is asked then.
    async fn leaves_untouched(self, scenario: &str) {
        self.reads().await;
        self.turns_pages().await;
        self.submits().await;
        eventually("that it is asked again", async || {
            (self.station.questions() > 1).then_some(())
        })
        .await;
        self.reads().await;
        self.tab
            .click(&format!("{FORM} .chat-question-close"))
            .await;
        let got = self.station.model.got();
        assert!(!is_yes(got.last().unwrap()), "{got:?}");
        let journal = self.station.journal();
        assert_ne!(statuses(&journal), ["accepted"], "{journal}");
        self.station
            .record(&format!("untouched-{}", scenario.replace('_', "-")));
    }
}

/// Runs a command of the palette. While VS Code starts it takes the focus away again, and the keys go elsewhere.
async fn runs_command(tab: &Tab, command: &str) {
    let shown = format!(
        "return [...document.querySelectorAll('.quick-input-widget .label-name')].some((name) => name.innerText === {})",
        json!(command)
    );
    for _ in 0..10 {
        tab.keys(ESCAPE).await;
        tab.keys(F1).await;
        tab.keys(command).await;
        for _ in 0..20 {
            if tab.js(&shown).await == json!(true) {
                tab.keys(ENTER).await;
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    panic!("{command} is not in the palette");
}

/// A script that gives the number and the title of the page of the form.
fn label() -> String {
    format!(
        "return document.querySelector({})?.getAttribute('aria-label')",
        json!(FORM)
    )
}

/// Where it listens, as it says itself.
fn address(server: Child) -> String {
    let stdout = server.stdout.unwrap();
    let mut lines = BufReader::new(stdout).lines();
    let address = lines.find_map(|line| {
        let line = line.ok()?;
        let (_, address) = line.split_once("HTTP server listening on ")?;
        Some(address.trim().to_owned())
    });
    std::thread::spawn(move || lines.for_each(drop));
    address.expect("code-server says where it listens")
}

#[tokio::test]
async fn a_plan_is_approved_by_a_persons_hand() {
    let editor = Editor::with_task("", "small_plan").await;
    editor.reads().await;
    editor
        .tab
        .click(&format!(
            "{FORM} .chat-question-list-item[aria-label*='✅']"
        ))
        .await;
    editor.turns_pages().await;
    editor.submits().await;
    let got = editor.station.model.got();
    assert!(got.last().unwrap().contains("approve"), "{got:?}");
    let journal = editor.station.journal();
    assert_eq!(statuses(&journal), ["accepted"], "{journal}");
    assert_eq!(journal["asks"][0]["channel"], "client", "{journal}");
    editor.station.record("plan");
}

#[tokio::test]
async fn an_untouched_plan_is_not_approved() {
    let editor = Editor::with_task("", "small_plan").await;
    editor.leaves_untouched("small_plan").await;
}

#[tokio::test]
async fn an_untouched_confirmation_is_not_a_yes() {
    let editor = Editor::with_task("", "confirm").await;
    editor.leaves_untouched("confirm").await;
}

/// The chat offers the page, and shows all of the question with it.
#[tokio::test]
async fn a_long_danger_is_not_cut() {
    let editor = Editor::with_task("", "long_danger").await;
    let sent = editor.station.asked_or_not();
    assert_eq!(sent["params"]["mode"], "url", "{sent}");
    // It puts spaces between the words that do not break.
    let last_words = "within the last 30 days.".replace(' ', "\u{a0}");
    editor.tab.says(".interactive-session", &last_words).await;
    editor.station.answer_on_page("decline", Value::Null);
    let got = editor.station.model.got();
    assert!(!is_yes(got.last().unwrap()), "{got:?}");
    assert_eq!(statuses(&editor.station.journal()), ["declined"]);
    editor.station.record("long-danger");
}

#[tokio::test]
async fn answered_late() {
    let editor = Editor::with_task(SHOWN_NOWHERE, "confirm").await;
    editor.station.server_sent("pending", |message| {
        message["result"]["structuredContent"]["status"] == "pending"
    });
    editor
        .station
        .answer_on_page("accept", json!({ "confirmed": true }));
    let got = editor.station.model.got();
    assert!(is_yes(got.last().unwrap()), "{got:?}");
    assert_eq!(statuses(&editor.station.journal()), ["accepted"]);
    editor.station.record("late");
}
