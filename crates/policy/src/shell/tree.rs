//! Walks the tree that the grammar makes of a command.

mod redirections;
mod settings;

use super::{
    Part, Taken, Word,
    program::{is_plain_name, text_that_runs},
    second_look, word,
};
use std::{borrow::Cow, cell::RefCell, ops::ControlFlow};
use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// How deep commands may be nested.
const DEEPEST: usize = 60;
/// How often the grammar may report that it is still at it.
const MOST_REPORTS: usize = 2_000;

thread_local! {
    /// A parser is dear to make, and a desk decides often.
    static PARSER: RefCell<Option<Parser>> = RefCell::new(parser());
}

fn parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_bash::LANGUAGE.into())
        .ok()?;
    Some(parser)
}

/// Takes a command apart.
pub(super) fn take(source: &str, taken: &mut Taken) {
    let Some(tree) = parse(source) else {
        return taken.doubt("the grammar of shells gave up on it");
    };
    let mut walk = Walk {
        source,
        taken,
        hidden: false,
        depth: 0,
        nested: 0,
    };
    walk.statement(tree.root_node());
    if tree.root_node().has_error() {
        walk.taken.doubt("it is not a whole command");
    }
    if taken.unclear.is_none() && second_look::may_substitute(tree.root_node(), source) {
        taken.doubt("something in it is only known when it runs");
    }
}

fn parse(source: &str) -> Option<Tree> {
    let bytes = &*masked(source)?;
    PARSER.with_borrow_mut(|parser| {
        let parser = parser.as_mut()?;
        let mut reports = 0;
        let mut enough = |_: &_| {
            reports += 1;
            if reports > MOST_REPORTS {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = ParseOptions::new().progress_callback(&mut enough);
        let tree = parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(options),
        );
        parser.reset();
        tree
    })
}

/// The bytes that the grammar sees: a letter that is nowhere in the text for everything beyond ASCII. A shell takes
/// all of that for letters, and the grammar's scanner reads beyond its tables for some (`isdigit` of U+10FFFF).
fn masked(source: &str) -> Option<Cow<'_, [u8]>> {
    let bytes = source.as_bytes();
    if source.is_ascii() {
        return Some(Cow::Borrowed(bytes));
    }
    let letter = (b'A'..=b'Z')
        .chain(b'a'..=b'z')
        .rev()
        .find(|letter| !bytes.contains(letter))?;
    let mask = |byte: &u8| if byte.is_ascii() { *byte } else { letter };
    Some(Cow::Owned(bytes.iter().map(mask).collect()))
}

struct Walk<'s, 'o> {
    source: &'s str,
    taken: &'o mut Taken,
    /// What is found may run, and is not what runs.
    hidden: bool,
    depth: usize,
    /// How many commands inside the text of commands this one is.
    nested: usize,
}

impl<'s> Walk<'s, '_> {
    fn text(&self, node: Node<'_>) -> &'s str {
        word::text(node, self.source)
    }

    fn statement(&mut self, node: Node<'_>) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.taken.doubt("it is nested too deep");
        } else {
            self.known_statement(node);
        }
        self.depth -= 1;
    }

    fn known_statement(&mut self, node: Node<'_>) {
        if node.is_missing() {
            return self.taken.doubt("it is not a whole command");
        }
        match node.kind() {
            "program" | "list" | "pipeline" | "subshell" | "compound_statement" | "do_group"
            | "if_statement" | "elif_clause" | "else_clause" | "while_statement"
            | "negated_command" => {
                self.children(node);
            }
            "case_statement" | "case_item" => self.case(node),
            "comment" | "heredoc_start" | "heredoc_end" | "heredoc_content" => {}
            "command" => self.command(node, Vec::new()),
            "redirected_statement" => self.redirected(node),
            "variable_assignment" => {
                let settings = self.settings(&[node]);
                self.found(self.text(node), settings, Vec::new());
            }
            "variable_assignments" => {
                let mut cursor = node.walk();
                let all: Vec<_> = node.named_children(&mut cursor).collect();
                let settings = self.settings(&all);
                self.found(self.text(node), settings, Vec::new());
            }
            "declaration_command" | "unset_command" => self.declaration(node),
            "test_command" => self.test(node),
            "for_statement" => self.for_each(node),
            kind => {
                self.taken.doubt(match kind {
                    "function_definition" => "it defines a function".to_owned(),
                    "c_style_for_statement" => "it computes while it runs".to_owned(),
                    "ERROR" => "it is not a whole command".to_owned(),
                    _ => format!(
                        "`{}` is only known when it runs",
                        word::short(self.text(node))
                    ),
                });
                self.hide(node);
            }
        }
    }

    fn children(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement(child);
        }
        let mut cursor = node.walk();
        let ends_case = |child: Node<'_>| matches!(child.kind(), ";;" | ";&" | ";;&");
        if node.children(&mut cursor).any(ends_case) {
            self.taken.doubt("it is not a whole command");
        }
        // `((…))` computes; the grammar has it as a group.
        if node.kind() == "compound_statement" && !self.text(node).starts_with('{') {
            self.taken.doubt("it computes while it runs");
        }
    }

    fn case(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let children: Vec<_> = node.named_children(&mut cursor).collect();
        let mut cursor = node.walk();
        let values: Vec<_> = node.children_by_field_name("value", &mut cursor).collect();
        for child in children {
            if values.contains(&child) {
                self.word(child);
            } else if child.kind() != "word" && child.kind() != "extglob_pattern" {
                self.statement(child);
            }
        }
    }

    /// A command with its words; more of them may stand behind a redirection.
    fn command(&mut self, node: Node<'_>, more: Vec<Word>) {
        let (mut settings, mut words) = (Vec::new(), Vec::new());
        let mut cursor = node.walk();
        let mut end = node.start_byte();
        let mut behind_word = false;
        for child in node.children(&mut cursor) {
            let gap = self.source.get(end..child.start_byte()).unwrap_or_default();
            let is_redirect = child.kind().ends_with("_redirect");
            let blank = gap.replace("\\\n", " ");
            if !blank.trim_matches([' ', '\t']).is_empty()
                || (gap.is_empty() && behind_word && !is_redirect)
            {
                self.taken.doubt("two words run into each other");
            }
            (end, behind_word) = (child.end_byte(), !is_redirect);
            match child.kind() {
                "variable_assignment" => settings.push(child),
                "command_name" => {
                    let mut cursor = child.walk();
                    let named: Vec<_> = child.named_children(&mut cursor).collect();
                    let name = match named.as_slice() {
                        [name] => {
                            if name.is_missing() {
                                self.taken.doubt("it is not a whole command");
                            }
                            self.word(*name)
                        }
                        _ => {
                            self.taken.doubt("its program is not plain");
                            Word {
                                text: self.text(child).to_owned(),
                                expands: true,
                            }
                        }
                    };
                    self.check_program(&name, self.text(child));
                    words.push(name);
                }
                _ if is_redirect => words.extend(self.redirect(child)),
                _ => {
                    let word = self.word(child);
                    words.push(word);
                }
            }
        }
        let mut text = self.text(node).to_owned();
        for word in more {
            text.push(' ');
            text.push_str(&word.text);
            words.push(word);
        }
        let settings = self.settings(&settings);
        self.found(&text, settings, words);
    }

    fn check_program(&mut self, program: &Word, raw: &str) {
        let is_test = matches!(&*program.text, "[" | "[[");
        if program.expands && !is_test || raw.starts_with('$') {
            let shown = word::short(raw);
            self.taken.doubt(format!(
                "which program `{shown}` is, is only known when it runs"
            ));
        } else if !is_plain_name(&program.text) {
            self.taken.doubt(format!(
                "`{}` is not the plain name of a program",
                word::short(raw)
            ));
        }
    }

    /// Keeps a command that was found, and looks into the text that it runs.
    fn found(&mut self, text: &str, settings: Vec<String>, words: Vec<Word>) {
        if words.is_empty() && settings.is_empty() {
            // What only sets something harmless needs no rule; one may still be about it.
            let word = Word {
                text: text.to_owned(),
                expands: false,
            };
            self.taken
                .hidden
                .push(Part::new(text, Vec::new(), vec![word]));
            return;
        }
        let runs_text = text_that_runs(&words);
        let part = Part::new(text, settings, words);
        if self.hidden || self.nested > 0 {
            self.taken.hidden.push(part);
        } else {
            self.taken.parts.push(part);
        }
        let Some(inner) = runs_text.filter(|_| self.nested < 3) else {
            return;
        };
        if let Some(tree) = parse(&inner) {
            // What is unclear in there is not known to run: the command around it is asked about anyhow.
            let mut aside = Taken::default();
            let mut walk = Walk {
                source: &inner,
                taken: &mut aside,
                hidden: true,
                depth: self.depth,
                nested: self.nested + 1,
            };
            walk.statement(tree.root_node());
            self.taken.hidden.append(&mut aside.hidden);
        }
    }

    fn word(&mut self, node: Node<'_>) -> Word {
        let mut inside = Vec::new();
        let word = word::read(node, self.source, self.taken, &mut inside);
        for node in inside {
            self.hide(node);
        }
        word
    }

    /// Looks for commands in what cannot be told to run.
    fn hide(&mut self, node: Node<'_>) {
        let before = std::mem::replace(&mut self.hidden, true);
        self.depth += 1;
        if self.depth <= DEEPEST {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                match child.kind() {
                    "command" | "declaration_command" | "redirected_statement" => {
                        self.statement(child)
                    }
                    "file_redirect" => {
                        self.redirect(child);
                    }
                    _ => self.hide(child),
                }
            }
        }
        self.depth -= 1;
        self.hidden = before;
    }
}
