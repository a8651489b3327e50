//! Replies that do not show that a person gave them, at every surface.

use crate::stand::{Question, accepted, questions, setup};
use holdpoint::{ChannelKind, Gesture, Presence, Replier, Reply, ReplyResult};
use holdpoint_testkit::{Case, Client, StandSetup, attack_cases, open_ask};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

fn presence(case: &Case) -> Presence {
    let shown = case.number("shown");
    let mut presence = Presence::default().inside(case.text("agent").map(str::to_owned));
    presence.shown_at = shown.map(|ago| Timestamp::now() - SignedDuration::from_millis(ago));
    presence.gesture = case.text("gesture").map(|gesture| match gesture {
        "form" => Gesture::Form,
        "chosen" => Gesture::Chosen,
        "held" => Gesture::Held,
        word => Gesture::Word(word.strip_prefix("word ").unwrap().to_owned()),
    });
    presence.terminal = case.is("terminal");
    presence
}

fn question(dangerous: bool) -> Question {
    let mut all = questions().into_iter();
    all.find(|question| (question.arguments["dangerous"] == true) == dangerous)
        .unwrap()
}

#[tokio::test]
async fn a_reply_counts_by_its_presence_not_by_its_channels_name() {
    for case in attack_cases("presence") {
        let setup = StandSetup {
            inbox: true,
            tokio_clock: false,
            settings: Default::default(),
            ..setup()
        };
        let stand = setup.stand().await;
        // It shows no forms, so that the ask is the inbox's alone.
        let mut client = Client::modern(&stand, json!({}));
        let question = question(case.is("dangerous"));
        let call = json!({ "name": question.tool, "arguments": question.arguments });
        client.request("tools/call", call).await;
        let ask = open_ask(&stand.desk).await;
        let channel: ChannelKind =
            serde_json::from_value(case.text("channel").unwrap().into()).unwrap();
        let from = Replier::new(channel, Some("somebody".into()), presence(&case));
        let content = question.yes.as_object().unwrap().clone();
        let reply = Reply::Accept { content };
        let result = stand.desk.reply(ask.id, from, reply).await.unwrap();
        let said = match &result {
            ReplyResult::Settled(_) => "settled",
            ReplyResult::NotTaken(refusal) => refusal.as_str(),
            ReplyResult::Opened => "opened",
            _ => "other",
        };
        let name = &case.name;
        let expected = case.text("expect").unwrap();
        assert_eq!(said, expected, "{name}: {result:?}");
        let accepted = accepted(&stand).await;
        assert_eq!(accepted.len(), usize::from(expected == "settled"), "{name}");
    }
}
