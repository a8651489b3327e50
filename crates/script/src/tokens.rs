//! The words and marks of a JavaScript source: enough to distinguish comments from strings, templates and
//! regular expressions. The engine's own parser gives no comments.

/// A piece of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// The byte where it starts.
    pub at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword; a private name with its `#`.
    Word,
    /// One character of punctuation.
    Mark,
    /// A string, with its quotes.
    Text,
    /// A number, a regular expression, a piece of a template.
    Other,
    /// `/** … */`
    Doc,
}

impl Token<'_> {
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Mark) && self.text == text
    }
}

/// The tokens of a source. One that cannot be read to its end gives what came before.
pub(crate) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut reader = Reader {
        source,
        at: if source.starts_with("#!") {
            line_end(source, 0)
        } else {
            0
        },
        tokens: Vec::new(),
        templates: Vec::new(),
        parens: Vec::new(),
        braces: 0,
        after_head: false,
    };
    while reader.step().is_some() {}
    reader.tokens
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    tokens: Vec<Token<'a>>,
    /// How many braces were open where a template's `${` began.
    templates: Vec<usize>,
    /// For each open parenthesis: does it belong to `if`, `while`, `for` or `with`?
    parens: Vec<bool>,
    braces: usize,
    /// Whether such a parenthesis was closed just now.
    after_head: bool,
}

impl<'a> Reader<'a> {
    fn step(&mut self) -> Option<()> {
        let source = self.source;
        let rest = &source[self.at..];
        let first = rest.chars().next()?;
        if first.is_whitespace() || first == '\u{feff}' {
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at = line_end(source, self.at);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let len = comment.find("*/")? + 4;
            if rest.starts_with("/**") && len > 4 {
                self.push(Kind::Doc, len)
            } else {
                self.at += len
            }
        } else if first == '"' || first == '\'' {
            let len = string(rest, first)?;
            self.push(Kind::Text, len);
        } else if first == '`' {
            self.template(1)?;
        } else if first == '/' && self.regex_may_start() {
            let len = regex(rest)?;
            self.push(Kind::Other, len);
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.');
            self.push(Kind::Other, end.unwrap_or(rest.len()));
        } else if is_word(first) || first == '#' {
            let name = &rest[first.len_utf8()..];
            let end = name.find(|c: char| !is_word(c) && !c.is_ascii_digit());
            self.push(Kind::Word, first.len_utf8() + end.unwrap_or(name.len()));
        } else {
            self.mark(first)?;
        }
        Some(())
    }

    fn mark(&mut self, mark: char) -> Option<()> {
        match mark {
            '(' => {
                let head = ["if", "while", "for", "with"];
                let last = self.tokens.last();
                self.parens
                    .push(last.is_some_and(|last| head.iter().any(|word| last.is(word))));
            }
            ')' => {
                let head = self.parens.pop().unwrap_or(false);
                self.push(Kind::Mark, 1);
                self.after_head = head;
                return Some(());
            }
            '{' => self.braces += 1,
            '}' if self.templates.last() == Some(&self.braces) => {
                self.templates.pop();
                return self.template(1);
            }
            '}' => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.push(Kind::Mark, mark.len_utf8());
        Some(())
    }

    /// A template from here to its end or its next `${`.
    fn template(&mut self, skip: usize) -> Option<()> {
        let rest = &self.source[self.at..];
        let mut characters = rest.char_indices().skip_while(|(index, _)| *index < skip);
        while let Some((index, character)) = characters.next() {
            match character {
                '\\' => drop(characters.next()),
                '`' => {
                    self.push(Kind::Other, index + 1);
                    return Some(());
                }
                '$' if rest[index..].starts_with("${") => {
                    self.push(Kind::Other, index + 2);
                    self.templates.push(self.braces);
                    return Some(());
                }
                _ => {}
            }
        }
        None
    }

    fn push(&mut self, kind: Kind, len: usize) {
        let text = &self.source[self.at..self.at + len];
        let at = self.at;
        self.tokens.push(Token { kind, text, at });
        self.at += len;
        self.after_head = false;
    }

    /// A slash divides after a value and starts a regular expression elsewhere.
    fn regex_may_start(&self) -> bool {
        const BEFORE: [&str; 14] = [
            "return",
            "typeof",
            "case",
            "in",
            "of",
            "do",
            "else",
            "void",
            "delete",
            "throw",
            "new",
            "instanceof",
            "yield",
            "await",
        ];
        let Some(last) = self.tokens.iter().rfind(|token| token.kind != Kind::Doc) else {
            return true;
        };
        match last.kind {
            Kind::Word => BEFORE.contains(&last.text),
            Kind::Mark if last.text == ")" => self.after_head,
            Kind::Mark => last.text != "]",
            Kind::Other => last.text.ends_with("${"),
            Kind::Text | Kind::Doc => false,
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphabetic()
        || character.is_ascii_digit()
        || "_$\\\u{200c}\u{200d}".contains(character)
}

fn line_end(source: &str, from: usize) -> usize {
    let rest = &source[from..];
    from + rest
        .find(['\n', '\r', '\u{2028}', '\u{2029}'])
        .unwrap_or(rest.len())
}

/// The length of the string that starts here.
fn string(rest: &str, quote: char) -> Option<usize> {
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '\n' => return None,
            _ if character == quote => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// The length of the regular expression that starts here, with its flags.
fn regex(rest: &str) -> Option<usize> {
    let mut in_class = false;
    let mut characters = rest.char_indices().skip(1);
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '[' => in_class = true,
            ']' => in_class = false,
            '\n' => return None,
            '/' if !in_class => {
                let flags = &rest[index + 1..];
                let end = flags.find(|c: char| !c.is_ascii_alphabetic());
                return Some(index + 1 + end.unwrap_or(flags.len()));
            }
            _ => {}
        }
    }
    None
}
