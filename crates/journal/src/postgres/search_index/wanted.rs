//! What a search asks of the index, as conditions of a statement.

use super::names;
use crate::postgres::transaction::label;
use std::fmt::Write as _;
use tokio_postgres::types::{ToSql, Type};

/// How many characters of a word are looked for, and how many words; the record is checked for the rest.
const MAX_LENGTH: usize = 200;
const MAX_WORDS: usize = 16;

/// How many of the latest are looked at before all are: what is common is among them.
const LATEST: usize = 2_000;

/// A value of a statement.
type Value = (Box<dyn ToSql + Sync + Send>, Type);

/// What is wanted of the index. The first two values of its statements are the key to page back from and how
/// many there should be at most; a key is what this table's rows are in order by.
pub(super) struct Wanted {
    table: &'static str,
    key: &'static str,
    /// What an index of the table leads to.
    scope: Vec<String>,
    conditions: Vec<String>,
    /// The places of the words among the values.
    words: Vec<usize>,
    /// Whether anything in the index can fit.
    pub can_fit: bool,
    /// Whether what fits these conditions fits the search.
    pub is_exact: bool,
    values: Vec<Value>,
}

impl Wanted {
    pub fn new(table: &'static str, key: &'static str) -> Self {
        Self {
            table,
            key,
            scope: Vec::new(),
            conditions: Vec::new(),
            words: Vec::new(),
            can_fit: true,
            is_exact: true,
            values: Vec::new(),
        }
    }

    /// Adds a condition, in which `?` is this value.
    pub fn add(&mut self, condition: &str, value: i64) {
        let place = self.value(value, Type::INT8);
        let condition = condition.replace('?', &format!("${place}"));
        self.conditions.push(condition);
    }

    /// Only what has this name in this column; none for no name.
    pub fn scope(&mut self, column: &str, name: Option<&str>) {
        let condition = match name {
            None => format!("a.{column} IS NULL"),
            Some(name) => {
                let place = self.value(names::digest(name), Type::BYTEA);
                format!("a.{column} = {}", names::number_of(place))
            }
        };
        self.scope.push(condition);
    }

    /// Only what has one of these numbers in this column.
    pub fn numbered(&mut self, column: &str, numbers: Vec<i32>) {
        self.can_fit &= !numbers.is_empty();
        let place = self.value(numbers, Type::INT4_ARRAY);
        self.conditions.push(format!("a.{column} = ANY(${place})"));
    }

    /// Only what has all of these folded words.
    pub fn words(&mut self, words: &[String]) {
        self.is_exact &= words.len() <= MAX_WORDS;
        for word in words.iter().take(MAX_WORDS) {
            self.is_exact &= is_exact(word);
            let place = self.value(pattern(word), Type::TEXT);
            self.words.push(place);
        }
    }

    fn value(&mut self, value: impl ToSql + Sync + Send + 'static, of: Type) -> usize {
        self.values.push((Box::new(value), of));
        // Behind the key and the limit.
        self.values.len() + 2
    }

    /// The values of a statement.
    pub fn values<'a>(
        &'a self,
        key: (&'a (dyn ToSql + Sync), Type),
        limit: &'a i64,
    ) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
        let own = self.values.iter().map(|(value, of)| {
            let value: &(dyn ToSql + Sync) = value.as_ref();
            (value, of.clone())
        });
        let limit: (&(dyn ToSql + Sync), Type) = (limit, Type::INT8);
        [key, limit].into_iter().chain(own).collect()
    }

    /// The keys of the latest that may fit; none where without words it is better to look at all.
    pub fn latest(&self) -> Option<String> {
        let (table, key) = (self.table, self.key);
        let mut scope = String::new();
        for condition in &self.scope {
            let _ = write!(scope, " AND {condition}");
        }
        let has_words = !self.words.is_empty();
        has_words.then(|| {
            format!(
                "SELECT a.{key} FROM (
                    SELECT * FROM holdpoint.{table} a WHERE a.{key} < $1{scope}
                    ORDER BY a.{key} DESC LIMIT {LATEST}) a
                 {} ORDER BY a.{key} DESC LIMIT $2",
                self.rest(|place| format!("textlike(t.text, ${place})"))
            )
        })
    }

    /// The keys of all that may fit, last first.
    pub fn all(&self) -> String {
        let (table, key, rest) = (self.table, self.key, self.rest(like));
        if !self.words.is_empty() {
            // On its own, so that the database does not look for a rare word from the last to the first.
            format!(
                "WITH found AS MATERIALIZED (SELECT a.{key} FROM holdpoint.{table} a {rest})
                 SELECT {key} FROM found ORDER BY {key} DESC LIMIT $2"
            )
        } else {
            format!("SELECT a.{key} FROM holdpoint.{table} a {rest} ORDER BY a.{key} DESC LIMIT $2")
        }
    }

    /// These columns of all that may fit, in any order.
    pub fn columns(&self, columns: &str) -> String {
        let (table, rest) = (self.table, self.rest(like));
        format!("SELECT {columns} FROM holdpoint.{table} a {rest} LIMIT $2")
    }

    fn rest(&self, has_word: impl Fn(usize) -> String) -> String {
        let mut rest = String::new();
        if !self.words.is_empty() {
            rest.push_str("JOIN holdpoint.index_texts t ON t.opened = a.opened ");
        }
        let _ = write!(rest, "WHERE a.{} < $1", self.key);
        for condition in self.scope.iter().chain(&self.conditions) {
            let _ = write!(rest, " AND {condition}");
        }
        for place in &self.words {
            let _ = write!(rest, " AND {}", has_word(*place));
        }
        rest
    }
}

/// Whether a text has the word of this place, by the index of trigrams where there is one. `textlike` says the same
/// by the text alone, which is faster for a few.
fn like(place: usize) -> String {
    format!("t.text LIKE ${place}")
}

/// Whether a text that the index finds by this word has it.
fn is_exact(word: &str) -> bool {
    // What stands for a zero byte in the index may also stand for itself.
    !word.contains(['\0', '\u{fffd}']) && word.chars().nth(MAX_LENGTH).is_none()
}

/// What `LIKE` finds this word by.
fn pattern(word: &str) -> String {
    let mut pattern = String::from("%");
    for char in label(word).chars().take(MAX_LENGTH) {
        if matches!(char, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(char);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_never_a_pattern() {
        let check = |word: &str, wanted: &str, exact| {
            assert_eq!(pattern(word), wanted);
            assert_eq!(is_exact(word), exact, "{word:?}");
        };
        check("plan", "%plan%", true);
        check("100%_\\", "%100\\%\\_\\\\%", true);
        check("", "%%", true);
        check("a\0b", "%a\u{fffd}b%", false);
        check("\u{fffd}", "%\u{fffd}%", false);
        check(&"ü".repeat(200), &format!("%{}%", "ü".repeat(200)), true);
        check(&"ü".repeat(201), &format!("%{}%", "ü".repeat(200)), false);
    }
}
