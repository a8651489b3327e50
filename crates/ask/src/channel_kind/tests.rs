//! What channels are called, and what is read back.

use super::*;
use serde_json::{Value, json};

#[test]
fn a_name_is_short_plain_and_not_one_of_ours() {
    for name in [
        "telegram",
        "t",
        "matrix-room-7",
        "a--",
        "other",
        "inbox-2",
        "abcdefghijklmnopqrstuvwx",
    ] {
        let made = ChannelName::new(name).unwrap();
        assert_eq!(made.as_str(), name);
        assert_eq!(made.to_string(), name);
    }
    let refuse = |name: &str, why: &str| {
        let wanted = format!("{:?} cannot name a channel: {why}", visible(name));
        let error = ChannelName::new(name).unwrap_err();
        assert_eq!(error.to_string(), wanted);
        assert_eq!(ChannelKind::author(name), Err(error));
    };
    refuse("", "it must have a letter at least");
    let long = "it must have at most 24 characters";
    refuse("abcdefghijklmnopqrstuvwxy", long);
    refuse(&"é".repeat(13), long);
    for name in [
        "Telegram",
        "tele gram",
        "tele_gram",
        "token:ci",
        "télé",
        "a\0",
        "a\n",
        " a",
        "a\u{200b}",
    ] {
        let why = "it must have only lower-case letters (a to z), digits and hyphens";
        refuse(name, why);
    }
    refuse("7th", "it must begin with a letter");
    refuse("-a", "it must begin with a letter");
    for word in RESERVED {
        refuse(word, "that is a word of Holdpoint's own, choose another");
    }
    for own in ChannelKind::OWN {
        assert!(RESERVED.contains(&own.as_str()), "{own:?}");
    }
    let endless = ChannelName::new(&"x".repeat(100_000)).unwrap_err();
    assert!(endless.to_string().len() < 200, "{endless}");
}

#[test]
fn a_kind_is_one_word_in_the_record() {
    let check = |kind: ChannelKind, word: &str| {
        assert_eq!(kind.as_str(), word);
        assert_eq!(kind.to_string(), word);
        assert_eq!(serde_json::to_value(kind).unwrap(), json!(word));
        let read: ChannelKind = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(read, kind);
    };
    let words = [
        "client", "url", "inbox", "terminal", "cli", "preset", "token",
    ];
    for (kind, word) in ChannelKind::OWN.into_iter().zip(words) {
        check(kind, word);
    }
    check(ChannelKind::author("telegram").unwrap(), "telegram");
    // Records of before authors' channels had names say this.
    check(ChannelKind::author("other").unwrap(), "other");
}

#[test]
fn what_is_no_kind_is_not_read() {
    for stored in [
        json!(""),
        json!("Inbox"),
        json!("pending"),
        json!("hook"),
        json!("token:ci"),
        json!("abcdefghijklmnopqrstuvwxy"),
        json!(3),
        json!({ "Author": "telegram" }),
        Value::Null,
    ] {
        let read = serde_json::from_value::<ChannelKind>(stored.clone());
        assert!(read.is_err(), "{stored}: {read:?}");
    }
}

#[test]
fn names_are_in_the_order_of_their_letters() {
    let names = ["a", "a-b", "a0", "aa", "ab", "b"];
    let mut sorted = names.map(|name| ChannelName::new(name).unwrap());
    sorted.reverse();
    sorted.sort();
    assert_eq!(sorted.map(|name| name.to_string()), names);
    assert_eq!(
        format!("{:?}", ChannelKind::author("b").unwrap()),
        r#"Author(ChannelName("b"))"#
    );
}
