//! Makes a form from a Rust type.

use crate::{
    Form, FormError,
    schema_property::{self, Property, Read},
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

/// Why a type cannot be asked as a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TypedError {
    /// It is not a struct with named fields.
    #[error("{name} must be a struct with named fields to be asked as a form")]
    NotAStruct {
        /// The type's name.
        name: String,
    },
    /// One of its fields is of a type that no form field can hold.
    #[error("the field {field:?} {why}")]
    Field {
        /// Its name, as it is serialized.
        field: String,
        /// What is wrong, and what to use.
        why: String,
    },
    /// Its rules contradict each other.
    #[error(transparent)]
    Form(#[from] FormError),
}

impl Form {
    /// Makes the form that asks for a `T`: its fields in the declared order, with the rules that
    /// `schemars` and `serde` attributes give them.
    ///
    /// Doc comments become help, `Option` makes a field optional, an enum a choice, a list of an
    /// enum a choice of many; a string of the format `password` is a secret. A `bool` with a
    /// default is a setting; without one it decides.
    ///
    /// ```
    /// use holdpoint_ask::Form;
    /// use schemars::JsonSchema;
    ///
    /// #[derive(JsonSchema)]
    /// enum Key { Major, Minor }
    ///
    /// #[derive(JsonSchema)]
    /// struct Song {
    ///     /// Beats per minute.
    ///     #[schemars(range(min = 20, max = 200))]
    ///     tempo: u16,
    ///     key: Option<Key>,
    /// }
    ///
    /// let form = Form::from_type::<Song>()?;
    /// assert_eq!(form.fields[0].help.as_deref(), Some("Beats per minute."));
    /// assert!(!form.fields[1].required);
    /// # Ok::<_, holdpoint_ask::TypedError>(())
    /// ```
    ///
    /// # Errors
    /// When the type is not a struct, or a field is nested, a map, a tuple or a list of anything but
    /// an enum; the error names the field.
    pub fn from_type<T: JsonSchema>() -> Result<Self, TypedError> {
        let inline =
            SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let root = inline.into_generator().into_root_schema_for::<T>();
        let root = Root(root.to_value());
        let not_a_struct = || TypedError::NotAStruct {
            name: T::schema_name().into_owned(),
        };
        let (own, _) = root.plain(&root.0, 0).map_err(|_| not_a_struct())?;
        let alternatives = own.contains_key("oneOf") || own.contains_key("anyOf");
        let properties = own.get("properties").and_then(Value::as_object);
        let is_object = own.get("type").and_then(Value::as_str) == Some("object");
        let (false, true, Some(properties)) = (alternatives, is_object, properties) else {
            return Err(not_a_struct());
        };
        let required = own.get("required").and_then(Value::as_array);
        let mut form = Self::new();
        for (name, property) in properties {
            let required = required.is_some_and(|all| all.iter().any(|one| one == name.as_str()));
            let field = root.simple(property).and_then(|(property, nullable)| {
                schema_property::parse_field(name, &property, required && !nullable)
            });
            form = form.field(field.map_err(|why| TypedError::Field {
                field: name.clone(),
                why,
            })?);
        }
        form.check()?;
        Ok(form)
    }
}

/// The type's whole schema, for what refers to it.
struct Root(Value);

impl Root {
    /// Brings the property into the one shape that fields are parsed from; says whether it may be null.
    fn simple(&self, property: &Value) -> Read<(Property, bool)> {
        let (mut plain, nullable) = self.plain(property, 0)?;
        if plain.contains_key("properties") || plain.contains_key("additionalProperties") {
            return Err("is a struct or a map: flatten it, or ask for it on its own".into());
        }
        if plain.contains_key("prefixItems") {
            return Err("is a tuple: give each of its parts a field of its own".into());
        }
        if let Some(items) = plain.get("items") {
            let (items, _) = self.plain(items, 0)?;
            plain.insert("items".into(), items.into());
        }
        if !plain.contains_key("type") && schema_property::parse_options(&plain)?.is_some() {
            plain.insert("type".into(), "string".into());
        }
        // `serde(default)` writes the empty value as the default: that fills nothing in.
        let empty = |value: &Value| {
            value.is_null() || value.as_str() == Some("") || *value == Value::Array(Vec::new())
        };
        if plain.get("default").is_some_and(empty) {
            plain.remove("default");
        }
        Ok((plain, nullable))
    }

    /// Gives the schema without references, wrappers and null; says whether it may be null.
    fn plain(&self, schema: &Value, depth: usize) -> Read<(Property, bool)> {
        let Some(keys) = schema.as_object() else {
            return Err("can hold anything: give it a type".into());
        };
        if depth > 16 {
            return Err("refers to itself".into());
        }
        let mut keys = keys.clone();
        let mut nullable = false;
        if let Some(to) = keys.shift_remove("$ref") {
            let target = to.as_str().and_then(|to| to.strip_prefix('#'));
            let target = target.and_then(|to| self.0.pointer(to));
            let target = target.ok_or_else(|| format!("refers to {to}, which does not exist"))?;
            nullable |= self.fill(&mut keys, target, depth)?;
        }
        for wrapper in ["allOf", "anyOf", "oneOf"] {
            let Some(Value::Array(mut branches)) = keys.shift_remove(wrapper) else {
                continue;
            };
            let count = branches.len();
            branches.retain(|branch| branch.get("type") != Some(&Value::from("null")));
            nullable |= branches.len() < count;
            match branches.as_slice() {
                [only] => nullable |= self.fill(&mut keys, only, depth)?,
                _ => {
                    let branches = branches.iter().map(|branch| match branch.get("$ref") {
                        Some(_) => Ok(self.plain(branch, depth + 1)?.0.into()),
                        None => Ok(branch.clone()),
                    });
                    let branches: Read<Vec<Value>> = branches.collect();
                    keys.insert(wrapper.into(), branches?.into());
                }
            }
        }
        if let Some(Value::Array(types)) = keys.get("type") {
            let types: Vec<_> = types
                .iter()
                .filter(|name| *name != "null")
                .cloned()
                .collect();
            let [only] = types.as_slice() else {
                return Err("can be of several types: choose one".into());
            };
            nullable = true;
            keys.insert("type".into(), only.clone());
        }
        if let Some(Value::Array(values)) = keys.get_mut("enum") {
            values.retain(|value| !value.is_null());
        }
        Ok((keys, nullable))
    }

    /// Adds the keywords of another schema that are not there yet; says whether it may be null.
    fn fill(&self, keys: &mut Property, from: &Value, depth: usize) -> Read<bool> {
        let (from, nullable) = self.plain(from, depth + 1)?;
        for (key, value) in from {
            keys.entry(key).or_insert(value);
        }
        Ok(nullable)
    }
}

#[cfg(test)]
mod tests;
