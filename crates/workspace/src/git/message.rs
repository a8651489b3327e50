//! A commit's message, beside the one that was proposed, and who a commit is by.

use super::change::listed;

/// In what a commit's message is not the proposed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageDifference {
    /// It has another first line.
    Subject(String),
    /// It has the whole proposed message, and these trailers behind it, such as `Signed-off-by`.
    Trailers(Vec<String>),
    /// Something else is different behind the first line.
    Body,
}

impl MessageDifference {
    /// The difference between two messages; none where git would store both alike.
    pub fn between(proposed: &str, committed: &str) -> Option<Self> {
        let (wanted, found) = (cleaned(proposed), cleaned(committed));
        if wanted == found {
            return None;
        }
        if subject(&wanted) != subject(&found) {
            return Some(Self::Subject(subject(&found)));
        }
        let added = found
            .strip_prefix(&wanted)
            .filter(|rest| rest.starts_with('\n'));
        let lines = added.into_iter().flat_map(str::lines);
        let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
        let is_all = !lines.is_empty() && lines.iter().all(|line| is_trailer(line));
        Some(if is_all {
            Self::Trailers(lines.into_iter().map(str::to_owned).collect())
        } else {
            Self::Body
        })
    }

    /// The difference in words.
    pub fn describe(&self, proposed: &str) -> String {
        match self {
            Self::Subject(found) => format!(
                "the commit's subject is {found:?}, not the proposed {:?}",
                subject(proposed)
            ),
            Self::Trailers(lines) => {
                format!(
                    "the commit's message has more than the proposed one: {}",
                    listed(
                        &lines
                            .iter()
                            .map(|line| format!("{line:?}"))
                            .collect::<Vec<_>>()
                    )
                )
            }
            Self::Body => "the commit's message has another body than the proposed one".to_owned(),
        }
    }
}

/// The first line of a message that says something.
pub fn subject(message: &str) -> String {
    let mut lines = message.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty());
    first.unwrap_or_default().to_owned()
}

/// The author and the committer of a commit, without the times that git writes behind them; one of them
/// where they are the same.
pub(super) fn people<'a>(people: impl IntoIterator<Item = &'a str>) -> String {
    let name = |person: &'a str| {
        let end = person.rfind('>').map_or(person.len(), |end| end + 1);
        &person[..end]
    };
    let mut people: Vec<_> = people.into_iter().map(name).collect();
    people.dedup();
    people.join(", committed by ")
}

/// A message as `git commit --cleanup=whitespace` stores it, without its last line end.
fn cleaned(message: &str) -> String {
    let space = [' ', '\t', '\r', '\n'];
    let mut lines: Vec<&str> = Vec::new();
    for line in message.split('\n').map(|line| line.trim_end_matches(space)) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end_matches('\n').to_owned()
}

/// Whether a line says who or what a commit belongs to: `Signed-off-by: Ada`.
fn is_trailer(line: &str) -> bool {
    let Some((name, value)) = line.split_once(": ") else {
        return false;
    };
    let fits = |char: char| char.is_ascii_alphanumeric() || char == '-';
    !name.is_empty() && name.chars().all(fits) && !value.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_compared_as_git_stores_them() {
        let between =
            |committed: &str| MessageDifference::between("feat: two\n\n- a\n- b", committed);
        assert_eq!(between("feat: two\n\n- a\n- b\n"), None);
        assert_eq!(between("\n\nfeat: two \n\n\n- a\t\n- b\r\n\n"), None);
        let signed = "Signed-off-by: Ada <ada@example.org>".to_owned();
        assert_eq!(
            between(&format!("feat: two\n\n- a\n- b\n\n{signed}\n")),
            Some(MessageDifference::Trailers(vec![signed.clone()]))
        );
        let other = MessageDifference::Subject("feat: three".to_owned());
        assert_eq!(between("feat: three\n\n- a\n- b\n"), Some(other));
        for body in [
            "feat: two",
            "feat: two\n\n- a",
            "feat: two\n\n- a\n- bc",
            "feat: two\n\n- a\n- b\n\nand more",
            "feat: two\n\n- a\n- b: c",
            "feat: two\n\n- b\n- a",
        ] {
            assert_eq!(between(body), Some(MessageDifference::Body), "{body}");
        }
        let one_line = MessageDifference::between("a", &format!("a\n\n{signed}"));
        assert_eq!(one_line, Some(MessageDifference::Trailers(vec![signed])));
    }
}
