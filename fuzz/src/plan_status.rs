//! `STATUS.md`, which people edit: read as it is or refused with a line, written back unchanged, and after each
//! change that a tool makes still a state that can be read, and the one that was meant.

use crate::text;
use holdpoint_plans::status_door::{StatusChange, StatusFile};

/// The first line says what is done, such as `start 2` or `note 1 see below`; the rest is the file.
pub fn check(data: &[u8]) {
    let Some((line, file)) = text(data).and_then(|text| text.split_once('\n')) else {
        return;
    };
    let Ok(status) = StatusFile::read(file) else {
        return;
    };
    assert_eq!(status.text(), file, "read and written");
    let Some(change) = change(line) else { return };
    let Some(changed) = status.with(&change) else {
        return;
    };
    let text = changed.text();
    let again = StatusFile::read(&text);
    let again = again.unwrap_or_else(|flaw| panic!("{change:?} leads to {flaw}\n{text}"));
    assert_eq!(again.steps(), changed.steps(), "{change:?}\n{text}");
    assert_eq!(again.state(), changed.state(), "{change:?}\n{text}");
    assert_eq!(again.text(), text, "read and written again");
}

fn change(line: &str) -> Option<StatusChange> {
    let mut words = line.splitn(3, ' ');
    let word = words.next()?;
    let step = words.next().and_then(|step| step.parse().ok()).unwrap_or(1);
    let said = words.next().unwrap_or_default().to_owned();
    Some(match word {
        "start" => StatusChange::Start(step),
        "complete" => StatusChange::Complete(step, said),
        "skip" => StatusChange::Skip(step, said),
        "add" => StatusChange::Add(said),
        _ => return None,
    })
}
