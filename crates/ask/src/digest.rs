//! Digests of values: SHA-256 over canonical JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::{fmt, io, str::FromStr};

/// The SHA-256 of something that was shown, asked or approved.
///
/// ```
/// use holdpoint_ask::Digest;
///
/// let shown = Digest::hash_bytes(b"DROP TABLE users");
/// assert_eq!(Digest::from_bytes(*shown.as_bytes()), shown);
/// assert_eq!(shown.to_string().parse(), Ok(shown));
/// // Values are compared, not how they are written.
/// let one = serde_json::json!({ "a": 1, "b": 2 });
/// let other = serde_json::json!({ "b": 2, "a": 1 });
/// assert_eq!(Digest::hash_json(&one)?, Digest::hash_json(&other)?);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// Takes bytes in pieces, as whatever is copied into it, and gives the digest of all of them.
#[derive(Debug, Clone, Default)]
pub struct DigestWriter(Sha256);

impl DigestWriter {
    /// The digest of what was written.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl io::Write for DigestWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Digest {
    /// Hashes bytes.
    pub fn hash_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Hashes the canonical JSON of a value: the order of an object's keys does not matter. Canonical JSON
    /// has numbers as JavaScript has them, in which 2^53 and 2^53 + 1 are one: numbers from there on are
    /// hashed once more as they are.
    ///
    /// # Errors
    /// When the value has no JSON form.
    pub fn hash_json(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut bytes = serde_json_canonicalizer::to_vec(value)?;
        if may_hold_large_number(&bytes) {
            let mut numbers = Vec::new();
            list_large_numbers(&serde_json::to_value(value)?, &mut numbers);
            if !numbers.is_empty() {
                // No canonical JSON holds this byte, so that nothing else has these bytes.
                bytes.push(0);
                bytes.extend_from_slice(numbers.join(",").as_bytes());
            }
        }
        Ok(Self::hash_bytes(&bytes))
    }

    /// The raw digest.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Makes a digest of its raw bytes, as a database holds it.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// The first whole number that has a neighbour with the same canonical JSON.
const LARGE: u64 = 1 << 53;

/// Whether canonical JSON may hold a number of at least [`LARGE`], which has 16 digits or an exponent. Text
/// that looks like one only costs time.
fn may_hold_large_number(json: &[u8]) -> bool {
    let mut digits = 0;
    json.iter().any(|byte| {
        let exponent = digits > 0 && *byte == b'e';
        digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
        exponent || digits >= 16
    })
}

/// Lists every number of at least [`LARGE`] as it is, in the order of canonical JSON's keys or any other
/// that is always the same.
fn list_large_numbers(value: &Value, numbers: &mut Vec<String>) {
    match value {
        Value::Number(number) => {
            let is_large = match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(whole), _, _) => whole >= LARGE,
                (_, Some(whole), _) => whole.unsigned_abs() >= LARGE,
                (_, _, Some(real)) => real.abs() >= LARGE as f64,
                _ => true,
            };
            if is_large {
                numbers.push(number.to_string());
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| list_large_numbers(item, numbers)),
        Value::Object(entries) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            for (_, value) in entries {
                list_large_numbers(value, numbers);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The text is not a digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 64 hexadecimal digits")]
pub struct InvalidDigest;

impl FromStr for Digest {
    type Err = InvalidDigest;
    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(InvalidDigest);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| InvalidDigest)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| InvalidDigest)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let one = Digest::hash_json(&json!({"a": 1, "b": [1.0, "x"]})).unwrap();
        let two = Digest::hash_json(&json!({"b": [1.0, "x"], "a": 1})).unwrap();
        assert_eq!(one, two);
        assert_ne!(
            one,
            Digest::hash_json(&json!({"a": 2, "b": [1.0, "x"]})).unwrap()
        );
    }

    #[test]
    fn integers_beyond_2_to_the_53_are_told_apart_and_smaller_values_keep_their_digests() {
        let hash = |value: Value| Digest::hash_json(&value).unwrap();
        let large = 1_u64 << 53;
        let nested = |a: Value, b: Value| hash(json!({ "x": [a, { "y": b }], "e": "1e16" }));
        for (one, other) in [
            (json!(large), json!(large + 1)),
            (json!(u64::MAX), json!(u64::MAX - 1)),
            (json!(i64::MIN), json!(i64::MIN + 1)),
            (json!(-(large as i64)), json!(-(large as i64) - 1)),
            (json!(1e16), json!(10_000_000_000_000_001_u64)),
        ] {
            assert_ne!(hash(one.clone()), hash(other.clone()), "{one} {other}");
            assert_ne!(
                nested(one.clone(), json!(1)),
                nested(other.clone(), json!(1))
            );
            // Nor does it matter less which of them stands where.
            assert_ne!(nested(one.clone(), other.clone()), nested(other, one));
        }
        // In whatever order the keys came.
        let text = r#"{"b":9007199254740993,"a":[9007199254740995]}"#;
        let turned = r#"{"a":[9007199254740995],"b":9007199254740993}"#;
        let read = |text: &str| hash(serde_json::from_str(text).unwrap());
        assert_eq!(read(text), read(turned));
        for small in [
            json!(large - 1),
            json!(-(large as i64) + 1),
            json!({ "n": 0.1234567890123456, "text": "12345678901234567 and 1e300", "e": 1e-7 }),
        ] {
            let canonical = serde_json_canonicalizer::to_vec(&small).unwrap();
            assert_eq!(hash(small), Digest::hash_bytes(&canonical));
        }
    }

    #[test]
    fn text_and_back() {
        let digest = Digest::hash_bytes(b"shown");
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!("zz".parse::<Digest>(), Err(InvalidDigest));
    }
}
