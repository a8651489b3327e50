use super::{reviews, stage::Stage, tab::Tab};
use holdpoint::Ask;

#[tokio::test]
async fn look() {
    let stage = Stage::set().await;
    let (_, plan) = reviews::second_round(&stage).await;
    let diff = stage.ask(reviews::diff()).await;
    let commit = stage.ask(reviews::commit()).await;
    let confirm = stage
        .ask(Ask::confirm(
            "Delete **take 7**?\n\nIt is the one with the broken string.",
        ))
        .await;
    let danger = stage
        .ask(
            Ask::confirm("Run migration `0042`?")
                .details("It rewrites 1.2 million rows.")
                .dangerous()
                .with_word("orders"),
        )
        .await;
    let choice = stage
        .ask(Ask::choose("Which take?", ["First", "Second"]))
        .await;
    let tab = Tab::at(&stage, "/").await;
    let only = std::env::var("LOOK").unwrap_or_default();
    for (width, height, dark) in [(1440, 900, false), (1440, 900, true), (390, 844, false)] {
        let screen = holdpoint_testkit::browser::Screen {
            width,
            height,
            dark,
        };
        tab.on(screen).await;
        for (name, id) in [
            ("plan", plan),
            ("diff", diff),
            ("commit", commit),
            ("confirm", confirm),
            ("danger", danger),
            ("choice", choice),
        ] {
            let label = format!("{name}-{width}{}", if dark { "-dark" } else { "" });
            if !label.contains(&only) {
                continue;
            }
            tab.go(&stage.url(&format!("/ask/{id}"))).await;
            tab.until("document.querySelector('#submit')").await;
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
            let png = tab.client.screenshot().await.unwrap();
            std::fs::write(format!("/tmp/rp/{label}.png"), png).unwrap();
            println!("{label}: {:?}", tab.complaints().await);
        }
    }
    tab.close().await;
}
