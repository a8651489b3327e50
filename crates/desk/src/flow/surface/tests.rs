use super::*;
use crate::Desk;
use holdpoint_ask::{Ask, ClientProfile, Field, Form, Kind, Revision, field};
use holdpoint_journal::SqliteJournal;

fn session(client: &str) -> Session {
    let profile = ClientProfile::for_client(client);
    Session {
        principal: "local".into(),
        client: None,
        client_name: None,
        revision: Some(Revision::V2026_07_28),
        modern: true,
        unattended: false,
        form: true,
        url: profile.url,
        sampling: false,
        roots: false,
        profile,
    }
}

async fn desk() -> Desk {
    let journal = std::sync::Arc::new(SqliteJournal::in_memory().unwrap());
    let page = |id| format!("http://127.0.0.1:4653/asks/{id}");
    Desk::builder(journal).page(page).build().await.unwrap()
}

/// Checks what a client is shown: `form`, `url` or nothing.
async fn check(client: &str, ask: &Ask, shown: &str) {
    let session = session(client);
    let surface = session.surface(&desk().await, AskId::new(), ask, None);
    let kind = match surface {
        Some(Surface::Form(_)) => "form",
        Some(Surface::Url(_)) => "url",
        None => "nothing",
    };
    assert_eq!(kind, shown, "{client}: {}", ask.message);
}

fn text_input(message: &str) -> Ask {
    Ask::new(message, Form::string_input("name"))
}

#[tokio::test]
async fn what_a_client_would_cut_does_not_decide_there() {
    let four = "One?\ntwo\nthree\nfour";
    let five = "One?\ntwo\nthree\nfour\nfive";
    let wide = "Delete ".repeat(20);
    for ask in [five, &wide] {
        check("claude-code", &Ask::confirm(ask), "url").await;
        check("claude-code", &Ask::choose(ask, ["a", "b"]), "url").await;
        check("claude-code", &text_input(ask), "form").await;
        check("Visual Studio Code", &Ask::confirm(ask), "form").await;
        check("nobody knows me", &Ask::confirm(ask), "form").await;
    }
    check("claude-code", &Ask::confirm(four), "form").await;
    check(
        "claude-code",
        &Ask::confirm("One?\n\n\n**two**\n\n\nthree"),
        "form",
    )
    .await;
    check(
        "claude-code",
        &Ask::confirm("Short?").details("- a\n- b\n- c\n- d"),
        "url",
    )
    .await;
    let long_label =
        "a label of more columns than the window of this client has, so it would be cut";
    check(
        "claude-code",
        &Ask::choose("Which?", [long_label, "b"]),
        "url",
    )
    .await;
}

#[tokio::test]
async fn what_is_dangerous_is_typed_or_decided_on_the_page() {
    let confirm = Ask::confirm("Drop it?").dangerous();
    let choice = Ask::choose("Drop which?", ["a", "b"]).dangerous();
    check("claude-code", &confirm, "url").await;
    check("nobody knows me", &confirm, "form").await;
    check("nobody knows me", &choice, "url").await;
    check("Visual Studio Code", &choice, "url").await;
    check("codex-mcp-client", &choice, "nothing").await;
    check("codex-mcp-client", &confirm, "form").await;
}

#[tokio::test]
async fn forms_that_a_client_cannot_carry_go_to_the_page() {
    let file = Form::new().field(Field::new("plan", Kind::File(field::File::default())));
    let file = Ask::new("Which file?", file);
    check("Visual Studio Code", &file, "url").await;
    check("codex-mcp-client", &file, "nothing").await;
}

#[test]
fn a_message_is_plain_and_whole_where_the_client_needs_it_so() {
    let check = |client: &str, ask: &Ask, errors: &[&str], message: &str| {
        let errors: Vec<_> = errors
            .iter()
            .map(|message| FieldError::new("it", *message))
            .collect();
        assert_eq!(
            session(client).form_message(ask, &errors),
            message,
            "{client}"
        );
    };
    let ask = Ask::confirm("**Deploy** `web`?").details("Now.");
    check("claude-code", &ask, &[], "Deploy web?\nNow.");
    check("codex-mcp-client", &ask, &[], "Deploy web?\n\nNow.");
    check("Visual Studio Code", &ask, &[], "**Deploy** `web`?\n\nNow.");
    check(
        "claude-code",
        &ask,
        &["It must be chosen."],
        "Not accepted: It must be chosen.\nDeploy web?\nNow.",
    );
    let four = Ask::confirm("One?\ntwo\nthree\nfour");
    check(
        "claude-code",
        &four,
        &["It must be chosen."],
        "One?\ntwo\nthree\nfour",
    );
    check(
        "Visual Studio Code",
        &ask,
        &["It must be chosen."],
        "The last answer could not be accepted:\n- It must be chosen.\n\n**Deploy** `web`?\n\nNow.",
    );
    let long = text_input("One?\ntwo\nthree\nfour\nfive");
    let cut = "One?\ntwo\nthree\n… all of it is in the inbox (holdpoint inbox)";
    check("claude-code", &long, &[], cut);
}

#[test]
fn an_address_says_what_it_is_about() {
    let check = |client: &str, ask: &Ask, message: &str| {
        assert_eq!(session(client).url_message(ask), message, "{client}");
    };
    let danger = Ask::confirm("Drop it?").dangerous();
    check(
        "claude-code",
        &danger,
        "Dangerous: answer this on the page.\nDrop it?",
    );
    check(
        "any",
        &danger,
        "Dangerous: answer this on the page.\nDrop it?",
    );
    let long = Ask::confirm("## Approve the plan?").details("1\n\n2\n\n3\n\n4");
    let too_long =
        "Too long to show here: read all of it on the page and answer there.\nApprove the plan?";
    check("claude-code", &long, too_long);
    check("any", &long, "Approve the plan?\n\n1\n\n2\n\n3\n\n4");
    let long = Ask::confirm("1\n2\n3\n4").dangerous();
    check(
        "claude-code",
        &long,
        "Dangerous: read all of it on the page and answer there.\n1",
    );
}
