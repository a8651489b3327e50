//! Several processes and failures: races, kills, full disks, read-only files.

use crate::child_process::{ChildProcess, report, task, wait, with_task};
use crate::fixture::{FileFixture, ask_of, call, decided, yes};
use futures::future::join_all;
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::{Ask, AskId, CallId, Outcome};
use holdpoint_journal::{
    AskQuery, Journal, NewAsk, Records, Settled, SqliteJournal, TakeOver, Vault, Write, Written,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use std::{
    collections::HashMap,
    fs,
    os::unix::{fs::MetadataExt, fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::Command,
    sync::Arc,
    time::Duration,
};

/// What another process does. Without a task it does nothing.
#[tokio::test]
async fn child() {
    let Some((task, path)) = task() else {
        return;
    };
    match task.as_str() {
        "open" => open_at_once(&path).await,
        "settle" => settle_all(&path).await,
        "busy" => ask_and_settle_forever(&path).await,
        "own" => own_a_call(&path).await,
        "own in PostgreSQL" => crate::postgres::stopped::own_a_call(&path).await,
        "watch" => watch_it(&path).await,
        "commit" => crate::foreign_commits::commit_when_told(&path).await,
        #[cfg(target_os = "linux")]
        "idle" => crate::foreign_commits::be_idle(&path).await,
        "relative" => open_what_is_relative(&path).await,
        "full" => fill_the_disk(&path).await,
        "try" => match SqliteJournal::open(&path) {
            Ok(_) => report("opened"),
            Err(error) => report(&error_chain(&error).replace('\n', " ")),
        },
        other => panic!("unknown task: {other}"),
    }
}

#[tokio::test]
async fn eight_processes_open_a_fresh_journal_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fresh/journal.db");
    let mut children: Vec<_> = (0..8).map(|_| ChildProcess::start("open", &path)).collect();
    children.iter_mut().for_each(|child| child.expect("ready"));
    children.iter_mut().for_each(ChildProcess::go_on);
    let said: Vec<_> = children.into_iter().map(ChildProcess::finish).collect();
    assert!(
        said.iter().all(|words| words == &said[0]),
        "different keys: {said:?}"
    );
    let journal = SqliteJournal::open(&path).unwrap();
    let verified = journal.verify().await.unwrap();
    assert_eq!((verified.events, verified.flaws), (8, vec![]));
}

async fn open_at_once(path: &str) {
    report("ready");
    wait();
    let journal = SqliteJournal::open(path).unwrap();
    let ask = ask_of(None, Ask::confirm("Go?"));
    journal.commit(vec![Write::OpenAsk(ask)]).await.unwrap();
    report(&format!("{:?}", journal.key("seal").await.unwrap()));
}

#[tokio::test]
async fn of_eight_processes_exactly_one_settles_an_ask() {
    let fixture = FileFixture::new();
    let mut asks = Vec::new();
    for _ in 0..50 {
        asks.push(fixture.opened().await.1);
    }
    let mut children: Vec<_> = (0..8)
        .map(|_| ChildProcess::start("settle", &fixture.path()))
        .collect();
    children.iter_mut().for_each(|child| child.expect("ready"));
    children.iter_mut().for_each(ChildProcess::go_on);
    let mut winners: HashMap<String, Vec<String>> = HashMap::new();
    let mut losers: HashMap<String, Vec<String>> = HashMap::new();
    for child in children {
        for words in child.finish() {
            let (what, rest) = words.split_once(' ').unwrap();
            let (ask, by) = rest.split_once(' ').unwrap();
            let said = if what == "won" {
                &mut winners
            } else {
                &mut losers
            };
            said.entry(ask.into()).or_default().push(by.into());
        }
    }
    for ask in asks {
        let id = ask.to_string();
        let [winner] = &winners[&id][..] else {
            panic!("{id} was won by {:?}", winners[&id])
        };
        assert_eq!(losers[&id], vec![winner.clone(); 7]);
        let record = fixture.journal.ask(ask).await.unwrap().unwrap();
        assert_eq!(record.decision.unwrap().answered_by.as_ref(), Some(winner));
    }
    fixture.check_sound().await;
}

async fn settle_all(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    let asks = journal.asks(AskQuery::default()).await.unwrap();
    let me = journal.owner().to_string();
    report("ready");
    wait();
    for ask in asks {
        let mut decision = decided(ask.id, yes());
        decision.answered_by = Some(me.clone());
        let written = journal.commit(vec![Write::Settle(decision)]).await.unwrap();
        match &written[..] {
            [Written::Settled(Settled::Won)] => report(&format!("won {} {me}", ask.id)),
            [Written::Settled(Settled::Lost(first))] => {
                let by = first.answered_by.as_deref().unwrap();
                report(&format!("lost {} {by}", ask.id));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn no_kill_loses_a_settled_decision() {
    let fixture = FileFixture::new();
    let seed = rand::random();
    println!("seed {seed}");
    let mut random = StdRng::seed_from_u64(seed);
    let (mut opened, mut settled) = (Vec::new(), HashMap::new());
    let mut kills = 0;
    while settled.len() < 1000 {
        let mut child = ChildProcess::start("busy", &fixture.path());
        let mut left: u32 = random.random_range(1..120);
        while let Some(words) = child.next_report() {
            match words.split(' ').collect::<Vec<_>>()[..] {
                ["opened", ask] => opened.push(ask.parse::<AskId>().unwrap()),
                ["settled", ask, by] => {
                    settled.insert(ask.parse::<AskId>().unwrap(), by.to_owned());
                }
                _ => panic!("{words}"),
            }
            left -= 1;
            if left == 0 {
                child.kill();
                kills += 1;
                // What it said before it died counts too.
                left = u32::MAX;
            }
        }
    }
    assert!(kills >= 8, "only {kills} kills");
    for ask in opened {
        assert!(
            fixture.journal.ask(ask).await.unwrap().is_some(),
            "{ask} is lost"
        );
    }
    for (ask, by) in settled {
        let record = fixture.journal.ask(ask).await.unwrap().unwrap();
        let decision = record.decision.expect("a settled decision is lost");
        let mut expected = decided(ask, yes());
        expected.answered_by = Some(by);
        assert_eq!(decision, expected);
    }
    fixture.check_sound().await;
}

async fn ask_and_settle_forever(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    let one = async |lane: usize| {
        for count in 0.. {
            let call = call(journal.owner());
            let ask = ask_of(call.id, Ask::confirm(format!("{lane}: go on to {count}?")));
            let open = vec![Write::OpenCall(call), Write::OpenAsk(ask.clone())];
            journal.commit(open).await.unwrap();
            report(&format!("opened {}", ask.id));
            let mut decision = decided(ask.id, yes());
            decision.answered_by = Some(format!("{lane}-{count}"));
            journal.commit(vec![Write::Settle(decision)]).await.unwrap();
            report(&format!("settled {} {lane}-{count}", ask.id));
        }
    };
    join_all((0..8).map(one)).await;
}

#[tokio::test]
async fn a_call_of_a_killed_process_is_free_at_once() {
    let fixture = FileFixture::new();
    let mut child = ChildProcess::start("own", &fixture.path());
    let call: CallId = child.next_report().unwrap().parse().unwrap();
    let take = async || {
        let take = Write::TakeOver {
            call,
            epoch: 1,
            owner: fixture.journal.owner(),
            at: jiff::Timestamp::now(),
        };
        fixture.one(take).await
    };
    assert_eq!(take().await, Written::TakeOver(TakeOver::Held));
    child.kill();
    let taken = Written::TakeOver(TakeOver::Taken { epoch: 2 });
    assert_eq!(take().await, taken);
    fixture.check_sound().await;
}

/// A process that is stopped, a machine that slept and a clock that jumped renew no lease.
#[tokio::test]
async fn a_call_of_a_living_process_is_held_although_its_lease_has_run_out() {
    let fixture = FileFixture::new();
    let mut child = ChildProcess::start("own", &fixture.path());
    let call: CallId = child.next_report().unwrap().parse().unwrap();
    let owner = fixture
        .journal
        .call(call)
        .await
        .unwrap()
        .unwrap()
        .call
        .owner;
    let until = jiff::Timestamp::now() - Duration::from_secs(60);
    fixture.one(Write::Renew { owner, until }).await;
    let take = async || {
        let take = Write::TakeOver {
            call,
            epoch: 1,
            owner: fixture.journal.owner(),
            at: jiff::Timestamp::now(),
        };
        fixture.one(take).await
    };
    assert_eq!(take().await, Written::TakeOver(TakeOver::Held));
    child.kill();
    let taken = Written::TakeOver(TakeOver::Taken { epoch: 2 });
    assert_eq!(take().await, taken);
    fixture.check_sound().await;
}

async fn own_a_call(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    let call = call(journal.owner());
    journal
        .commit(vec![Write::OpenCall(call.clone())])
        .await
        .unwrap();
    report(&call.id.to_string());
    wait();
}

#[tokio::test]
async fn an_inbox_of_a_killed_process_watches_no_more() {
    let fixture = FileFixture::new();
    let mut child = ChildProcess::start("watch", &fixture.path());
    child.expect("watching");
    assert!(fixture.journal.is_watched().await.unwrap());
    child.kill();
    assert!(!fixture.journal.is_watched().await.unwrap());
    // What it left behind is cleared away by the next one.
    let watchers = || {
        let folder = format!("{}-watchers", fixture.path().display());
        fs::read_dir(folder).unwrap().count()
    };
    assert_eq!(watchers(), 1);
    let watcher = fixture.journal.watch().await.unwrap();
    assert_eq!(watchers(), 1);
    drop(watcher);
    assert_eq!(watchers(), 0);
}

async fn watch_it(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    let _watcher = journal.watch().await.unwrap();
    report("watching");
    wait();
}

#[tokio::test]
async fn a_relative_path_lies_in_the_persons_own_folder_and_the_log_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (state, work) = (folder.path().join("state"), folder.path().join("work"));
    fs::create_dir(&work).unwrap();
    let program = Command::new(std::env::current_exe().unwrap());
    let mut command = with_task(program, "relative", Path::new("of/server.db"));
    command.env("XDG_STATE_HOME", &state).current_dir(&work);
    let said = ChildProcess::run(command).finish();
    let whole = state.join("holdpoint/of/server.db");
    let logged = format!("INFO journal={:?}", whole.to_str().unwrap());
    assert_eq!(said, [logged, "opened".to_owned()]);
    assert!(whole.is_file());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&state.join("holdpoint")), 0o700);
    assert_eq!(fs::read_dir(&work).unwrap().count(), 0);
}

async fn open_what_is_relative(path: &str) {
    tracing::subscriber::set_global_default(ReportedLog).unwrap();
    let url = format!("sqlite:{path}");
    let journal = holdpoint_journal::open(&url).await.unwrap();
    report("opened");
    drop(journal);
}

/// Reports which journal the log names.
struct ReportedLog;

impl tracing::Subscriber for ReportedLog {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}

    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        struct Named(tracing::Level);
        impl tracing::field::Visit for Named {
            fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn std::fmt::Debug) {
                if field.name() == "journal" {
                    report(&format!("{} journal={value:?}", self.0));
                }
            }
        }
        event.record(&mut Named(*event.metadata().level()));
    }

    fn enter(&self, _: &tracing::span::Id) {}

    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn a_waiting_process_learns_of_anothers_decision() {
    let fixture = FileFixture::new();
    let mut commits = fixture.journal.foreign_commits();
    let (_, ask) = fixture.opened().await;
    let mut child = ChildProcess::start("settle", &fixture.path());
    child.expect("ready");
    // A process knows of its own commits: they are not announced.
    commits.mark_unchanged();
    fixture
        .one(Write::Settle(decided(
            fixture.opened().await.1,
            Outcome::Cancelled,
        )))
        .await;
    assert!(!commits.has_changed().unwrap());

    child.go_on();
    let decided = async {
        loop {
            commits.changed().await.unwrap();
            let record = fixture.journal.ask(ask).await.unwrap().unwrap();
            if record.decision.is_some() {
                return;
            }
        }
    };
    let soon = Duration::from_secs(5);
    tokio::time::timeout(soon, decided)
        .await
        .expect("no signal");
    child.finish();
}

#[tokio::test]
async fn a_full_disk_is_an_error_and_passes() {
    let fixture = FileFixture::new();
    // A limit on the size of files, with the signal for it ignored, fails writes like a full disk.
    let mut shell = Command::new("sh");
    shell
        .args(["-c", r#"trap '' XFSZ; ulimit -S -f 2000; exec "$0" "$@""#])
        .arg(std::env::current_exe().unwrap());
    let mut child = ChildProcess::run(with_task(shell, "full", &fixture.path()));
    let mut written: Vec<AskId> = Vec::new();
    let failed: AskId = loop {
        let words = child.next_report().expect("the disk never filled up");
        match words.split(' ').collect::<Vec<_>>()[..] {
            ["wrote", ask] => written.push(ask.parse().unwrap()),
            ["failed", ask] => break ask.parse().unwrap(),
            _ => panic!("{words}"),
        }
    };
    let error = child.next_report().unwrap();
    assert!(
        error.starts_with("cannot write to the journal: the disk"),
        "{error}"
    );
    for ask in &written {
        let record = fixture.journal.ask(*ask).await.unwrap().unwrap();
        assert!(record.decision.is_some());
    }
    assert_eq!(
        fixture.journal.ask(failed).await.unwrap(),
        None,
        "half of a batch was written"
    );
    fixture.check_sound().await;

    // There is room again: the same process goes on.
    let made_room = Command::new("prlimit")
        .args([
            "--fsize=unlimited:unlimited",
            "--pid",
            &child.id().to_string(),
        ])
        .status();
    assert!(made_room.unwrap().success());
    child.go_on();
    let again = format!("wrote {failed}");
    child.expect(&again);
    assert!(fixture.journal.ask(failed).await.unwrap().is_some());
    child.finish();
    fixture.check_sound().await;
}

async fn fill_the_disk(path: &str) {
    let journal = SqliteJournal::open(path).unwrap();
    let write = async |ask: &Arc<NewAsk>| {
        let settle = Write::Settle(decided(ask.id, yes()));
        journal
            .commit(vec![Write::OpenAsk(ask.clone()), settle])
            .await
    };
    loop {
        let ask = ask_of(None, Ask::confirm("Is there room? ".repeat(5000)));
        match write(&ask).await {
            Ok(_) => report(&format!("wrote {}", ask.id)),
            Err(error) => {
                report(&format!("failed {}", ask.id));
                report(&error.to_string());
                wait();
                write(&ask).await.unwrap();
                report(&format!("wrote {}", ask.id));
                return;
            }
        }
    }
}

#[tokio::test]
async fn a_read_only_journal_is_refused_before_anyone_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let path = state.join("journal.db");
    drop(SqliteJournal::open(&path).unwrap());
    // Permissions do not bind root: the other process is nobody then.
    let program = folder.path().join("child");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let root = fs::metadata(&program).unwrap().uid() == 0;
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(folder.path(), 0o755);
    let check = |what: &str, words: &str| {
        let mut command = with_task(Command::new(&program), "try", &path);
        if root {
            command.uid(65534).gid(65534);
        }
        let said = ChildProcess::run(command).finish();
        assert!(said[0].contains(words), "{what}: {said:?}");
    };
    // The folder and the file may be read and not written.
    set(&state, 0o555);
    set(&path, 0o444);
    set(&state.join("journal.db-owners"), 0o555);
    set(&state.join("journal.db-owners/opening"), 0o444);
    check("all read-only", "Permission denied");
    // Only the file.
    set(&state.join("journal.db-owners"), 0o777);
    set(&state.join("journal.db-owners/opening"), 0o666);
    set(&state, 0o777);
    check("a read-only file", "the file is read-only");
    // Only the folder, so that SQLite can make no log.
    set(&path, 0o666);
    set(&state, 0o555);
    check("a read-only folder", "cannot open the journal");
    set(&state, 0o755);
}
