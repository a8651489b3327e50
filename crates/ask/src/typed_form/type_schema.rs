//! The schema of a Rust type, without references, wrappers and null.

use crate::schema_property::{Property, Read};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

/// The type's whole schema, for what refers to it.
pub(crate) struct TypeSchema(Value);

/// A schema without references and wrappers.
pub(crate) struct Plain {
    pub keys: Property,
    /// It may be null.
    pub nullable: bool,
}

impl TypeSchema {
    /// The schema by which `serde` reads this type.
    pub fn of<T: JsonSchema>() -> Self {
        let inline =
            SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
        let mut root = inline.into_generator().into_root_schema_for::<T>();
        // The generator's own title is the type's name, which nobody wrote for people.
        if root.get("title").and_then(Value::as_str) == Some(&T::schema_name()) {
            root.remove("title");
        }
        Self(root.to_value())
    }

    /// The type itself, if it is a struct with named fields.
    pub fn own_struct(&self) -> Option<Property> {
        let own = self.own().ok()?;
        is_struct(&own.keys).then_some(own.keys)
    }

    /// The type itself.
    pub fn own(&self) -> Read<Plain> {
        self.plain(&self.0)
    }

    /// Gives a schema within the type's without references, wrappers and null.
    pub fn plain(&self, schema: &Value) -> Read<Plain> {
        let (keys, nullable) = self.resolve(schema, 0)?;
        Ok(Plain { keys, nullable })
    }

    fn resolve(&self, schema: &Value, depth: usize) -> Read<(Property, bool)> {
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
                        Some(_) => Ok(self.resolve(branch, depth + 1)?.0.into()),
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
        let (from, nullable) = self.resolve(from, depth + 1)?;
        for (key, value) in from {
            keys.entry(key).or_insert(value);
        }
        Ok(nullable)
    }
}

/// Whether this is a struct with named fields, and neither a map nor an enum.
pub(crate) fn is_struct(keys: &Property) -> bool {
    let alternatives = keys.contains_key("oneOf") || keys.contains_key("anyOf");
    let is_object = keys.get("type").and_then(Value::as_str) == Some("object");
    is_object && !alternatives && keys.get("properties").is_some_and(Value::is_object)
}

/// The fields of a struct, in the declared order, each with whether it must be given.
pub(crate) fn fields_of(keys: &Property) -> impl Iterator<Item = (&String, &Value, bool)> {
    let properties = keys.get("properties").and_then(Value::as_object);
    let required = keys.get("required").and_then(Value::as_array);
    let fields = properties.into_iter().flatten();
    fields.map(move |(name, property)| {
        let is_this = |one: &Value| one == name.as_str();
        let required = required.is_some_and(|all| all.iter().any(is_this));
        (name, property, required)
    })
}
