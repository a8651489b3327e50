//! Serves the page with asks of several servers and every kind of field, for looking at it in a browser:
//! `cargo run -p holdpoint-inbox --example page`. The address with its key is printed.

use holdpoint::{
    Ask, Desk, Field, Form, Kind, Origin,
    field::{Choice, Choices, DateRange, File, Link, Number, Pick, Rating, Text, Toggle},
    journal::{self, Journal, NewAsk, Write},
};
use holdpoint_inbox::{Inbox, Page, Served, http_server::HttpServer, server::Site};
use jiff::{SignedDuration, Timestamp};
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let journal = journal::open(&std::env::args().nth(1).unwrap_or("memory:".into())).await?;
    for ((server, client), tool, ask) in asks() {
        open(journal.as_ref(), server, client, tool, ask).await?;
    }
    let inbox = Inbox::new(Some("ann".into()), "");
    let desk = Desk::builder(journal).channel(Arc::new(inbox.clone()));
    let page = Page::new(desk.build().await?, inbox, CancellationToken::new()).await?;
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let site = Site {
        address: listener.local_addr()?,
        tls: false,
        public: None,
    };
    let keys = page.keys().clone();
    println!(
        "{}",
        Served {
            site: site.clone(),
            keys
        }
        .address_with_key()?
    );
    page.serve(HttpServer::default(), listener, site).await;
    Ok(())
}

async fn open(
    journal: &dyn Journal,
    server: &str,
    client: &str,
    tool: &str,
    ask: Ask,
) -> Result<(), Box<dyn std::error::Error>> {
    let now = Timestamp::now();
    let origin = Origin {
        principal: "example".into(),
        server: Some(server.into()),
        client: Some(client.into()),
        tool: Some(tool.into()),
        workspace: Some(std::env::current_dir()?.display().to_string()),
        client_name: None,
    };
    let new = NewAsk {
        deadline_at: Some(now + SignedDuration::from_mins(30)),
        ..NewAsk::new(ask, origin, now)
    };
    journal.commit(vec![Write::OpenAsk(Arc::new(new))]).await?;
    Ok(())
}

/// Asks, each with its server and client, and with its tool.
fn asks() -> Vec<((&'static str, &'static str), &'static str, Ask)> {
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
    let decision = Choice {
        options: vec![
            Pick::new("approve")
                .label("Approve")
                .description("Start with the first phase")
                .recommended(),
            Pick::new("request_changes")
                .label("Request changes")
                .description("Say below what should be different"),
            Pick::new("cancel").label("Cancel the task"),
        ],
        ..Choice::default()
    };
    let feedback = Text {
        multiline: true,
        max_length: Some(1000),
        ..Text::default()
    };
    let plan = Form::new()
        .field(Field::new("decision", Kind::Choice(decision)).title("Your decision"))
        .field(
            Field::new("feedback", Kind::Text(feedback))
                .title("Feedback")
                .optional(),
        );
    let (editor, code) = ("editor 1.104", "Claude Code 2.1");
    let (own, studio, shop) = (
        ("holdpoint", editor),
        ("studio-mcp", code),
        ("shop-mcp", editor),
    );
    vec![
        (own, "elicit_form", Ask::new("Every kind of field", every)),
        (
            own,
            "elicit_input",
            Ask::new(
                "A token for the package registry, please",
                Form::new().field(Field::new("token", Kind::Secret).title("Token")),
            ),
        ),
        (
            ("holdpoint", code),
            "elicit_choice",
            Ask::choose(
                "Which take should go on the album?",
                ["First", "Second", "Third"],
            ),
        ),
        (
            ("hold\u{200b}point", "unknown"),
            "elicit_confirm",
            Ask::confirm(
                "<script>alert(1)</script> ![x](http://evil.example/x.png) pay\u{202e}lru",
            ),
        ),
        (
            own,
            "request_plan_approval",
            Ask::new(
                "Checkout in **three phases**, the old form stays until the last one\n\n\
                 1. Address and delivery behind a switch\n2. Payment by the new provider\n3. Remove the old form\n\n\
                 Open question: keep `guest` orders for 30 or 90 days?",
                plan,
            ),
        ),
        (
            shop,
            "migrate",
            Ask::confirm("Run migration `0042_orders` on **production**?")
                .details(MIGRATION)
                .dangerous()
                .with_word("orders")
                .consequence("The old column can be brought back from the backup for 7 days."),
        ),
        (
            ("archive-mcp", code),
            "delete_take",
            Ask::confirm("Delete **take 7** from the archive?"),
        ),
        (
            studio,
            "delete_take",
            Ask::confirm("Delete **take 7**?\n\nIt is the one with the broken string."),
        ),
        (
            studio,
            "delete_take",
            Ask::confirm("Delete **take 9**?").details("It was never mixed."),
        ),
    ]
}

const MIGRATION: &str = "It rewrites 1.2 million rows and drops the old column. See [the runbook](https://example.com/runbook/0042).

```diff
--- a/db/schema.sql
+++ b/db/schema.sql
@@ -18,7 +18,7 @@ CREATE TABLE orders (
   id          uuid PRIMARY KEY,
   customer    uuid NOT NULL REFERENCES customers,
-  total       numeric(10, 2),
+  total_cents bigint NOT NULL CHECK (total_cents >= 0),
   placed_at   timestamptz NOT NULL
 );
```";
