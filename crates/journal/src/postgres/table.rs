//! Rows of one table in the memory of a transaction: as they were fetched, and as they are now.

use std::collections::BTreeMap;

/// Rows by key.
#[derive(Debug)]
pub(super) struct Table<K, V> {
    rows: BTreeMap<K, Row<V>>,
    /// What the batch that began last has changed, with what was there before.
    undo: Vec<(K, Option<V>)>,
}

#[derive(Debug)]
struct Row<V> {
    now: Option<V>,
    is_changed: bool,
}

impl<K: Ord + Clone, V: Clone + PartialEq> Table<K, V> {
    /// Rows that were fetched; none for those that do not exist.
    pub fn new(fetched: BTreeMap<K, Option<V>>) -> Self {
        let row = |(key, now)| {
            let row = Row {
                now,
                is_changed: false,
            };
            (key, row)
        };
        Self {
            rows: fetched.into_iter().map(row).collect(),
            undo: Vec::new(),
        }
    }

    /// A row, if it exists; none where it was not fetched.
    pub fn get(&self, key: &K) -> Option<Option<V>> {
        self.rows.get(key).map(|row| row.now.clone())
    }

    /// Sets a row that was looked up before.
    pub fn put(&mut self, key: K, now: V) {
        self.set(key, Some(now));
    }

    /// Removes a row that was looked up before.
    pub fn remove(&mut self, key: K) {
        self.set(key, None);
    }

    fn set(&mut self, key: K, now: Option<V>) {
        let row = Row {
            now,
            is_changed: true,
        };
        let before = self.rows.insert(key.clone(), row);
        self.undo.push((key, before.and_then(|row| row.now)));
    }

    /// The rows that exist.
    pub fn rows(&self) -> impl Iterator<Item = &V> {
        self.rows.values().filter_map(|row| row.now.as_ref())
    }

    /// The rows that have to be written.
    pub fn changed(&self) -> impl Iterator<Item = &V> {
        let rows = self.rows.values().filter(|row| row.is_changed);
        rows.filter_map(|row| row.now.as_ref())
    }

    /// The rows that have to be removed.
    pub fn removed(&self) -> impl Iterator<Item = &K> {
        let rows = self.rows.iter();
        let removed = rows.filter(|(_, row)| row.is_changed && row.now.is_none());
        removed.map(|(key, _)| key)
    }

    /// Begins a batch.
    pub fn begin(&mut self) {
        self.undo.clear();
    }

    /// Undoes what the batch changed. A row that is then as it was fetched is written once more, which changes
    /// nothing.
    pub fn undo(&mut self) {
        for (key, before) in self.undo.drain(..).rev() {
            if let Some(row) = self.rows.get_mut(&key) {
                row.now = before;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_undone_alone() {
        let mut table = Table::new(BTreeMap::from([(1, Some("a")), (2, None)]));
        assert_eq!(table.get(&3), None, "not fetched");
        table.begin();
        table.put(1, "b");
        table.begin();
        table.put(1, "c");
        table.put(1, "d");
        table.put(2, "e");
        table.undo();
        assert_eq!(table.get(&1), Some(Some("b")));
        assert_eq!(table.get(&2), Some(None));
        assert_eq!(table.changed().collect::<Vec<_>>(), [&"b"]);
        table.begin();
        table.remove(1);
        assert_eq!(table.get(&1), Some(None));
        assert!(table.removed().any(|key| *key == 1));
        table.undo();
        assert_eq!(table.get(&1), Some(Some("b")));
    }
}
