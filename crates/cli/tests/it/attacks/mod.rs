//! The cases of `tests/attacks` that need the real binary, and the one check: nothing was accepted.
//!
//! | module | runs the cases |
//! |---|---|
//! | `shells` | of a shell that an agent has, or of what has no terminal |
//! | `page` | of somebody who speaks to the page's API |
//! | `callers` | of somebody who speaks to `serve --http` about another's call |

mod callers;
mod page;
mod shells;

use super::{inbox::delivery::client, support::*};
use serde_json::{Value, json};

/// A server with two open asks that only an inbox shows.
struct Asked {
    home: Home,
    plain: String,
    dangerous: String,
    _client: Pipe,
}

impl Asked {
    fn new() -> Self {
        let home = new_home();
        home.config("hold_seconds = 1");
        let mut client = client(&home, Value::Null, &[]);
        let mut ask = |dangerous: bool| {
            let arguments = json!({ "message": "Proceed?", "dangerous": dangerous });
            let call = json!({ "name": "elicit_confirm", "arguments": arguments });
            let told = client.ask("tools/call", call);
            let told = &told["result"]["structuredContent"];
            assert_eq!(told["status"], "pending", "{told}");
            told["askId"].as_str().unwrap().to_owned()
        };
        Self {
            plain: ask(false),
            dangerous: ask(true),
            home,
            _client: client,
        }
    }

    /// A text with the ids in it.
    fn fill(&self, text: &str) -> String {
        text.replace("PLAIN", &self.plain)
            .replace("DANGEROUS", &self.dangerous)
    }

    /// The check: both asks are open, and nothing else was accepted either.
    fn check(&self, case: &str) {
        assert_eq!(accepted(&self.home), 0, "{case}: accepted");
        let open = stdout(&self.home.run(&["inbox", "--json"]));
        let open: Value = serde_json::from_str(&open).unwrap();
        let ids: Vec<_> = open["asks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|ask| &ask["id"])
            .collect();
        for id in [&self.plain, &self.dangerous] {
            assert!(ids.contains(&&json!(id)), "{case}: {open}");
        }
    }
}

/// How many asks were accepted in this home.
fn accepted(home: &Home) -> u64 {
    let journal = rusqlite::Connection::open(home.journal()).unwrap();
    let query = "SELECT count(*) FROM events WHERE kind = 'decided' AND body ->> '$.outcome.status' = 'accepted'";
    journal.query_row(query, [], |row| row.get(0)).unwrap()
}
