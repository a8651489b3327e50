//! One chromedriver for all tests.

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use serde_json::json;
use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::LazyLock,
};
use url::Url;

/// Where chromedriver listens. The system chose the port.
pub fn address() -> String {
    format!("http://127.0.0.1:{}", DRIVER.port)
}

/// What a browser of its own is started with.
pub fn capabilities(profile: &str) -> Capabilities {
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        // What a browser does for itself takes longer than what the tests do.
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-extensions",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
        "--window-size=1200,900",
        "--lang=en-US",
        &format!("--user-data-dir={profile}"),
    ];
    let capabilities = json!({
        "goog:chromeOptions": { "args": arguments },
        "goog:loggingPrefs": { "browser": "ALL" },
        // The driver's own limit for a page is five minutes: a test that hangs would say nothing.
        "timeouts": { "pageLoad": 45_000, "script": 30_000 },
    });
    capabilities.as_object().unwrap().clone()
}

struct Driver {
    port: u16,
    _shell: Child,
}

static DRIVER: LazyLock<Driver> = LazyLock::new(|| {
    // Nothing drops a static: the shell ends the driver and its browsers when the pipe of these tests closes,
    // however they ended. A driver that is ended leaves its browsers running, so the whole group goes; it is a
    // group of its own, so that who ends that of the tests does not end the shell first. The offset of the time
    // zone makes a moment's own visible.
    let script = "TZ=Europe/Berlin chromedriver --port=0 & cat >/dev/null; kill -KILL 0";
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut shell = command.spawn().expect("sh");
    let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
    let port = lines.find_map(|line| {
        let line = line.ok()?;
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    std::thread::spawn(move || lines.for_each(drop));
    Driver {
        port: port.expect("chromedriver: `dev/setup` installs it"),
        _shell: shell,
    }
});

/// What the browser has written to its console since it was asked last.
#[derive(Debug)]
pub struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (http::Method, Option<String>) {
        let body = json!({ "type": "browser" });
        (http::Method::POST, Some(body.to_string()))
    }
}
