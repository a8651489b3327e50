//! The playground: scripts listed, run, watched and answered in the page.

use super::{
    hostile::CORPUS,
    stage::Stage,
    tab::{CTRL_ENTER, Page, Tab, field},
    workshop::{WORKSPACES, Workshop},
};
use holdpoint::{AskId, Reply, journal::AskQuery, testing::accept};
use holdpoint_inbox::scripts::Script;
use serde_json::{Value, json};

/// The page with a workshop's scripts, at this address.
async fn open(path: &str) -> (Stage, Tab) {
    let stage = Stage::with_scripts(Workshop::new()).await;
    let tab = Tab::at(&stage, path).await;
    (stage, tab)
}

/// Runs a method that takes nothing.
async fn run(tab: &Tab, stage: &Stage, method: &str) {
    tab.go(&stage.url(&format!("/scripts/tools/{method}")))
        .await;
    tab.click("#run").await;
    tab.see(".run").await;
}

/// The one ask that is open.
async fn asked(stage: &Stage, tab: &Tab) -> AskId {
    let card = "return document.querySelector('.asking .ask')?.dataset.id";
    tab.see(".asking .ask").await;
    let id: AskId = tab.js(card).await.as_str().unwrap().parse().unwrap();
    assert!(stage.now(id).await.is_none());
    id
}

#[tokio::test]
async fn scripts_are_listed_with_their_methods_and_faults() {
    let (_stage, tab) = open("/scripts").await;
    tab.says("#scripts .group", "tools").await;
    tab.says("#scripts a.entry", "The method *echo*: Hello")
        .await;
    tab.says(".fault", "broken.js:3:9").await;
    tab.says(".fault", "Unexpected token: Hello").await;
    let caret = "return document.querySelector('#scripts .fault pre').textContent";
    assert_eq!(
        tab.js(caret).await,
        json!("  yield } Hello\n        ^"),
        "the caret is under its column"
    );
    tab.enter("#search", "together").await;
    tab.until("document.querySelectorAll('#scripts a.entry').length === 1")
        .await;
    tab.replace("#search", "nothing like it").await;
    tab.says("#nothing", "Nothing found.").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn without_scripts_it_says_how_to_begin() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/scripts").await;
    tab.says(".method pre", "holdpoint serve --scripts DIR")
        .await;
    tab.close().await;
}

#[tokio::test]
async fn arguments_of_every_type_are_checked_at_their_field() {
    let (_stage, tab) = open("/scripts/tools/echo").await;
    tab.says(".may", "You will be asked").await;
    let error = |name: &str| field(name, ".error");
    tab.click("#run").await;
    tab.says(&error("word"), "word must be filled in.").await;
    tab.says(&error("sure"), "sure must be yes or no.").await;
    tab.enter(&field("word", "input"), "tree").await;
    tab.enter(&field("weight", "input"), "2.5").await;
    tab.replace(&field("count", "input"), "1.5").await;
    tab.click(&field("sure", "input[value=No]")).await;
    tab.click(&field("loud", "input")).await;
    tab.click(&field("mood", ".option:nth-child(2)")).await;
    tab.enter(&field("names", "textarea"), "ann\nbob smith\n")
        .await;
    tab.enter(&field("numbers", "textarea"), "1\ntwo").await;
    tab.click(&field("tags", ".option:nth-child(3)")).await;
    tab.enter(&field("rest", "textarea"), "{ nope").await;
    tab.click("#run").await;
    tab.says(&error("count"), "be a whole number").await;
    tab.says(
        &error("numbers"),
        "have a whole number on each line, not “two”",
    )
    .await;
    tab.says(&error("rest"), "rest must be JSON.").await;
    tab.replace(&field("count", "input"), "3").await;
    tab.replace(&field("numbers", "textarea"), "1\n-2").await;
    tab.replace(&field("rest", "textarea"), "{ \"deep\": [null] }")
        .await;
    tab.js("document.querySelector('#run').focus()").await;
    tab.enter("#run", CTRL_ENTER).await;
    tab.see(".result .value").await;
    let value = tab
        .js("return document.querySelector('.result .value').textContent")
        .await;
    let given: Value = serde_json::from_str(value.as_str().unwrap()).unwrap();
    assert_eq!(
        given["given"],
        json!({
            "word": "tree", "weight": 2.5, "count": 3, "sure": false, "loud": false, "mood": 7,
            "names": ["ann", "bob smith"], "numbers": [1, -2], "tags": ["c"],
            "rest": { "deep": [null] },
        })
    );
    tab.says(".named .badge", "Done").await;

    // A method that says nothing about its arguments takes an object.
    tab.click("a[href='/scripts/tools/open']").await;
    tab.enter("textarea.json", "[1]").await;
    tab.click("#run").await;
    tab.says(".error", "Arguments must be a JSON object.").await;
    tab.replace("textarea.json", "{ \"a\": \"b\" }").await;
    tab.click("#run").await;
    tab.says(".result .value", "\"a\": \"b\"").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn an_ask_that_is_shown_late_can_be_answered() {
    let (stage, tab) = open("/scripts/tools/asks").await;
    // The ask comes while the run is read, so that it is read again before any of it is shown.
    tab.js(
        "const now = fetch; self.fetch = async (path, ...rest) => { \
           if (/runs\\/./.test(path)) await new Promise((then) => setTimeout(then, 300)); \
           return now(path, ...rest); };",
    )
    .await;
    tab.click("#run").await;
    let name = asked(&stage, &tab).await;
    tab.armed().await;
    tab.enter(&field("value", "input"), "ann").await;
    tab.click("#submit").await;
    assert_eq!(stage.accepted(name).await, json!({ "value": "ann" }));
    tab.close().await;
}

#[tokio::test]
async fn a_run_is_answered_in_place_to_its_end() {
    let (stage, tab) = open("/scripts").await;
    run(&tab, &stage, "asks").await;
    tab.says(".status", "Asking").await;
    let name = asked(&stage, &tab).await;
    tab.says(".asking h2", "The script asks").await;
    tab.armed().await;
    tab.click("#submit").await;
    tab.says(".asking .error", "must be filled in").await;
    tab.enter(&field("value", "input"), "ann").await;
    tab.click("#submit").await;
    assert_eq!(stage.accepted(name).await, json!({ "value": "ann" }));
    tab.says(".asking .message", "A password").await;
    tab.armed().await;
    tab.enter(&field("value", "input[type=password]"), "hunter2")
        .await;
    tab.click("#submit").await;
    tab.says(".asking .message", "Delete it?").await;
    tab.says(".asking .warning", "Dangerous.").await;
    tab.approve().await;
    tab.says(".result .told", "ann, 7 characters, deleted")
        .await;
    tab.says(".past li", "What is your name?").await;
    tab.until("document.querySelectorAll('.past li .badge.go').length === 3")
        .await;
    tab.says("#runs li", "tools_asks").await;
    tab.says("#runs li", "Done").await;
    // What was typed is nowhere on the page.
    let all = tab.js("return document.documentElement.outerHTML").await;
    assert!(!all.as_str().unwrap().contains("hunter2"));

    // Its history outlives the tab, and the next run begins from it.
    tab.reload().await;
    tab.says(".result .told", "ann, 7 characters, deleted")
        .await;
    tab.click("#again").await;
    tab.says(".method h2", "asks").await;
    tab.says(".method .past", "tools_asks").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn a_run_survives_a_reload_and_is_taken_back() {
    let (stage, tab) = open("/scripts").await;
    run(&tab, &stage, "tells").await;
    let ask = asked(&stage, &tab).await;
    tab.enter(&field("value", "input"), "half").await;
    tab.reload().await;
    assert_eq!(asked(&stage, &tab).await, ask, "the same ask");
    let typed = "return document.querySelector('.asking input').value";
    assert_eq!(tab.js(typed).await, json!("half"), "and its draft");
    tab.says(".status", "status: Hello").await;
    tab.says(".lines", "log: Hello").await;
    tab.until("document.querySelector('progress').value === 0.5")
        .await;
    tab.says("#under-way li", "Running").await;
    tab.click("#withdraw").await;
    tab.until("document.querySelector('.run').dataset.state === 'ended'")
        .await;
    assert_eq!(stage.decision(ask).await.outcome.status(), "withdrawn");
    tab.until("!document.querySelector('.asking .ask')").await;
    tab.says(".past li", "Withdrawn").await;
    tab.close().await;
}

#[tokio::test]
async fn a_no_ends_what_was_not_caught() {
    let (stage, tab) = open("/scripts").await;
    run(&tab, &stage, "asks").await;
    let ask = asked(&stage, &tab).await;
    tab.armed().await;
    tab.click(".asking .message").await;
    tab.press("d").await;
    tab.enter("#reason", "not now").await;
    tab.click("#decline-send").await;
    let decision = stage.decision(ask).await;
    let reason = Some("not now".to_owned());
    let declined = holdpoint::Outcome::Declined { reason };
    assert_eq!(decision.outcome, declined);
    tab.says(".named .badge", "Declined").await;
    tab.says(".result .told", "It was declined.").await;
    // One that fails says why.
    run(&tab, &stage, "fails").await;
    tab.says(".named .badge", "Failed").await;
    tab.says(".result .told", "tools.js:7: Hello").await;
    tab.close().await;
}

#[tokio::test]
async fn asks_that_come_together_are_answered_in_any_order() {
    let (stage, tab) = open("/scripts").await;
    run(&tab, &stage, "together").await;
    tab.says(".asking .message", "Your first name?").await;
    tab.click(".others button").await;
    tab.says(".asking .message", "Your second name?").await;
    tab.says(".others", "Your first name?").await;
    tab.armed().await;
    tab.enter(&field("value", "input"), "Lovelace").await;
    tab.enter(&field("value", "input"), CTRL_ENTER).await;
    tab.says(".asking .message", "Your first name?").await;
    tab.armed().await;
    // The other one is answered elsewhere: the page goes on by itself.
    let query = AskQuery {
        open: true,
        ..AskQuery::default()
    };
    let open = stage.desk.journal().asks(query).await.unwrap();
    assert_eq!(open.len(), 1);
    stage
        .reply_elsewhere(open[0].id, accept(json!({ "value": "Ada" })))
        .await;
    tab.says(".result .told", "Ada Lovelace").await;
    tab.close().await;
}

#[tokio::test]
async fn everything_that_a_run_tells_is_shown() {
    let (stage, tab) = open("/scripts").await;
    run(&tab, &stage, "tells").await;
    tab.says(".thinking", "thinking: Hello").await;
    tab.says(".far", "50 % · progress: Hello").await;
    tab.says(".lines", "toast: Hello").await;
    tab.says(".lines pre", "\"data\": \"Hello\"").await;
    tab.until("document.querySelectorAll('.artifact').length === 6")
        .await;
    tab.until("document.querySelector('.artifact img')?.naturalWidth === 1")
        .await;
    tab.says(".artifact", "This image cannot be shown.").await;
    let ask = asked(&stage, &tab).await;
    stage.reply_elsewhere(ask, Reply::Cancel).await;
    tab.says(".result .told", "Hello").await;
    tab.says(".far", "100 %").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn changed_files_are_seen_without_a_reload() {
    let workshop = Workshop::new();
    let stage = Stage::with_scripts(workshop.clone()).await;
    let tab = Tab::at(&stage, "/scripts").await;
    tab.until("document.querySelector('#connection').dataset.state === 'live'")
        .await;
    let named = |name: &str| Script {
        name: name.into(),
        file: format!("{name}.js"),
        description: None,
        permissions: Vec::new(),
        methods: Vec::new(),
        fault: None,
    };
    workshop.change(|scripts| {
        scripts.remove(0);
        let mut new = named("added");
        new.methods = scripts[0].methods[..1].to_vec();
        scripts.push(new);
    });
    tab.says("#scripts .group", "added").await;
    tab.until("!document.querySelector('.fault')").await;
    tab.close().await;
}

/// What must never be there, whatever scripts say.
const HARM: &str = "
    const bad = [];
    if (window.pwned) bad.push('ran: ' + window.pwned);
    for (const it of document.querySelectorAll('script')) {
        if (it.getAttribute('src') !== '/assets/scripts.all.js' || it.textContent.trim()) bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('iframe, object, embed, base, meta[http-equiv], style, svg, math')) bad.push(it.outerHTML);
    for (const it of document.querySelectorAll('img, link[href]')) {
        const address = it.src ?? it.href;
        if (!address.startsWith(location.origin + '/assets/') && !address.startsWith('blob:' + location.origin + '/')) bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('*')) {
        for (const name of it.getAttributeNames()) if (name.startsWith('on') || name === 'style') bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('a[href]')) {
        if (!['http:', 'https:', 'mailto:'].includes(it.protocol)) bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('form')) {
        if (!it.matches('.method > form, .asking > .ask > form')) bad.push('a form of its own');
    }
    return bad;";

#[tokio::test]
async fn nothing_that_scripts_say_runs_or_loads() {
    let tab = Tab::blank().await;
    // A page whose server is gone would complain of that.
    let mut stages = Vec::new();
    for text in CORPUS {
        let stage = Stage::with_scripts(Workshop::saying(text)).await;
        tab.go(&stage.url_with_key("/scripts/tools/tells")).await;
        tab.see("#run").await;
        assert_eq!(tab.js(HARM).await, json!([]), "{text}");
        tab.click("#run").await;
        let ask = asked(&stage, &tab).await;
        tab.until("document.querySelectorAll('.artifact').length === 6")
            .await;
        assert_eq!(tab.js(HARM).await, json!([]), "{text}");
        // It is there to be read: as text.
        let log = "return document.querySelector('.line.log .text').textContent";
        let shown = holdpoint::visible(text).into_owned();
        assert_eq!(tab.js(log).await, json!(format!("log: {shown}")));
        stage
            .reply_elsewhere(ask, accept(json!({ "value": text })))
            .await;
        tab.see(".result .told").await;
        assert_eq!(tab.js(HARM).await, json!([]), "{text}");
        assert_eq!(tab.complaints().await, [""; 0], "{text}");
        stages.push(stage);
    }
    tab.close().await;
}

#[tokio::test]
async fn the_method_says_where_it_will_act_and_another_place_can_be_chosen() {
    let (_stage, tab) = open("/scripts/tools/asks").await;
    tab.says(".place-of p", WORKSPACES[0]).await;
    let chosen = "return document.querySelector('#workspace').value";
    assert_eq!(
        tab.js(chosen).await,
        WORKSPACES[0],
        "the server's own, until somebody chooses"
    );
    tab.js(&format!(
        "const choice = document.querySelector('#workspace'); choice.value = '{}'; choice.dispatchEvent(new Event('change'));",
        WORKSPACES[1]
    ))
    .await;
    tab.says(".place-of p", WORKSPACES[1]).await;
    tab.click("#run").await;
    tab.says(".run .origin", WORKSPACES[1]).await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
