//! From a script's value to JSON. Getters and `toJSON` are the script's own code and run under its
//! limits.

use super::{Limits, driver::Driver, interrupt::Interrupt};
use rquickjs::{Error, Filter, Object, String as JsString, Type, Value, function::This};
use serde_json::{Map, Number};

/// Why a value has no JSON form.
pub(super) enum NoJson {
    /// Its own code threw.
    Threw(Error),
    /// It took too long.
    Stopped,
    TooLarge,
    TooDeep,
    NotData {
        path: String,
        found: String,
    },
}

impl From<Error> for NoJson {
    fn from(error: Error) -> Self {
        Self::Threw(error)
    }
}

/// The JSON form of a value, or nothing for `undefined`.
pub(super) fn json<'js>(
    driver: &Driver<'js>,
    value: Value<'js>,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Option<serde_json::Value>, NoJson> {
    let mut walk = Walk {
        driver,
        interrupt,
        seen: 0,
        depth: limits.depth,
        left: limits.value,
        path: Vec::new(),
        above: Vec::new(),
    };
    walk.value(value)
}

struct Walk<'a, 'js> {
    driver: &'a Driver<'js>,
    interrupt: &'a Interrupt,
    seen: usize,
    depth: usize,
    left: usize,
    path: Vec<Part>,
    above: Vec<Value<'js>>,
}

enum Part {
    Key(String),
    Index(usize),
}

impl<'js> Walk<'_, 'js> {
    fn value(&mut self, value: Value<'js>) -> Result<Option<serde_json::Value>, NoJson> {
        self.spend(1)?;
        self.seen += 1;
        if self.seen.is_multiple_of(1024) && self.interrupt.should_stop() {
            return Err(NoJson::Stopped);
        }
        let found = match value.type_of() {
            Type::Undefined => return Ok(None),
            Type::Null => return Ok(Some(serde_json::Value::Null)),
            Type::Bool => return Ok(value.as_bool().map(Into::into)),
            Type::Int | Type::Float => {
                self.spend(4)?;
                return Ok(Some(number(value.as_number().unwrap_or(f64::NAN))));
            }
            Type::String => {
                let text = value.as_string().map(|text| self.text(text)).transpose()?;
                return Ok(text.map(Into::into));
            }
            Type::Array | Type::Object | Type::Exception => return self.nested(value),
            Type::Symbol => "a symbol",
            Type::BigInt => "a BigInt; write Number(…) or String(…)",
            Type::Constructor | Type::Function => "a function",
            Type::Promise => "a promise; write `await` before it",
            Type::Proxy => "a Proxy",
            _ => "something that JSON cannot hold",
        };
        Err(self.not_data(found))
    }

    fn nested(&mut self, value: Value<'js>) -> Result<Option<serde_json::Value>, NoJson> {
        if self.above.contains(&value) {
            return Err(self.not_data("the object that it lies in: a cycle"));
        }
        if self.above.len() >= self.depth {
            return Err(NoJson::TooDeep);
        }
        self.spend(1)?;
        self.above.push(value.clone());
        let json = match value.as_array() {
            Some(array) => self.array(array.as_object()).map(Some),
            None => match value.into_object() {
                Some(object) => self.object(&object),
                None => Ok(None),
            },
        };
        self.above.pop();
        json
    }

    fn array(&mut self, array: &Object<'js>) -> Result<serde_json::Value, NoJson> {
        let length: f64 = array.get("length")?;
        let mut items = Vec::new();
        for index in 0..length as usize {
            self.path.push(Part::Index(index));
            let item = array.get::<_, Value>(index as f64)?;
            items.push(self.value(item)?.unwrap_or_default());
            self.path.pop();
        }
        Ok(items.into())
    }

    fn object(&mut self, object: &Object<'js>) -> Result<Option<serde_json::Value>, NoJson> {
        let own: Value = object.get("toJSON")?;
        if let Some(own) = own.as_function() {
            let json: Value = own.call((This(object.clone()),))?;
            return self.value(json);
        }
        if let Some(kind) = self.driver.oddity(object)? {
            return Err(self.not_data(&format!("a {kind}")));
        }
        let mut map = Map::new();
        for key in object.own_keys::<JsString>(Filter::new().string().enum_only()) {
            let key = key?;
            let name = self.text(&key)?;
            self.path.push(Part::Key(name));
            let value = object.get::<_, Value>(key)?;
            let value = self.value(value)?;
            if let (Some(Part::Key(name)), Some(value)) = (self.path.pop(), value) {
                map.insert(name, value);
            }
        }
        Ok(Some(map.into()))
    }

    fn text(&mut self, text: &JsString<'js>) -> Result<String, NoJson> {
        let text = self.driver.text(text)?;
        self.spend(text.len() + 2)?;
        Ok(text)
    }

    /// Counts what the value takes as JSON: never more than it does.
    fn spend(&mut self, bytes: usize) -> Result<(), NoJson> {
        self.left = self.left.checked_sub(bytes).ok_or(NoJson::TooLarge)?;
        Ok(())
    }

    fn not_data(&self, found: &str) -> NoJson {
        let mut path = String::new();
        for part in &self.path {
            match part {
                Part::Index(index) => path += &format!("[{index}]"),
                Part::Key(key) if path.is_empty() => path += key,
                Part::Key(key) => path += &format!(".{key}"),
            }
        }
        if path.is_empty() {
            path += "it";
        }
        NoJson::NotData {
            path,
            found: found.to_owned(),
        }
    }
}

/// Whole numbers are whole in JSON too; what is not a number is `null`, as everywhere in JavaScript.
fn number(value: f64) -> serde_json::Value {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    if value.fract() == 0.0 && value.abs() <= SAFE {
        return (value as i64).into();
    }
    Number::from_f64(value).map_or(serde_json::Value::Null, Into::into)
}
