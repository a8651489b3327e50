//! The hooks in a client's JSON; everything else in it stays byte for byte.

use super::{
    entry::{Call, OURS},
    hooks::Registration,
    place,
};
use crate::commands::init::{
    Client,
    json_edit::{checked, input, is_void, line, object, object_or_new, parse, property, set},
    server::Removed,
};
use anyhow::Context;
use jsonc_parser::cst::{CstArray, CstNode, CstObject};
use serde_json::Value;

#[cfg(test)]
mod tests;

/// The text with the hooks registered. Older ones of ours are brought up to date, or go.
pub fn register(text: &str, ours: &Registration) -> anyhow::Result<String> {
    let replaced = place::words(ours.client);
    let (root, top) = parse(text)?;
    let hooks = object_or_new(&top, "hooks")?;
    for event in ours.events {
        property(&hooks, event.name)?;
    }
    for found in hooks.properties() {
        let name = found.decoded_name().unwrap_or_default();
        let is_known = ours.events.iter().any(|event| event.name == name);
        if !is_known && let Some(list) = found.array_value() {
            let gone = entries(&list).into_iter().filter(|one| one.is_of(replaced));
            if gone.map(Entry::remove).count() > 0 && list.elements().is_empty() {
                found.remove();
            }
        }
    }
    for event in ours.events {
        let list = list_or_new(&hooks, event.name)?;
        let mut found = entries(&list).into_iter();
        let mut found = found.by_ref().filter(|one| one.is_of(replaced));
        match found.next() {
            None => drop(list.append(input(&ours.item(event)))),
            Some(first) => {
                bring_up_to_date(&first.object, &ours.entry(event))?;
                found.for_each(Entry::remove);
            }
        }
    }
    if ours.has_version() && property(&top, "version")?.is_none() {
        top.insert(0, "version", input(&1.into()));
    }
    Ok(root.to_string())
}

/// The text without the hooks of a client.
pub fn remove(text: &str, of: Client) -> anyhow::Result<Removed> {
    let of = place::words(of);
    let (root, top) = parse(text)?;
    let mut wanted = top.to_serde_value().unwrap_or_default();
    if !take(&mut wanted, of) {
        return Ok(Removed::Nothing);
    }
    let Some(hooks) = object(&top, "hooks")? else {
        return Ok(Removed::Nothing);
    };
    for found in hooks.properties() {
        let Some(list) = found.array_value() else {
            continue;
        };
        let gone = entries(&list).into_iter().filter(|one| one.is_of(of));
        if gone.map(Entry::remove).count() > 0 && list.elements().is_empty() {
            found.remove();
        }
    }
    if hooks.properties().is_empty()
        && let Some(hooks) = property(&top, "hooks")?
    {
        hooks.remove();
    }
    let text = checked(&root, &wanted)?;
    // What says how the file is to be read says nothing where there is nothing to read.
    let version = property(&top, "version")?;
    version.into_iter().for_each(|version| version.remove());
    Ok(if is_void(&root.to_string()) {
        Removed::Everything
    } else {
        Removed::Rest(text)
    })
}

/// One entry of an event's list.
struct Entry {
    object: CstObject,
    /// What is in the list: the entry, or a group of them under one matcher.
    item: CstNode,
    /// The group.
    group: Option<CstArray>,
    call: Option<Call>,
}

impl Entry {
    fn is_of(&self, clients: &[Client]) -> bool {
        let call = self.call.as_ref();
        call.is_some_and(|call| clients.contains(&call.client))
    }

    fn remove(self) {
        self.object.remove();
        match self.group {
            Some(group) if group.elements().is_empty() => self.item.remove(),
            _ => {}
        }
    }
}

fn entries(list: &CstArray) -> Vec<Entry> {
    let mut found = Vec::new();
    for item in list.elements() {
        let Some(object) = item.as_object() else {
            continue;
        };
        let group = object.array_value("hooks");
        let inside = match &group {
            Some(group) => group.elements(),
            None => vec![item.clone()],
        };
        let inside = inside.into_iter().filter_map(|one| one.as_object());
        found.extend(inside.map(|object| Entry {
            call: object.to_serde_value().and_then(|value| Call::read(&value)),
            object,
            item: item.clone(),
            group: group.clone(),
        }));
    }
    found
}

fn bring_up_to_date(entry: &CstObject, wanted: &Value) -> anyhow::Result<()> {
    for name in OURS {
        if wanted.get(name).is_none()
            && let Some(old) = property(entry, name)?
        {
            old.remove();
        }
    }
    for (name, value) in wanted.as_object().into_iter().flatten() {
        // A person may have narrowed it.
        if name != "matcher" {
            property(entry, name)?;
            set(entry, name, input(value));
        }
    }
    Ok(())
}

fn list_or_new(hooks: &CstObject, event: &str) -> anyhow::Result<CstArray> {
    match property(hooks, event)? {
        None => Ok(hooks.array_value_or_set(event)),
        Some(found) => found
            .array_value()
            .with_context(|| format!("{}`{event}` is not a list", line(found.clone()))),
    }
}

/// Takes the hooks out of a value, with what only held them; whether there were any.
fn take(value: &mut Value, of: &[Client]) -> bool {
    let is_ours = |entry: &Value| Call::read(entry).is_some_and(|call| of.contains(&call.client));
    let Some(Value::Object(hooks)) = value.get_mut("hooks") else {
        return false;
    };
    let mut found = false;
    hooks.retain(|_, list| {
        let Value::Array(items) = list else {
            return true;
        };
        let mut touched = false;
        items.retain_mut(|item| match item.get_mut("hooks") {
            Some(Value::Array(group)) => {
                let before = group.len();
                group.retain(|entry| !is_ours(entry));
                let less = group.len() < before;
                touched |= less;
                !(less && group.is_empty())
            }
            _ => {
                let ours = is_ours(item);
                touched |= ours;
                !ours
            }
        });
        found |= touched;
        !(touched && items.is_empty())
    });
    if found && hooks.is_empty() {
        value
            .as_object_mut()
            .and_then(|all| all.shift_remove("hooks"));
    }
    found
}
