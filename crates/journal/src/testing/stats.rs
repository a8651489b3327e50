//! What is counted.

use super::fixture::{Fixture, ask_of, at, decided, yes};
use crate::{
    Search, Stats, Status, Write,
    stats::{Count, Day, Response},
};
use holdpoint_ask::{Ask, ChannelKind, Outcome};
use jiff::tz::{TimeZone, offset};
use std::sync::Arc;

fn count(name: &str, asks: u64) -> Count {
    Count {
        server: None,
        name: Some(name.into()),
        asks,
    }
}

fn tool(server: &str, name: &str, asks: u64) -> Count {
    Count {
        server: Some(server.into()),
        ..count(name, asks)
    }
}

async fn fill(fixture: &Fixture) {
    for (hours, server, tool, end) in [
        (
            0,
            Some("studio"),
            Some("deploy"),
            Some((yes(), Some(ChannelKind::Client), 100, true)),
        ),
        (
            1,
            Some("studio"),
            Some("deploy"),
            Some((yes(), Some(ChannelKind::Inbox), 2_000, false)),
        ),
        (
            2,
            Some("studio"),
            Some("plan"),
            Some((Outcome::TimedOut, None, 300_000, false)),
        ),
        (
            25,
            Some("shop"),
            Some("deploy"),
            Some((Outcome::Cancelled, Some(ChannelKind::Inbox), 9_000, false)),
        ),
        (
            72,
            None,
            None,
            Some((yes(), Some(ChannelKind::Preset), 1, true)),
        ),
        (73, Some("shop"), Some("plan"), None),
    ] {
        let mut ask = (*ask_of(None, Ask::confirm("Go?"))).clone();
        ask.opened_at = at(3600 * hours);
        ask.origin.server = server.map(str::to_owned);
        ask.origin.tool = tool.map(str::to_owned);
        let mut batch = vec![Write::OpenAsk(Arc::new(ask.clone()))];
        if let Some((outcome, channel, duration_ms, fast)) = end {
            let mut decision = decided(ask.id, outcome);
            decision.channel = channel;
            (decision.duration_ms, decision.fast) = (duration_ms, fast);
            batch.push(Write::Settle(decision));
        }
        fixture.commit(batch).await;
    }
}

pub async fn asks_are_counted(fixture: &Fixture) {
    // The story begins at 2026-07-25T17:20:00Z.
    let zone = TimeZone::fixed(offset(5));
    let empty = fixture.journal.stats(Search::default(), zone.clone()).await;
    let empty = empty.unwrap();
    assert_eq!(
        (empty.asks, empty.response, &empty.by_day[..]),
        (0, None, &[][..])
    );
    fill(fixture).await;
    let stats = fixture.journal.stats(Search::default(), zone.clone()).await;
    let mut by_hour = vec![0; 24];
    for hour in [22, 23, 0, 23, 22, 23] {
        by_hour[hour] += 1;
    }
    let day = |day, asks| Day {
        day: jiff::civil::date(2026, 7, day),
        asks,
    };
    let wanted = Stats {
        asks: 6,
        first: Some(at(0)),
        last: Some(at(73 * 3600)),
        by_tool: vec![
            tool("studio", "deploy", 2),
            Count {
                server: None,
                name: None,
                asks: 1,
            },
            tool("shop", "deploy", 1),
            tool("shop", "plan", 1),
            tool("studio", "plan", 1),
        ],
        by_outcome: vec![
            count("accepted", 3),
            count("cancelled", 1),
            count("pending", 1),
            count("timed_out", 1),
        ],
        by_channel: vec![count("inbox", 2), count("client", 1), count("preset", 1)],
        by_hour,
        by_day: vec![day(25, 2), day(26, 2), day(27, 0), day(28, 2)],
        response: Some(Response {
            answered: 3,
            p50_ms: 2_000,
            p90_ms: 9_000,
        }),
        timed_out: 1,
        fast: 2,
    };
    assert_eq!(stats.unwrap(), wanted, "{}", fixture.name);

    let check = async |edit: &dyn Fn(&mut Search), asks: u64| {
        let mut search = Search::default();
        edit(&mut search);
        let stats = fixture.journal.stats(search.clone(), zone.clone()).await;
        assert_eq!(stats.unwrap().asks, asks, "{}: {search:?}", fixture.name);
    };
    check(&|search| search.tool = Some("plan".into()), 2).await;
    check(&|search| search.server = Some("shop".into()), 2).await;
    check(&|search| search.words = vec!["GO".into()], 6).await;
    check(&|search| search.words = vec!["gone".into()], 0).await;
    check(&|search| search.status = vec![Status::Accepted], 3).await;
    let second_hour =
        |search: &mut Search| (search.since, search.until) = (Some(at(3600)), Some(at(7200)));
    check(&second_hour, 1).await;
    check(&|search| search.limit = Some(1), 6).await;
}

pub async fn channels_of_authors_keep_their_names(fixture: &Fixture) {
    let author = |name| ChannelKind::author(name).unwrap();
    for (tool, channel) in [
        ("deploy", author("telegram")),
        ("telegram", author("telegram")),
        ("telegram", author("matrix")),
        ("telegram", ChannelKind::Token),
        ("deploy", author("other")),
    ] {
        let mut ask = (*ask_of(None, Ask::confirm("Go?"))).clone();
        ask.origin.tool = Some(tool.to_owned());
        let mut decision = decided(ask.id, yes());
        decision.channel = Some(channel);
        let batch = vec![Write::OpenAsk(Arc::new(ask)), Write::Settle(decision)];
        fixture.commit(batch).await;
    }
    let check = async |channel: Option<ChannelKind>, wanted: &[Count]| {
        let search = Search {
            channel,
            ..Search::default()
        };
        let asks: u64 = wanted.iter().map(|count| count.asks).sum();
        let found = fixture.journal.search(search.clone()).await.unwrap().asks;
        assert_eq!(found.len() as u64, asks, "{}: {search:?}", fixture.name);
        for ask in found {
            let through = ask.decision.and_then(|decision| decision.channel);
            assert!(channel.is_none() || through == channel, "{through:?}");
        }
        let stats = fixture.journal.stats(search.clone(), TimeZone::UTC).await;
        let stats = stats.unwrap().by_channel;
        assert_eq!(stats, wanted, "{}: {search:?}", fixture.name);
    };
    let all = [
        count("telegram", 2),
        count("matrix", 1),
        count("other", 1),
        count("token", 1),
    ];
    check(None, &all).await;
    check(Some(author("telegram")), &all[..1]).await;
    check(Some(author("matrix")), &all[1..2]).await;
    check(Some(ChannelKind::Token), &all[3..]).await;
    check(Some(author("deploy")), &[]).await;
    check(Some(author("pigeon")), &[]).await;
}
