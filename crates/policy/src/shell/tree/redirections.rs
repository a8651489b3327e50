//! Redirections: files that a command reads and writes, and text that it is given.

use super::Walk;
use crate::shell::{Redirected, Word, word};
use tree_sitter::Node;

impl Walk<'_, '_> {
    pub(super) fn redirected(&mut self, node: Node<'_>) {
        let body = node.child_by_field_name("body");
        let before = self.taken.files.len();
        let mut cursor = node.walk();
        let mut more = Vec::new();
        for child in node.named_children(&mut cursor) {
            if Some(child) == body {
                continue;
            }
            if child.kind().ends_with("_redirect") {
                more.extend(self.redirect(child));
            } else {
                self.statement(child);
            }
        }
        match body {
            Some(body) if body.kind() == "command" => self.command(body, more),
            body => {
                if !more.is_empty() {
                    self.taken.doubt("words stand behind a redirection");
                    let last = body.and_then(last_command);
                    let hidden = std::mem::replace(&mut self.hidden, true);
                    if let Some(last) = last {
                        self.command(last, more);
                    }
                    self.hidden = hidden;
                }
                match body {
                    Some(body) => self.statement(body),
                    // It does nothing, and is a command all the same.
                    None if !self.taken.files[before..].iter().any(|file| file.writes) => {
                        let word = Word {
                            text: "<".to_owned(),
                            expands: false,
                        };
                        self.found(self.text(node), Vec::new(), vec![word]);
                    }
                    None => {}
                }
            }
        }
    }

    /// A redirection; gives the words behind it that belong to the command.
    pub(super) fn redirect(&mut self, node: Node<'_>) -> Vec<Word> {
        let (mut operator, mut words) = ("", Vec::new());
        let mut target = None;
        let mut as_it_is = false;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "heredoc_start" => {
                    let start = self.text(child);
                    as_it_is = start.contains(['"', '\'', '\\']);
                    // Several such words look the same to the grammar.
                    if !start.is_ascii() {
                        self.taken.doubt("where its text ends cannot be told");
                    }
                }
                "file_descriptor" | "heredoc_end" => {}
                "heredoc_body" if as_it_is => {}
                "heredoc_body" => self.heredoc(child),
                "ERROR" => self.taken.doubt("it is not a whole command"),
                "<<" | "<<-" | "<<<" => operator = "<<",
                _ if !child.is_named() => {
                    if operator.is_empty() {
                        operator = self.text(child);
                    }
                }
                "pipeline"
                | "list"
                | "command"
                | "redirected_statement"
                | "subshell"
                | "compound_statement" => {
                    self.statement(child);
                }
                kind if kind.ends_with("_redirect") => words.extend(self.redirect(child)),
                _ if operator == "<<" || target.is_some() => words.push(self.word(child)),
                _ => target = Some(self.word(child)),
            }
        }
        if node.kind() == "herestring_redirect" {
            words.clear();
        }
        if let Some(target) = target {
            self.target(operator, target);
        }
        words
    }

    pub(super) fn target(&mut self, operator: &str, target: Word) {
        let shown = format!("{operator} {}", target.text);
        let is_descriptor = target
            .text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        if operator.ends_with('&') && is_descriptor && !target.text.is_empty() {
            return;
        }
        const NOTHING: [&str; 5] = [
            "/dev/null",
            "/dev/stdout",
            "/dev/stderr",
            "/dev/stdin",
            "/dev/tty",
        ];
        if NOTHING.contains(&&*target.text) {
            return;
        }
        if target.text.starts_with("/dev/tcp/") || target.text.starts_with("/dev/udp/") {
            self.taken.doubt("it opens a connection");
        }
        if target.expands {
            self.taken.doubt(format!(
                "which file `{}` is, is only known when it runs",
                word::short(&shown)
            ));
        }
        self.taken.files.push(Redirected {
            text: shown,
            path: (!target.expands).then_some(target.text),
            writes: operator.contains('>'),
        });
    }

    pub(super) fn heredoc(&mut self, node: Node<'_>) {
        // The grammar sees no backticks here.
        if self.text(node).contains('`') {
            self.taken.doubt("its text is only known when it runs");
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind() != "heredoc_content" {
                self.word(child);
            }
        }
    }
}

/// The command that stands last in this.
fn last_command(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    while node.kind() != "command" {
        let last = node.named_child_count().checked_sub(1)?;
        node = node.named_child(u32::try_from(last).ok()?)?;
    }
    Some(node)
}
