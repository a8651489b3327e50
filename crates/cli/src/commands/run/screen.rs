//! What a script emits while it runs, on standard error.

use crate::terminal::{look::Look, markdown};
use anstyle::{AnsiColor, Style};
use futures::{FutureExt, future::BoxFuture};
use holdpoint::{Artifact, ArtifactKind, Emit, Emits, Level, Tone, visible};
use holdpoint_ask::describe::one_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{IsTerminal, stderr},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

const FAINT: Style = Style::new().dimmed();
const TITLE: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const ODD: Style = AnsiColor::Yellow.on_default();
const WRONG: Style = AnsiColor::Red.on_default();

/// Longer texts are not printed, only named.
const LONGEST: usize = 16 * 1024;

/// Standard error as a script sees it: lines, and below them how far it has come.
pub struct Screen {
    now: Mutex<Now>,
}

struct Now {
    /// Only on a terminal.
    bar: Option<ProgressBar>,
    /// A person is prompted: what comes meanwhile waits.
    held: Option<Vec<Emit>>,
    artifacts: Vec<Artifact>,
}

impl Screen {
    /// A screen on which nothing is shown yet.
    pub fn new() -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(100), ProgressDrawTarget::stderr());
            bar.set_style(waiting());
            bar
        });
        Self {
            now: Mutex::new(Now {
                bar,
                held: None,
                artifacts: Vec::new(),
            }),
        }
    }

    /// Leaves the terminal to a prompt.
    pub fn hold(&self) {
        let mut now = self.now();
        if now.held.is_none() {
            now.held = Some(Vec::new());
        }
        if let Some(bar) = &now.bar {
            bar.disable_steady_tick();
            bar.finish_and_clear();
        }
    }

    /// Shows again what comes, and what has come meanwhile.
    pub fn go_on(&self) {
        let mut now = self.now();
        for emit in now.held.take().into_iter().flatten() {
            now.show(emit);
        }
    }

    /// Prints a line of our own.
    pub fn say(&self, line: &str) {
        self.now().line(line);
    }

    /// Clears the progress bar; returns the artifacts of the script.
    pub fn end(&self) -> Vec<Artifact> {
        self.hold();
        self.go_on();
        let mut now = self.now();
        if let Some(bar) = now.bar.take() {
            bar.finish_and_clear();
        }
        std::mem::take(&mut now.artifacts)
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Emits for Screen {
    fn emit(&self, emit: Emit) -> BoxFuture<'_, ()> {
        let mut now = self.now();
        if let Emit::Artifact(artifact) = &emit {
            now.artifacts.push(artifact.clone());
        }
        match &mut now.held {
            Some(held) => held.push(emit),
            None => now.show(emit),
        }
        std::future::ready(()).boxed()
    }
}

impl Now {
    fn show(&mut self, emit: Emit) {
        match emit {
            Emit::Status { message, .. } => self.status(&one_line(&message)),
            Emit::Thinking {
                active: true,
                message,
            } => {
                self.status(&one_line(message.as_deref().unwrap_or("Thinking")));
            }
            Emit::Thinking { active: false, .. } => {
                if let Some(bar) = &self.bar {
                    bar.disable_steady_tick();
                    bar.finish_and_clear();
                }
            }
            Emit::Progress { value, message } => self.progress(value, message.as_deref()),
            Emit::Log {
                message,
                level,
                data,
            } => {
                let data = data.map(|data| format!(" {data}")).unwrap_or_default();
                let (style, word) = match level {
                    Level::Debug => (FAINT, "debug: "),
                    Level::Info => (FAINT, ""),
                    Level::Warning => (ODD, "warning: "),
                    Level::Error => (WRONG, "error: "),
                };
                let text = one_line(&format!("{message}{data}"));
                self.line(&format!("{style}{word}{text}{style:#}"));
            }
            Emit::Toast { message, tone, .. } => {
                let (style, mark) = match tone {
                    Tone::Info => (FAINT, "·"),
                    Tone::Success => (GOOD, "✔"),
                    Tone::Warning => (ODD, "!"),
                    Tone::Error => (WRONG, "✘"),
                };
                self.line(&format!("{style}{mark} {}{style:#}", one_line(&message)));
            }
            Emit::Artifact(artifact) => self.line(&shown(&artifact)),
        }
    }

    fn status(&mut self, message: &str) {
        match &self.bar {
            Some(bar) => {
                begin(bar);
                bar.set_style(waiting());
                bar.set_message(message.to_owned());
                bar.enable_steady_tick(Duration::from_millis(120));
            }
            None => self.line(message),
        }
    }

    fn progress(&mut self, value: f64, message: Option<&str>) {
        let Some(bar) = &self.bar else {
            // In a log file, single steps are noise.
            return;
        };
        begin(bar);
        bar.disable_steady_tick();
        bar.set_style(moving());
        if let Some(message) = message {
            bar.set_message(one_line(message));
        }
        bar.set_position((value * 100.0).round() as u64);
        bar.tick();
    }

    fn line(&mut self, text: &str) {
        let print = || anstream::eprintln!("{text}");
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

/// A bar that was cleared is drawn again.
fn begin(bar: &ProgressBar) {
    if bar.is_finished() {
        bar.reset();
    }
}

fn waiting() -> ProgressStyle {
    style("{spinner} {msg}")
}

fn moving() -> ProgressStyle {
    style("[{bar:30}] {percent:>3}% {msg}").progress_chars("█▉▊▋▌▍▎▏ ")
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Renders an artifact under its title. An image or a very long text is only named.
fn shown(artifact: &Artifact) -> String {
    let title = one_line(&artifact.title);
    let text = &artifact.content;
    let body = match artifact.kind {
        ArtifactKind::Image => None,
        _ if text.len() > LONGEST => None,
        ArtifactKind::Markdown => Some(markdown::render(text, 100, Look::of_stderr())),
        _ => Some(visible(text).trim_end().to_owned()),
    };
    match body {
        Some(body) => format!("\n{TITLE}{title}{TITLE:#}\n{body}\n"),
        None => format!(
            "\n{TITLE}{title}{TITLE:#} {FAINT}({}, {}; --json prints it){FAINT:#}\n",
            one_line(artifact.mime()),
            size(artifact)
        ),
    }
}

fn size(artifact: &Artifact) -> String {
    // Four letters of base64 are three bytes.
    let bytes = match artifact.kind {
        ArtifactKind::Image => artifact.content.trim_end_matches('=').len() * 3 / 4,
        _ => artifact.content.len(),
    };
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        _ => format!("{} KB", bytes / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn artifacts_under_their_titles() {
        let check = |kind, content: &str, wanted: &str| {
            let artifact = Artifact {
                title: "It\u{1b}".into(),
                kind,
                language: None,
                mime_type: None,
                content: content.into(),
            };
            let plain = anstream::adapter::strip_str(&shown(&artifact)).to_string();
            assert_eq!(plain, wanted);
        };
        check(
            ArtifactKind::Text,
            "a\u{202e}b\n",
            "\nIt⟨U+001B⟩\na⟨U+202E⟩b\n",
        );
        check(
            ArtifactKind::Markdown,
            "# Top\n\n- **x**",
            "\nIt⟨U+001B⟩\nTop\n\n• x\n",
        );
        check(
            ArtifactKind::Image,
            "iVBORw==",
            "\nIt⟨U+001B⟩ (image/png, 4 bytes; --json prints it)\n",
        );
        let long = "x".repeat(LONGEST + 1);
        check(
            ArtifactKind::Text,
            &long,
            "\nIt⟨U+001B⟩ (text/plain, 16 KB; --json prints it)\n",
        );
    }
}
