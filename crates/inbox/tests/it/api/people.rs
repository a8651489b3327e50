//! People whom the page knows by name: whose answers are whose, and attempts to be somebody else.

use super::{
    stand::*,
    team::{PUBLIC, Replica, Session, over_every_engine},
};
use axum::{body::Body, http::Request};
use holdpoint::{Ask, AskId, journal::EventKind};
use holdpoint_inbox::{
    Browser,
    people::People,
    tokens::{May, Tokens},
};
use holdpoint_testkit::eventually;
use serde_json::{Value, json};

/// Ann and Bob, each in a browser of their own, and one of nobody in particular.
struct Team {
    page: Replica,
    ann: Session,
    bob: Session,
    nobody: Session,
}

over_every_engine! {
    what_somebody_answers_is_theirs
    nobody_becomes_somebody_else_by_saying_so
    each_has_a_pin_of_their_own
    wrong_tries_of_one_neither_lock_out_nor_unlock_another
    what_is_nobodys_leads_around_no_pin
    a_pin_whose_hash_is_gone_or_another_refuses
}

impl Team {
    /// Ann's PIN is 1111, and Bob's 2222.
    async fn with_pins(url: &str) -> Self {
        let team = Self::over(url).await;
        for (name, pin) in [("ann", "1111"), ("bob@example.com", "2222")] {
            let set = team.page.desk.pin_of(name).set(None, pin).await;
            set.unwrap();
        }
        team
    }

    async fn over(url: &str) -> Self {
        let page = Replica::over(url, 4653).await;
        let open = async |keys: &holdpoint_inbox::Keys| {
            let opened = page.try_open(&keys.opening_key().unwrap()).await;
            opened.unwrap()
        };
        let ann = open(&page.add("ann").await).await;
        let bob = open(&page.add("bob@example.com").await).await;
        let nobody = open(&page.keys).await;
        Self {
            page,
            ann,
            bob,
            nobody,
        }
    }

    async fn answered_by(&self, ask: AskId) -> Option<String> {
        let record = self.page.journal.ask(ask).await.unwrap().unwrap();
        record.decision.and_then(|decision| decision.answered_by)
    }

    async fn dangerous(&self) -> AskId {
        self.page.ask(Ask::confirm("Delete it?").dangerous()).await
    }

    async fn yes(&self, session: &Session, ask: AskId, pin: Option<&str>) -> Value {
        let content = json!({ "confirmed": true });
        let told = self.page.answer(&session.token, ask, content, pin).await;
        told["result"].clone()
    }
}

async fn what_somebody_answers_is_theirs(url: &str) {
    let team = Team::over(url).await;
    for (session, name) in [
        (&team.ann, "ann"),
        (&team.bob, "bob@example.com"),
        (&team.nobody, "service"),
    ] {
        let ask = team.page.ask(Ask::confirm("Go on?")).await;
        let (_, listed) = team.page.get(&session.token, "/api/asks").await;
        assert_eq!(listed["me"], name);
        let (_, whole) = team
            .page
            .get(&session.token, &format!("/api/asks/{ask}"))
            .await;
        assert_eq!(whole["id"], json!(ask));
        let shown = format!("/api/asks/{ask}/shown");
        let (status, _) = team.page.post(&session.token, &shown, json!({})).await;
        assert_eq!(status, 200);
        assert_eq!(team.yes(session, ask, None).await, "settled");
        assert_eq!(team.answered_by(ask).await.as_deref(), Some(name));
        let history = team.page.journal.history(ask).await.unwrap().unwrap();
        let shown = history
            .events
            .iter()
            .find(|event| event.kind == EventKind::Shown);
        assert_eq!(shown.unwrap().body["by"], name);
        // Several at once are theirs too.
        let many = [
            team.page.ask(Ask::confirm("File 1?")).await,
            team.page.ask(Ask::confirm("File 2?")).await,
        ];
        let body = json!({
            "askIds": many, "action": "accept", "content": { "confirmed": true }, "presence": held(),
        });
        let path = "/api/elicitation/respond-many";
        let (status, told) = team.page.post(&session.token, path, body).await;
        assert_eq!(status, 200, "{told}");
        for ask in many {
            assert_eq!(team.answered_by(ask).await.as_deref(), Some(name));
        }
    }
}

async fn nobody_becomes_somebody_else_by_saying_so(url: &str) {
    let team = Team::over(url).await;
    let ask = team.page.ask(Ask::confirm("Go on?")).await;
    let (ann, bob, nobody) = (&team.ann.token, &team.bob.token, &team.nobody.token);
    let rest = |token: &str| {
        token
            .split_once('~')
            .map_or(token, |(_, rest)| rest)
            .to_owned()
    };
    let renamed = |browser: &Browser, number: String| Browser {
        number,
        key: browser.key.clone(),
    };
    let hosting = team.page.hosting().await;
    let posing = renamed(
        &team.bob.browser,
        format!("ann~{}", rest(&team.bob.browser.number)),
    );
    for forged in [
        format!("ann~{}", rest(bob)),
        format!("ann~{}", rest(nobody)),
        format!("bob@example.com~{}", rest(ann)),
        rest(ann),
        format!("Ann~{}", rest(ann)),
        format!("ANN~{}", rest(ann)),
        format!("аnn~{}", rest(ann)),
        format!("ann ~{}", rest(ann)),
        format!("ann~ann~{}", rest(ann)),
        format!("~{}", rest(nobody)),
        format!("eve~{}", rest(ann)),
        format!("../people/ann~{}", rest(ann)),
        posing.token(&hosting),
    ] {
        let request = Request::get("/api/asks").header("host", PUBLIC);
        // Not every text is a header, and one that is none goes nowhere.
        let request = request.header("x-holdpoint-token", forged.as_bytes());
        let response = team.page.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), 401, "{forged}");
    }
    // Their opening keys are as little good for each other.
    let people = People::new(team.page.journal.clone());
    let eve = people.add("eve").await.unwrap();
    let key = team.page.keys.of(&eve).opening_key().unwrap();
    for forged in [
        rest(&key),
        format!("ann~{}", rest(&key)),
        format!("EVE~{}", rest(&key)),
        format!("eve~eve~{}", rest(&key)),
        format!("eve~{}", rest(&team.page.keys.opening_key().unwrap())),
    ] {
        let told = team.page.try_open(&forged).await.err().unwrap();
        assert_eq!(told["error"]["code"], "no_key", "{forged}");
    }
    assert!(
        team.page.try_open(&key).await.is_ok(),
        "it was not spent by that"
    );
    // Nor does what is in the answer name anybody.
    let body = json!({
        "askId": ask, "action": "accept", "content": { "confirmed": true }, "presence": held(),
        "person": "ann", "answeredBy": "ann", "by": "ann", "name": "ann",
    });
    let (_, told) = team.page.post(bob, "/api/elicitation/respond", body).await;
    assert_eq!(told["decision"]["answeredBy"], "bob@example.com", "{told}");
}

async fn each_has_a_pin_of_their_own(url: &str) {
    let team = Team::with_pins(url).await;
    let ask = team.dangerous().await;
    let (_, seen) = team
        .page
        .get(&team.ann.token, &format!("/api/asks/{ask}"))
        .await;
    assert_eq!(seen["pinNeeded"], true);
    assert_eq!(team.yes(&team.ann, ask, None).await, "pin_needed");
    assert_eq!(
        team.yes(&team.ann, ask, Some("2222")).await,
        "wrong_pin",
        "Bob's"
    );
    assert_eq!(
        team.yes(&team.bob, ask, Some("1111")).await,
        "wrong_pin",
        "Ann's"
    );
    assert_eq!(team.yes(&team.ann, ask, Some("1111")).await, "settled");
    assert_eq!(team.answered_by(ask).await.as_deref(), Some("ann"));
}

async fn wrong_tries_of_one_neither_lock_out_nor_unlock_another(url: &str) {
    let team = Team::with_pins(url).await;
    let ask = team.dangerous().await;
    for _ in 0..4 {
        assert_eq!(team.yes(&team.bob, ask, Some("9999")).await, "wrong_pin");
    }
    // Bob has to wait now, also with the right one. Ann, who is right every time, lifts nothing of that, nor has she
    // to wait.
    for _ in 0..40 {
        let other = team.dangerous().await;
        assert_eq!(team.yes(&team.ann, other, Some("1111")).await, "settled");
    }
    let waits = eventually("Bob's next try", async || {
        let content = json!({ "confirmed": true });
        let told = team
            .page
            .answer(&team.bob.token, ask, content, Some("9999"));
        let waits = told.await["retryAfterMs"].as_u64().unwrap();
        (waits > 2_000).then_some(waits)
    });
    assert_eq!(waits.await, 4_000, "his fifth in a row");
    assert_eq!(team.yes(&team.bob, ask, Some("2222")).await, "wrong_pin");
    assert_eq!(team.yes(&team.ann, ask, Some("1111")).await, "settled");
}

async fn what_is_nobodys_leads_around_no_pin(url: &str) {
    let team = Team::over(url).await;
    let desk = &team.page.desk;
    desk.pin_of("ann").set(None, "1111").await.unwrap();
    let ask = team.dangerous().await;
    let body = json!({
        "askId": ask, "action": "accept", "content": { "confirmed": true }, "pin": "1111", "presence": held(),
    });
    let path = "/api/elicitation/respond";
    let (status, told) = team.page.post(&team.nobody.token, path, body).await;
    assert_ne!(status, 200, "{told}");
    assert_eq!(team.answered_by(ask).await, None);
    // A program never answers what is dangerous, whatever it is called.
    let tokens = Tokens::new(team.page.journal.clone());
    tokens.create("ann", &[May::Answer]).await.unwrap_err();
    // One for everybody counts for those who have none of their own, and is theirs to prove before they set one.
    desk.pin().set(None, "0000").await.unwrap();
    let bob = desk.pin_of("bob@example.com");
    bob.set(None, "2222").await.unwrap_err();
    assert_eq!(team.yes(&team.bob, ask, None).await, "pin_needed");
    bob.clear("0000").await.unwrap_err();
    bob.set(Some("0000"), "2222").await.unwrap();
    assert_eq!(team.yes(&team.bob, ask, Some("0000")).await, "wrong_pin");
    assert_eq!(team.yes(&team.ann, ask, Some("0000")).await, "wrong_pin");
    bob.clear("2222").await.unwrap();
    assert!(desk.pin().is_set().await.unwrap() && bob.is_set().await.unwrap());
    assert_eq!(team.yes(&team.nobody, ask, Some("0000")).await, "settled");
}

async fn a_pin_whose_hash_is_gone_or_another_refuses(url: &str) {
    let team = Team::over(url).await;
    let (desk, journal) = (&team.page.desk, &team.page.journal);
    desk.pin_of("ann").set(None, "1111").await.unwrap();
    desk.pin_of("bob@example.com")
        .set(None, "2222")
        .await
        .unwrap();
    let bobs = journal.load("pins/bob@example.com").await.unwrap();
    let ask = team.dangerous().await;
    for planted in [bobs, Some(b"?".to_vec()), None] {
        journal.store("pins/ann", planted).await.unwrap();
        for pin in ["1111", "2222"] {
            let body = json!({
                "askId": ask, "action": "accept", "content": { "confirmed": true }, "pin": pin,
                "presence": held(),
            });
            let path = "/api/elicitation/respond";
            let (status, told) = team.page.post(&team.ann.token, path, body).await;
            assert_ne!(status, 200, "{told}");
        }
        desk.pin_of("ann").set(None, "3333").await.unwrap_err();
        assert!(desk.pin_of("ann").is_set().await.unwrap());
    }
    assert_eq!(team.answered_by(ask).await, None);
    // Removing somebody and adding them again does not lead around it.
    let people = People::new(journal.clone());
    people.remove("ann").await.unwrap();
    let ann = team.page.add("ann").await.opening_key().unwrap();
    let ann = team.page.try_open(&ann).await.unwrap();
    let (_, listed) = team.page.get(&ann.token, "/api/asks").await;
    assert_eq!(listed["pinSet"], true);
}
