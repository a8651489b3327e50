//! A page with asks of several agents, most of them made by the real tools.

use crate::{permission, repository, texts};
use holdpoint::{
    Ask, AskId, ChannelKind, Decision, Desk, Field, Form, Holdpoint, Kind, Origin, Outcome, Review,
    Settings, ToolServer,
    field::{Choice, Number, Pick, Rating, Text, Toggle},
    journal::{self, NewAsk, Write},
    review::{Comment, Place},
    testing,
};
use holdpoint_inbox::{Inbox, Page, http_server::HttpServer, server::Site};
use holdpoint_testkit::{Client, Era, browser};
use holdpoint_tools::{Commit, ElicitTools, NoPlanFolders, OrchestraConfig, OrchestraTools};
use jiff::{SignedDuration, Timestamp};
use rmcp::model::Implementation;
use serde_json::{Map, Value, json};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The page that pictures are taken of.
pub struct Scene {
    pub site: Site,
    pub page: Arc<Page>,
    pub plan: AskId,
    pub phase: AskId,
    pub form: AskId,
    pub choice: AskId,
    pub confirm: AskId,
    pub dangerous: AskId,
    pub ended: AskId,
    pub permission: AskId,
    desk: Desk,
    server: Holdpoint<ToolServer>,
    workspace: PathBuf,
    _folder: TempDir,
    _stop: DropGuard,
}

impl browser::Page for Scene {
    fn url_with_key(&self, path: &str) -> String {
        let key = self.page.keys().opening_key().expect("randomness");
        let mark = if path.contains('#') { "&" } else { "#" };
        format!("{}{path}{mark}key={key}", self.site.url())
    }
}

impl Scene {
    /// A page on which nobody has ever been asked.
    pub async fn empty() -> Self {
        Self::set(false).await
    }

    /// A page with asks.
    pub async fn full() -> Self {
        Self::set(true).await
    }

    /// The address of a path.
    pub fn site_url(&self, path: &str) -> String {
        format!("{}{path}", self.site.url())
    }

    async fn set(full: bool) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("ann-")
            .rand_bytes(3)
            .tempdir();
        let folder = folder.expect("a folder");
        let workspace = folder.path().join("shop");
        repository::make(&workspace);
        let journal = journal::open("memory:").await.expect("a journal");
        let inbox = Inbox::new(Some("ann".into()), "");
        let settings = Settings::default().hold(Duration::ZERO);
        let desk = Desk::builder(journal)
            .settings(settings)
            .channel(Arc::new(inbox.clone()));
        let desk = desk.build().await.expect("a desk");
        let config = OrchestraConfig {
            workspace: workspace.clone(),
            plans_dir: "plans".into(),
            commit: Commit::Verify,
            git_filters: Vec::new(),
        };
        let orchestra = OrchestraTools::new(config, Arc::new(NoPlanFolders));
        let about = Implementation::new("holdpoint", "1");
        let sources: Vec<Arc<dyn holdpoint::ToolSource>> =
            vec![Arc::new(ElicitTools::new()), Arc::new(orchestra)];
        let server = ToolServer::new(about, "", sources).over(desk.clone());
        let server = server.expect("a name").without_await_answer();
        let server = server.workspace(workspace.to_str().expect("a name in Unicode"));
        let stop = CancellationToken::new();
        let page = Page::new(desk.clone(), inbox, stop.clone()).await;
        let page = page.expect("the page's key");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let site = Site {
            address: listener.local_addr().expect("an address"),
            tls: false,
            public: None,
        };
        let served = page
            .clone()
            .serve(HttpServer::default(), listener, site.clone());
        tokio::spawn(served);
        let nothing = AskId::new();
        let mut scene = Self {
            site,
            page,
            plan: nothing,
            phase: nothing,
            form: nothing,
            choice: nothing,
            confirm: nothing,
            dangerous: nothing,
            ended: nothing,
            permission: nothing,
            desk,
            server,
            workspace,
            _folder: folder,
            _stop: stop.drop_guard(),
        };
        if full {
            scene.ask_everything().await;
        }
        scene
    }

    async fn ask_everything(&mut self) {
        self.history().await;
        self.remembered().await;
        self.others().await;
        self.choice = self.call("Claude Code", "elicit_choice", choice()).await;
        self.confirm = self.call("Codex", "elicit_confirm", confirm()).await;
        self.dangerous = self.call("Cursor", "elicit_confirm", drop_table()).await;
        self.form = self
            .open(
                origin("Visual Studio Code", "studio", "elicit_form"),
                form(),
            )
            .await;
        self.permission = self
            .open(
                origin("Claude Code", "shop", "Bash"),
                permission::ask("cargo test --workspace && git push origin login"),
            )
            .await;
        self.plan_in_two_rounds().await;
        self.phase = self
            .call("Claude Code", "request_phase_commit_approval", phase())
            .await;
    }

    /// What was allowed before, and is remembered.
    async fn remembered(&self) {
        for (command, remember) in [
            (
                "git push origin login",
                "workspace pattern Bash(git push *)",
            ),
            ("cargo test --workspace", "session exactly"),
            ("git push origin main", "always pattern Bash(git push *)"),
        ] {
            let origin = origin("Claude Code", "shop", "Bash");
            let ask = self.open(origin, permission::ask(command)).await;
            let yes = json!({ "decision": "allow", "remember": remember });
            self.answer(ask, yes, Review::default()).await;
        }
    }

    /// A plan that was shown before, when the person asked for changes.
    async fn plan_in_two_rounds(&mut self) {
        let tool = "request_plan_approval";
        let first = self.call("Claude Code", tool, plan()).await;
        let mut review = Review::default();
        let mut key = Comment::new(
            Place::below(["Log in with a session", "Phase 1: sessions"]),
            "A user's number can be guessed.",
        );
        key.quote = Some("Keep sessions in memory, by the user's number".into());
        key.suggestion = Some("Keep sessions in memory, by a random token".into());
        let mut rest = Comment::new(
            Place::below(["Log in with a session", "Phase 3: everything else"]),
            "In steps, please: us first.",
        );
        rest.quote = Some("Roll it out to all customers, and remove the old form.".into());
        review.comments = vec![key, rest];
        let changes =
            json!({ "decision": "request_changes", "feedback": "Phase 3 is too much at once." });
        self.answer(first, changes, review).await;
        self.ended = first;
        std::fs::write(self.workspace.join("plan.md"), texts::PLAN_SECOND).expect("the plan");
        self.plan = self.call("Claude Code", tool, plan()).await;
    }

    /// Calls a tool as an agent does whose client shows nothing, and gives the ask that waits then.
    async fn call(&self, client: &str, tool: &str, arguments: Value) -> AskId {
        let mut client = Client::named(client, self.server.clone(), Era::Legacy, json!({})).await;
        let params = json!({ "name": tool, "arguments": arguments });
        let id = client.request("tools/call", params).await;
        let said = client.answer(id).await;
        let ask = said["result"]["structuredContent"]["askId"].as_str();
        ask.unwrap_or_else(|| panic!("{said}"))
            .parse()
            .expect("an id")
    }

    async fn answer(&self, ask: AskId, content: Value, review: Review) {
        let from = testing::person(ChannelKind::Inbox, Some("ann"));
        let reply = testing::accept(content);
        let settled = self.desk.reply_with_review(ask, from, reply, review).await;
        settled.expect("a decision");
    }

    async fn open(&self, origin: Origin, ask: Ask) -> AskId {
        let now = Timestamp::now();
        let new = NewAsk {
            deadline_at: Some(now + SignedDuration::from_hours(3)),
            ..NewAsk::new(ask, origin, now)
        };
        let id = new.id;
        let open = Write::OpenAsk(Arc::new(new));
        self.desk
            .journal()
            .commit(vec![open])
            .await
            .expect("an ask");
        id
    }

    /// Asks of other agents, so that there is something to choose from.
    async fn others(&self) {
        let soon = Timestamp::now() + SignedDuration::from_secs(175);
        let due =
            Ask::confirm("Restart the **staging** queue?").titled("Restart the staging queue");
        let due = NewAsk {
            deadline_at: Some(soon),
            ..NewAsk::new(
                due,
                origin("Gemini CLI", "infra", "restart"),
                Timestamp::now(),
            )
        };
        let open = Write::OpenAsk(Arc::new(due));
        self.desk
            .journal()
            .commit(vec![open])
            .await
            .expect("an ask");
        for (client, workspace, tool, title) in OTHERS {
            let ask = Ask::confirm(format!("{title}?")).titled(*title);
            self.open(origin(client, workspace, tool), ask).await;
        }
    }

    /// What was decided before, in the course of three weeks.
    async fn history(&self) {
        let now = Timestamp::now();
        for (place, (client, workspace, tool, title)) in OTHERS.iter().cycle().take(90).enumerate()
        {
            let place = place as i64;
            let asked = now - SignedDuration::from_hours(6 * (90 - place) - place % 5);
            let took = SignedDuration::from_secs(20 + place * 37 % 400 + (place % 9) * 60);
            let ask = Ask::confirm(format!("{title}?")).titled(*title);
            let new = NewAsk::new(ask, origin(client, workspace, tool), asked);
            let outcome = match place % 7 {
                3 => Outcome::Declined {
                    reason: Some("Not before Monday.".into()),
                },
                5 => Outcome::Cancelled,
                6 if place % 2 == 0 => Outcome::TimedOut,
                _ => Outcome::Accepted(Map::from_iter([("confirmed".to_owned(), json!(true))])),
            };
            let mut decision = Decision::new(new.id, outcome, asked + took);
            decision.duration_ms = took.as_millis() as u64;
            decision.channel = Some(ChannelKind::Inbox);
            decision.answered_by = Some("ann".into());
            let open = Write::OpenAsk(Arc::new(new));
            let writes = vec![open, Write::Settle(decision)];
            self.desk
                .journal()
                .commit(writes)
                .await
                .expect("the history");
        }
    }
}

const OTHERS: &[(&str, &str, &str, &str)] = &[
    (
        "Codex",
        "billing",
        "deploy",
        "Deploy billing 2.4.1 to staging",
    ),
    (
        "Claude Code",
        "website",
        "delete_branch",
        "Delete the branch old-header",
    ),
    (
        "Gemini CLI",
        "infra",
        "resize",
        "Resize the staging database",
    ),
    (
        "Visual Studio Code",
        "studio",
        "publish",
        "Publish the sample pack",
    ),
    (
        "Cursor",
        "shop",
        "send_mail",
        "Send the test mail to the team",
    ),
    (
        "Codex",
        "docs",
        "rename",
        "Rename the guide to “First steps”",
    ),
    (
        "Claude Code",
        "billing",
        "rerun",
        "Run the failed invoices again",
    ),
    (
        "opencode",
        "mobile",
        "bump",
        "Raise the least version to iOS 18",
    ),
];

fn origin(client: &str, workspace: &str, tool: &str) -> Origin {
    Origin {
        principal: "local".into(),
        server: Some("holdpoint".into()),
        client: Some(client.into()),
        client_name: Some(client.into()),
        tool: Some(tool.into()),
        workspace: Some(format!("/home/ann/{workspace}")),
    }
}

fn plan() -> Value {
    json!({
        "planSummary": "Customers log in once, with a **random token** in a cookie that scripts cannot read.",
        "phaseCount": 3, "planName": "Log in", "planFile": "plan.md",
        "openQuestions": ["Where do sessions live? Memory / SQLite / Redis"],
    })
}

fn phase() -> Value {
    json!({
        "phaseNumber": 1, "planName": "Log in", "reviewStatus": "APPROVED",
        "phaseSummary": "Sessions have random tokens and run out after a day. The login page no longer touches the cookie.",
        "commitMessage": "feat: sessions by random tokens\n\nThey run out after a day.",
        "filesModified": repository::FILES,
    })
}

fn choice() -> Value {
    json!({
        "message": "Which database should the new service use?",
        "options": [
            { "value": "sqlite", "label": "SQLite", "description": "One file, nothing to run" },
            { "value": "postgres", "label": "PostgreSQL", "description": "What the shop uses already" },
            { "value": "later", "label": "Decide later" },
        ],
        "recommended": "postgres",
    })
}

fn confirm() -> Value {
    json!({ "message": "Open a pull request with these 12 commits?" })
}

fn drop_table() -> Value {
    json!({
        "message": "Drop the table `orders_old` in **production**?",
        "details": "It has 1,204,331 rows. The last backup is of this morning, 04:00.\n\n```sql\nDROP TABLE orders_old;\n```",
        "dangerous": true,
    })
}

fn form() -> Ask {
    let options = ["Guitar", "Strings", "Piano"].map(Pick::new).to_vec();
    let instrument = Choice {
        options,
        ..Choice::default()
    };
    let tempo = Number {
        min: Some(40.0),
        max: Some(200.0),
        unit: Some("BPM".into()),
        ..Number::default()
    };
    let notes = Text {
        multiline: true,
        max_length: Some(400),
        ..Text::default()
    };
    let form = Form::new()
        .field(Field::new("instrument", Kind::Choice(instrument)).title("Lead instrument"))
        .field(Field::new("tempo", Kind::Number(tempo)).title("Tempo"))
        .field(Field::new("mood", Kind::Rating(Rating::default())).title("How bright?"))
        .field(
            Field::new("dry", Kind::Toggle(Toggle::default()))
                .title("Leave the room out")
                .optional(),
        )
        .field(
            Field::new("notes", Kind::Text(notes))
                .title("Anything else?")
                .optional(),
        );
    Ask::new("How should the **intro** sound?", form).titled("How the intro should sound")
}
