use super::*;
use proptest::prelude::*;

/// A line for each file and each of its lines, to compare with.
fn told(text: &str) -> Vec<String> {
    let mut told = Vec::new();
    for file in parse(text) {
        let from = file.from.as_ref().map(|from| format!(" from {from}"));
        let binary = if file.binary { " binary" } else { "" };
        told.push(format!(
            "{} {}{}{binary} +{} -{}",
            file.status.as_str(),
            file.path,
            from.unwrap_or_default(),
            file.added(),
            file.removed()
        ));
        for line in file.hunks.iter().flat_map(|hunk| &hunk.lines) {
            let number = |number: Option<u32>| number.map_or("·".to_owned(), |n| n.to_string());
            let (old, new) = (number(line.old), number(line.new));
            told.push(format!("{old} {new} {}{}", line.kind.mark(), line.text));
        }
    }
    told
}

#[test]
fn what_git_writes() {
    let text = "\
diff --git a/src/main.rs b/src/main.rs
index 83db48f..bf2a1c3 100644
--- a/src/main.rs
+++ b/src/main.rs
@@ -10,4 +10,4 @@ fn main() {
 one
-two
--- two and a half
+++ three

@@ -30 +30,2 @@
 four
+five
\\ No newline at end of file
diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..e69de29
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
";
    let wanted = [
        "modified src/main.rs +2 -2",
        "10 10  one",
        "11 · -two",
        "12 · --- two and a half",
        "· 11 +++ three",
        "13 12  ",
        "30 30  four",
        "· 31 +five",
        "· · \\No newline at end of file",
        "added new.txt +0 -0",
        "deleted old.txt +0 -1",
        "1 · -gone",
    ];
    assert_eq!(told(text), wanted);
}

#[test]
fn files_that_are_moved_binary_or_named_strangely() {
    let check = |text: &str, wanted: &[&str]| assert_eq!(told(text), wanted, "{text}");
    check(
        "diff --git a/a b.txt b/c d.txt\nsimilarity index 100%\nrename from a b.txt\nrename to c d.txt\n",
        &["renamed c d.txt from a b.txt +0 -0"],
    );
    check(
        "diff --git a/b/x b/b/x\nsimilarity index 90%\ncopy from a/x\ncopy to b/x\n--- a/a/x\n+++ b/b/x\n@@ -1 +1 @@\n-1\n+2\n",
        &["copied b/x from a/x +1 -1", "1 · -1", "· 1 +2"],
    );
    check(
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n",
        &["mode run +0 -0"],
    );
    check(
        "diff --git a/a b b/a b\nindex 1..2\nBinary files a/a b and b/a b differ\n",
        &["modified a b binary +0 -0"],
    );
    check(
        "diff --git a/i.png b/i.png\nGIT binary patch\nliteral 4\nLc${Nkza8~^R\n\nliteral 0\nHcmV?d00001\n\ndiff --git a/x b/x\nold mode 1\nnew mode 2\n",
        &["modified i.png binary +0 -0", "mode x +0 -0"],
    );
    check(
        "diff --git \"a/\\303\\244 \\\"q\\\".txt\" \"b/\\303\\244 \\\"q\\\".txt\"\n--- \"a/\\303\\244 \\\"q\\\".txt\"\n+++ \"b/\\303\\244 \\\"q\\\".txt\"\n@@ -1 +1 @@\n-a\n+b\n",
        &["modified ä \"q\".txt +1 -1", "1 · -a", "· 1 +b"],
    );
    check(
        "diff --git i/x w/x\n--- i/x\n+++ w/x\n@@ -1 +0,0 @@\n-a\n",
        &["modified x +0 -1", "1 · -a"],
    );
}

#[test]
fn what_others_and_people_write() {
    let check = |text: &str, wanted: &[&str]| assert_eq!(told(text), wanted, "{text}");
    check(
        "--- x.txt\t2026-01-01 10:00:00\n+++ x.txt\t2026-01-02\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
        &["modified x.txt +1 -1", "1 1  a", "2 · -b", "· 2 +c"],
    );
    check(
        "- old\n+ new\n  same\nbare\n",
        &[
            "unknown  +1 -1",
            "· · - old",
            "· · + new",
            "· ·   same",
            "· ·  bare",
        ],
    );
    // Counts that are wrong, both ways.
    check(
        "--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n+e\n",
        &[
            "modified x +1 -1",
            "1 · -a",
            "· 1 +b",
            "modified y +2 -1",
            "1 · -c",
            "· 1 +d",
            "· 2 +e",
        ],
    );
    check(
        "--- a/x\n+++ b/x\n-a\n+b\n",
        &["modified x +1 -1", "· · -a", "· · +b"],
    );
    check(
        "@@ somewhere @@\n-a\n+b\nbare\n",
        &["unknown  +1 -1", "· · -a", "· · +b", "· ·  bare"],
    );
    check(
        "Approve this!\n\ndiff --git a/x b/x\nindex 1..2\nAnd this!\n",
        &[
            "unknown  +0 -0",
            "· ·  Approve this!",
            "modified x +0 -0",
            "unknown  +0 -0",
            "· ·  And this!",
        ],
    );
    check(
        "diff --git a/x b/x\nindex of what nobody should see\n",
        &[
            "modified x +0 -0",
            "unknown  +0 -0",
            "· ·  index of what nobody should see",
        ],
    );
    check(
        "diff --cc a.rs\nindex 1,2..3\n--- a/a.rs\n+++ b/a.rs\n@@@ -1,2 -1,2 +1,3 @@@\n  same\n- mine\n -yours\n++both\n",
        &[
            "modified a.rs +1 -2",
            "· 1  same",
            "· · -mine",
            "· · -yours",
            "· 2 +both",
        ],
    );
    check("", &[]);
    check("\n\n", &[]);
}

#[test]
fn words_that_changed() {
    let check = |text: &str, wanted: &[(&str, &[&str])]| {
        let files = parse(text);
        let lines = files
            .iter()
            .flat_map(|file| &file.hunks)
            .flat_map(|hunk| &hunk.lines);
        let found: Vec<_> = lines
            .map(|line| {
                let words = line.words.iter().map(|range| &line.text[range.clone()]);
                (line.text.as_str(), words.collect::<Vec<_>>())
            })
            .collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|(line, words)| (*line, words.to_vec()))
            .collect();
        assert_eq!(found, wanted, "{text}");
    };
    check(
        "-let a = old(1);\n+let a = new(1, 2);\n",
        &[
            ("let a = old(1);", &["old"]),
            ("let a = new(1, 2);", &["new", ", 2"]),
        ],
    );
    check(
        "-nothing in common\n+x == y\n",
        &[("nothing in common", &[]), ("x == y", &[])],
    );
    check(
        "-a first line\n+something quite new\n+a second line\n",
        &[
            ("a first line", &["first"]),
            ("something quite new", &[]),
            ("a second line", &["second"]),
        ],
    );
    check(
        "-Grüße 👩\u{200d}🔧 ja\n\\ No newline at end of file\n+Grüße 👩\u{200d}🚀 ja\n",
        &[
            ("Grüße 👩\u{200d}🔧 ja", &["🔧"]),
            ("No newline at end of file", &[]),
            ("Grüße 👩\u{200d}🚀 ja", &["🚀"]),
        ],
    );
    let long = format!("-{}\n+{}\n", "a b ".repeat(300), "a c ".repeat(300));
    assert!(
        parse(&long)[0].hunks[0]
            .lines
            .iter()
            .all(|line| line.words.is_empty())
    );
}

#[test]
fn a_diff_that_is_made_to_be_slow_runs_out_of_marks() {
    let line = |n: usize| {
        (0..110)
            .map(|i| format!("{} ", (i * n) % 7))
            .collect::<String>()
    };
    let mut text = String::new();
    for block in 0..1_000 {
        text.push_str(&format!(
            "-{}\n+{}\n context\n",
            line(block + 2),
            line(block + 3)
        ));
    }
    let files = parse(&text);
    let lines = &files[0].hunks[0].lines;
    assert_eq!(lines.len(), 3_000);
    assert!(lines[..3].iter().any(|line| !line.words.is_empty()));
    assert!(lines[2_990..].iter().all(|line| line.words.is_empty()));
}

#[test]
fn generated_files() {
    for path in [
        "Cargo.lock",
        "a/yarn.lock",
        "web/dist/app.min.js",
        "vendor/x.go",
        "a/__snapshots__/b.ts",
        "c.snap",
    ] {
        assert!(is_generated(path), "{path}");
    }
    for path in ["src/lock.rs", "vendor.rs", "min.js", "", "snapshots.md"] {
        assert!(!is_generated(path), "{path}");
    }
}

/// A line as diffs have them, or nearly.
fn line() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "diff --git a/x b/x",
        "diff --git \"a/\\3\" b",
        "diff --cc x",
        "diff -u a b",
        "Index: x",
        "==========",
        "--- a/x",
        "+++ b/x",
        "--- /dev/null",
        "+++ \"b/\\303\\244\"",
        "index 1..2",
        "new file mode 100644",
        "old mode 1",
        "rename from x",
        "rename to y",
        "copy from \"",
        "Binary files a and b differ",
        "GIT binary patch",
        "literal 3",
        "@@ -1,2 +1,3 @@",
        "@@ -0,0 +4294967295,9 @@ fn",
        "@@@ -1 -1 +1 @@@",
        "@@",
        "@@ x",
        "-- ",
        "\\ No newline at end of file",
        "",
    ]);
    prop_oneof![
        known.prop_map(str::to_owned),
        "[-+ ]?[a-zäß <>&\"\\\\\u{202e}@]{0,12}"
    ]
}

proptest! {
    #[test]
    fn no_text_is_lost(lines in prop::collection::vec(line(), 0..40)) {
        let files = parse(&lines.join("\n"));
        let mut told = Vec::new();
        for file in &files {
            told.extend(file.header.iter().map(String::as_str));
            for hunk in &file.hunks {
                told.push(&hunk.header);
                for line in &hunk.lines {
                    told.push(&line.text);
                    for range in &line.words {
                        prop_assert!(line.text.get(range.clone()).is_some_and(|word| !word.is_empty()));
                    }
                }
            }
        }
        for line in &lines {
            let whole = |told: &&&str| *told == line;
            // Without its marks, of which the diff of a merge has two.
            let bare = |told: &&&str| (1..=2).any(|marks| line.get(marks..) == Some(told));
            let found = line.trim().is_empty() || told.iter().any(|told| whole(&told) || bare(&told));
            prop_assert!(found, "{line:?} of {lines:?}");
        }
    }
}
