//! The state without a terminal: keys in, effects out, and what is drawn.

use super::*;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use holdpoint::{Ask, Origin, Outcome, Reply, journal::NewAsk};
use ratatui::{Terminal, backend::TestBackend};

const AT: &str = "2026-07-28T09:00:00Z";

struct Stage {
    app: App,
    clock: Instant,
}

impl Stage {
    fn new(asks: Vec<Ask>, size: (u16, u16), look: Abilities) -> Self {
        let now: Timestamp = AT.parse().unwrap();
        let origin = Origin {
            client: Some("Claude Code 2.1".into()),
            workspace: Some("/home/ann/shop".into()),
            ..Origin::default()
        };
        let asks: Vec<AskRecord> = asks
            .into_iter()
            .zip(0xa1b2_c3d0_u32..)
            .map(|(ask, id)| {
                let waits = ask.timeout;
                let mut record = AskRecord::from(NewAsk::new(ask, origin.clone(), now));
                // Its end is shown, and the same in every run.
                record.id = format!("019f9a00-0000-7000-8000-0000{id:08x}")
                    .parse()
                    .unwrap();
                record.deadline_at = waits.map(|time| now + time);
                record
            })
            .collect();
        let reading = [Duration::ZERO, Duration::from_secs(2)];
        let mut app = App::new(look, size, false, reading);
        let clock = Instant::now();
        let count = asks.len() as u64;
        app.list(
            Open {
                asks,
                count,
                remembered: 0,
            },
            now,
            clock,
        );
        Self { app, clock }
    }

    fn open(&mut self) {
        let Some(Effect::Open(id)) = self.key(KeyCode::Enter) else {
            panic!("it opens the ask under the cursor");
        };
        let record = self.app.asks.iter().find(|ask| ask.id == id).unwrap();
        self.app.opened(record.clone(), Vec::new(), self.clock);
        self.app.drawn(AT.parse().unwrap());
    }

    fn key(&mut self, code: KeyCode) -> Option<Effect> {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        self.app.update(Event::Key(key), self.clock)
    }

    fn later(&mut self) -> &mut Self {
        self.clock += Duration::from_secs(3);
        self
    }

    fn screen(&self) -> String {
        let (columns, rows) = self.app.size;
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal
            .draw(|frame| view::draw(&self.app, frame, self.clock))
            .unwrap();
        let buffer = terminal.backend().buffer();
        let row = |y| (0..columns).map(move |x| buffer[(x, y)].symbol());
        let lines = (0..rows).map(|y| row(y).collect::<String>().trim_end().to_owned());
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn keys_in_the_settle_time_are_dropped() {
    let mut stage = Stage::new(vec![Ask::confirm("Go?")], (100, 20), Abilities::FULL);
    stage.open();
    assert!(stage.key(KeyCode::Char('a')).is_none());
    for _ in 0..2 {
        stage.key(KeyCode::Down);
        assert!(stage.key(KeyCode::Enter).is_none());
    }
    // Once it can be read, an Enter alone still chooses nothing.
    stage.later();
    assert!(stage.key(KeyCode::Enter).is_none());
    stage.key(KeyCode::Down);
    let Some(Effect::Send(sent)) = stage.key(KeyCode::Enter) else {
        panic!("the highlighted ending is sent");
    };
    assert!(matches!(sent.reply, Reply::Accept { .. }));
    assert!(sent.shown_at.is_some());
}

#[test]
fn a_dangerous_yes_takes_the_word() {
    let mut stage = Stage::new(
        vec![Ask::confirm("Drop?").dangerous()],
        (100, 20),
        Abilities::FULL,
    );
    stage.open();
    stage.key(KeyCode::Char('a'));
    stage.later().key(KeyCode::Down);
    assert!(stage.key(KeyCode::Enter).is_none());
    stage.later();
    for char in "yes".chars() {
        stage.key(KeyCode::Char(char));
    }
    assert!(stage.key(KeyCode::Enter).is_none());
    assert!(stage.screen().contains("Type confirm for yes."));
    for _ in 0..3 {
        stage.key(KeyCode::Backspace);
    }
    for char in "confirm".chars() {
        stage.key(KeyCode::Char(char));
    }
    let Some(Effect::Send(sent)) = stage.key(KeyCode::Enter) else {
        panic!("the word is the yes");
    };
    assert_eq!(sent.gesture, holdpoint::Gesture::Word("confirm".into()));
}

#[test]
fn a_yes_is_for_who_saw_the_end() {
    let long = Ask::confirm("Go?").details("- point\n".repeat(100));
    let mut stage = Stage::new(vec![long], (100, 20), Abilities::FULL);
    stage.open();
    assert!(stage.app.open_ask().unwrap().shown_at.is_none());
    stage.key(KeyCode::Char('a'));
    stage.later().key(KeyCode::Down);
    assert!(stage.key(KeyCode::Enter).is_none());
    assert!(stage.screen().contains("Read it to its end first"));
    stage.key(KeyCode::Char('G'));
    stage.app.drawn(AT.parse().unwrap());
    assert!(stage.app.open_ask().unwrap().shown_at.is_some());
}

#[test]
fn what_ended_elsewhere_takes_no_reply() {
    let mut stage = Stage::new(vec![Ask::confirm("Go?")], (100, 20), Abilities::FULL);
    stage.open();
    stage.key(KeyCode::Char('a'));
    stage.later().key(KeyCode::Down);
    stage.app.open.as_mut().unwrap().ended = Some("Declined by ann".into());
    stage.app.dialog = None;
    assert!(stage.key(KeyCode::Enter).is_none());
    assert!(stage.app.dialog.is_none());
    assert!(stage.screen().contains("It has ended: Declined by ann"));
}

#[test]
fn time_moves_on_for_who_is_at_it_and_only_when_little_is_left() {
    let ask = Ask::confirm("Now?").deadline(Duration::from_secs(600));
    let mut stage = Stage::new(vec![ask], (100, 20), Abilities::FULL);
    stage.open();
    let start: Timestamp = AT.parse().unwrap();
    assert!(stage.key(KeyCode::Down).is_none());
    stage.app.tick(start + Duration::from_secs(425));
    // The size changes without anybody at it.
    let resized = Event::Resize(100, 20);
    assert!(stage.app.update(resized, stage.clock).is_none());
    assert!(matches!(stage.key(KeyCode::Down), Some(Effect::KeepOpen)));
    stage.key(KeyCode::Char('C'));
    assert!(matches!(
        stage.key(KeyCode::Char('x')),
        Some(Effect::KeepOpen)
    ));
    let until = start + Duration::from_secs(1000);
    stage.app.kept_open(Some(until));
    assert!(stage.key(KeyCode::Char('x')).is_none());
    // A list that is older does not take it back.
    let (asks, count) = (stage.app.asks.clone(), 1);
    let now = stage.app.now;
    stage.app.list(
        Open {
            asks,
            count,
            remembered: 0,
        },
        now,
        stage.clock,
    );
    assert!(stage.key(KeyCode::Char('x')).is_none());
    // Where it moves on no more, it is not tried at every key.
    stage.app.tick(start + Duration::from_secs(990));
    assert!(matches!(
        stage.key(KeyCode::Char('x')),
        Some(Effect::KeepOpen)
    ));
    stage.app.kept_open(Some(until));
    assert!(stage.key(KeyCode::Char('x')).is_none());
}

fn ended(stage: &mut Stage) {
    let ask = stage.app.open_ask().unwrap().record.id;
    let decision = Decision::new(ask, Outcome::Cancelled, AT.parse().unwrap());
    stage.app.ended_elsewhere(&decision);
}

#[test]
fn what_was_written_outlives_the_ask() {
    let mut stage = Stage::new(vec![Ask::confirm("Go?")], (100, 20), Abilities::FULL);
    stage.open();
    stage.key(KeyCode::Char('C'));
    for char in "why".chars() {
        stage.key(KeyCode::Char(char));
    }
    // It was not even kept yet.
    ended(&mut stage);
    assert!(stage.app.dialog.is_none());
    let screen = stage.screen();
    assert!(screen.contains("What you wrote was not sent"), "{screen}");
    let before = stage.app.open_ask().unwrap().record.clone();
    for _ in 0..2 {
        let Some(Effect::Page(text)) = stage.key(KeyCode::Char('u')) else {
            panic!("it is shown");
        };
        assert!(text.contains("Go?") && text.contains("why"), "{text}");
        stage.key(KeyCode::Esc);
    }

    // The next round has it, and no other ask.
    let other = stage.app.asks[0].clone();
    stage.app.opened(other.clone(), Vec::new(), stage.clock);
    let mut next = other;
    next.id = AskId::new();
    stage.app.close("");
    stage.app.opened(next, vec![before], stage.clock);
    assert!(stage.screen().contains("1 comment"));
    let unsent = stage.app.unsent().unwrap();
    assert_eq!(unsent.matches("why").count(), 1, "{unsent}");
}

#[test]
fn what_was_sent_is_not_kept() {
    let mut stage = Stage::new(vec![Ask::confirm("Go?")], (100, 20), Abilities::FULL);
    stage.open();
    stage.key(KeyCode::Char('C'));
    stage.key(KeyCode::Char('x'));
    stage.key(KeyCode::Enter);
    stage.app.sent("Approved");
    assert_eq!(stage.app.unsent(), None);
}

fn asks() -> Vec<Ask> {
    vec![
        Ask::confirm("Which colour, 東京 or é?"),
        Ask::confirm("Drop the users table?").dangerous(),
        Ask::confirm("Approve the plan?").details("```diff\n-old\n+new\n```"),
        Ask::confirm("Now?").deadline(Duration::from_secs(60)),
    ]
}

#[test]
fn groups_in_their_order() {
    let stage = Stage::new(asks(), (100, 16), Abilities::FULL);
    insta::assert_snapshot!(stage.screen());
}

#[test]
fn narrow_and_poor() {
    let poor = Abilities {
        unicode: false,
        ..Abilities::PLAIN
    };
    let stage = Stage::new(asks(), (40, 20), poor);
    let screen = stage.screen();
    assert!(screen.is_ascii(), "{screen}");
    insta::assert_snapshot!(screen);
}

#[test]
fn every_size_is_drawn() {
    for columns in [20, 40, 60, 89, 90, 120, 250] {
        for rows in [6, 10, 24, 60] {
            let mut stage = Stage::new(asks(), (columns, rows), Abilities::FULL);
            assert!(stage.screen().contains("Holdpoint"));
            stage.open();
            for key in ['a', '?', 'l', 'c', 't'] {
                stage.later().key(KeyCode::Char(key));
                stage.screen();
                stage.later().key(KeyCode::Esc);
            }
            stage.app.resize(columns / 2, rows / 2);
            stage.screen();
        }
    }
}

#[test]
fn a_filter_finds_by_any_word() {
    let mut stage = Stage::new(asks(), (100, 16), Abilities::FULL);
    stage.key(KeyCode::Char('/'));
    for char in "USERS".chars() {
        stage.key(KeyCode::Char(char));
    }
    stage.key(KeyCode::Enter);
    let screen = stage.screen();
    assert!(
        screen.contains("Drop the users table?") && !screen.contains("Approve"),
        "{screen}"
    );
    stage.key(KeyCode::Esc);
    assert!(stage.screen().contains("Approve"));
}
