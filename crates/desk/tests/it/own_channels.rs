//! Channels of an author's own: what they bring, where they fail, and what they are told.

use crate::support::*;
use futures::future::BoxFuture;
use holdpoint::{
    Ask, Channel, ChannelKind, ChannelReply, Clock, Decision, Delivery, DeliveryError, Desk,
    Gesture, Holdpoint, Origin, Outcome, Presence, Refusal, ReplyResult, Showing,
    journal::SqliteJournal,
};
use serde_json::{Value, json};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::mpsc;

type Delivered = BoxFuture<'static, Result<Delivery, DeliveryError>>;

/// A chat that does what the test says with each ask.
struct Chat(Box<dyn Fn(Showing) -> Delivered + Send + Sync>);

impl Chat {
    fn new<F>(deliver: impl Fn(Showing) -> F + Send + Sync + 'static) -> Arc<Self>
    where
        F: Future<Output = Result<Delivery, DeliveryError>> + Send + 'static,
    {
        Arc::new(Self(Box::new(move |showing| Box::pin(deliver(showing)))))
    }

    /// One that parks everything, and tells the test what it shows.
    fn parked() -> (Arc<Self>, mpsc::UnboundedReceiver<Showing>) {
        let (show, shown) = mpsc::unbounded_channel();
        let chat = Self::new(move |showing| {
            show.send(showing).unwrap();
            async { Ok(Delivery::Parked) }
        });
        (chat, shown)
    }
}

impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Chat")
    }
}

impl Channel for Chat {
    fn kind(&self) -> ChannelKind {
        ChannelKind::author("chat").unwrap()
    }

    fn reaches(&self, _ask: &Ask) -> bool {
        true
    }

    fn deliver(&self, showing: Showing) -> Delivered {
        (self.0)(showing)
    }
}

async fn desk_with(channels: impl IntoIterator<Item = Arc<dyn Channel>>) -> Desk {
    let journal = SqliteJournal::in_memory().unwrap();
    let mut desk = Desk::builder(Arc::new(journal))
        .settings(patient())
        .clock(Clock::tokio());
    for channel in channels {
        desk = desk.channel(channel);
    }
    desk.build().await.unwrap()
}

fn origin() -> Origin {
    Origin {
        server: Some("todo-mcp".into()),
        client: Some("Claude Code 2.1".into()),
        principal: "local".into(),
        ..Origin::default()
    }
}

async fn decide(desk: &Desk, ask: Ask) -> Decision {
    let mut ask = desk.ask(origin(), ask).await.unwrap();
    let decided = tokio::time::timeout(Duration::from_secs(10), ask.decided()).await;
    decided.expect("it is decided soon").unwrap().decision
}

fn yes() -> ChannelReply {
    ChannelReply::accept(json!({ "confirmed": true }))
}

#[tokio::test(start_paused = true)]
async fn a_reply_comes_later_through_the_handle_with_who_gave_it() {
    let (chat, mut shown) = Chat::parked();
    let desk = desk_with([chat as Arc<dyn Channel>]).await;
    let deciding = tokio::spawn({
        let desk = desk.clone();
        async move { decide(&desk, Ask::confirm("Deploy?")).await }
    });
    let showing = shown.recv().await.unwrap();
    let handle = showing.reply_handle();
    let invalid = handle.reply(ChannelReply::accept(json!({}))).await.unwrap();
    assert!(matches!(invalid, ReplyResult::Invalid(_)), "{invalid:?}");
    assert!(!showing.is_ended());
    let taken = handle.reply(yes().by("ann")).await.unwrap();
    assert!(matches!(taken, ReplyResult::Settled(_)), "{taken:?}");
    let decision = deciding.await.unwrap();
    assert_eq!(decision.outcome.status(), "accepted");
    assert_eq!(decision.channel.unwrap().as_str(), "chat");
    assert_eq!(decision.answered_by.as_deref(), Some("ann"));
    assert_eq!(showing.ended().await.as_ref(), Some(&decision));
    let late = handle.reply(ChannelReply::decline(None).by("bob")).await;
    let ReplyResult::Late(recorded) = late.unwrap() else {
        panic!("the first one wins")
    };
    assert_eq!(recorded, decision);
    drop(desk);
}

#[tokio::test(start_paused = true)]
async fn it_is_told_the_decision_that_was_made_elsewhere() {
    let (chat, mut shown) = Chat::parked();
    let desk = desk_with([chat as Arc<dyn Channel>, Arc::new(ParkedInbox::default())]).await;
    let ask = desk.ask(origin(), Ask::confirm("Deploy?")).await.unwrap();
    let showing = shown.recv().await.unwrap();
    inbox_reply(&desk, ask.id(), json!({ "confirmed": false })).await;
    let ended = showing.ended().await.unwrap();
    assert_eq!(ended.outcome, Outcome::Declined { reason: None });
    assert_eq!(ended.channel, Some(ChannelKind::Inbox));
}

#[tokio::test(start_paused = true)]
async fn it_never_says_yes_to_what_is_dangerous() {
    // Whatever it claims of a person's presence.
    let claims = [
        Presence::default(),
        Presence::seen(jiff::Timestamp::UNIX_EPOCH, Gesture::Held).at_terminal(),
        holdpoint::testing::at_leisure("confirm"),
    ];
    let (chat, mut shown) = Chat::parked();
    let desk = desk_with([chat as Arc<dyn Channel>]).await;
    let ask = Ask::confirm("Drop the table?").dangerous();
    let ask = desk.ask(origin(), ask).await.unwrap();
    let handle = shown.recv().await.unwrap().reply_handle();
    for claim in claims {
        let reply = yes().by("ann").with_presence(claim);
        let taken = handle.reply(reply).await.unwrap();
        let refused = ReplyResult::NotTaken(Refusal::NotByProgram);
        assert_eq!(taken, refused);
    }
    let record = desk.journal().ask(ask.id()).await.unwrap().unwrap();
    assert_eq!(record.decision, None);
    // Where it replies by itself, the ask is left to others, and here there are none.
    let chat = Chat::new(|_| async { Ok(Delivery::Replied(yes())) });
    let desk = desk_with([chat as Arc<dyn Channel>]).await;
    let decision = decide(&desk, Ask::confirm("Drop the table?").dangerous()).await;
    let why = "chat: a yes to this cannot come from a program".to_owned();
    assert_eq!(decision.outcome, Outcome::Unreachable { why });
}

#[tokio::test(start_paused = true)]
async fn one_that_fails_ends_the_ask_where_it_is_the_only_one() {
    let failing: [(Arc<Chat>, &str); 3] = [
        (
            Chat::new(|_| async { Err(DeliveryError::Failed("the chat is blocked".into())) }),
            "chat: the chat is blocked",
        ),
        (
            Chat::new(|_| async { Err(DeliveryError::Gone) }),
            "chat: the other side is gone",
        ),
        (
            Chat::new(|_| async { panic!("a bug in a channel") }),
            "chat: showing the question failed unexpectedly",
        ),
    ];
    for (chat, why) in failing {
        let desk = desk_with([chat as Arc<dyn Channel>]).await;
        let decision = decide(&desk, Ask::confirm("Deploy?")).await;
        let why = why.to_owned();
        assert_eq!(decision.outcome, Outcome::Unreachable { why });
    }
    let fail = |why: &'static str| {
        Chat::new(move |_| async move { Err(DeliveryError::Failed(why.into())) })
    };
    let desk = desk_with([fail("one") as Arc<dyn Channel>, fail("two")]).await;
    let decision = decide(&desk, Ask::confirm("Deploy?")).await;
    let why = "chat: one; chat: two".to_owned();
    assert_eq!(decision.outcome, Outcome::Unreachable { why });
}

#[tokio::test(start_paused = true)]
async fn one_that_fails_leaves_the_ask_to_the_others() {
    let chat = Chat::new(|_| async { Err(DeliveryError::Failed("no network".into())) });
    let desk = desk_with([
        chat.clone() as Arc<dyn Channel>,
        Arc::new(ParkedInbox::default()),
    ])
    .await;
    let mut ask = desk.ask(origin(), Ask::confirm("Deploy?")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    inbox_reply(&desk, ask.id(), json!({ "confirmed": true })).await;
    let decided = ask.decided().await.unwrap();
    assert_eq!(decided.outcome.status(), "accepted");

    // And to a client, of either era.
    let flows = || {
        Flows::default().with("go", |cx, _| async move {
            Ok(cx.elicitor().confirm("Go?").await?.status().to_owned())
        })
    };
    let desk = desk_with([chat as Arc<dyn Channel>]).await;
    let server = Holdpoint::new(desk, flows()).unwrap();
    let reply = accept(json!({ "confirmed": true }));
    let mut legacy = Client::legacy(server.clone(), form()).await;
    let call = legacy.call("go").await;
    let asked = legacy.asked().await;
    legacy.reply(&asked, reply.clone()).await;
    assert_eq!(text(&legacy.answer(call).await), "accepted");
    let mut modern = Client::modern(server, form());
    let call = modern.call("go").await;
    let (keys, state) = round(&modern.answer(call).await);
    tokio::time::sleep(Duration::from_secs(60)).await;
    let call = modern.retry("go", &state, json!({ &keys[0]: reply })).await;
    assert_eq!(text(&modern.answer(call).await), "accepted");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_taken_out_and_a_channel_that_failed_leave_nobody() {
    let chat = Chat::new(|_| async { Err(DeliveryError::Failed("no network".into())) });
    let journal = SqliteJournal::in_memory().unwrap();
    let desk = Desk::builder(Arc::new(journal))
        .clock(Clock::tokio())
        .channel(chat);
    let flows = Flows::default().with("go", |cx, _| async move {
        Ok(cx.elicitor().confirm("Go?").await?.status().to_owned())
    });
    let server = Holdpoint::new(desk.build().await.unwrap(), flows).unwrap();
    let mut client = Client::legacy(server, form()).await;
    let call = client.call("go").await;
    let asked = client.asked().await;
    // Faster than a person can read.
    client
        .reply(&asked, accept(json!({ "confirmed": true })))
        .await;
    assert_eq!(text(&client.answer(call).await), "unreachable");
}

/// A chat that answers everything in the same wrong way, and how often it was asked.
fn stubborn() -> (Arc<Chat>, Arc<AtomicUsize>) {
    let asked = Arc::<AtomicUsize>::default();
    let count = asked.clone();
    let chat = Chat::new(move |showing| {
        let first = count.fetch_add(1, Ordering::SeqCst) == 0;
        assert_eq!(
            showing.errors().is_empty(),
            first,
            "it is told what is wrong"
        );
        async { Ok(Delivery::Replied(ChannelReply::accept(json!({})))) }
    });
    (chat, asked)
}

#[tokio::test(start_paused = true)]
async fn one_that_replies_invalidly_again_and_again_is_asked_no_more() {
    let (chat, asked) = stubborn();
    let desk = desk_with([chat as Arc<dyn Channel>]).await;
    let decision = decide(&desk, Ask::confirm("Deploy?")).await;
    assert_eq!(decision.outcome.status(), "invalid");
    assert_eq!(asked.load(Ordering::SeqCst), 3);

    let (chat, asked) = stubborn();
    let desk = desk_with([chat as Arc<dyn Channel>, Arc::new(ParkedInbox::default())]).await;
    let mut ask = desk.ask(origin(), Ask::confirm("Deploy?")).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    inbox_reply(&desk, ask.id(), json!({ "confirmed": true })).await;
    let decided = ask.decided().await.unwrap();
    assert_eq!(decided.outcome.status(), "accepted");
}

#[tokio::test(start_paused = true)]
async fn its_text_says_who_asks_and_what_is_dangerous() {
    let (chat, mut shown) = Chat::parked();
    let desk = desk_with([chat as Arc<dyn Channel>]).await;
    let ask = Ask::confirm("Drop the \u{202e}table?").dangerous();
    desk.ask(origin(), ask).await.unwrap();
    let text = shown.recv().await.unwrap().text();
    let wanted =
        "todo-mcp asks, for Claude Code 2.1\n\nDangerous: This cannot be undone.\n\nDrop the ";
    assert!(text.starts_with(wanted), "{text}");
    assert!(!text.contains('\u{202e}'), "{text}");
}

#[test]
fn after_a_restart_what_was_left_open_is_shown_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let flows = || {
        Flows::default().with("go", |cx, _| async move {
            let outcome = cx.elicitor().confirm("Go?").await?;
            Ok(outcome.status().to_owned())
        })
    };
    let serve = |runtime: &tokio::runtime::Runtime, chat: Arc<Chat>| {
        runtime.block_on(async {
            let journal = sqlite_journal_here(&folder).await;
            let desk = Desk::builder(journal).settings(patient()).channel(chat);
            let desk = desk.build().await.unwrap();
            (desk.clone(), Holdpoint::new(desk, flows()).unwrap())
        })
    };
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(2).enable_all().build().unwrap()
    };
    let answer = |runtime: &tokio::runtime::Runtime, server: &Holdpoint<Flows>| -> Value {
        runtime.block_on(async {
            let mut client = Client::legacy(server.clone(), json!({})).await;
            let call = client.call("go").await;
            client.answer(call).await
        })
    };

    let first = runtime();
    let (chat, mut shown) = Chat::parked();
    let (desk, server) = serve(&first, chat);
    let calling = first.spawn({
        let server = server.clone();
        async move {
            let mut client = Client::legacy(server, json!({})).await;
            let call = client.call("go").await;
            client.answer(call).await
        }
    });
    let before = first.block_on(shown.recv()).unwrap();
    assert!(!before.is_after_restart());
    drop((desk, server, calling));
    first.shutdown_timeout(Duration::from_secs(5));

    let second = runtime();
    let (chat, mut shown) = Chat::parked();
    let (_desk, server) = serve(&second, chat);
    let again = second.block_on(shown.recv()).unwrap();
    assert!(again.is_after_restart());
    assert_eq!(again.id(), before.id());
    // The same call again goes on with it; the chat is not shown it twice.
    let replying = second.spawn({
        let handle = again.reply_handle();
        async move {
            tokio::task::yield_now().await;
            handle.reply(yes().by("ann")).await.unwrap()
        }
    });
    let told = answer(&second, &server);
    assert_eq!(text(&told), "accepted");
    let taken = second.block_on(replying).unwrap();
    assert!(matches!(taken, ReplyResult::Settled(_)), "{taken:?}");
    let ended = second.block_on(again.ended()).unwrap();
    assert_eq!(ended.answered_by.as_deref(), Some("ann"));
    assert!(shown.try_recv().is_err(), "it is shown once");
}
