//! Serves the page with asks of every kind of field, for looking at it in a browser:
//! `cargo run -p holdpoint-inbox --example page`. The address with its key is printed.

use holdpoint::{
    Ask, AskId, Desk, Field, Form, Kind, Origin,
    field::{Choice, Choices, DateRange, File, Link, Number, Pick, Rating, Text, Toggle},
    journal::{self, Journal, NewAsk, Write},
};
use holdpoint_inbox::{Inbox, Page, Served, server::Site};
use jiff::{SignedDuration, Timestamp};
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let journal = journal::open(&std::env::args().nth(1).unwrap_or("memory:".into())).await?;
    for ask in asks() {
        open(journal.as_ref(), ask).await?;
    }
    let inbox = Inbox::new(Some("ann".into()), "");
    let desk = Desk::builder(journal).channel(Arc::new(inbox.clone()));
    let page = Page::new(desk.build().await?, inbox, CancellationToken::new()).await?;
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let site = Site {
        address: listener.local_addr()?,
        tls: false,
    };
    let keys = page.keys().clone();
    println!("{}", Served { site, keys }.address_with_key());
    page.serve(listener, site).await?;
    Ok(())
}

async fn open(journal: &dyn Journal, ask: Ask) -> Result<(), Box<dyn std::error::Error>> {
    let now = Timestamp::now();
    let new = NewAsk {
        id: AskId::new(),
        call: None,
        key: "0001".into(),
        digest: ask.digest(),
        occurrence: 0,
        ask,
        origin: Origin {
            principal: "example".into(),
            client: Some("example-client 1.0".into()),
            tool: Some("elicit_form".into()),
            workspace: Some(std::env::current_dir()?.display().to_string()),
        },
        opened_at: now,
        deadline_at: Some(now + SignedDuration::from_mins(30)),
        epoch: 0,
        seal_to: None,
    };
    journal.commit(vec![Write::OpenAsk(Arc::new(new))]).await?;
    Ok(())
}

fn asks() -> Vec<Ask> {
    let picks = || {
        vec![
            Pick::new("a")
                .label("First")
                .description("The usual one")
                .recommended(),
            Pick::new("b"),
        ]
    };
    let every = Form::new()
        .field(
            Field::new("name", Kind::Text(Text::default()))
                .title("Name")
                .help("As in *git*"),
        )
        .field(
            Field::new(
                "notes",
                Kind::Text(Text {
                    multiline: true,
                    max_length: Some(200),
                    ..Text::default()
                }),
            )
            .optional(),
        )
        .field(Field::new(
            "quiet",
            Kind::Toggle(Toggle {
                default: Some(true),
            }),
        ))
        .field(Field::new(
            "pick",
            Kind::Choice(Choice {
                options: picks(),
                other: true,
                ..Choice::default()
            }),
        ))
        .field(Field::new(
            "picks",
            Kind::Choices(Choices {
                options: picks(),
                ..Choices::default()
            }),
        ))
        .field(Field::new(
            "tempo",
            Kind::Number(Number {
                min: Some(40.0),
                max: Some(200.0),
                unit: Some("BPM".into()),
                ..Number::default()
            }),
        ))
        .field(Field::new("stars", Kind::Rating(Rating::default())))
        .field(Field::new("day", Kind::Date(DateRange::default())))
        .field(Field::new("moment", Kind::DateTime(DateRange::default())).optional())
        .field(Field::new("file", Kind::File(File::default())).optional())
        .field(
            Field::new(
                "link",
                Kind::Link(Link {
                    url: "https://example.com/terms".into(),
                }),
            )
            .optional(),
        )
        .field(Field::new("sure", Kind::Confirm));
    vec![
        Ask::confirm("Deploy **build 7** to production?")
            .details("```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n```\n\nSee [the notes](https://example.com).")
            .dangerous(),
        Ask::new("Every kind of field", every),
        Ask::new("A token, please", Form::new().field(Field::new("token", Kind::Secret))),
        Ask::choose("Which take?", ["one", "two", "three"]),
        Ask::confirm("<script>alert(1)</script> ![x](http://evil.example/x.png) pay\u{202e}lru"),
    ]
}
