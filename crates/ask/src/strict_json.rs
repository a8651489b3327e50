//! Reading JSON that somebody else wrote: no object may name a key twice.
//!
//! serde_json takes the last of two equal keys. Whoever looked at the first one, a proxy, a log or a
//! person, has then seen another message than the one that counts: a decline where an accept is taken.

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Value};
use std::fmt;

/// JSON in which no object names a key twice, at any depth.
#[derive(Debug, Clone, PartialEq)]
pub struct StrictValue(pub Value);

/// An object in which nothing names a key twice, at any depth.
#[derive(Debug, Clone, PartialEq)]
pub struct StrictObject(pub Map<String, Value>);

/// Reads an object in which nothing names a key twice.
///
/// # Errors
/// When it is not JSON, is not an object, or names a key twice.
pub fn read_object(text: &[u8]) -> serde_json::Result<Map<String, Value>> {
    serde_json::from_slice::<StrictObject>(text).map(|object| object.0)
}

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Strict).map(Self)
    }
}

impl<'de> Deserialize<'de> for StrictObject {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match from.deserialize_any(Strict)? {
            Value::Object(object) => Ok(Self(object)),
            _ => Err(D::Error::custom("it is not an object")),
        }
    }
}

/// Builds a value, and refuses a key that comes again.
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom("it names a field twice"));
            }
            let value = entries.next_value_seed(Self)?;
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_twice_at_any_depth() {
        for twice in [
            r#"{"action":"decline","action":"accept"}"#,
            r#"{"content":{"go":false,"go":true}}"#,
            r#"{"list":[1,{"a":{"b":1,"b":1}}]}"#,
            // The same key, written in another way.
            r#"{"action":"decline","\u0061ction":"accept"}"#,
        ] {
            assert!(
                serde_json::from_str::<StrictValue>(twice).is_err(),
                "{twice}"
            );
            assert!(read_object(twice.as_bytes()).is_err(), "{twice}");
        }
    }

    #[test]
    fn everything_else_reads_as_it_does_elsewhere() {
        for text in [
            "null",
            "true",
            "-7",
            "18446744073709551615",
            "1.0",
            "1e300",
            r#""é\n""#,
            r#"[{"a":1},{"a":2},[]]"#,
            r#"{"b":{"a":1},"a":{"a":null}}"#,
        ] {
            let strict: StrictValue = serde_json::from_str(text).unwrap();
            let plain: Value = serde_json::from_str(text).unwrap();
            assert_eq!(strict.0, plain, "{text}");
            assert_eq!(read_object(text.as_bytes()).is_ok(), plain.is_object());
        }
        for broken in ["", "{", "{}{}", r#"{"a":}"#] {
            assert!(read_object(broken.as_bytes()).is_err(), "{broken}");
        }
    }
}
