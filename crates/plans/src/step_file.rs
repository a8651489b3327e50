//! A step's own file: what it needs, whether a person must approve it, and by which criteria.

use super::dependencies::dependencies;
use holdpoint::Digest;
use holdpoint_workspace::{describe, read_text_file};
use saphyr::{LoadableYamlNode, Yaml};
use std::{fs, path::Path};

/// The most bytes of a step's file.
const MOST: u64 = 1024 * 1024;

/// A step's file, read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StepFile {
    /// Its name, from the plan's folder.
    pub file: String,
    pub text: String,
    /// A person must approve it before it completes.
    pub gate: bool,
    /// The steps before it that must be completed; the one before it where the file says nothing.
    pub needs: Option<Vec<u32>>,
    /// The acceptance criteria, in the order of the file.
    pub criteria: Vec<String>,
}

impl StepFile {
    /// Reads the file of this step; none where there is none.
    ///
    /// # Errors
    /// Where there are two, or it cannot be read. What cannot be read cannot say that it has no gate.
    pub fn open(plan: &Path, number: u32) -> Result<Option<Self>, String> {
        Self::open_among(plan, &step_files(plan), number)
    }

    /// The same, among the files that were listed before.
    ///
    /// # Errors
    /// As [`StepFile::open`].
    pub fn open_among(
        plan: &Path,
        files: &[(u32, String)],
        number: u32,
    ) -> Result<Option<Self>, String> {
        let mut own = files.iter().filter(|(of, _)| *of == number);
        match (own.next(), own.next()) {
            (None, _) => Ok(None),
            (Some((_, file)), None) => {
                let unread = |error: String| format!("{file} cannot be read: {error}");
                // A link could show what is not the plan's own.
                let own = plan
                    .join(file)
                    .canonicalize()
                    .map_err(|error| unread(describe(&error)))?;
                let inside = plan.canonicalize().is_ok_and(|plan| own.starts_with(plan));
                if !inside {
                    return Err(unread("it leads out of the plan's folder".into()));
                }
                let text = read_text_file(&own, MOST).map_err(|error| unread(error.to_string()))?;
                Self::parse(file.clone(), text).map(Some)
            }
            (Some((_, one)), Some((_, other))) => Err(format!(
                "{one} and {other} are both the file of step {number:02}"
            )),
        }
    }

    fn parse(file: String, text: String) -> Result<Self, String> {
        let (front, body) = parts(&text);
        let front = match front {
            Some(front) => front_matter(front).map_err(|what| format!("{file}: {what}"))?,
            None => Front::default(),
        };
        let mut needs = front.needs;
        if let Some(more) = dependencies(body) {
            let known = needs.get_or_insert_default();
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        Ok(Self {
            criteria: items(body, "acceptance criteria"),
            gate: front.gate,
            needs,
            file,
            text,
        })
    }

    /// What a person is shown of it and the answer is bound to.
    pub fn digest(&self) -> Digest {
        Digest::hash_bytes(self.text.as_bytes())
    }

    /// The text without the front matter.
    pub fn body(&self) -> &str {
        parts(&self.text).1.trim()
    }
}

/// The files of steps in a plan's folder, with their numbers, in their order: those in `plan`, or
/// where there are none, those of the folder itself that are called like `01-setup.md`.
pub(super) fn step_files(plan: &Path) -> Vec<(u32, String)> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| name.ends_with(".md")).collect()
    };
    let own = names(&plan.join("plan")).into_iter();
    let mut files: Vec<_> = own
        .filter_map(|name| Some((number_of(&name)?, format!("plan/{name}"))))
        .collect();
    if files.is_empty() {
        let beside = |name: &String| name.find('-') == Some(2);
        let top = names(plan).into_iter().filter(beside);
        files.extend(top.filter_map(|name| Some((number_of(&name)?, name))));
    }
    files.sort();
    files
}

/// The number that a file's name begins with.
fn number_of(name: &str) -> Option<u32> {
    let digits = name.split(|char: char| !char.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The front matter, where there is some, and the rest.
fn parts(text: &str) -> (Option<&str>, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| line.trim_end() == "---") else {
        return (None, text);
    };
    let start = first.len();
    let mut end = start;
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            return (Some(&text[start..end]), &text[end + line.len()..]);
        }
        end += line.len();
    }
    // Opened and never closed: all of it is front matter, and most likely no YAML.
    (Some(&text[start..]), "")
}

#[derive(Debug, Default)]
struct Front {
    gate: bool,
    needs: Option<Vec<u32>>,
}

fn front_matter(text: &str) -> Result<Front, String> {
    let documents = Yaml::load_from_str(text)
        .map_err(|error| format!("its front matter is not YAML: {error}"))?;
    let Some(front) = documents.first().filter(|front| !front.is_null()) else {
        return Ok(Front::default());
    };
    let Some(mapping) = front.as_mapping() else {
        return Err("its front matter is not a list of keys and values".into());
    };
    let get = |wanted: &str| {
        mapping
            .iter()
            .find(|(key, _)| {
                key.as_str()
                    .is_some_and(|key| key.eq_ignore_ascii_case(wanted))
            })
            .map(|(_, value)| value)
    };
    let gate = match get("gate") {
        None => false,
        Some(value) => match value.as_str().map(str::trim) {
            Some("approval") => true,
            Some("none") => false,
            // An empty value or a slip of the pen must not open the gate.
            _ => return Err("its gate is neither `approval` nor `none`".into()),
        },
    };
    let mut needs = None;
    for name in ["needs", "depends-on"] {
        if let Some(value) = get(name) {
            let wrong = || format!("its {name} is not a list of step numbers");
            let list: &mut Vec<u32> = needs.get_or_insert_default();
            list.extend(steps(value).ok_or_else(wrong)?);
        }
    }
    Ok(Front { gate, needs })
}

fn steps(value: &Yaml<'_>) -> Option<Vec<u32>> {
    let number = |value: &Yaml<'_>| match value.as_integer() {
        Some(number) => u32::try_from(number).ok(),
        None => value.as_str()?.trim().parse().ok(),
    };
    if value.is_null() {
        return Some(Vec::new());
    }
    if let Some(list) = value.as_sequence() {
        return list.iter().map(number).collect();
    }
    match value.as_str() {
        Some(text) => text
            .split(',')
            .map(|part| part.trim().parse().ok())
            .collect(),
        None => number(value).map(|number| vec![number]),
    }
}

/// The lines that are not in a block of code, and whether each is below this heading.
pub(super) fn lines_below<'a>(
    body: &'a str,
    heading: &'a str,
) -> impl Iterator<Item = (bool, &'a str)> {
    let (mut within, mut fenced) = (false, false);
    body.lines().filter_map(move |line| {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
            return None;
        }
        if fenced {
            return None;
        }
        if bare.starts_with('#') {
            let title = bare.trim_matches(['#', ' ', '*', ':']);
            within = title.eq_ignore_ascii_case(heading);
            return None;
        }
        Some((within, line))
    })
}

/// The items of the lists below a heading, without their boxes.
fn items(body: &str, heading: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for (_, line) in lines_below(body, heading).filter(|(within, _)| *within) {
        let bare = line.trim();
        if bare.is_empty() {
            continue;
        }
        match item(bare) {
            Some("") => {}
            Some(text) => items.push(text.to_owned()),
            // A line under an item belongs to it.
            None if line.starts_with([' ', '\t']) => {
                if let Some(last) = items.last_mut() {
                    last.push(' ');
                    last.push_str(bare);
                }
            }
            None => {}
        }
    }
    items
}

/// The text of a list's item.
pub(super) fn item(line: &str) -> Option<&str> {
    let text = match line.strip_prefix(['-', '*', '+']) {
        Some(text) => text,
        None => {
            let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            (digits > 0).then_some(())?;
            line[digits..].strip_prefix(['.', ')'])?
        }
    };
    if !text.is_empty() && !text.starts_with(' ') {
        return None;
    }
    let text = text.trim();
    let boxes = ["[ ]", "[x]", "[X]", "[]"];
    let boxed = boxes.iter().find_map(|sign| text.strip_prefix(sign));
    Some(boxed.unwrap_or(text).trim())
}

/// The text with every box of a list's item empty.
pub(super) fn empty_boxes(text: &str) -> String {
    let empty = |line: &str| {
        for ticked in ["[x]", "[X]"] {
            if let Some((before, behind)) = line.split_once(ticked)
                && before.ends_with([' ', '\t'])
                && item(before.trim()).is_some_and(str::is_empty)
            {
                return format!("{before}[ ]{behind}\n");
            }
        }
        format!("{line}\n")
    };
    text.lines().map(empty).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<StepFile, String> {
        StepFile::parse("plan/01-a.md".into(), text.into())
    }

    #[test]
    fn the_gate_is_what_the_front_matter_says() {
        let gate = |front: &str| {
            read(&format!("---\n{front}\n---\n# A\n"))
                .map(|file| file.gate)
                .map_err(|what| what.trim_start_matches("plan/01-a.md: ").to_owned())
        };
        for shut in [
            "gate: approval",
            "gate: \"approval\"",
            "\"gate\": approval",
            "x: 1\nGate: approval",
            "{gate: approval}",
        ] {
            assert_eq!(gate(shut), Ok(true), "{shut}");
        }
        for open in [
            "",
            "step: 1",
            "gate: none",
            "notes: |\n  gate: approval",
            "# gate: approval",
        ] {
            assert_eq!(gate(open), Ok(false), "{open}");
        }
        for unclear in [
            "gate:",
            "gate: aproval",
            "gate: true",
            "gate: [approval]",
            "gate: approval: x",
            "- gate",
        ] {
            assert!(gate(unclear).is_err(), "{unclear}");
        }
        assert!(!read("# A\n\ngate: approval\n").unwrap().gate);
        assert!(read("---\ngate: approval\n# A\n\nNever closed: [\n").is_err());
    }

    #[test]
    fn needs_in_several_ways() {
        let needs = |front: &str| read(&format!("---\n{front}\n---\n")).unwrap().needs;
        assert_eq!(needs("step: 3"), None);
        assert_eq!(needs("needs: []"), Some(vec![]));
        assert_eq!(needs("needs:"), Some(vec![]));
        assert_eq!(needs("needs: 1"), Some(vec![1]));
        assert_eq!(needs("needs: [1, 02]"), Some(vec![1, 2]));
        assert_eq!(needs("needs: 1, 2"), Some(vec![1, 2]));
        assert_eq!(needs("needs:\n  - 1\n  - 3"), Some(vec![1, 3]));
        assert!(read("---\nneeds: soon\n---\n").is_err());
    }

    #[test]
    fn only_boxes_of_items_are_emptied() {
        let text = "- [x] a [x]\n  * [X] b\n3. [x] c\n- [ ] d\n[x] e\nsee - [x] f\n-[x] g";
        assert_eq!(
            empty_boxes(text),
            "- [ ] a [x]\n  * [ ] b\n3. [ ] c\n- [ ] d\n[x] e\nsee - [x] f\n-[x] g\n"
        );
    }

    #[test]
    fn criteria_are_the_items_of_their_section() {
        let file = read(
            "# A\n\n## Tasks\n- [ ] not this\n\n## Acceptance Criteria\n\nAll of:\n\n- [ ] it *works*\n- [x] it is\n  documented\n* plain\n2. counted\n- \n```\n- [ ] code\n```\n### Verification\n- nor this\n",
        );
        assert_eq!(
            file.unwrap().criteria,
            ["it *works*", "it is documented", "plain", "counted"]
        );
    }
}
