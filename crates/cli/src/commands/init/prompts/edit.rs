//! The hooks in a client's JSON; everything else in it stays byte for byte.

use super::{
    entry::{Call, OURS},
    hooks::Registration,
    place,
};
use crate::commands::init::{
    Client,
    json_edit::{
        Among, Step, left, list_at, object_at, push, read, set_among, set_at, take, value_at,
    },
    server::Removed,
};
use serde_json::Value;

#[cfg(test)]
mod tests;

const HOOKS: &str = "hooks";
/// What says how a file is to be read.
const VERSION: &str = "version";

/// The text with the hooks registered. Older ones of ours are brought up to date, or go.
pub fn register(text: &str, ours: &Registration) -> anyhow::Result<String> {
    let replaced = place::words(ours.client);
    let mut text = text.to_owned();
    for event in ours.events {
        list_at(&text, &[HOOKS.into(), event.name.into()])?;
    }
    if ours.has_version() && value_at(&text, &[VERSION.into()])?.is_none() {
        text = set_among(&text, &[VERSION], &1.into(), Among::First)?;
    }
    for name in events(&text)? {
        if ours.events.iter().all(|event| event.name != name) {
            for entry in entries(&text, &name)?.iter().rev() {
                text = entry.out_of(text, replaced)?;
            }
        }
    }
    for event in ours.events {
        let found = entries(&text, event.name)?;
        let mut found = found.iter().filter(|entry| entry.is_of(replaced));
        match found.next() {
            None => text = push(&text, &[HOOKS, event.name], &ours.item(event))?,
            Some(first) => {
                // From behind, so that those before stay where they are.
                for entry in found.collect::<Vec<_>>().into_iter().rev() {
                    text = entry.out_of(text, replaced)?;
                }
                text = first.up_to_date(text, &ours.entry(event))?;
            }
        }
    }
    Ok(text)
}

/// The text without the hooks of a client.
pub fn remove(text: &str, of: Client) -> anyhow::Result<Removed> {
    let of = place::words(of);
    if !read(text)?[HOOKS].is_object() {
        return Ok(Removed::Nothing);
    }
    let mut now = text.to_owned();
    for name in events(text)? {
        for entry in entries(&now, &name)?.iter().rev() {
            now = entry.out_of(now, of)?;
        }
    }
    if now == text {
        return Ok(Removed::Nothing);
    }
    // What says how the file is to be read says nothing where there is nothing to read.
    if let Some(rest) = take(&now, &[VERSION.into()])?
        && left(rest) == Removed::Everything
    {
        return Ok(Removed::Everything);
    }
    Ok(left(now))
}

/// One entry of an event's list.
struct Entry {
    /// Where it is.
    path: Vec<Place>,
    /// What goes with it: it, or the group that it is alone in.
    whole: Vec<Place>,
    call: Option<Call>,
    value: Value,
}

/// A step to an entry.
#[derive(Debug, Clone)]
enum Place {
    Key(String),
    Item(usize),
}

fn steps(path: &[Place]) -> Vec<Step<'_>> {
    let steps = path.iter().map(|place| match place {
        Place::Key(name) => Step::Key(name),
        Place::Item(index) => Step::Item(*index),
    });
    steps.collect()
}

impl Entry {
    fn is_of(&self, clients: &[Client]) -> bool {
        let call = self.call.as_ref();
        call.is_some_and(|call| clients.contains(&call.client))
    }

    /// The text without it, if it is of one of these.
    fn out_of(&self, text: String, clients: &[Client]) -> anyhow::Result<String> {
        if !self.is_of(clients) {
            return Ok(text);
        }
        // Of a group, others may have gone before it.
        let is_last = |group: &[Place]| {
            let group = [&steps(group)[..], &[HOOKS.into()]].concat();
            anyhow::Ok(list_at(&text, &group)?.is_none_or(|entries| entries.len() == 1))
        };
        let path = if is_last(&self.whole)? {
            &self.whole
        } else {
            &self.path
        };
        Ok(take(&text, &steps(path))?.unwrap_or(text))
    }

    /// The text in which it says this.
    fn up_to_date(&self, text: String, wanted: &Value) -> anyhow::Result<String> {
        let mut text = text;
        for name in OURS {
            if wanted.get(name).is_none() && self.value.get(name).is_some() {
                let path = [&steps(&self.path)[..], &[name.into()]].concat();
                text = take(&text, &path)?.unwrap_or(text);
            }
        }
        for (name, value) in wanted.as_object().into_iter().flatten() {
            // A person may have narrowed it.
            if name != "matcher" {
                let path = [&steps(&self.path)[..], &[name.as_str().into()]].concat();
                text = set_at(&text, &path, value, Among::Last)?;
            }
        }
        Ok(text)
    }
}

/// The events of the file.
fn events(text: &str) -> anyhow::Result<Vec<String>> {
    let hooks = object_at(text, &[HOOKS.into()])?.unwrap_or_default();
    Ok(hooks.into_iter().map(|(name, _)| name).collect())
}

fn entries(text: &str, event: &str) -> anyhow::Result<Vec<Entry>> {
    let list = value_at(text, &[HOOKS.into(), event.into()])?;
    let list = list.as_ref().and_then(Value::as_array);
    let mut found = Vec::new();
    for (index, item) in list.into_iter().flatten().enumerate() {
        let whole = vec![
            Place::Key(HOOKS.to_owned()),
            Place::Key(event.to_owned()),
            Place::Item(index),
        ];
        let entry = |path: Vec<Place>, value: &Value| Entry {
            call: Call::read(value),
            whole: whole.clone(),
            path,
            value: value.clone(),
        };
        match item[HOOKS].as_array() {
            None => found.push(entry(whole.clone(), item)),
            Some(group) => {
                let inner = group.iter().enumerate().map(|(index, value)| {
                    let inside = [Place::Key(HOOKS.to_owned()), Place::Item(index)];
                    entry([&whole[..], &inside].concat(), value)
                });
                found.extend(inner);
            }
        }
    }
    Ok(found)
}
