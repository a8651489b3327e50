//! What scripts do to the world, and what they cannot.
#![cfg(unix)]

use super::stand::*;
use serde_json::{Value, json};
use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    os::unix::fs::symlink,
    thread,
    time::Duration,
};
use tokio::time::timeout;

/// What takes longer hangs.
const LONG: Duration = Duration::from_secs(20);

/// Runs a body that may do everything, whose person said yes; what it returned, or what it threw.
async fn run(stand: &Stand, permissions: &str, script: &str) -> Value {
    let source = may(
        permissions,
        &format!(
            "try {{ return yield {script}; }} catch (e) {{ return {{ threw: e.message, code: e.code, outcome: e.outcome }}; }}"
        ),
    );
    let result = stand.run(&source, vec![yes()]).await;
    body(&result)["result"].clone()
}

const ALL: &str =
    "{ run: ['git', 'sh', './own.sh'], read: ['.'], write: ['.'], net: ['127.0.0.1'] }";

#[tokio::test]
async fn programs() {
    let stand = Stand::new();
    let got = run(
        &stand,
        ALL,
        "{ run: ['sh', '-c', 'cat; echo err >&2; exit 3'], input: 'hello' }",
    )
    .await;
    assert_eq!(
        got,
        json!({ "code": 3, "stdout": "hello", "stderr": "err\n" })
    );
    // No shell between us and it.
    let got = run(
        &stand,
        ALL,
        "{ run: ['sh', '-c', 'printf %s \"$1\"', 'x', '$(echo no); *'] }",
    )
    .await;
    assert_eq!(got["stdout"], "$(echo no); *");
    fs::create_dir(stand.path("below")).unwrap();
    let got = run(&stand, ALL, "{ run: ['sh', '-c', 'pwd'], cwd: 'below' }").await;
    assert_eq!(
        got["stdout"],
        format!("{}\n", stand.path("below").display())
    );
    let got = run(
        &stand,
        ALL,
        "{ run: ['sh', '-c', 'sleep 60 & sleep 60'], timeout: 0.2 }",
    )
    .await;
    assert_eq!(got["code"], "ETIMEDOUT", "{got}");
    let much = may(
        ALL,
        "const { stdout, truncated } = yield { run: ['sh', '-c', 'yes | head -c 3000000'] }; return [stdout.length, truncated];",
    );
    let result = stand.run(&much, vec![yes()]).await;
    assert_eq!(
        body(&result)["result"],
        json!([1 << 20, true]),
        "{}",
        text(&result)
    );
    // What it leaves running in the background is not waited for.
    let got = run(&stand, ALL, "{ run: ['sh', '-c', 'sleep 30 & echo gone'] }").await;
    assert_eq!(got["stdout"], "gone\n", "{got}");
    stand.file("own.sh", "#!/bin/sh\necho own");
    let got = run(&stand, ALL, "{ run: ['./own.sh'] }").await;
    assert_eq!(got["code"], "EACCES", "{got}");
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(stand.path("own.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(
        run(&stand, ALL, "{ run: ['./own.sh'] }").await["stdout"],
        "own\n"
    );
}

#[tokio::test]
async fn what_a_program_is_started_with() {
    let stand = Stand::new();
    let got = run(
        &stand,
        ALL,
        "{ run: ['sh', '-c', 'echo $AI_AGENT; env | grep -c ^HOLDPOINT_; (: </dev/tty) 2>/dev/null && echo tty'] }",
    )
    .await;
    // Marked as no person's, without our settings, without a terminal to answer at.
    assert_eq!(got["stdout"], "holdpoint-script\n0\n", "{got}");
}

#[tokio::test]
async fn files() {
    let stand = Stand::new();
    let got = run(&stand, ALL, "{ write: 'out/deep/a.txt', text: 'one' }").await;
    assert_eq!(got, json!({ "path": "out/deep/a.txt", "size": 3 }));
    assert_eq!(
        run(&stand, ALL, "{ read: 'out/deep/../deep/a.txt' }").await,
        "one"
    );
    let absolute = format!("{{ read: '{}' }}", stand.path("out/deep/a.txt").display());
    assert_eq!(run(&stand, ALL, &absolute).await, "one");
    run(&stand, ALL, "{ write: 'out/deep/a.txt', text: 'two' }").await;
    assert_eq!(run(&stand, ALL, "{ read: 'out/deep/a.txt' }").await, "two");
    let left: Vec<_> = fs::read_dir(stand.path("out/deep")).unwrap().collect();
    assert_eq!(left.len(), 1, "no draft stays behind");
    assert_eq!(
        run(&stand, ALL, "{ read: 'missing' }").await["code"],
        "ENOENT"
    );
    assert_eq!(run(&stand, ALL, "{ read: 'out' }").await["code"], "EISDIR");
    fs::write(stand.path("bytes"), [0xff, 0xfe]).unwrap();
    let got = run(&stand, ALL, "{ read: 'bytes' }").await;
    assert!(
        got["threw"].as_str().unwrap().contains("is not UTF-8 text"),
        "{got}"
    );
    fs::write(stand.path("large"), vec![b'x'; (1 << 20) + 1]).unwrap();
    let got = run(&stand, ALL, "{ read: 'large' }").await;
    assert!(
        got["threw"].as_str().unwrap().contains("larger than 1 MB"),
        "{got}"
    );
}

#[tokio::test]
async fn a_pipe_is_not_waited_for() {
    let stand = Stand::new();
    let made = std::process::Command::new("mkfifo")
        .arg(stand.path("pipe"))
        .status();
    assert!(made.unwrap().success());
    let got = run(&stand, ALL, "{ read: 'pipe' }").await;
    assert_eq!(got["threw"], "pipe is not an ordinary file", "{got}");
}

#[tokio::test]
async fn nothing_leads_out() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let mut stand = Stand::new();
    stand.file("in/a", "a");
    stand.file(".git/config", "[core]");
    stand.file("state/j.db", "j");
    stand.file("state/j.db-keys/page", "k");
    stand.private = vec![stand.path("state/j.db")];
    symlink(outside.path(), stand.path("way")).unwrap();
    symlink(outside.path().join("secret"), stand.path("link")).unwrap();
    symlink(stand.path(".git"), stand.path("git-too")).unwrap();
    symlink("in", stand.path("in-too")).unwrap();
    let away = outside.path().display();
    for (effect, wanted) in [
        ("{ read: '../x' }".to_owned(), "outside the workspace"),
        (
            "{ read: '/etc/passwd' }".to_owned(),
            "outside the workspace",
        ),
        (
            format!("{{ read: '{away}/secret' }}"),
            "outside the workspace",
        ),
        ("{ read: 'way/secret' }".to_owned(), "a link"),
        ("{ read: 'link' }".to_owned(), "a link"),
        ("{ read: 'in-too/a' }".to_owned(), "a link"),
        ("{ read: 'state/j.db' }".to_owned(), "Holdpoint's own"),
        (
            "{ read: 'state/j.db-keys/page' }".to_owned(),
            "Holdpoint's own",
        ),
        (
            "{ write: 'state/j.db-wal', text: 'x' }".to_owned(),
            "Holdpoint's own",
        ),
        ("{ write: 'way/new', text: 'x' }".to_owned(), "a link"),
        ("{ write: 'link', text: 'x' }".to_owned(), "a link"),
        (
            "{ write: 'git-too/hooks/pre-commit', text: 'x' }".to_owned(),
            "a link",
        ),
        (
            "{ write: '.git/hooks/pre-commit', text: 'x' }".to_owned(),
            "not a script's to write",
        ),
        (
            "{ write: '.GIT/config', text: 'x' }".to_owned(),
            "not a script's to write",
        ),
        (
            "{ write: 'sub/.git/config', text: 'x' }".to_owned(),
            "not a script's to write",
        ),
        (
            "{ write: '.holdpoint/config.toml', text: 'x' }".to_owned(),
            "not a script's to write",
        ),
        (
            "{ write: '.', text: 'x' }".to_owned(),
            "the workspace itself",
        ),
        (
            "{ run: ['sh', '-c', 'pwd'], cwd: 'way' }".to_owned(),
            "outside the workspace",
        ),
        (
            "{ run: ['sh', '-c', 'pwd'], cwd: '..' }".to_owned(),
            "outside the workspace",
        ),
    ] {
        let got = run(&stand, ALL, &effect).await;
        let threw = got["threw"]
            .as_str()
            .unwrap_or_else(|| panic!("{effect}: {got}"));
        assert!(threw.contains(wanted), "{effect}: {threw}");
    }
    assert_eq!(
        fs::read_to_string(outside.path().join("secret")).unwrap(),
        "secret"
    );
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(run(&stand, ALL, "{ read: '.git/config' }").await, "[core]");
}

#[tokio::test]
async fn what_is_not_declared_is_not_done_and_nobody_is_asked() {
    let declared =
        "{ run: ['git'], read: ['in', 'one.txt'], write: ['out'], net: ['localhost:1'] }";
    let stand = Stand::new();
    stand.file("in/a", "a");
    stand.file("inner", "a");
    for effect in [
        "{ run: ['sh', '-c', 'echo hi > made'] }",
        "{ run: ['./git'] }",
        "{ run: ['/usr/bin/git'] }",
        "{ read: 'inner' }",
        "{ read: 'in/../inner' }",
        "{ read: 'one.txt.bak' }",
        "{ write: 'in/a', text: 'b' }",
        "{ write: 'made', text: 'b' }",
        "{ fetch: 'http://127.0.0.1:1/' }",
        "{ fetch: 'http://localhost:2/' }",
        "{ fetch: 'http://localhost.example:1/' }",
    ] {
        let person = Person::says([yes()]);
        let desk = stand.desk(Some(person.clone())).await;
        let program = program(&may(declared, &format!("yield {effect};")));
        let result = stand.begin(&desk, &program).ended().await.unwrap();
        let said = text(&result);
        assert!(
            said.contains("does not declare that it may"),
            "{effect}: {said}"
        );
        assert_eq!(person.asked().len(), 0, "{effect}");
    }
    assert!(!stand.path("made").exists());
    assert_eq!(fs::read_to_string(stand.path("in/a")).unwrap(), "a");
    // Without any declaration it is the same.
    let result = stand
        .run(&main("yield { run: ['git', '--version'] };"), vec![yes()])
        .await;
    assert!(
        text(&result).contains("permissions = { run: ['git'] }"),
        "{}",
        text(&result)
    );
}

/// A server that gives these answers, one to each connection; what it was sent.
fn server(answers: Vec<String>) -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = thread::spawn(move || {
        let mut got = Vec::new();
        for answer in answers {
            let (mut client, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut part = [0; 4096];
            while !request.windows(4).any(|window| window == b"\r\n\r\n") {
                let count = client.read(&mut part).unwrap();
                request.extend_from_slice(&part[..count]);
            }
            let head = String::from_utf8_lossy(&request).to_lowercase();
            let wanted = head.split("content-length: ").nth(1);
            let wanted: usize = wanted.map_or(0, |length| {
                length.split("\r\n").next().unwrap().parse().unwrap()
            });
            let start = head.find("\r\n\r\n").unwrap() + 4;
            while request.len() < start + wanted {
                let count = client.read(&mut part).unwrap();
                request.extend_from_slice(&part[..count]);
            }
            client.write_all(answer.as_bytes()).unwrap();
            got.push(String::from_utf8(request).unwrap());
        }
        got
    });
    (address, serving)
}

fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn on(to: &str) -> String {
    format!(
        "HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    )
}

#[tokio::test]
async fn servers() {
    let stand = Stand::new();
    let (address, serving) = server(vec![
        ok("hello"),
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".into(),
        ok("{}"),
        on("/next"),
        ok("there"),
    ]);
    let got = run(
        &stand,
        ALL,
        &format!("{{ fetch: 'http://{address}/a?b=1', headers: {{ 'x-own': 'yes' }} }}"),
    )
    .await;
    assert_eq!(
        (&got["status"], &got["ok"], &got["body"]),
        (&json!(200), &json!(true), &json!("hello")),
        "{got}"
    );
    assert_eq!(got["headers"]["content-type"], "text/plain");
    let got = run(
        &stand,
        ALL,
        &format!("{{ fetch: 'http://{address}/none' }}"),
    )
    .await;
    assert_eq!(
        (&got["status"], &got["ok"]),
        (&json!(404), &json!(false)),
        "{got}"
    );
    run(
        &stand,
        ALL,
        &format!("{{ fetch: 'http://{address}/post', body: {{ a: 1 }} }}"),
    )
    .await;
    let got = run(&stand, ALL, &format!("{{ fetch: 'http://{address}/old' }}")).await;
    assert_eq!(got["body"], "there", "{got}");
    let sent = serving.join().unwrap();
    assert!(
        sent[0].starts_with("GET /a?b=1 ") && sent[0].contains("x-own: yes"),
        "{}",
        sent[0]
    );
    assert!(
        sent[2].starts_with("POST /post ") && sent[2].ends_with("{\"a\":1}"),
        "{}",
        sent[2]
    );
    assert!(sent[4].starts_with("GET /next "), "{}", sent[4]);
}

#[tokio::test]
async fn a_server_cannot_send_a_script_where_it_may_not_go() {
    let stand = Stand::new();
    let hidden = TcpListener::bind("127.0.0.1:0").unwrap();
    hidden.set_nonblocking(true).unwrap();
    let elsewhere = format!("http://localhost:{}/", hidden.local_addr().unwrap().port());
    for to in [
        elsewhere.as_str(),
        "file:///etc/passwd",
        "http://ada:pw@127.0.0.1/",
    ] {
        let (address, serving) = server(vec![on(to)]);
        let got = run(&stand, ALL, &format!("{{ fetch: 'http://{address}/' }}")).await;
        assert!(got["threw"].is_string(), "{to}: {got}");
        serving.join().unwrap();
    }
    assert!(hidden.accept().is_err(), "nobody came");
    let (address, serving) = server(vec![ok(&"x".repeat((1 << 20) + 1))]);
    let got = run(&stand, ALL, &format!("{{ fetch: 'http://{address}/' }}")).await;
    assert!(
        got["threw"].as_str().unwrap().contains("larger than 1 MB"),
        "{got}"
    );
    let _ = serving.join();
}

/// A pipe that nobody writes to, and a device that never ends.
#[tokio::test]
async fn reading_a_fifo_or_a_device_returns() {
    let stand = Stand::new();
    let made = std::process::Command::new("mkfifo")
        .arg(stand.path("pipe"))
        .status();
    assert!(made.unwrap().success());
    fs::create_dir(stand.path("folder")).unwrap();
    symlink("/dev/zero", stand.path("zero")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(stand.path("socket")).unwrap();
    for path in ["pipe", "pipe/x", "zero", "socket", "folder"] {
        for effect in [
            format!("{{ read: '{path}' }}"),
            format!("{{ write: '{path}', text: 'x' }}"),
        ] {
            let got = timeout(LONG, run(&stand, ALL, &effect)).await;
            let got = got.unwrap_or_else(|_| panic!("{effect} hangs"));
            assert!(got["threw"].is_string(), "{effect}: {got}");
        }
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn children_that_leave_their_session_end_with_the_effect() {
    let stand = Stand::new();
    let write = "echo $$ > pid.new && mv pid.new pid; exec sleep 300";
    let wait = "while [ ! -s pid ]; do sleep 0.01; done";
    stand.file("child.sh", write);
    for (name, start, end) in [
        ("in the background", "sh child.sh &", ""),
        ("in a session of its own", "setsid sh child.sh &", ""),
        (
            "forked twice",
            "(setsid sh -c 'sh child.sh & sleep 0.1' &)",
            "",
        ),
        (
            "without hangups",
            "setsid nohup sh child.sh >/dev/null 2>&1 </dev/null &",
            "",
        ),
        (
            "without its environment",
            "setsid env -i PATH=\"$PATH\" sh child.sh &",
            "sleep 300",
        ),
    ] {
        let _ = fs::remove_file(stand.path("pid"));
        let script = format!("{start}\n{wait}\n{end}\n");
        let effect = json!({ "run": ["sh", "-c", script], "timeout": 3 });
        run(&stand, ALL, &effect.to_string()).await;
        let pid = fs::read_to_string(stand.path("pid")).expect(name);
        assert!(has_ended(pid.trim()), "{name}: {pid}");
    }
}

/// Whether a process is gone, or only waits for its parent to notice.
#[cfg(target_os = "linux")]
fn has_ended(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => stat[stat.rfind(')').unwrap()..].starts_with(") Z"),
        Err(_) => true,
    }
}

#[tokio::test]
async fn what_is_hidden_is_written_only_where_the_file_declares_it() {
    let stand = Stand::new();
    fs::create_dir(stand.path(".vscode")).unwrap();
    for path in [
        ".vscode/tasks.json",
        ".mcp.json",
        "new/.claude/settings.json",
        ".\u{200c}vscode/x",
    ] {
        let effect = json!({ "write": path, "text": "x" }).to_string();
        let got = run(&stand, ALL, &effect).await;
        let threw = got["threw"].as_str().unwrap_or_default();
        assert!(threw.contains("write"), "{path}: {got}");
        assert!(!stand.path(path).exists(), "{path}");
    }
    let own = "{ write: ['.vscode'] }";
    let got = run(&stand, own, "{ write: '.vscode/tasks.json', text: 'x' }").await;
    assert_eq!(got["size"], 1, "{got}");
    let got = run(
        &stand,
        "{ write: ['.git'] }",
        "{ write: '.git/x', text: 'x' }",
    )
    .await;
    assert!(
        got["threw"].as_str().unwrap().contains("not a script's"),
        "{got}"
    );
}
