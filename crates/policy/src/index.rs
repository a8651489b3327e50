//! Rules by what they are about, so that a decision looks at few of them.

use crate::{
    Verdict,
    rule::{EDITORS, READERS, Rule, Tools, What},
};
use std::collections::HashMap;

type Found = HashMap<Box<str>, Vec<u32>>;

/// Numbers of rules, by what they are about.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    /// By the name of a tool.
    tools: Found,
    /// By how the names of a server's tools begin.
    servers: Found,
    /// Those whose tools only a comparison tells.
    fits: Vec<u32>,
    read_only: Vec<u32>,
    /// By program, or by program and subcommand: people have many rules for the same program.
    commands: Found,
    /// By program, those that ask or deny.
    guards: Found,
    any_command: Vec<u32>,
    /// By a name in the path.
    paths: Found,
    any_path: Vec<u32>,
    /// By domain.
    domains: Found,
    /// Whether a rule about files asks or denies.
    pub guards_files: bool,
}

impl Index {
    pub fn add(&mut self, number: u32, rule: &Rule) {
        match &rule.what {
            What::Command(pattern) => match pattern.program() {
                Some(program) => {
                    push(&mut self.commands, pattern.beginning(), number);
                    if rule.verdict != Verdict::Allow {
                        push(&mut self.guards, program, number);
                    }
                }
                None => self.any_command.push(number),
            },
            What::Path(pattern) => {
                self.guards_files |= rule.verdict != Verdict::Allow;
                match pattern.key() {
                    Some(name) => push(&mut self.paths, name, number),
                    None => self.any_path.push(number),
                }
            }
            What::Domain(domain) => push(&mut self.domains, &domain.name, number),
            What::Any | What::Argument(..) => match &rule.tools {
                Tools::Named(name) => push(&mut self.tools, name, number),
                Tools::Server(start) | Tools::OfServer(start, _) => {
                    push(&mut self.servers, start, number)
                }
                Tools::Fit(_) => self.fits.push(number),
                Tools::ReadOnlyTrusted => self.read_only.push(number),
            },
        }
    }

    /// The rules that may be about a tool, whatever it is used for.
    pub fn about(&self, tool: &str) -> impl Iterator<Item = u32> {
        let family = match tool {
            _ if tool != "Read" && READERS.contains(&tool) => Some("Read"),
            _ if tool != "Edit" && EDITORS.contains(&tool) => Some("Edit"),
            _ => None,
        };
        let named = [Some(tool), family].into_iter().flatten();
        let named = named.flat_map(|name| get(&self.tools, name));
        let starts = tool
            .strip_prefix("mcp__")
            .map(|rest| rest.match_indices("__"))
            .into_iter()
            .flatten()
            .map(|(at, _)| &tool[..at + "mcp__".len() + 2]);
        let servers = starts.flat_map(|start| get(&self.servers, start));
        named.chain(servers).chain(&self.fits).copied()
    }

    /// The rules about tools that change nothing.
    pub fn read_only(&self) -> impl Iterator<Item = u32> {
        self.read_only.iter().copied()
    }

    /// The rules that may be about a command that is written so.
    pub fn commands(&self, line: &str) -> impl Iterator<Item = u32> {
        let mut ends = line.match_indices([' ', '\t', '\n']).map(|(at, _)| at);
        let program = &line[..ends.next().unwrap_or(line.len())];
        let two = &line[..ends.next().unwrap_or(line.len())];
        let by_two = if two == program {
            &[]
        } else {
            get(&self.commands, two)
        };
        get(&self.commands, program)
            .iter()
            .chain(by_two)
            .chain(&self.any_command)
            .copied()
    }

    /// The rules that ask or deny and may be about this program, whatever its words become.
    pub fn guards(&self, program: &str) -> impl Iterator<Item = u32> {
        get(&self.guards, program)
            .iter()
            .chain(&self.any_command)
            .copied()
    }

    /// The rules that may be about a path. Some come twice.
    pub fn paths(&self, path: &str) -> impl Iterator<Item = u32> {
        let names = path.split('/').filter(|name| !name.is_empty());
        names
            .flat_map(|name| get(&self.paths, name))
            .chain(&self.any_path)
            .copied()
    }

    /// The rules that may be about a host.
    pub fn domains(&self, host: &str) -> impl Iterator<Item = u32> {
        let parents = host.match_indices('.').map(|(at, _)| &host[at + 1..]);
        let names = std::iter::once(host)
            .chain(parents)
            .chain(std::iter::once(""));
        names.flat_map(|name| get(&self.domains, name)).copied()
    }
}

fn push(found: &mut Found, key: &str, number: u32) {
    match found.get_mut(key) {
        Some(numbers) => numbers.push(number),
        None => {
            found.insert(key.into(), vec![number]);
        }
    }
}

fn get<'a>(found: &'a Found, key: &str) -> &'a [u32] {
    found.get(key).map_or(&[], Vec::as_slice)
}
