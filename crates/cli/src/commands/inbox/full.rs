//! The inbox over the whole screen: the terminal, the journal and the desk around its state.

use super::{
    app::{
        App, Effect,
        deciding::{self, Outgoing, Prompting},
    },
    list::{List, Open},
    on_screen::{OnScreen, Stop},
};
use crate::{
    shell::Shell,
    terminal::{
        self,
        abilities::Abilities,
        ask_text,
        ask_watcher::AskWatcher,
        discard_input,
        form::Filled,
        full_screen::FullScreen,
        programs,
        reply::{self, Sent, run_blocking},
    },
    times,
};
use holdpoint::{AskId, ChannelKind, Desk, Gesture, Outcome, Presence, Reply};
use holdpoint_ask::describe;
use jiff::SignedDuration;
use std::{
    io::{self, Write as _},
    process::ExitCode,
    sync::atomic::Ordering,
    time::Instant,
};
use tokio::sync::watch;

/// Shows it until the person ends it.
///
/// # Errors
/// When the terminal fails, or the record cannot be read or kept.
pub async fn run(shell: &Shell, desk: &Desk, list: &List, mouse: bool) -> anyhow::Result<ExitCode> {
    let size = crossterm::terminal::size().unwrap_or((80, 24));
    let settings = shell.config.settings();
    let reading = [false, true].map(|dangerous| settings.reading_time(dangerous));
    let app = App::new(Abilities::of_screen(), size, mouse, reading);
    let stop = Stop::on_signal()?;
    // What was typed for the shell is not for the list.
    let interrupted = run_blocking(|| {
        matches!(
            discard_input::discard(),
            Err(terminal::stop::Stop::Interrupted)
        )
    });
    if interrupted.await {
        return Ok(ExitCode::SUCCESS);
    }
    let mut around = Around {
        shell,
        desk,
        open: list.watch(),
        stop,
        watcher: None,
    };
    around.run(app).await?;
    Ok(ExitCode::SUCCESS)
}

struct Around<'a> {
    shell: &'a Shell,
    desk: &'a Desk,
    open: watch::Receiver<Open>,
    stop: Stop,
    /// Of the ask that is open.
    watcher: Option<AskWatcher>,
}

impl Around<'_> {
    async fn run(&mut self, mut app: App) -> anyhow::Result<()> {
        let mut screen = FullScreen::enter(app.mouse)?;
        loop {
            if app.open_ask().is_none() {
                self.watcher = None;
            }
            let mut on_screen = OnScreen {
                app,
                screen,
                open: self.open.clone(),
                ended: self.watcher.as_ref().map(AskWatcher::ended),
                stop: self.stop.token.clone(),
            };
            let shown = run_blocking(move || on_screen.run().map(|effect| (on_screen, effect)));
            let (back, effect) = shown.await?;
            (app, screen) = (back.app, back.screen);
            if !matches!(effect, Effect::Quit) {
                self.keep_open(&mut app).await;
            }
            match effect {
                Effect::Quit => {
                    drop(screen);
                    return leave(app);
                }
                // What was typed meanwhile is for what is on the screen.
                Effect::KeepOpen => continue,
                Effect::Mouse(on) => screen.capture_mouse(on)?,
                Effect::Open(id) => self.read(&mut app, id).await?,
                Effect::Longer(minutes) => self.longer(&mut app, minutes).await?,
                Effect::Page(text) => {
                    drop(screen);
                    let paged = self.aside(move || programs::page(&text)).await;
                    screen = FullScreen::enter(app.mouse)?;
                    if let Err(error) = paged {
                        app.say(format!("The pager does not run: {error}"));
                    }
                }
                Effect::Edit(text) => {
                    drop(screen);
                    let edited = self.aside(move || programs::edit(&text)).await;
                    self.keep_open(&mut app).await;
                    screen = FullScreen::enter(app.mouse)?;
                    match edited {
                        Ok(Some(text)) => app.edited(text),
                        Ok(None) => app.say("The editor failed, so nothing was edited."),
                        Err(error) => app.say(format!("The editor does not run: {error}")),
                    }
                }
                Effect::Send(outgoing) => {
                    drop(screen);
                    let told = self.send(&mut app, outgoing).await?;
                    if told.is_break() {
                        return leave(app);
                    }
                    screen = FullScreen::enter(app.mouse)?;
                }
                Effect::Prompt(prompting) => {
                    drop(screen);
                    let told = self.prompt(&mut app, prompting).await?;
                    if told.is_break() {
                        return leave(app);
                    }
                    screen = FullScreen::enter(app.mouse)?;
                }
            }
            discard_input::discard_now()?;
            let (columns, rows) = crossterm::terminal::size().unwrap_or(app.size);
            app.resize(columns, rows);
        }
    }

    /// Runs a program of the person's, who may interrupt that without ending the inbox.
    async fn aside<T: Send + 'static>(&self, run: impl FnOnce() -> T + Send + 'static) -> T {
        self.stop.paused.store(true, Ordering::SeqCst);
        let done = run_blocking(run).await;
        self.stop.paused.store(false, Ordering::SeqCst);
        done
    }

    async fn read(&mut self, app: &mut App, id: AskId) -> anyhow::Result<()> {
        // Watched from before it is read: what ends it meanwhile is seen.
        let watcher = AskWatcher::silent(self.desk, id);
        let Some(record) = self.desk.journal().ask(id).await? else {
            app.say("That ask is not in the record.");
            return Ok(());
        };
        if let Some(decision) = &record.decision {
            app.say(describe::decision_on(&record.ask.form, decision));
            return Ok(());
        }
        let past = self.desk.rounds_before(&record).await?;
        self.watcher = Some(watcher);
        app.opened(record, past, Instant::now());
        Ok(())
    }

    /// Moves the deadline of the ask that is open on, where somebody who is at it has little time left.
    async fn keep_open(&self, app: &mut App) {
        let open = app.open_ask();
        let Some(open) = open.filter(|open| open.needs_time(self.desk.now())) else {
            return;
        };
        let kept = self.desk.keep_open(open.record.id, &self.shell.user).await;
        // What was written is worth more than an end because of this.
        if let Err(error) = &kept {
            app.say(format!("It does not wait longer: {error}"));
        }
        app.kept_open(kept.ok().flatten());
    }

    async fn longer(&self, app: &mut App, minutes: i64) -> anyhow::Result<()> {
        let Some(open) = app.open_ask() else {
            return Ok(());
        };
        let id = open.record.id;
        let Some(record) = self.desk.journal().ask(id).await? else {
            return Ok(());
        };
        let Some(deadline) = record.deadline_at else {
            app.say("It has no deadline: take your time.");
            return Ok(());
        };
        let from = deadline.max(self.desk.now());
        let until = from.checked_add(SignedDuration::from_mins(minutes))?;
        if !self.desk.extend(id, Some(until), &self.shell.user).await? {
            app.say("It has already ended.");
            return Ok(());
        }
        if let Some(record) = self.desk.journal().ask(id).await? {
            let left = times::between(self.desk.now(), until);
            app.say(format!("It waits longer now: {left} left."));
            app.renewed(record);
        }
        Ok(())
    }

    /// Asks for the rest of a form by prompts, and sends it.
    async fn prompt(&self, app: &mut App, prompting: Prompting) -> anyhow::Result<Told> {
        let (Some(open), Some(watcher)) = (app.open_ask(), &self.watcher) else {
            return Ok(Told::Continue(()));
        };
        let record = &open.record;
        watcher.tell(true);
        ask_text::print_head(record, self.desk.now());
        let Prompting {
            start,
            shown_at,
            review: [with_yes, with_no],
        } = prompting;
        let filled = reply::fill_from(
            self.shell,
            self.desk,
            &record.ask,
            shown_at,
            start,
            &watcher.over,
        );
        let filled = tokio::select! {
            filled = filled => filled?,
            () = self.stop.token.cancelled() => {
                terminal::release();
                return Ok(Told::Break(()));
            }
        };
        let outgoing = match filled {
            Filled::Accepted(content, gesture) => {
                let says_no = record
                    .ask
                    .form
                    .ending_of(&content)
                    .is_some_and(|ending| ending.tone != holdpoint_ask::field::Tone::Go);
                Outgoing {
                    review: if says_no { with_no } else { with_yes },
                    reply: Reply::Accept { content },
                    gesture,
                    shown_at: Some(shown_at),
                }
            }
            Filled::Interrupted => return Ok(Told::Break(())),
            Filled::Left | Filled::Over => {
                watcher.tell(false);
                return Ok(Told::Continue(()));
            }
        };
        self.send(app, outgoing).await
    }

    /// Sends a reply, and says what became of it.
    async fn send(&self, app: &mut App, outgoing: Outgoing) -> anyhow::Result<Told> {
        let (Some(open), Some(watcher)) = (app.open_ask(), &self.watcher) else {
            return Ok(Told::Continue(()));
        };
        let (id, form) = (open.record.id, open.record.ask.form.clone());
        let presence = match outgoing.shown_at {
            Some(shown_at) => Presence::seen(shown_at, outgoing.gesture),
            None => {
                let mut presence = Presence::default();
                presence.gesture = Some(Gesture::Chosen);
                presence
            }
        };
        let replier = self.shell.replier(ChannelKind::Terminal, presence);
        watcher.tell(true);
        let Outgoing { reply, review, .. } = outgoing;
        let said = deciding::text_of(&form, &reply);
        let sent = reply::send(self.desk, id, &replier, reply, review, true);
        let sent = Box::pin(watcher.by_us(sent)).await?;
        watcher.tell(false);
        match sent {
            Sent::Settled(decision) => {
                let mut said = describe::decision_on(&form, &decision);
                if let Outcome::Declined { reason: Some(_) } = &decision.outcome {
                    said.push_str("; the agent is told why");
                }
                app.sent(said);
            }
            Sent::Late(decision) => {
                app.late(said, &describe::decision_on(&form, &decision));
            }
            Sent::Interrupted => return Ok(Told::Break(())),
            Sent::Left => {}
            Sent::Refused(why) => app.say(format!("Nothing was decided: {why}.")),
            Sent::Invalid(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                app.say(errors.join(" "));
            }
        }
        Ok(Told::Continue(()))
    }
}

/// Ends the inbox: what was written and not sent is left in the terminal.
fn leave(mut app: App) -> anyhow::Result<()> {
    if let Some(unsent) = app.unsent() {
        writeln!(io::stderr(), "{unsent}")?;
    }
    Ok(())
}

/// Whether the inbox goes on.
type Told = std::ops::ControlFlow<()>;
