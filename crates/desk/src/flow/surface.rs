//! How a client shows an ask: as a form, or as an address to open; and the text that goes with it.

use super::session::Session;
use crate::{Desk, Showing};
use holdpoint_ask::{
    Answer, Ask, AskId, FieldError, Kind, Lowered, describe::first_line, plain_text, visible,
};
use holdpoint_journal::InClient;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// How a client can show an ask.
#[derive(Debug)]
pub(crate) enum Surface {
    Form(Lowered),
    Url(String),
}

impl Surface {
    /// What the client is let do with an ask that it is shown so.
    pub fn in_client(surface: Option<&Self>) -> InClient {
        match surface {
            Some(Self::Form(_)) => InClient::Decides,
            Some(Self::Url(_)) => InClient::Opens,
            None => InClient::NotShown,
        }
    }
}

impl Session {
    /// How this client shows this ask; none where it cannot, or must not. `kept` is what was valid in
    /// the reply before.
    pub(crate) fn surface(
        &self,
        desk: &Desk,
        id: AskId,
        ask: &Ask,
        kept: Option<&Answer>,
    ) -> Option<Surface> {
        let decides_here = !(ask.dangerous && desk.dangerous_by_inbox_only());
        self.surface_with(desk, id, ask, kept, decides_here)
    }

    /// As [`Self::surface`], for an ask that was let through to the client before. Where a PIN was set
    /// meanwhile, the client's reply is refused, and that takes the ask from it.
    pub(crate) fn surface_as_before(&self, desk: &Desk, showing: &Showing) -> Option<Surface> {
        let kept = showing.kept.as_ref();
        let decides_here = match showing.in_client {
            InClient::NotShown => return None,
            InClient::Opens => false,
            InClient::Decides => true,
        };
        self.surface_with(desk, showing.id(), showing.ask(), kept, decides_here)
    }

    fn surface_with(
        &self,
        desk: &Desk,
        id: AskId,
        ask: &Ask,
        kept: Option<&Answer>,
        decides_here: bool,
    ) -> Option<Surface> {
        let revision = self.revision?;
        if self.form
            && decides_here
            && !ask.in_person
            && let Ok(lowered) = ask.lower(&self.profile, revision, kept)
            && self.shows_whole(ask, &lowered)
        {
            return Some(Surface::Form(lowered));
        }
        let address = link(ask).or_else(|| desk.page_of(id));
        address.filter(|_| self.url).map(Surface::Url)
    }

    /// Whether all that a person has to read before they decide is in view in this client. Where
    /// nothing is decided, some of the text may be missing.
    fn shows_whole(&self, ask: &Ask, lowered: &Lowered) -> bool {
        let decides = ask.dangerous || ask.form.fields.iter().any(|field| field.decides());
        !decides || self.profile.fits(&self.text(ask)) && self.shows_labels(lowered)
    }

    /// Whether every label and explanation fits a line of this client.
    fn shows_labels(&self, lowered: &Lowered) -> bool {
        let Some(most) = self.profile.max_columns else {
            return true;
        };
        let properties = lowered.schema().get("properties");
        let properties = properties.and_then(Value::as_object).into_iter().flatten();
        properties.into_iter().all(|(key, property)| {
            let label = property.get("title").and_then(Value::as_str).unwrap_or(key);
            label.width() <= most && fits(property, most)
        })
    }

    /// The text of an ask as this client shows it, with nothing hidden in it.
    fn text(&self, ask: &Ask) -> String {
        self.laid_out(ask, self.profile.markdown)
    }

    fn laid_out(&self, ask: &Ask, markdown: bool) -> String {
        let text = ask.shown();
        let text = if markdown { text } else { plain_text(&text) };
        let text = visible(&text);
        if self.profile.max_lines.is_none() {
            return text.into_owned();
        }
        // A line that is empty is a line less to read.
        let lines: Vec<_> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        lines.join("\n")
    }

    /// What a form says above its fields: what was wrong with the reply before, then the ask. What
    /// decides is never cut.
    pub(crate) fn form_message(&self, ask: &Ask, errors: &[FieldError]) -> String {
        let text = self.text(ask);
        if !self.profile.fits(&text) {
            return self.cut(&text);
        }
        let explained = format!("{}{text}", self.errors(errors));
        if self.profile.fits(&explained) {
            explained
        } else {
            text
        }
    }

    fn errors(&self, errors: &[FieldError]) -> String {
        let messages = errors.iter().map(|error| visible(&error.message));
        let messages: Vec<_> = messages.collect();
        match (messages.is_empty(), self.profile.max_lines) {
            (true, _) => String::new(),
            (false, Some(_)) => format!("Not accepted: {}\n", messages.join(" · ")),
            (false, None) => {
                let lines: String = messages.iter().map(|text| format!("- {text}\n")).collect();
                format!("The last answer could not be accepted:\n{lines}\n")
            }
        }
    }

    /// What is said about an address: the ask where it is shown whole, otherwise what it is about.
    pub(crate) fn url_message(&self, ask: &Ask) -> String {
        // Clients that render Markdown in a form do not do so here.
        let text = self.laid_out(ask, false);
        let text = if ask.dangerous && link(ask).is_none() {
            format!("Dangerous: answer this on the page.\n{text}")
        } else {
            text
        };
        if self.profile.fits(&text) {
            return text;
        }
        // Its address is somebody else's, where the rest of the text is not.
        if link(ask).is_some() {
            return self.cut(&text);
        }
        let what = if ask.dangerous {
            "Dangerous: read all of it on the page and answer there."
        } else {
            "Too long to show here: read all of it on the page and answer there."
        };
        let about = first_line(&ask.message);
        let about = match self.profile.max_columns {
            Some(most) => shortened(&about, most),
            None => about,
        };
        format!("{what}\n{about}")
    }

    /// The beginning of a text, where nothing is decided by it.
    fn cut(&self, text: &str) -> String {
        const REST: &str = "… all of it is in the inbox (holdpoint inbox)";
        let profile = &self.profile;
        let most = profile
            .max_lines
            .unwrap_or(usize::MAX)
            .saturating_sub(1)
            .max(1);
        let lines = text.lines().take(most);
        let lines = lines.map(|line| match profile.max_columns {
            Some(columns) => shortened(line, columns),
            None => line.to_owned(),
        });
        let mut start = lines.collect::<Vec<_>>().join("\n");
        if let Some(most) = profile.max_message {
            let most = most.saturating_sub(REST.chars().count() + 1);
            start = start.chars().take(most).collect();
        }
        format!("{start}\n{REST}")
    }
}

/// The address that an ask wants visited, where that is all it wants.
fn link(ask: &Ask) -> Option<String> {
    match ask.form.fields.as_slice() {
        [field] => match &field.kind {
            Kind::Link(link) => Some(link.url.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether each text of a property fits this many columns.
fn fits(property: &Value, columns: usize) -> bool {
    match property {
        Value::String(text) => text.width() <= columns,
        Value::Array(values) => values.iter().all(|value| fits(value, columns)),
        Value::Object(keys) => keys
            .iter()
            // What the person has typed, or may leave, is theirs.
            .filter(|(key, _)| *key != "default")
            .all(|(_, value)| fits(value, columns)),
        _ => true,
    }
}

/// As much of a line as fits.
fn shortened(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let mut short = String::new();
    for char in line.chars() {
        if short.width() + 2 > columns {
            break;
        }
        short.push(char);
    }
    format!("{short}…")
}

#[cfg(test)]
mod tests;
