//! What a key does in what is over an ask, up to the reply.

use super::{
    App, Effect,
    deciding::{self, Next, Prompting, Wanted, WantedText},
    dialog::{Dialog, LONGER, TextOf, step},
};
use crate::terminal::{text_input::TextInput, value};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use holdpoint::{Gesture, Reply};
use holdpoint_ask::{Kind, review::Comment};
use std::time::Instant;

impl App {
    /// Takes a key for what is over the ask.
    pub(super) fn dialog_key(&mut self, key: KeyEvent, clock: Instant) -> Option<Effect> {
        let down = matches!(key.code, KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab);
        let up = matches!(
            key.code,
            KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab
        );
        match self.dialog.as_mut()? {
            Dialog::Help { top } => match key.code {
                _ if down => *top += 1,
                _ if up => *top = top.saturating_sub(1),
                _ => self.dialog = None,
            },
            Dialog::Endings { endings, at } => match key.code {
                _ if down || up => *at = step(*at, endings.len(), down),
                KeyCode::Enter => {
                    let ending = endings.get((*at)?)?.clone();
                    let open = self.open.as_ref()?;
                    if ending.yes && open.shown_at.is_none() {
                        self.dialog = None;
                        self.note =
                            "Read it to its end first (G goes there): a yes is to all of it."
                                .into();
                        return None;
                    }
                    let next = deciding::choose(&open.record.ask, &ending);
                    return self.go_on(next, ending.yes, clock);
                }
                KeyCode::Esc | KeyCode::Char('q') => self.dialog = None,
                _ => {}
            },
            Dialog::Longer { at } => match key.code {
                _ if down || up => *at = step(*at, LONGER.len(), down),
                KeyCode::Enter => {
                    let minutes = LONGER.get((*at)?)?.1;
                    self.dialog = None;
                    return Some(Effect::Longer(minutes));
                }
                KeyCode::Esc | KeyCode::Char('q') => self.dialog = None,
                _ => {}
            },
            Dialog::Comments { at } => {
                let open = self.open.as_mut()?;
                let comments = &mut open.draft.comments;
                match key.code {
                    _ if down || up => *at = step(Some(*at), comments.len(), down).unwrap_or(0),
                    KeyCode::Char('x' | 'd') | KeyCode::Delete if *at < comments.len() => {
                        comments.remove(*at);
                        *at = (*at).min(comments.len().saturating_sub(1));
                    }
                    KeyCode::Enter | KeyCode::Char('e') => {
                        let index = *at;
                        let comment = Box::new(comments.get(index)?.clone());
                        let of = match comment.suggestion {
                            Some(_) => TextOf::Suggestion(Some(index), comment),
                            None => TextOf::Comment(Some(index), comment),
                        };
                        self.write(of);
                    }
                    KeyCode::Esc | KeyCode::Char('q' | 'l') => self.dialog = None,
                    _ => {}
                }
            }
            Dialog::Text { input, of, wrong } => {
                let word =
                    matches!(of, TextOf::Reply(wanted) if matches!(wanted.of, WantedText::Word(_)));
                match key.code {
                    KeyCode::Esc => self.dialog = None,
                    KeyCode::Char('g' | 'o')
                        if key.modifiers.contains(KeyModifiers::CONTROL) && !word =>
                    {
                        return Some(Effect::Edit(input.text().to_owned()));
                    }
                    KeyCode::Enter if !key.modifiers.contains(KeyModifiers::ALT) => {
                        return self.written(clock);
                    }
                    _ => {
                        if input.key(key) {
                            *wrong = None;
                        }
                    }
                }
            }
        }
        None
    }

    /// Takes the text that was typed.
    fn written(&mut self, clock: Instant) -> Option<Effect> {
        let Some(Dialog::Text { of, input, .. }) = &self.dialog else {
            return None;
        };
        let text = input.text().trim().to_owned();
        match of.clone() {
            TextOf::Comment(at, mut comment) => {
                comment.text = text;
                self.keep(at, *comment);
            }
            TextOf::Suggestion(at, mut comment) => {
                let same = comment.quote.as_deref() == Some(text.as_str());
                comment.suggestion = Some(text).filter(|text| !text.is_empty() && !same);
                self.keep(at, *comment);
            }
            TextOf::Reply(wanted) => return self.wanted(*wanted, text, clock),
        }
        None
    }

    /// Keeps what is being typed with what was written before. The word of a dangerous ask is no text.
    pub(super) fn rescue(&mut self) {
        let Some(Dialog::Text { of, input, .. }) = &self.dialog else {
            return;
        };
        let typed = Some(input.text().trim().to_owned()).filter(|text| !text.is_empty());
        match of.clone() {
            TextOf::Comment(at, mut comment) => {
                comment.text = typed.unwrap_or(comment.text);
                self.keep(at, *comment);
            }
            TextOf::Suggestion(at, mut comment) => {
                comment.suggestion = typed.filter(|text| comment.quote.as_ref() != Some(text));
                self.keep(at, *comment);
            }
            TextOf::Reply(wanted) => {
                if let (Some(open), Some(typed)) = (&mut self.open, typed)
                    && !matches!(wanted.of, WantedText::Word(_))
                {
                    open.draft.reply = Some(typed);
                }
            }
        }
    }

    /// Keeps a comment; one that says nothing goes.
    fn keep(&mut self, at: Option<usize>, comment: Comment) {
        self.dialog = None;
        let Some(open) = &mut self.open else { return };
        let comments = &mut open.draft.comments;
        let empty = comment.text.is_empty() && comment.suggestion.is_none();
        match at {
            Some(at) if empty => drop(comments.remove(at)),
            Some(at) => comments[at] = comment,
            None if empty => {}
            None => comments.push(comment),
        }
    }

    fn wanted(&mut self, wanted: Wanted, text: String, clock: Instant) -> Option<Effect> {
        let ask = &self.open.as_ref()?.record.ask;
        let mut answer = wanted.answer.clone();
        let next = match &wanted.of {
            WantedText::Reason => {
                let reason = Some(text).filter(|text| !text.is_empty());
                Ok(Next::Reply(Reply::Decline { reason }, Gesture::Chosen))
            }
            WantedText::Word(word) if !ask.is_word(&text) => Err(format!("Type {word} for yes.")),
            WantedText::Word(_) => Ok(Next::Reply(
                Reply::Accept { content: answer },
                Gesture::Word(text),
            )),
            WantedText::Field(field) => value::typed(field, &text).map(|value| {
                if !value.is_null() {
                    answer.insert(field.name.clone(), value);
                }
                deciding::confirmed(ask, answer, wanted.yes)
            }),
        };
        match next {
            Ok(next) => self.go_on(next, wanted.yes, clock),
            Err(why) => {
                if let Some(Dialog::Text { wrong, .. }) = &mut self.dialog {
                    *wrong = Some(why);
                }
                None
            }
        }
    }

    fn go_on(&mut self, next: Next, yes: bool, clock: Instant) -> Option<Effect> {
        let open = self.open.as_ref()?;
        match next {
            Next::Reply(reply, gesture) => {
                let outgoing = open.outgoing(reply, gesture, yes);
                self.dialog = None;
                Some(Effect::Send(outgoing))
            }
            Next::Prompt(start) => {
                let prompting = Prompting {
                    start,
                    shown_at: open.shown_at.unwrap_or(self.now),
                    review: [open.review(true), open.review(false)],
                };
                if open.shown_at.is_none() {
                    self.dialog = None;
                    self.note = "Read it to its end first (G goes there).".into();
                    return None;
                }
                self.dialog = None;
                Some(Effect::Prompt(prompting))
            }
            Next::Text(wanted) => {
                let multiline = match &wanted.of {
                    WantedText::Field(field) => {
                        matches!(&field.kind, Kind::Text(rules) if rules.multiline)
                    }
                    WantedText::Reason => true,
                    WantedText::Word(_) => false,
                };
                let of = TextOf::Reply(Box::new(wanted));
                let input = TextInput::new("", multiline);
                self.ask_for(
                    Dialog::Text {
                        of,
                        input,
                        wrong: None,
                    },
                    clock,
                );
                None
            }
        }
    }
}
