//! A map that may become very large.

use holdpoint_ask::{AskId, CallId};
use std::{collections::HashMap, hash::Hash};

/// Values by their id, in so many maps that one of them is small when it grows: a map of a million values holds them
/// twice for a while, and doubles its room.
pub(crate) struct ManyById<I, V>(Vec<HashMap<I, V>>);

const MAPS: usize = 96;

/// An id whose last bytes are as good as random.
pub(crate) trait SpreadId: Eq + Hash + Copy {
    fn last_bytes(&self) -> [u8; 2];
}

impl SpreadId for CallId {
    fn last_bytes(&self) -> [u8; 2] {
        let [.., one, two] = *self.as_bytes();
        [one, two]
    }
}

impl SpreadId for AskId {
    fn last_bytes(&self) -> [u8; 2] {
        let [.., one, two] = *self.as_bytes();
        [one, two]
    }
}

impl<I: SpreadId, V> ManyById<I, V> {
    fn map(&self, id: &I) -> &HashMap<I, V> {
        &self.0[place(id)]
    }

    fn map_mut(&mut self, id: &I) -> &mut HashMap<I, V> {
        &mut self.0[place(id)]
    }

    pub fn get(&self, id: &I) -> Option<&V> {
        self.map(id).get(id)
    }

    pub fn get_mut(&mut self, id: &I) -> Option<&mut V> {
        self.map_mut(id).get_mut(id)
    }

    pub fn insert(&mut self, id: I, value: V) {
        self.map_mut(&id).insert(id, value);
    }

    /// Removes a value; the room of many that are gone is given back.
    pub fn remove(&mut self, id: &I) -> Option<V> {
        let map = self.map_mut(id);
        let removed = map.remove(id);
        if map.len() * 8 < map.capacity() {
            map.shrink_to(map.len() * 2);
        }
        removed
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(HashMap::len).sum()
    }
}

fn place(id: &impl SpreadId) -> usize {
    usize::from(u16::from_be_bytes(id.last_bytes())) % MAPS
}

impl<I, V> Default for ManyById<I, V> {
    fn default() -> Self {
        Self(std::iter::repeat_with(HashMap::new).take(MAPS).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_map_and_gives_room_back() {
        let mut many = ManyById::default();
        let ids: Vec<AskId> = (0..10_000).map(|_| AskId::new()).collect();
        for (number, id) in ids.iter().enumerate() {
            many.insert(*id, number);
        }
        assert_eq!((many.len(), many.get(&ids[7])), (10_000, Some(&7)));
        for id in &ids[8..] {
            assert!(many.remove(id).is_some());
        }
        assert_eq!(many.remove(&ids[9]), None);
        *many.get_mut(&ids[7]).unwrap() += 1;
        assert_eq!((many.len(), many.get(&ids[7])), (8, Some(&8)));
        let room: usize = many.0.iter().map(HashMap::capacity).sum();
        assert!(room < 1_000, "room for {room} is kept");
    }
}
