//! Agents that write more than words.

use super::{stage::Stage, tab::Tab};
use holdpoint::{
    Ask, AskId, Field, Form, Kind, Origin,
    field::{Choice, Choices, File, Number, Pick, Rating, Text},
    testing::accept,
};
use serde_json::json;

/// Each tries to run something, to load something, or to become part of the page.
pub const CORPUS: [&str; 16] = [
    "<script>window.pwned = 1</script>",
    "<img src=x onerror=\"window.pwned = 2\">",
    "<svg onload=\"window.pwned = 3\"><script>window.pwned = 3</script></svg>",
    "<a href=\"javascript:window.pwned = 4\">click</a>",
    "[click](javascript:window.pwned=5)",
    "[click](data:text/html,<script>window.pwned=6</script>)",
    "![x](http://192.0.2.1/tracker.png)",
    "<iframe srcdoc=\"<script>parent.pwned = 7</script>\"></iframe>",
    "<form action=\"http://192.0.2.1/\"><button id=submit>Approve</button></form>",
    "<style>* { display: none }</style><link rel=stylesheet href=//192.0.2.1/x.css>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=window.pwned=8&gt;\">",
    "<noscript><p title=\"</noscript><img src=x onerror=window.pwned=9>\">",
    "\"><input autofocus onfocus=window.pwned=10>",
    "'-window.pwned=11-' ${window.pwned=11} {{constructor.constructor('window.pwned=11')()}}",
    "<base href=\"http://192.0.2.1/\"><meta http-equiv=refresh content=\"0;url=http://192.0.2.1/\">",
    "```diff\n+<img src=x onerror=window.pwned=12>\n```\n</code></pre><script>window.pwned=12</script>",
];

/// An ask that has the text wherever an agent can write.
async fn everywhere(stage: &Stage, text: &str) -> AskId {
    let options = || {
        vec![
            Pick::new(format!("v {text}")).label(text).description(text),
            Pick::new("plain").description(text).recommended(),
        ]
    };
    let kinds = [
        Kind::Text(Text {
            placeholder: Some(text.into()),
            ..Text::default()
        }),
        Kind::Choice(Choice {
            options: options(),
            other: true,
            ..Choice::default()
        }),
        Kind::Choices(Choices {
            options: options(),
            ..Choices::default()
        }),
        Kind::Number(Number {
            unit: Some(text.into()),
            ..Number::default()
        }),
        Kind::Rating(Rating {
            low_label: Some(text.into()),
            high_label: Some(text.into()),
            ..Rating::default()
        }),
        Kind::File(File {
            accept: vec![format!(".{}", text.replace('\n', " "))],
            ..File::default()
        }),
        Kind::Confirm,
    ];
    let form = kinds
        .into_iter()
        .enumerate()
        .fold(Form::new(), |form, (at, kind)| {
            let name: String = format!("{at} {text}").replace('\n', " ");
            let name: String = name.chars().take(100).collect();
            let field = Field::new(name.trim(), kind).title(text).help(text);
            form.field(field.optional())
        });
    let origin = Origin {
        principal: "hostile".into(),
        server: Some(text.into()),
        client: Some(text.into()),
        tool: Some(text.into()),
        workspace: Some(format!("/{text}")),
        ..Origin::default()
    };
    stage
        .ask_from(origin, Ask::new(text, form).details(text))
        .await
}

/// What must never be there, whatever agents write.
const HARM: &str = "
    const ours = new Set(['/assets/app.all.js']);
    const bad = [];
    if (window.pwned) bad.push('ran: ' + window.pwned);
    for (const it of document.querySelectorAll('script')) {
        if (!ours.has(it.getAttribute('src')) || it.textContent.trim()) bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('iframe, object, embed, base, meta[http-equiv], style, svg, math')) bad.push(it.outerHTML);
    for (const it of document.querySelectorAll('img, link[href]')) {
        if (!(it.src ?? it.href).startsWith(location.origin + '/assets/')) bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('*')) {
        for (const name of it.getAttributeNames()) if (name.startsWith('on') || name === 'style') bad.push(it.outerHTML);
    }
    for (const it of document.querySelectorAll('a[href]')) {
        if (!['http:', 'https:', 'mailto:'].includes(it.protocol)) bad.push(it.outerHTML);
    }
    if (document.querySelectorAll('form').length !== document.querySelectorAll('#reading > .ask > form').length) bad.push('a form of its own');
    return bad;";

#[tokio::test]
async fn nothing_that_agents_write_runs_or_loads() {
    let stage = Stage::set().await;
    let mut ids = Vec::new();
    for text in CORPUS {
        ids.push(everywhere(&stage, text).await);
    }
    let tab = Tab::at(&stage, "/").await;
    for (text, id) in CORPUS.iter().zip(&ids) {
        tab.click(&format!("#asks li[data-id=\"{id}\"] a")).await;
        tab.see(&format!(".ask[data-id=\"{id}\"]")).await;
        tab.armed().await;
        assert_eq!(tab.js(HARM).await, json!([]), "{text}");
        // The text is there to be read: as text, not as what it tried to be.
        let label = "return document.querySelector('.field .label').firstChild.textContent";
        assert_eq!(tab.js(label).await, json!(text));
    }
    // Ended, with the same text for an answer: in the list, and whole.
    for (text, id) in CORPUS.iter().zip(&ids) {
        let name = format!("0 {text}").replace('\n', " ");
        let name: String = name.chars().take(100).collect();
        let answer = json!({ name.trim(): text });
        stage.reply_elsewhere(*id, accept(answer)).await;
    }
    tab.go(&stage.url("/history")).await;
    tab.until(&format!(
        "document.querySelectorAll('#asks li').length === {}",
        CORPUS.len()
    ))
    .await;
    for (text, id) in CORPUS.iter().zip(&ids) {
        tab.click(&format!("#asks li[data-id=\"{id}\"] a")).await;
        tab.see(&format!(".ended[data-id=\"{id}\"]")).await;
        assert_eq!(tab.js(HARM).await, json!([]), "{text}");
    }
    // Neither did anything try: the browser would have said that it refused.
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn the_policy_itself_refuses_what_would_slip_through() {
    let stage = Stage::set().await;
    let tab = Tab::at(&stage, "/").await;
    let refused = "try { document.body.innerHTML = '<p>x</p>'; return 'done'; } catch (error) { return error.name; }";
    assert_eq!(tab.js(refused).await, json!("TypeError"));
    tab.js("const it = document.createElement('img'); it.src = 'http://192.0.2.1/x.png'; document.body.append(it)")
        .await;
    let complaints = tab.complaints().await.join("\n");
    assert!(complaints.contains("TrustedHTML"), "{complaints}");
    assert!(complaints.contains("img-src"), "{complaints}");
    tab.close().await;
}

#[tokio::test]
async fn hidden_characters_are_seen_on_every_part() {
    let stage = Stage::set().await;
    let text = "pay\u{202e}lru\u{200b} \u{1b}[2J\u{2066}x\u{2069}";
    let shown = "pay⟨U+202E⟩lru⟨U+200B⟩ ⟨U+001B⟩[2J⟨U+2066⟩x⟨U+2069⟩";
    let origin = Origin {
        principal: "hostile".into(),
        server: Some(text.into()),
        client: Some(text.into()),
        tool: Some(text.into()),
        workspace: Some(format!("/{text}")),
        ..Origin::default()
    };
    let pick = Pick::new("a").label(text).description(text);
    let rules = Choice {
        options: vec![pick],
        ..Choice::default()
    };
    let lines = Text {
        placeholder: Some(text.into()),
        ..Text::default()
    };
    let form = Form::new()
        .field(Field::new("a", Kind::Choice(rules)).title(text).help(text))
        .field(Field::new("b", Kind::Text(lines)).title(text));
    let ask = Ask::new(text, form).details(text);
    stage.ask_from(origin, ask).await;
    let tab = Tab::at(&stage, "/").await;
    for part in [
        ".message",
        ".details",
        ".origin",
        ".ask h2",
        ".label",
        ".help",
        ".option .name",
        ".description",
        "#asks .gist",
    ] {
        tab.says(part, shown).await;
    }
    // A row shows the beginning of a long name.
    for part in ["#asks .agent", "#asks .place"] {
        tab.says(part, "pay⟨U+202E⟩lru⟨U+200B⟩").await;
    }
    let placeholder = "return document.querySelector('[data-field=b] input').placeholder";
    assert_eq!(tab.js(placeholder).await, json!(shown));
    let all = tab
        .js("return document.documentElement.outerHTML + document.title")
        .await;
    let hidden = |char: char| matches!(char, '\u{202e}' | '\u{200b}' | '\u{1b}' | '\u{2066}');
    assert!(!all.as_str().unwrap().contains(hidden));
    tab.close().await;
}
