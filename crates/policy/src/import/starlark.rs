//! The part of Starlark that Codex's `.rules` files use: calls with named arguments of texts and lists.

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    List(Vec<Value>),
    /// Anything else, as it is written.
    Other(String),
}

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub name: String,
    /// By name; what has none has the empty one.
    pub arguments: Vec<(String, Value)>,
    /// As it is written.
    pub text: String,
}

/// How deep lists may be nested.
const DEEPEST: usize = 8;

/// Reads the calls of a file; what is none of them is given as it is written.
pub(super) fn calls(text: &str) -> Vec<Result<Call, String>> {
    let mut reader = Reader { text, at: 0 };
    let mut calls = Vec::new();
    loop {
        reader.skip_blank();
        let start = reader.at;
        if start >= text.len() {
            return calls;
        }
        match reader.call() {
            Some((name, arguments)) => calls.push(Ok(Call {
                name,
                arguments,
                text: text[start..reader.at].to_owned(),
            })),
            None => {
                // What begins in the middle of something cannot be told from the rest: the line is left out.
                let end = text[reader.at..]
                    .find('\n')
                    .map_or(text.len(), |end| reader.at + end + 1);
                calls.push(Err(text[start..end].trim().to_owned()));
                reader.at = end;
            }
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn skip_blank(&mut self) {
        while let Some(char) = self.peek() {
            if char == '#' {
                while self.peek().is_some_and(|char| char != '\n') {
                    self.next();
                }
            } else if char.is_whitespace() {
                self.next();
            } else {
                return;
            }
        }
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        self.skip_blank();
        (self.peek()? == wanted).then(|| {
            self.next();
        })
    }

    fn name(&mut self) -> Option<String> {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|char| char.is_alphanumeric() || char == '_')
        {
            self.next();
        }
        (self.at > start).then(|| self.text[start..self.at].to_owned())
    }

    fn call(&mut self) -> Option<(String, Vec<(String, Value)>)> {
        let name = self.name()?;
        self.take('(')?;
        let mut arguments = Vec::new();
        loop {
            if self.take(')').is_some() {
                return Some((name, arguments));
            }
            let start = self.at;
            let named = self.name().filter(|_| self.take('=').is_some());
            if named.is_none() {
                self.at = start;
            }
            let value = self.value(0)?;
            arguments.push((named.unwrap_or_default(), value));
            if self.take(',').is_none() {
                self.take(')')?;
                return Some((name, arguments));
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_blank();
        match self.peek()? {
            _ if depth > DEEPEST => None,
            quote @ ('"' | '\'') => self.quoted(quote).map(Value::Text),
            '[' => {
                self.next();
                let mut items = Vec::new();
                loop {
                    if self.take(']').is_some() {
                        return Some(Value::List(items));
                    }
                    items.push(self.value(depth + 1)?);
                    if self.take(',').is_none() {
                        self.take(']')?;
                        return Some(Value::List(items));
                    }
                }
            }
            _ => self.name().map(Value::Other),
        }
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next()? {
                char if char == quote => return Some(text),
                '\n' => return None,
                '\\' => match self.next()? {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    char @ ('\\' | '"' | '\'') => text.push(char),
                    _ => return None,
                },
                char => text.push(char),
            }
        }
    }
}
