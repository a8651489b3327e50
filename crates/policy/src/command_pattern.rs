//! Which commands a rule is about: `Bash(git push *)`.

use crate::{
    glob,
    shell::{Part, Runs, Word},
};

/// A pattern of commands. `ls *` is `ls` with or without arguments, `ls*` is also `lsof`; `:*` at the end is ` *`.
#[derive(Debug, Clone)]
pub(crate) struct CommandPattern {
    /// As it is written.
    raw: Box<str>,
    /// With single blanks, and ` *` for `:*`; none where that is how it is written.
    plain: Option<Box<str>>,
}

impl CommandPattern {
    pub fn new(raw: &str) -> Self {
        let is_plain = !raw.ends_with(":*")
            && !raw.contains("  ")
            && !raw.contains(['\t', '\n'])
            && !raw.starts_with(' ')
            && !raw.ends_with(' ');
        let plain = (!is_plain).then(|| {
            let spaced = match raw.strip_suffix(":*") {
                Some(before) => format!("{before} *"),
                None => raw.to_owned(),
            };
            spaced
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .into()
        });
        Self {
            raw: raw.into(),
            plain,
        }
    }

    fn plain(&self) -> &str {
        self.plain.as_deref().unwrap_or(&self.raw)
    }

    /// The program, where it is written out: what the rule is found by.
    pub fn program(&self) -> Option<&str> {
        let first = self.plain().split(' ').next()?;
        (!first.is_empty() && !first.contains('*')).then_some(first)
    }

    /// The program, and the word behind it where that is written out too.
    pub fn beginning(&self) -> &str {
        let plain = self.plain();
        let mut ends = plain.match_indices(' ').map(|(at, _)| at);
        let program = &plain[..ends.next().unwrap_or(plain.len())];
        let two = &plain[..ends.next().unwrap_or(plain.len())];
        if two.contains('*') { program } else { two }
    }

    /// Whether one way to write a command fits.
    pub fn fits(&self, line: &str) -> bool {
        let plain = self.plain();
        glob::fits(plain, line)
            || plain
                .strip_suffix(" *")
                .is_some_and(|before| glob::fits(before, line))
    }

    /// Whether a rule with this pattern allows a part. One with a star allows nothing that runs other commands,
    /// and what runs text only if that is what it names.
    pub fn allows(&self, part: &Part, line: &str) -> bool {
        let plain = self.plain();
        if !plain.contains('*') {
            return plain == line || *self.raw == *part.text;
        }
        let needed = match part.runs {
            Runs::Others | Runs::Text { exactly: true, .. } => return false,
            Runs::Text { words, .. } => part.settings + words,
            Runs::Itself => part.settings,
        };
        let written_out = plain
            .split(' ')
            .take_while(|word| !word.contains('*'))
            .count();
        written_out >= needed && self.fits(line)
    }

    /// Whether what the shell makes of these words could fit: some of them expand.
    pub fn may_fit(&self, words: &[&Word]) -> bool {
        for (at, wanted) in self.plain().split(' ').enumerate() {
            match words.get(at) {
                Some(word) if word.expands => return true,
                _ if wanted.contains('*') => {
                    return words[at.min(words.len())..].iter().any(|word| word.expands);
                }
                Some(word) if word.text == wanted => {}
                _ => return false,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_before_the_star_ends_a_word() {
        for (pattern, line, wanted) in [
            ("ls *", "ls", true),
            ("ls *", "ls -la", true),
            ("ls *", "lsof", false),
            ("ls*", "lsof", true),
            ("ls:*", "ls -la", true),
            ("ls:*", "lsof", false),
            ("git * main", "git push origin main", true),
            ("* --version", "node --version", true),
            ("git  push", "git push", true),
            ("npm run test:unit", "npm run test:unit", true),
        ] {
            assert_eq!(
                CommandPattern::new(pattern).fits(line),
                wanted,
                "{pattern} {line}"
            );
        }
    }

    #[test]
    fn what_expands_may_fit() {
        let word = |text: &str| Word {
            text: text.into(),
            expands: text.contains('$'),
        };
        for (pattern, words, wanted) in [
            ("rm -rf /*", "rm -rf $X", true),
            ("rm -rf /*", "rm $X", true),
            ("rm -rf /*", "ls $X", false),
            ("git push *", "git add $X", false),
            ("git push * --force", "git push origin $X", true),
            ("git push *", "git push origin", false),
        ] {
            let words: Vec<_> = words.split(' ').map(word).collect();
            let words: Vec<_> = words.iter().collect();
            assert_eq!(
                CommandPattern::new(pattern).may_fit(&words),
                wanted,
                "{pattern}"
            );
        }
    }
}
