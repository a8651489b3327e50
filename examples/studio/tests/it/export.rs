//! Long work: progress that rises on the caller's token, and an end when the call is taken back.

use crate::stage::Stage;
use holdpoint::journal::{AskQuery, Event, EventKind};
use holdpoint_testkit::{Client, ERAS, Era, eventually};
use serde_json::json;
use std::fs;

async fn connect(stage: &Stage, era: Era) -> Client {
    match era {
        Era::Legacy => Client::legacy(stage, json!({})).await,
        Era::Modern => Client::modern(stage, json!({})),
    }
}

async fn export(client: &mut Client) -> u64 {
    let call = json!({
        "name": "export_clips", "arguments": { "clips": [] }, "_meta": { "progressToken": "t" },
    });
    client.request("tools/call", call).await
}

fn exported(stage: &Stage) -> usize {
    fs::read_dir(stage.folder.path().join("exports"))
        .unwrap()
        .count()
}

#[tokio::test]
async fn progress_rises_to_the_end() {
    for era in ERAS {
        let stage = Stage::new().await;
        stage.clip("outro");
        stage.clip("verse");
        let mut client = connect(&stage, era).await;
        let call = export(&mut client).await;
        let mut progress = Vec::new();
        let done = loop {
            let message = client.next().await;
            if message["id"] == call {
                break message;
            }
            assert_eq!(message["method"], "notifications/progress", "{message}");
            assert_eq!(message["params"]["progressToken"], "t");
            let params = &message["params"];
            progress.push((
                params["progress"].clone(),
                params["total"].clone(),
                params["message"].clone(),
            ));
        };
        let wanted = [(1.0, "intro"), (2.0, "outro"), (3.0, "verse")];
        let wanted = wanted.map(|(at, name)| (json!(at), json!(3.0), json!(name)));
        assert_eq!(progress, wanted, "{era:?}");
        let files = &done["result"]["structuredContent"]["files"];
        assert_eq!(
            *files,
            json!([
                "exports/intro.wav",
                "exports/outro.wav",
                "exports/verse.wav"
            ]),
            "{done}"
        );
        let sound = fs::read(stage.folder.path().join("exports/verse.wav")).unwrap();
        assert_eq!((&sound[..4], sound.len()), (&b"RIFF"[..], 44 + 4 * 4_000));
        assert!(
            stage
                .desk
                .journal()
                .asks(AskQuery::default())
                .await
                .unwrap()
                .is_empty()
        );
    }
}

#[tokio::test]
async fn a_call_that_is_taken_back_stops() {
    for era in ERAS {
        let stage = Stage::new().await;
        let clips = 400;
        for number in 0..clips {
            stage.clip(&format!("clip-{number:03}"));
        }
        let mut client = connect(&stage, era).await;
        let call = export(&mut client).await;
        let first = client.next().await;
        assert_eq!(first["method"], "notifications/progress", "{first}");
        client.cancel(call, "not wanted any more").await;
        let ended = eventually("the export's end", async || {
            let events = stage.desk.journal().events(0, 10_000).await.unwrap();
            let finished = |event: &Event| event.kind == EventKind::Finished;
            events.into_iter().find(finished)
        })
        .await
        .body
        .to_string();
        assert!(ended.contains("CANCELLED"), "{era:?} {ended}");
        let written = exported(&stage);
        let told = format!("after {written} of {} clips", clips + 1);
        assert!(ended.contains(&told), "{era:?} {written} of {ended}");
    }
}
