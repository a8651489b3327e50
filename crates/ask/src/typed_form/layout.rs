//! Where the value of each field of a type's form belongs in the type.

use crate::{Answer, validate};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Where the values of a form's fields belong in the type that it asks for.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    pub structs: Vec<InnerStruct>,
    pub places: Vec<Place>,
}

/// A struct inside the type.
#[derive(Debug, Clone)]
pub(super) struct InnerStruct {
    pub name: String,
    pub nullable: bool,
}

/// Where the value of one field belongs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The field's name in the form.
    pub field: String,
    /// Which of the structs inside the type it is in, if it is in one.
    pub inside: Option<usize>,
    /// Its name there.
    pub name: String,
    /// Its name with that of the struct: `address.street`.
    pub path: String,
    pub list: Option<List>,
    pub left_out: LeftOut,
}

/// A list of texts, which is answered as lines.
#[derive(Debug, Clone)]
pub(super) struct List {
    /// The fewest of them; the form has checked it where they need not differ.
    pub min: Option<u32>,
    /// Each of them counts once.
    pub unique: bool,
}

/// What the type reads where nobody answered a field.
#[derive(Debug, Clone)]
pub(super) enum LeftOut {
    /// Nothing: it has a default for what decides nothing.
    Absent,
    /// This, so that no default stands for an answer.
    Is(Value),
    /// Null, which the type refuses: it has only a default for what decides.
    Undecided,
}

/// An answer in the shape of the type.
pub(super) struct Whole {
    pub value: Map<String, Value>,
    /// A field that decides, was left out, and has no value for that.
    pub undecided: Option<String>,
}

impl Layout {
    /// Puts a valid answer into the shape of the type.
    ///
    /// # Errors
    /// When a list has too few values that differ.
    pub fn assemble(&self, mut answer: Answer) -> Result<Whole, String> {
        let mut whole = Whole {
            value: Map::new(),
            undecided: None,
        };
        let mut structs = vec![(Map::new(), false); self.structs.len()];
        for place in &self.places {
            let given = answer.remove(&place.field);
            if let (Some(index), Some(_)) = (place.inside, &given) {
                structs[index].1 = true;
            }
            let value = match (given, &place.list, &place.left_out) {
                (Some(value), None, _) => Some(value),
                (Some(value), Some(list), _) => Some(list.read(&value, &place.path)?),
                (None, _, LeftOut::Absent) => None,
                (None, _, LeftOut::Is(value)) => Some(value.clone()),
                (None, _, LeftOut::Undecided) => {
                    whole.undecided.get_or_insert_with(|| place.path.clone());
                    Some(Value::Null)
                }
            };
            let into = match place.inside {
                Some(index) => &mut structs[index].0,
                None => &mut whole.value,
            };
            into.extend(value.map(|value| (place.name.clone(), value)));
        }
        // Each is written, also where nothing in it was answered: a default of the whole is no answer.
        for (InnerStruct { name, nullable }, (value, given)) in self.structs.iter().zip(structs) {
            let value = if given || !nullable {
                Value::Object(value)
            } else {
                Value::Null
            };
            whole.value.insert(name.clone(), value);
        }
        Ok(whole)
    }

    /// A field of the type whose answer is not its value, if there is one.
    pub fn of_another_shape(&self) -> Option<&str> {
        let list = || self.places.iter().find(|place| place.list.is_some());
        let inner = self.structs.first().map(|inner| inner.name.as_str());
        inner.or_else(|| Some(list()?.name.as_str()))
    }
}

impl List {
    fn read(&self, value: &Value, path: &str) -> Result<Value, String> {
        let mut lines: Vec<_> = validate::lines(value.as_str().unwrap_or_default()).collect();
        let mut seen = HashSet::new();
        lines.retain(|line| !self.unique || seen.insert(*line));
        match self.min {
            Some(min) if lines.len() < min as usize => Err(format!(
                "the field {path:?} must have at least {min} lines that differ"
            )),
            _ => Ok(json!(lines)),
        }
    }
}
