//! Clocks of replicas that are two minutes apart change nothing: all go by the database's.

use super::*;
use clients::Client;
use std::{process::Command, time::Instant};

/// Variables under which a program's clock is off by this: what Debian's `faketime` sets.
fn clock(offset: &str) -> Vec<(String, String)> {
    let output = Command::new("faketime")
        .args(["-m", "-f", offset, "env"])
        .output();
    let output = output.expect("faketime: `dev/setup` installs it");
    let said = stdout(&output);
    let mut variables: Vec<_> = said
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(name, _)| *name == "LD_PRELOAD" || name.starts_with("FAKETIME"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    assert!(!variables.is_empty(), "{}", stderr(&output));
    // How long something takes is not off.
    variables.push(("FAKETIME_DONT_FAKE_MONOTONIC".into(), "1".into()));
    variables
}

fn ahead(team: &Team) -> Replica {
    team.replica_with(&clock("+60s"), &[])
}

fn behind(team: &Team) -> Replica {
    team.replica_with(&clock("-60s"), &[])
}

fn ask(team: &Team, at: &Replica, era: Era) -> clients::Running {
    let client = match era {
        Era::Legacy => Client::TypeScriptV1,
        Era::Modern => Client::TypeScriptV2,
    };
    let plan = team.formless(at, era);
    client.start(&plan.call("elicit_confirm", json!({ "message": "Go on?" })))
}

#[test]
fn the_clocks_are_off() {
    let now = |variables: Vec<(String, String)>| {
        let output = Command::new("date").arg("+%s").envs(variables).output();
        stdout(&output.unwrap()).trim().parse::<i64>().unwrap()
    };
    let apart = now(clock("+60s")) - now(clock("-60s"));
    assert!((118..=125).contains(&apart), "{apart}");
}

#[test]
fn an_ask_of_five_minutes_is_answered_whichever_clock_opened_it() {
    let team = Team::new("inbox_timeout_seconds = 300");
    let (fast, slow) = (ahead(&team), behind(&team));
    for (era, at, answered_at) in [
        (Era::Legacy, &fast, &slow),
        (Era::Modern, &fast, &slow),
        (Era::Legacy, &slow, &fast),
        (Era::Modern, &slow, &fast),
    ] {
        let running = ask(&team, at, era);
        let name = format!("ann-{era:?}-{}", at.page.rsplit(':').next().unwrap());
        // A key that was made by yet another clock, and a browser that the one let in and the other knows.
        let ann = team
            .person(&name.to_lowercase(), at)
            .led_to(&answered_at.page);
        let open = ann.asked();
        let seen = ann.get("/api/asks");
        let left = moment(&open["deadlineAt"]) - moment(&seen["now"]);
        assert!(
            (270_000..=300_000).contains(&left),
            "{left} ms left: {open}"
        );
        let settled = ann.accept(&open, json!({ "confirmed": true }));
        assert_eq!(settled["result"], "settled", "{settled}");
        let run = running.finish();
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["confirmed"], true, "{}", run.story());
        let took = told["durationMs"].as_i64().unwrap();
        assert!((0..50_000).contains(&took), "{took} ms: {}", run.story());
    }
    team.verify();
}

#[test]
fn a_deadline_that_is_not_due_is_not_timed_out_by_a_clock_that_is_ahead() {
    // By the clocks of the two, it would have ended half a minute ago.
    let team = Team::new("inbox_timeout_seconds = 90");
    let slow = behind(&team);
    let running = ask(&team, &slow, Era::Modern);
    let ann = team.person("ann", &slow);
    let open = ann.asked();
    // It looks for overdue asks when it starts.
    let fast = ahead(&team);
    let ann = ann.led_to(&fast.page);
    let settled = ann.accept(&open, json!({ "confirmed": true }));
    assert_eq!(settled["result"], "settled", "{settled}");
    let run = running.finish();
    let told = &run.result(0)["structuredContent"];
    assert_eq!(told["confirmed"], true, "{}", run.story());
    team.verify();
}

#[test]
fn a_deadline_that_is_due_is_not_put_off_by_a_clock_that_is_behind() {
    let team = Team::new("inbox_timeout_seconds = 5");
    let (fast, slow) = (ahead(&team), behind(&team));
    let started = Instant::now();
    for (era, at) in [(Era::Legacy, &slow), (Era::Modern, &fast)] {
        let run = ask(&team, at, era).finish();
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["status"], "timed_out", "{}", run.story());
    }
    assert!(
        started.elapsed() < Duration::from_secs(55),
        "{:?}",
        started.elapsed()
    );
    team.verify();
}

/// A reply at one replica to an ask that was in view at the other. The browser claims a minute, so that the replicas
/// alone tell how long it was.
fn reply_to_shown(team: &Team, shown_at: &Replica, answered_at: &Replica) -> impl Fn() -> Value {
    let name = format!("ann-{}", shown_at.page.rsplit(':').next().unwrap());
    let ann = team.person(&name, shown_at);
    let id = ann.asked()["id"].as_str().unwrap().to_owned();
    ann.post(&format!("/api/asks/{id}/shown"), json!({}));
    let ann = ann.led_to(&answered_at.page);
    move || {
        ann.post(
            "/api/elicitation/respond",
            json!({
                "askId": id, "action": "accept", "content": { "confirmed": true },
                "presence": { "shownMs": 60_000, "gesture": "held" },
            }),
        )
    }
}

#[test]
fn an_answer_given_too_soon_is_refused_whichever_clock_showed_the_ask() {
    for shown_ahead in [true, false] {
        // Longer than a busy machine takes for a reply, and shorter than the clocks are apart.
        let team = Team::new("fast_reply_ms = 50000");
        let (mut shown_at, mut answered_at) = (ahead(&team), behind(&team));
        if !shown_ahead {
            std::mem::swap(&mut shown_at, &mut answered_at);
        }
        let _running = ask(&team, &shown_at, Era::Modern);
        let too_soon = reply_to_shown(&team, &shown_at, &answered_at)();
        assert_eq!(too_soon["result"], "too_fast", "{too_soon}");
        team.verify();
    }
}

#[test]
fn an_answer_is_taken_after_the_reading_time_whichever_clock_showed_the_ask() {
    let team = Team::new("fast_reply_ms = 3000");
    let (fast, slow) = (ahead(&team), behind(&team));
    for (shown_at, answered_at) in [(&fast, &slow), (&slow, &fast)] {
        let running = ask(&team, shown_at, Era::Modern);
        let reply = reply_to_shown(&team, shown_at, answered_at);
        eventually_blocking("the reading time", || {
            (reply()["result"] == "settled").then_some(())
        });
        let run = running.finish();
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["confirmed"], true, "{}", run.story());
        assert!(
            told["durationMs"].as_i64().unwrap() >= 3_000,
            "{}",
            run.story()
        );
    }
    team.verify();
}

#[test]
fn a_grant_that_was_given_by_one_clock_is_good_by_the_other() {
    let client = Client::TypeScriptV2;
    for given_ahead in [true, false] {
        let team = Team::new("fast_reply_ms = 0");
        team.home
            .work_file("AGENTS.md", "# Rules\n\n- Use tabs.\n- Use pnpm.\n");
        let (fast, slow) = (ahead(&team), behind(&team));
        let (given_at, used_at) = if given_ahead {
            (&fast, &slow)
        } else {
            (&slow, &fast)
        };
        let action = |name: &str| json!({ "action": name, "file": "AGENTS.md" });
        let person =
            |content: Value| json!({ "action": "accept", "content": content, "delayMs": 400 });
        let mut plan = team.plan(given_at, Era::Modern);
        for name in ["analyze", "propose", "approve"] {
            plan = plan.call("onboarding", action(name));
        }
        let run = client.run(&plan.answer(person(json!({ "approved": true, "comment": "Go" }))));
        assert_eq!(
            run.result(2)["structuredContent"]["state"],
            "approved",
            "{}",
            run.story()
        );
        let sure = person(json!({ "confirmed": true, "understood_risks": true }));
        let plan = team.plan(used_at, Era::Modern);
        let run = client.run(&plan.call("onboarding", action("migrate")).answer(sure));
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["state"], "completed", "{}", run.story());
        team.verify();
    }
}

fn moment(text: &Value) -> i64 {
    let text = text.as_str().unwrap_or_else(|| panic!("no moment: {text}"));
    text.parse::<jiff::Timestamp>().unwrap().as_millisecond()
}
