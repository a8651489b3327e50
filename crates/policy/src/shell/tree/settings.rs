//! What a command sets and tests: variables, loops, conditions.

use super::Walk;
use crate::shell::{Word, variables};
use tree_sitter::Node;

impl Walk<'_, '_> {
    pub(super) fn declaration(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let (mut words, mut assigned) = (Vec::new(), Vec::new());
        for child in node.children(&mut cursor) {
            match child.kind() {
                "variable_assignment" => {
                    assigned.push(child);
                    words.push(Word {
                        text: self.text(child).to_owned(),
                        expands: false,
                    });
                }
                _ if !child.is_named() => words.push(Word {
                    text: self.text(child).to_owned(),
                    expands: false,
                }),
                _ => {
                    let word = self.word(child);
                    words.push(word);
                }
            }
        }
        let settings = self.settings(&assigned);
        self.found(self.text(node), settings, words);
    }

    pub(super) fn test(&mut self, node: Node<'_>) {
        let raw = self.text(node);
        if raw.starts_with("((") {
            self.taken.doubt("it computes while it runs");
        }
        let computes = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"];
        let words: Vec<Word> = raw
            .split_whitespace()
            .map(|word| Word {
                text: word.to_owned(),
                expands: word.contains(['$', '*', '?']),
            })
            .collect();
        if raw.contains('$') && words.iter().any(|word| computes.contains(&&*word.text)) {
            self.taken.doubt("it computes with a variable");
        }
        if raw.contains(['[']) && raw[1..].trim_start_matches('[').contains('[')
            || raw.contains(['`', '\\'])
            || raw.contains("$(")
            || raw.contains("${")
        {
            self.taken.doubt("what it tests is only known when it runs");
            self.hide(node);
        }
        self.found(raw, Vec::new(), words);
    }

    pub(super) fn for_each(&mut self, node: Node<'_>) {
        let body = node.child_by_field_name("body");
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child) == body {
                self.statement(child);
            } else if child.kind() == "variable_name" {
                if !variables::is_harmless(self.text(child)) {
                    self.taken.doubt(format!("it sets `{}`", self.text(child)));
                }
            } else if child.kind() != "comment" {
                self.word(child);
            }
        }
    }

    /// The assignments that may change what runs, as they are written.
    pub(super) fn settings(&mut self, nodes: &[Node<'_>]) -> Vec<String> {
        let mut settings = Vec::new();
        for node in nodes {
            let name = node.child_by_field_name("name");
            if name.is_none_or(|name| name.kind() != "variable_name") {
                self.taken.doubt("it sets a part of a variable");
            }
            if let Some(value) = node.child_by_field_name("value") {
                if value.kind() == "array" {
                    self.taken.doubt("it sets an array");
                    self.hide(value);
                } else {
                    self.word(value);
                }
            }
            let text = self.text(*node);
            if !variables::is_harmless(variables::name_of(text)) {
                settings.push(text.to_owned());
            }
        }
        settings
    }
}
