//! Names of asks within their call.

use std::collections::HashSet;

/// Names within a call: each is given once, however often the flow is run again.
#[derive(Default)]
pub(crate) struct Keys {
    last: u32,
    used: HashSet<String>,
}

impl Keys {
    /// A key that was not given before: the author's own, or the next number.
    pub fn next(&mut self, name: Option<&str>) -> String {
        for n in 1.. {
            let key = match name {
                None => {
                    self.last += 1;
                    format!("{:04}", self.last)
                }
                Some(name) if n == 1 => name.to_owned(),
                Some(name) => format!("{name}-{n}"),
            };
            if self.used.insert(key.clone()) {
                return key;
            }
        }
        unreachable!("there is always another number")
    }

    /// Passes over a key that an earlier run has used.
    pub fn taken(&mut self, key: &str) {
        self.used.insert(key.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_given_once() {
        let mut keys = Keys::default();
        for key in ["0001", "ok", "ok-2"] {
            keys.taken(key);
        }
        let given: Vec<_> = [None, Some("ok"), Some("ok"), Some("ok-2"), None]
            .map(|name| keys.next(name))
            .into();
        assert_eq!(given, ["0002", "ok-3", "ok-4", "ok-2-2", "0003"]);
    }
}
