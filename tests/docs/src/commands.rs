//! The commands in a block of shell.

use crate::Block;

/// One command as somebody would type it, with all the lines that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The line of the page on which it begins.
    pub line: usize,
    /// What is typed, without a comment at its end.
    pub text: String,
}

/// The commands in a block: every line of `sh`, and of `console` what stands behind a `$`. Other languages have none.
pub fn commands(block: &Block) -> Vec<Command> {
    let is_session = block.language == "console"
        || (block.language.is_empty() && block.text.starts_with("$ holdpoint"));
    if !is_session && block.language != "sh" {
        return Vec::new();
    }
    let mut commands = Vec::new();
    let mut open: Option<Command> = None;
    for (number, line) in block.text.lines().enumerate() {
        match &mut open {
            Some(command) => {
                command.text.push('\n');
                command.text.push_str(line);
            }
            None => {
                let typed = if is_session {
                    line.strip_prefix("$ ")
                } else {
                    Some(line)
                };
                open = typed.map(|text| Command {
                    line: block.line + 1 + number,
                    text: text.to_owned(),
                });
            }
        }
        let is_whole = open
            .as_ref()
            .is_some_and(|command| split(&command.text).is_some());
        if is_whole && let Some(mut command) = open.take() {
            command.text = without_comment(&command.text);
            if !command.text.is_empty() {
                commands.push(command);
            }
        }
    }
    assert!(open.is_none(), "a quote stays open: {open:?}");
    commands
}

/// The simple commands in a line of shell, each as its words: what stands between pipes, `&&` and `;`, and inside of
/// `$(…)`. Variables stay as they are written.
///
/// # Panics
/// When a quote stays open.
pub fn words(line: &str) -> Vec<Vec<String>> {
    split(line).expect("every quote is closed")
}

/// None where a quote, or a substitution, is still open, or the line goes on.
fn split(line: &str) -> Option<Vec<Vec<String>>> {
    let mut found = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut letters = line.chars().peekable();
    let mut inside = 0_usize;
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '\'' => break,
                        letter => word.push(letter),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '"' => break,
                        '\\' => word.push(letters.next()?),
                        letter => word.push(letter),
                    }
                }
            }
            '\\' => match letters.next()? {
                '\n' => {
                    letters.peek()?;
                }
                letter => word.get_or_insert_default().push(letter),
            },
            '#' if word.is_none() => while letters.next_if(|letter| *letter != '\n').is_some() {},
            '$' if letters.next_if_eq(&'(').is_some() => {
                inside += 1;
                word = None;
                found.push(Vec::new());
            }
            '(' if word.is_none() => {
                inside += 1;
                found.push(Vec::new());
            }
            ')' if inside > 0 => {
                inside -= 1;
                found.last_mut()?.extend(word.take());
                found.push(Vec::new());
            }
            '|' | '&' | ';' | '\n' => {
                found.last_mut()?.extend(word.take());
                found.push(Vec::new());
            }
            '>' | '<' => {
                found.last_mut()?.extend(word.take());
                found.last_mut()?.push(letter.to_string());
            }
            letter if letter.is_whitespace() => found.last_mut()?.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    found.last_mut()?.extend(word.take());
    found.retain(|words| !words.is_empty());
    (inside == 0).then_some(found)
}

/// A command without what is said about it behind a `#`.
fn without_comment(text: &str) -> String {
    let mut quote = None;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '#') if before.is_whitespace() => return text[..at].trim().to_owned(),
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
        before = letter;
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: &str, text: &str, wanted: &[&str]) {
        let block = Block {
            line: 1,
            language: language.to_owned(),
            text: text.to_owned(),
        };
        let found: Vec<_> = commands(&block)
            .into_iter()
            .map(|command| command.text)
            .collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn commands_are_what_is_typed() {
        check("sh", "a b   # c\n\n# d\ne '# f'\n", &["a b", "e '# f'"]);
        check(
            "console",
            "$ a\nsaid\n$ b 'c\nd'\nsaid\n",
            &["a", "b 'c\nd'"],
        );
        check("toml", "a = 1\n", &[]);
    }

    #[test]
    fn a_line_has_simple_commands() {
        let check = |line: &str, wanted: &[&[&str]]| assert_eq!(words(line), wanted, "{line}");
        check("a 'b c' && d | e", &[&["a", "b c"], &["d"], &["e"]]);
        check("x=$(a \"b c\" --d)", &[&["a", "b c", "--d"]]);
        check("a > b  # c", &[&["a", ">", "b"]]);
        check("(umask 077; a)", &[&["umask", "077"], &["a"]]);
    }
}
