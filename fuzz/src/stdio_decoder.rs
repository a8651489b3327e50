//! What a client writes to our standard input: the same messages however it arrives, and no answer in what says
//! two things.

use holdpoint::fuzz_door::{decode, read_straight, read_strictly};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;
use std::{cell::Cell, collections::HashSet, fmt};

/// The longest line here; as long as 16 MiB no fuzzer's gets.
const LONGEST: usize = 600;

/// The first byte says in pieces of how many bytes the rest arrives.
pub fn check(data: &[u8]) {
    let Some((size, stream)) = data.split_first() else {
        return;
    };
    let whole = decode(&[stream], LONGEST);
    let pieces: Vec<&[u8]> = stream.chunks(usize::from(*size).max(1)).collect();
    assert_eq!(decode(&pieces, LONGEST), whole, "in pieces of {size}");
    for line in stream.split(|byte| *byte == b'\n') {
        reads_alike(line.trim_ascii());
    }
}

fn reads_alike(line: &[u8]) {
    let Some(straight) = read_straight(line) else {
        return;
    };
    let strictly = read_strictly(line);
    assert_eq!(strictly.as_ref(), Some(&straight), "read in another way");
    assert!(!names_twice(line), "it says two things");
    if straight.pointer("/result/action").is_some() {
        let written: Value = serde_json::from_slice(line).expect("JSON");
        for part in ["action", "content"] {
            // An answer without content may say so with a null.
            let said = |of: &Value| of["result"].get(part).filter(|said| !said.is_null()).cloned();
            assert_eq!(said(&written), said(&straight));
        }
    }
}

/// Whether some object names a key twice, told in a way of its own.
fn names_twice(line: &[u8]) -> bool {
    thread_local!(static TWICE: Cell<bool> = const { Cell::new(false) });

    struct Seen;

    impl<'de> Deserialize<'de> for Seen {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            from.deserialize_any(Seen)
        }
    }

    impl<'de> Visitor<'de> for Seen {
        type Value = Seen;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Seen, A::Error> {
            let mut names = HashSet::new();
            while let Some((name, Seen)) = map.next_entry::<String, Seen>()? {
                if !names.insert(name) {
                    TWICE.set(true);
                }
            }
            Ok(Seen)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Seen, A::Error> {
            while list.next_element::<Seen>()?.is_some() {}
            Ok(Seen)
        }

        fn visit_bool<E>(self, _: bool) -> Result<Seen, E> {
            Ok(Seen)
        }

        fn visit_i64<E>(self, _: i64) -> Result<Seen, E> {
            Ok(Seen)
        }

        fn visit_u64<E>(self, _: u64) -> Result<Seen, E> {
            Ok(Seen)
        }

        fn visit_f64<E>(self, _: f64) -> Result<Seen, E> {
            Ok(Seen)
        }

        fn visit_str<E>(self, _: &str) -> Result<Seen, E> {
            Ok(Seen)
        }

        fn visit_unit<E>(self) -> Result<Seen, E> {
            Ok(Seen)
        }
    }

    TWICE.set(false);
    serde_json::from_slice::<Seen>(line).is_ok() && TWICE.get()
}
