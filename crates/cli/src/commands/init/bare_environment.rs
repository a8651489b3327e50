//! The variables by which a server finds the journal and the configuration of the person's shell, for
//! clients that start their servers with little more than HOME and PATH.

use super::client::{Client, Machine, Passing};
use holdpoint::journal::address_has_password;

/// Where the state and the configuration are, with their places where nothing is said.
const FOLDERS: [(&str, &str); 2] = [
    ("XDG_STATE_HOME", ".local/state"),
    ("XDG_CONFIG_HOME", ".config"),
];
const JOURNAL: &str = "HOLDPOINT_JOURNAL";

/// A variable that the entry hands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    /// Its name.
    pub name: &'static str,
    /// What the entry says of it, where it says more than the name.
    pub value: String,
}

/// The variables of this shell without which a server of this client would not find the same journal and
/// configuration. Where a file may be shared, none is written with its value.
pub fn passed(client: Client, machine: &Machine) -> Vec<Passed> {
    let passing = client.passing();
    if passing == Passing::Inherits {
        return Vec::new();
    }
    let names = needed(machine).into_iter();
    let entries = names.filter_map(|name| {
        let value = match passing {
            // Empty where the variable is not set, which says nothing.
            Passing::Notation => format!("${{{name}:}}"),
            Passing::Values => (machine.var)(name)?.into_string().ok()?,
            Passing::Names | Passing::Inherits => String::new(),
        };
        let secret = name == JOURNAL && address_has_password(&value);
        (!secret).then_some(Passed { name, value })
    });
    entries.collect()
}

/// Whether the address of the journal is kept from the file of this client, because it holds a password.
pub fn keeps_password(client: Client, machine: &Machine) -> bool {
    let value = (machine.var)(JOURNAL).and_then(|value| value.into_string().ok());
    client.passing() == Passing::Values && value.is_some_and(|value| address_has_password(&value))
}

/// Those that say something other than what a server finds by HOME alone.
pub fn needed(machine: &Machine) -> Vec<&'static str> {
    let mut names: Vec<_> = FOLDERS
        .into_iter()
        .filter(|(name, below)| {
            let usual = machine.home().map(|home| home.join(below));
            let said = machine.folder(name);
            said.is_some() && said != usual
        })
        .map(|(name, _)| name)
        .collect();
    if (machine.var)(JOURNAL).is_some() {
        names.push(JOURNAL);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(client: Client, variables: &'static [(&str, &str)], wanted: &[(&'static str, &str)]) {
        let machine = Machine {
            os: "linux",
            var: Box::new(move |name| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.into())
            }),
            binary: None,
        };
        let passed = passed(client, &machine);
        let found: Vec<_> = passed.iter().map(|one| (one.name, &*one.value)).collect();
        assert_eq!(found, wanted, "{client:?} {variables:?}");
    }

    #[test]
    fn only_what_is_needed_is_handed_on() {
        let moved: &[_] = &[("HOME", "/h"), ("XDG_STATE_HOME", "/s")];
        check(Client::Codex, moved, &[("XDG_STATE_HOME", "")]);
        let notation = &[("XDG_STATE_HOME", "${XDG_STATE_HOME:}")];
        check(Client::FastAgent, moved, notation);
        check(Client::ClaudeDesktop, moved, &[("XDG_STATE_HOME", "/s")]);
        check(Client::Gemini, moved, &[]);
        let usual = &[
            ("HOME", "/h"),
            ("XDG_STATE_HOME", "/h/.local/state"),
            ("XDG_CONFIG_HOME", "relative"),
        ];
        check(Client::Codex, usual, &[]);
    }

    #[test]
    fn no_password_is_written() {
        let database = &[("HOME", "/h"), ("HOLDPOINT_JOURNAL", "postgres://u:p@db/x")];
        check(Client::ClaudeDesktop, database, &[]);
        check(Client::Codex, database, &[("HOLDPOINT_JOURNAL", "")]);
        let address = "postgres://u@db/x?password_file=/p";
        let by_file = &[
            ("HOME", "/h"),
            ("HOLDPOINT_JOURNAL", "postgres://u@db/x?password_file=/p"),
        ];
        check(
            Client::ClaudeDesktop,
            by_file,
            &[("HOLDPOINT_JOURNAL", address)],
        );
        let file = &[("HOME", "/h"), ("HOLDPOINT_JOURNAL", "sqlite:/j.db")];
        let wanted = &[("HOLDPOINT_JOURNAL", "sqlite:/j.db")];
        check(Client::ClaudeDesktop, file, wanted);
    }
}
