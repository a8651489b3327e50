//! What is counted.

use super::fixture::{Fixture, ask_of, at, decided, origin, yes};
use crate::{
    Search, Status, Write,
    stats::{Count, Ended, Response},
};
use holdpoint_ask::{Ask, ChannelKind, Origin, Outcome};
use jiff::tz::{TimeZone, offset};
use std::sync::Arc;

/// A server, a name and how many asks.
type Counted<'a> = (Option<&'a str>, Option<&'a str>, u64);

fn counted(counts: &[Count]) -> Vec<Counted<'_>> {
    let counts = counts.iter();
    counts
        .map(|count| (count.server.as_deref(), count.name.as_deref(), count.asks))
        .collect()
}

fn count(name: &str, asks: u64) -> Counted<'_> {
    (None, Some(name), asks)
}

fn tool<'a>(server: &'a str, name: &'a str, asks: u64) -> Counted<'a> {
    (Some(server), Some(name), asks)
}

/// How those of this name ended.
fn ended(counts: &[Count], name: &str) -> Ended {
    let found = counts
        .iter()
        .find(|count| count.name.as_deref() == Some(name));
    found.unwrap_or_else(|| panic!("no {name}")).ended
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
    assert_eq!((empty.asks, empty.ended), (0, Ended::default()));
    assert_eq!(empty.by_day, []);
    fill(fixture).await;
    let stats = fixture.journal.stats(Search::default(), zone.clone()).await;
    let stats = stats.unwrap();
    assert_eq!(stats.asks, 6, "{}", fixture.name);
    assert_eq!(stats.fast, 2);
    assert_eq!(
        (stats.first, stats.last),
        (Some(at(0)), Some(at(73 * 3600)))
    );
    let tools = [
        tool("studio", "deploy", 2),
        (None, None, 1),
        tool("shop", "deploy", 1),
        tool("shop", "plan", 1),
        tool("studio", "plan", 1),
    ];
    assert_eq!(counted(&stats.by_tool), tools);
    let servers = [count("studio", 3), count("shop", 2), (None, None, 1)];
    assert_eq!(counted(&stats.by_server), servers);
    assert_eq!(counted(&stats.by_client), [count("vscode 1.110", 6)]);
    let outcomes = [
        count("accepted", 3),
        count("cancelled", 1),
        count("pending", 1),
        count("timed_out", 1),
    ];
    assert_eq!(counted(&stats.by_outcome), outcomes);
    let channels = [count("inbox", 2), count("client", 1), count("preset", 1)];
    assert_eq!(counted(&stats.by_channel), channels);
    let mut by_hour = vec![0; 24];
    for hour in [22, 23, 0, 23, 22, 23] {
        by_hour[hour] += 1;
    }
    assert_eq!(stats.by_hour, by_hour);
    let days = stats.by_day.iter();
    let days: Vec<_> = days.map(|day| (day.day.to_string(), day.asks)).collect();
    let wanted = [("25", 2), ("26", 2), ("27", 0), ("28", 2)];
    let wanted = wanted.map(|(day, asks)| (format!("2026-07-{day}"), asks));
    assert_eq!(days, wanted);

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

/// Each group has its own rates and times, and they are of those that ended.
pub async fn groups_have_rates_and_times(fixture: &Fixture) {
    fill(fixture).await;
    let stats = fixture
        .journal
        .stats(Search::default(), TimeZone::UTC)
        .await;
    let stats = stats.unwrap();
    let check = |found: Ended, counts: [u64; 3], response: Option<[u64; 4]>| {
        let part = |count| {
            (counts[0] > 0).then(|| (count as f64 / counts[0] as f64 * 10_000.0).round() / 10_000.0)
        };
        let wanted = Ended {
            asks: counts[0],
            accepted: counts[1],
            timed_out: counts[2],
            success_rate: part(counts[1]),
            timed_out_rate: part(counts[2]),
            response: response.map(|[answered, p50_ms, p90_ms, mean_ms]| Response {
                answered,
                p50_ms,
                p90_ms,
                mean_ms,
            }),
        };
        assert_eq!(found, wanted, "{}", fixture.name);
    };
    // One is open; one was answered beforehand, by nobody who took any time.
    check(stats.ended, [5, 3, 1], Some([3, 2_000, 9_000, 3_700]));
    let studio = ended(&stats.by_server, "studio");
    check(studio, [3, 2, 1], Some([2, 100, 2_000, 1_050]));
    let shop = ended(&stats.by_server, "shop");
    check(shop, [1, 0, 0], Some([1, 9_000, 9_000, 9_000]));
    check(
        stats.by_tool[0].ended,
        [2, 2, 0],
        Some([2, 100, 2_000, 1_050]),
    );
    check(ended(&stats.by_outcome, "pending"), [0, 0, 0], None);
    check(ended(&stats.by_outcome, "timed_out"), [1, 0, 1], None);
    check(ended(&stats.by_channel, "preset"), [1, 1, 0], None);
    let inbox = ended(&stats.by_channel, "inbox");
    check(inbox, [2, 1, 0], Some([2, 2_000, 9_000, 5_500]));
    check(
        stats.by_day[0].ended,
        [3, 2, 1],
        Some([2, 100, 2_000, 1_050]),
    );
    check(stats.by_day[2].ended, [0, 0, 0], None);
}

/// Nothing of another server, principal or workspace is counted, with words or without.
pub async fn a_caller_counts_only_its_own(fixture: &Fixture) {
    fill(fixture).await;
    for words in [vec![], vec!["go".to_owned()]] {
        let check = async |edit: &dyn Fn(&mut Origin), asks: u64| {
            let mut caller = origin();
            edit(&mut caller);
            let search = Search {
                seen_by: Some(caller),
                words: words.clone(),
                ..Search::default()
            };
            let stats = fixture.journal.stats(search.clone(), TimeZone::UTC).await;
            let stats = stats.unwrap();
            assert_eq!(stats.asks, asks, "{}: {search:?}", fixture.name);
            let of_groups: u64 = stats.by_tool.iter().map(|count| count.asks).sum();
            assert_eq!(of_groups, asks, "{}: {search:?}", fixture.name);
        };
        check(&|_| (), 3).await;
        check(&|caller| caller.client_name = Some("cursor".into()), 3).await;
        check(&|caller| caller.server = Some("shop".into()), 2).await;
        check(&|caller| caller.server = None, 1).await;
        check(&|caller| caller.server = Some("nobody".into()), 0).await;
        check(&|caller| caller.principal = "eve".into(), 0).await;
        check(&|caller| caller.principal = "ad".into(), 0).await;
        check(&|caller| caller.workspace = None, 0).await;
        check(&|caller| caller.workspace = Some("/work".into()), 0).await;
    }
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
    let check = async |channel: Option<ChannelKind>, wanted: &[Counted<'_>]| {
        let search = Search {
            channel,
            ..Search::default()
        };
        let asks: u64 = wanted.iter().map(|(.., asks)| asks).sum();
        let found = fixture.journal.search(search.clone()).await.unwrap().asks;
        assert_eq!(found.len() as u64, asks, "{}: {search:?}", fixture.name);
        for ask in found {
            let through = ask.decision.and_then(|decision| decision.channel);
            assert!(channel.is_none() || through == channel, "{through:?}");
        }
        let stats = fixture.journal.stats(search.clone(), TimeZone::UTC).await;
        let stats = stats.unwrap().by_channel;
        assert_eq!(counted(&stats), wanted, "{}: {search:?}", fixture.name);
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
