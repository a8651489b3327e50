//! Names of asks within their call.

use std::collections::HashSet;

/// Names within a call: each is given once, however often the flow is run again.
#[derive(Default)]
pub(crate) struct AskKeys {
    /// The last number that was given.
    last: u32,
    /// What else is taken.
    used: HashSet<String>,
}

impl AskKeys {
    /// A key that was not given before: the author's own, or the next number.
    pub fn next(&mut self, name: Option<&str>) -> String {
        for n in 1.. {
            let key = match name {
                None => match self.next_number() {
                    Some(key) => return key,
                    None => continue,
                },
                Some(name) if n == 1 => name.to_owned(),
                Some(name) => format!("{name}-{n}"),
            };
            if self.is_free(&key) {
                self.used.insert(key.clone());
                return key;
            }
        }
        unreachable!("there is always another number")
    }

    /// The next number, if nothing else has taken it.
    fn next_number(&mut self) -> Option<String> {
        self.last += 1;
        let key = number_key(self.last);
        (!self.used.contains(&key)).then_some(key)
    }

    fn is_free(&self, key: &str) -> bool {
        let number = key.parse().unwrap_or(0);
        let counted = (1..=self.last).contains(&number) && number_key(number) == key;
        !counted && !self.used.contains(key)
    }

    /// Passes over a key that an earlier run has used.
    pub fn taken(&mut self, key: &str) {
        self.used.insert(key.to_owned());
    }
}

fn number_key(number: u32) -> String {
    format!("{number:04}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_given_once() {
        let mut keys = AskKeys::default();
        for key in ["0001", "ok", "ok-2"] {
            keys.taken(key);
        }
        let given: Vec<_> = [None, Some("ok"), Some("ok"), Some("ok-2"), None]
            .map(|name| keys.next(name))
            .into();
        assert_eq!(given, ["0002", "ok-3", "ok-4", "ok-2-2", "0003"]);
        // An author may count as we do.
        let given = [Some("0003"), Some("0004"), None, Some("4"), Some("00005")];
        let given: Vec<_> = given.map(|name| keys.next(name)).into();
        assert_eq!(given, ["0003-2", "0004", "0005", "4", "00005"]);
    }
}
