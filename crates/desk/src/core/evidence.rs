//! What a reply must bring before it counts, as one table over channels and danger.

use crate::Settings;
use holdpoint_ask::{Ask, ChannelKind, Gesture, Presence};
use jiff::Timestamp;
use std::time::Duration;

/// Why a reply settled nothing although an ask was open.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It came before a person can have read the ask where it was shown.
    TooFast {
        /// How much of the reading time was left.
        left: Duration,
    },
    /// It came from inside this agent.
    InsideAgent(String),
    /// It came from a process without a controlling terminal.
    NoTerminal,
    /// Nothing shows that a person gave it.
    NoPresence,
    /// A yes to what is dangerous needs the whole ask in view there.
    NotShown,
    /// A yes to what is dangerous needs its word, typed, or the button held.
    NotDeliberate,
    /// A yes to what is dangerous cannot be given beforehand.
    NotBeforehand,
    /// A program, with a token or behind an author's channel, says no yes to what is dangerous.
    NotByProgram,
    /// The program that asked replies to itself.
    OwnAsk,
    /// It counts only on a surface of the person's own.
    NotByClient,
    /// The ask was taken from the client before, because a reply of it did not count.
    TakenAway,
    /// The client's form came back, again and again, with nothing decided in it.
    Untouched,
}

impl Refusal {
    /// The word for it in the record.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::TooFast { .. } => "too_fast",
            Self::InsideAgent(_) => "inside_agent",
            Self::NoTerminal => "no_terminal",
            Self::NoPresence => "no_presence",
            Self::NotShown => "not_shown",
            Self::NotDeliberate => "not_deliberate",
            Self::NotBeforehand => "not_beforehand",
            Self::NotByProgram => "not_by_program",
            Self::OwnAsk => "own_ask",
            Self::NotByClient => "not_by_client",
            Self::TakenAway => "taken_away",
            Self::Untouched => "untouched",
        }
    }

    /// Why the reply was not taken, as half a sentence.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::TooFast { .. } => "the reply came faster than a person can read",
            Self::InsideAgent(_) => "the reply came from inside an agent",
            Self::NoTerminal => "the reply came from a process without a terminal",
            Self::NoPresence => "nothing shows that a person gave the reply",
            Self::NotShown => "the whole question was not shown where the reply came from",
            Self::NotDeliberate => "a yes to this needs its word typed, or the button held down",
            Self::NotBeforehand => "a yes to this cannot be given beforehand",
            Self::NotByProgram => "a yes to this cannot come from a program",
            Self::OwnAsk => "the program that asked cannot answer itself",
            Self::NotByClient => "a yes to this counts only on the page or in a terminal",
            Self::TakenAway => "the question was taken from the client before",
            Self::Untouched => "the form came back with nothing decided in it",
        }
    }
}

/// What a yes needs, beyond a valid answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Yes {
    /// The ask was in view for the reading time.
    Read,
    /// That, and a control of the ask was used.
    Chosen,
    /// That, and the button was held or the word typed.
    HeldOrWord,
    /// That, and the word was typed.
    Word,
    /// Values, given without the ask in view.
    Values,
    /// None counts, for this reason.
    Never(Never),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Never {
    Client,
    Unseen,
    Beforehand,
    Program,
}

/// What a reply says, as far as it matters for what it must bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// It declines or cancels.
    No,
    /// Something that is yet to be checked.
    Something,
    /// A valid answer that is not a no.
    Yes,
}

/// One row of the table: what a channel's replies need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Need {
    /// A fast no is not a person's either: a client may send it by itself.
    no_takes_time: bool,
    /// An agent's marks in the environment of the replying process count against it.
    free_of_marks: bool,
    /// The replying process has a controlling terminal.
    terminal: bool,
    yes: Yes,
}

impl Need {
    /// What a reply to this ask needs that comes through this channel.
    ///
    /// | channel | any reply | a yes | a yes to what is dangerous |
    /// |---|---|---|---|
    /// | client | not too fast; none where it counts only in person | read | read |
    /// | url | not too fast | opens the page | opens the page |
    /// | inbox | | read, chosen | read, held or its word typed |
    /// | terminal | no marks, a terminal | read, chosen | read, its word typed |
    /// | cli | no marks, a terminal | values | never |
    /// | preset | no marks; none to what is dangerous | values | never |
    /// | token | none to what is dangerous | values | never |
    /// | an author's | none to what is dangerous | values | never |
    pub fn for_reply(channel: ChannelKind, ask: &Ask, settings: &Settings) -> Self {
        use Yes::{Chosen, HeldOrWord, Never, Read, Values, Word};
        // no_takes_time, free_of_marks, terminal, a yes, a dangerous yes
        let (no_takes_time, free_of_marks, terminal, ordinary, dangerous) = match channel {
            ChannelKind::Client => (true, false, false, Read, Read),
            ChannelKind::Url => (true, false, false, Read, Read),
            ChannelKind::Inbox => (false, false, false, Chosen, HeldOrWord),
            ChannelKind::Terminal => (false, true, true, Chosen, Word),
            ChannelKind::Cli => (false, true, true, Values, Never(self::Never::Unseen)),
            ChannelKind::Preset => (false, true, false, Values, Never(self::Never::Beforehand)),
            ChannelKind::Token => (false, false, false, Values, Never(self::Never::Program)),
            // What an author's channel says of its person is the author's word: a program's.
            ChannelKind::Author(_) => (false, false, false, Values, Never(self::Never::Program)),
            // A kind that has no row counts for nothing.
            _ => {
                let never = Never(self::Never::Program);
                (true, true, true, never, never)
            }
        };
        let in_person = ask.in_person || ask.dangerous && settings.dangerous_by_inbox_only;
        let by_values = matches!(
            channel,
            ChannelKind::Cli | ChannelKind::Preset | ChannelKind::Token | ChannelKind::Author(_)
        );
        let yes = if in_person && channel == ChannelKind::Client {
            Never(self::Never::Client)
        } else if ask.dangerous || in_person && by_values {
            dangerous
        } else {
            ordinary
        };
        Self {
            no_takes_time,
            free_of_marks,
            terminal,
            yes,
        }
    }

    /// Why a reply with this presence is not taken; nothing where it is. What it says is looked at only
    /// as far as that: a yes, or anything else.
    pub fn refuse(
        &self,
        ask: &Ask,
        settings: &Settings,
        presence: &Presence,
        says: Says,
        now: Timestamp,
    ) -> Option<Refusal> {
        if self.free_of_marks
            && let Some(agent) = &presence.agent
        {
            return Some(Refusal::InsideAgent(agent.clone()));
        }
        if self.terminal && !presence.terminal {
            return Some(Refusal::NoTerminal);
        }
        if presence.is_empty() && self.yes_needs_presence() {
            return Some(Refusal::NoPresence);
        }
        let read_for = |time: Duration| match presence.shown_at {
            None => Some(Refusal::NotShown),
            Some(shown_at) => {
                let seen = Duration::try_from(now.duration_since(shown_at)).unwrap_or_default();
                let left = time.saturating_sub(seen);
                (!left.is_zero()).then_some(Refusal::TooFast { left })
            }
        };
        let read = || read_for(settings.reading_time(ask.dangerous));
        let gesture = |fits: bool| (!fits).then_some(Refusal::NotDeliberate);
        match self.yes {
            Yes::Never(Never::Client) => return Some(Refusal::NotByClient),
            Yes::Never(Never::Beforehand) => return Some(Refusal::NotBeforehand),
            Yes::Never(Never::Program) => return Some(Refusal::NotByProgram),
            _ => {}
        }
        if says != Says::Yes {
            if !self.no_takes_time {
                return None;
            }
            // On a busy machine a client may take a while to decline by itself; a person's no that is
            // taken for that only waits in the inbox.
            return read_for(settings.reading_time(ask.dangerous || says == Says::No));
        }
        let given = presence.gesture.as_ref();
        let word = || matches!(given, Some(Gesture::Word(typed)) if ask.is_word(typed));
        match self.yes {
            Yes::Read => read(),
            Yes::Chosen => read().or_else(|| {
                let none = matches!(given, None | Some(Gesture::Form));
                none.then_some(Refusal::NoPresence)
            }),
            Yes::HeldOrWord => read().or_else(|| gesture(given == Some(&Gesture::Held) || word())),
            Yes::Word => read().or_else(|| gesture(word())),
            Yes::Values => None,
            Yes::Never(_) => Some(Refusal::NotShown),
        }
    }

    /// A reply that says nothing of presence is taken only where values alone are enough.
    fn yes_needs_presence(&self) -> bool {
        !matches!(
            self.yes,
            Yes::Values | Yes::Never(Never::Beforehand | Never::Program)
        )
    }
}
