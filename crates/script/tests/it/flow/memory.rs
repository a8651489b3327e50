//! What a script keeps from one call to the next.
#![cfg(unix)]

use super::{
    resume::{killed, resumed},
    stand::*,
};
use holdpoint::Origin;
use holdpoint_script::Program;
use serde_json::{Value, json};
use std::{path::Path, sync::Arc};

fn class(body: &str) -> String {
    format!("export class Tool {{ async *main() {{ const {{ memory }} = this; {body} }} }}")
}

const REFUSED: &str = "memory: a secret that the script was given is kept nowhere";

async fn result(stand: &Stand, source: &str) -> Value {
    body(&stand.run(&class(source), Vec::new()).await)["result"].clone()
}

async fn result_as(stand: &Stand, program: Arc<Program>, origin: Origin) -> Value {
    let desk = stand.desk(None).await;
    let run = stand.begin_as(&desk, &program, origin);
    body(&run.ended().await.unwrap())["result"].clone()
}

#[tokio::test]
async fn it_lasts_from_call_to_call() {
    let stand = Stand::new();
    let first = "const before = await memory.get('theme');
        await memory.set('theme', { dark: true }); await memory.set('n', 1); await memory.set('', 1).catch(() => {});
        return [before, await memory.get('theme'), await memory.has('n')];";
    assert_eq!(
        result(&stand, first).await,
        json!([null, { "dark": true }, true])
    );
    let second = "await memory.update('n', (n) => n + 1);
        return [await memory.getAll(), await memory.delete('theme'), await memory.delete('theme'), await memory.keys()];";
    assert_eq!(
        result(&stand, second).await,
        json!([{ "n": 2, "theme": { "dark": true } }, true, false, ["n"]])
    );
    let last = "await memory.set('null', null); const had = await memory.has('null'); await memory.clear();
        return [had, await memory.keys(), await memory.get('n')];";
    assert_eq!(result(&stand, last).await, json!([true, [], null]));
    stand.journal.verify().await.unwrap();
}

#[tokio::test]
async fn a_plain_generator_has_it_too() {
    let stand = Stand::new();
    let source = "export class Tool { *main() { yield this.memory.set('k', 'v'); return yield this.memory.get('k'); } }";
    assert_eq!(said(&stand.run(source, Vec::new()).await), "v");
}

/// The terminal, the page and an agent on this machine share it; whoever comes with a token has their own.
#[tokio::test]
async fn whose_it_is() {
    let stand = Stand::new();
    let as_principal = |principal: &str| Origin {
        principal: principal.into(),
        ..stand.origin()
    };
    let source =
        class("const had = await memory.get('k'); await memory.set('k', 'kept'); return had;");
    for (principal, had) in [
        ("shell:ada", Value::Null),
        ("inbox:ada", json!("kept")),
        ("local", json!("kept")),
        ("token:ci", Value::Null),
        ("token:ci", json!("kept")),
        ("https://issuer#ann", Value::Null),
        ("http", Value::Null),
        ("localhost", Value::Null),
    ] {
        let got = result_as(&stand, program(&source), as_principal(principal)).await;
        assert_eq!(got, had, "{principal}");
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let mut origin = as_principal("local");
    origin.workspace = Some(elsewhere.path().to_string_lossy().into_owned());
    assert_eq!(
        result_as(&stand, program(&source), origin).await,
        Value::Null,
        "another workspace"
    );
    let mut origin = as_principal("local");
    origin.server = Some("other".into());
    assert_eq!(
        result_as(&stand, program(&source), origin).await,
        Value::Null,
        "another server"
    );
    let other = Program::from_source("other", Path::new("other.js"), &source).unwrap();
    assert_eq!(
        result_as(&stand, Arc::new(other), as_principal("local")).await,
        Value::Null,
        "another script"
    );
}

/// Nobody plants a value for a script by a file of the same name in another folder.
#[tokio::test]
async fn a_file_elsewhere_has_its_own() {
    let stand = Stand::new();
    let source =
        class("const had = await memory.get('k'); await memory.set('k', 'kept'); return had;");
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&here, &there] {
        std::fs::write(folder.path().join("deploy.js"), &source).unwrap();
    }
    std::os::unix::fs::symlink(here.path(), there.path().join("link")).unwrap();
    for (path, had) in [
        (here.path().join("deploy.js"), Value::Null),
        (there.path().join("deploy.js"), Value::Null),
        (there.path().join("link/deploy.js"), json!("kept")),
    ] {
        let program = Arc::new(Program::load(&path).unwrap());
        let got = result_as(&stand, program, stand.origin()).await;
        assert_eq!(got, had, "{}", path.display());
    }
}

/// What one run wrote before it was killed, it does not write again over what another wrote since.
#[test]
fn a_write_happens_once() {
    let stand = Stand::new();
    let writer = program(&class(
        "const seen = await memory.get('n'); await memory.set('n', 1);
         yield { ask: 'text', message: 'Go on?' }; return [seen, await memory.get('n')];",
    ));
    let open = async || stand.journal.open_asks().await.unwrap() == 1;
    let id = killed(&stand, &writer, Vec::new(), open);
    super::resume::process().block_on(async {
        result(&stand, "await memory.set('n', 2);").await;
    });
    let (result, _) = resumed(&stand, &writer, id, vec![accept(json!({ "value": "x" }))]);
    assert_eq!(
        body(&result)["result"],
        json!([null, 2]),
        "{}",
        text(&result)
    );
}

#[tokio::test]
async fn secrets_are_not_kept() {
    let stand = Stand::new();
    let source = class(
        "const pw = yield { ask: 'password', message: 'Password?' }; const said = [];
         for (const keep of [() => memory.set('k', pw), () => memory.set('k', { deep: [`x${pw}y`] }), () => memory.set(pw, 1),
             () => memory.get(pw), () => memory.has(`x${pw}`), () => memory.delete(pw), () => memory.set('k', { [pw]: 1 }),
             () => memory.set('k', [{ deep: { [`x${pw}y`]: null } }]), () => memory.set('k', { type: pw })])
             try { await keep(); said.push('kept'); } catch (e) { said.push(e.message); }
         return [said, await memory.keys()];",
    );
    for secret in ["hunter2secret", "a\"b\\c", "text"] {
        let replies = vec![accept(json!({ "value": secret }))];
        let got = body(&stand.run(&source, replies).await)["result"].clone();
        assert_eq!(got, json!([vec![REFUSED; 9], []]), "{secret}");
    }
    let events = stand.journal.events(0, 10_000).await.unwrap();
    let record = format!("{events:?}");
    assert!(record.contains("Password?") && !record.contains("hunter2secret"));
}

#[tokio::test]
async fn a_secret_is_not_kept_as_a_number() {
    let stand = Stand::new();
    let source = class(
        "const pin = Number(yield { ask: 'password', message: 'PIN?' }); const said = [];
         for (const keep of [() => memory.set('k', pin), () => memory.set('k', { deep: [-pin] }), () => memory.set('k', 12)])
             try { await keep(); said.push('kept'); } catch (e) { said.push(e.message); }
         return said;",
    );
    let replies = vec![accept(json!({ "value": "8264" }))];
    let got = body(&stand.run(&source, replies).await)["result"].clone();
    assert_eq!(got, json!([REFUSED, REFUSED, "kept"]));
}

#[tokio::test]
async fn it_is_bounded() {
    let stand = Stand::new();
    let large = "let n = 0; try { for (;; n++) await memory.set(`k${n}`, 'x'.repeat(60000)); }
        catch (e) { await memory.set('k0', 'small'); return [n, e.message]; }";
    let got = result(&stand, large).await;
    assert_eq!(got[0], 17, "{got}");
    assert!(got[1].as_str().unwrap().contains("at most 1 MB"), "{got}");
    let wide = "try { await memory.set('k', 'ä'.repeat(40000)); } catch (e) { return e.message; }";
    let got = result(&Stand::new(), wide).await;
    assert!(got.as_str().unwrap().contains("at most 64 KB"), "{got}");
}
