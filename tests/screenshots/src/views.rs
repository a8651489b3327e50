//! The views of which pictures are taken.

use crate::scene::Scene;
use holdpoint_testkit::browser::{Screen, Tab};
use std::path::Path;

/// A view: its name, where it is, on which screen, and what a person does there first.
struct View {
    name: &'static str,
    path: String,
    screen: Screen,
    first: &'static str,
}

fn view(name: &'static str, path: impl Into<String>, screen: Screen) -> View {
    View {
        name,
        path: path.into(),
        screen,
        first: "",
    }
}

impl View {
    /// What a person does there first.
    fn after(self, first: &'static str) -> Self {
        Self { first, ..self }
    }
}

/// Goes to the first file of a diff.
const TO_THE_DIFF: &str = "document.querySelector('.diff')?.scrollIntoView({ block: 'start' })";
/// Opens what the rounds before were about.
const ROUNDS: &str =
    "document.querySelectorAll('.rounds details').forEach((one) => { one.open = true; })";

/// Shows what can be remembered.
const UNFOLD: &str = "document.querySelector('[data-field=remember] .more').click()";

/// Takes all pictures.
pub async fn take(folder: &Path) {
    let (full, empty) = (Scene::full().await, Scene::empty().await);
    for (scene, views) in [(&full, views(&full)), (&empty, first_run())] {
        let tab = Tab::at(scene, "/").await;
        for view in views {
            tab.on(view.screen).await;
            tab.go(&scene.site_url(&view.path)).await;
            if !view.first.is_empty() {
                tab.js(view.first).await;
            }
            tab.until("document.fonts.status === 'loaded'").await;
            // What the page moves has come to rest.
            tab.until("document.getAnimations().every((one) => one.playState !== 'running')")
                .await;
            tab.picture(&folder.join(format!("{}.png", view.name)))
                .await;
        }
        tab.close().await;
    }
}

fn views(scene: &Scene) -> Vec<View> {
    let laptop = Screen::new(1280, 800);
    let wide = Screen::new(1440, 900);
    let phone = Screen::new(390, 844);
    let small = Screen::new(320, 640);
    let ask = |id| format!("/ask/{id}");
    vec![
        view("01-inbox", "/", laptop),
        view("02-inbox-dark", "/", laptop.dark()),
        view("03-inbox-phone", "/", phone),
        view("04-plan", ask(scene.plan), wide).after(ROUNDS),
        view("05-plan-dark", ask(scene.plan), wide.dark()).after(ROUNDS),
        view("06-plan-phone", ask(scene.plan), phone),
        view("07-diff", ask(scene.phase), wide).after(TO_THE_DIFF),
        view("08-diff-dark", ask(scene.phase), wide.dark()).after(TO_THE_DIFF),
        view("09-diff-phone", ask(scene.phase), phone.dark()).after(TO_THE_DIFF),
        view("10-choice", ask(scene.choice), laptop),
        view("11-confirm", ask(scene.confirm), laptop.dark()),
        view("12-dangerous", ask(scene.dangerous), laptop),
        view(
            "13-dangerous-phone-dark",
            ask(scene.dangerous),
            phone.dark(),
        ),
        view("14-form", ask(scene.form), laptop),
        view("15-ended", ask(scene.ended), wide),
        view("16-history", "/history", laptop),
        view("17-statistics", "/stats", wide),
        view("18-statistics-small-dark", "/stats", small.dark()),
        view("19-not-found", "/no/such/page", laptop),
        view("22-permission", ask(scene.permission), laptop).after(UNFOLD),
        view(
            "23-permission-phone-dark",
            ask(scene.permission),
            phone.dark(),
        ),
        view("24-remembered", "/remembered", laptop),
        view("25-remembered-phone-dark", "/remembered", phone.dark()),
    ]
}

fn first_run() -> Vec<View> {
    vec![
        view("20-first-run", "/", Screen::new(1280, 800)),
        view("21-first-run-phone", "/", Screen::new(390, 844)),
    ]
}
