//! Asks for a Rust type: makes its form, and reads the type back from the answer.
//!
//! | module | does |
//! |---|---|
//! | `type_schema` | gives the schema of a type without references, wrappers and null |
//! | `make_fields` | makes the fields of the form |
//! | `layout` | knows where the value of each belongs in the type |

mod layout;
mod make_fields;
mod type_schema;

use crate::{Answer, Form, FormError};
use layout::Layout;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::{fmt, marker::PhantomData};
pub(crate) use type_schema::TypeSchema;

/// Why a type cannot be asked for, or cannot be read from an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TypedError {
    /// It is not a struct with named fields.
    #[error("{name} must be a struct with named fields to be asked as a form")]
    NotAStruct {
        /// The type's name.
        name: String,
    },
    /// It is not an enum whose variants hold nothing.
    #[error("{name} must be an enum whose variants hold nothing for its variants to be options")]
    NotAnEnum {
        /// The type's name.
        name: String,
    },
    /// One of its fields is of a type that no form field can hold.
    #[error("the field {field:?} {why}")]
    Field {
        /// Its name, as it is serialized; in a struct inside the type, with that struct's before it:
        /// `address.street`.
        field: String,
        /// What is wrong, and what to use.
        why: String,
    },
    /// Its rules contradict each other.
    #[error(transparent)]
    Form(#[from] FormError),
    /// The answer does not fit the type.
    #[error("the answer cannot be read as {name}: {why}")]
    Answer {
        /// The type's name.
        name: String,
        /// What does not fit. No value of a form that asks for a secret is in it.
        why: String,
    },
}

/// The form that asks for a `T`, and the way back from its answer to a `T`.
///
/// The fields come in the declared order, with the rules that `schemars` and `serde` attributes give them:
///
/// | in the type | in the form |
/// |---|---|
/// | a doc comment, `#[schemars(title = …)]` | help, title |
/// | `Option` | the field may be left out |
/// | `String`, numbers | text, a number |
/// | `bool` | a decision; a setting where it has a default |
/// | an enum whose variants hold nothing, a list of it | a choice of one, of many |
/// | the formats `date` and `date-time` (`jiff`, `chrono`) | a day, a moment |
/// | the format `password` | a secret |
/// | `Vec<String>` | a text of several lines, one for each; required, it has at least one |
/// | a struct | its fields: `address` with a `street` is asked as `address_street` |
///
/// A field that decides and was left out is read as left out: no default that `serde` might have for it
/// stands for an answer.
///
/// ```
/// use holdpoint_ask::TypedForm;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(JsonSchema, Deserialize)]
/// struct Release {
///     version: String,
///     /// What changed.
///     notes: Vec<String>,
///     rollout: Rollout,
/// }
///
/// #[derive(JsonSchema, Deserialize)]
/// struct Rollout {
///     #[schemars(range(min = 1, max = 100))]
///     percent: u8,
/// }
///
/// let release = TypedForm::<Release>::new()?;
/// let shown: Vec<_> = release.form().fields.iter().map(|field| field.label()).collect();
/// assert_eq!(shown, ["version", "notes", "Rollout: percent"]);
/// assert_eq!(release.form().fields[1].help.as_deref(), Some("What changed. One per line."));
///
/// let answer = json!({ "version": "1.2", "notes": "Faster\nSmaller", "rollout_percent": 10 });
/// let release = release.read(answer.as_object().unwrap().clone())?;
/// assert_eq!(release.notes, ["Faster", "Smaller"]);
/// assert_eq!(release.rollout.percent, 10);
/// # Ok::<_, holdpoint_ask::TypedError>(())
/// ```
pub struct TypedForm<T> {
    form: Form,
    layout: Layout,
    of: PhantomData<fn() -> T>,
}

impl<T: JsonSchema + DeserializeOwned> TypedForm<T> {
    /// Makes the form that asks for a `T`.
    ///
    /// # Errors
    /// When the type is not a struct, when a field is a map, a tuple, a list of anything but texts or an
    /// enum, or a struct in a struct in the type, or when two fields would have the same name. The error
    /// names the field and what to use instead.
    pub fn new() -> Result<Self, TypedError> {
        let (form, layout) = parse::<T>()?;
        Ok(Self {
            form,
            layout,
            of: PhantomData,
        })
    }

    /// The form.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// Reads a `T` from an answer to the form, which is checked first.
    ///
    /// # Errors
    /// When the answer breaks a rule of the form, or the type refuses it.
    pub fn read(&self, answer: Answer) -> Result<T, TypedError> {
        let unfit = |why: String| TypedError::Answer {
            name: T::schema_name().into_owned(),
            why,
        };
        let answer = self.form.validate(&answer).map_err(|errors| {
            let messages: Vec<_> = errors.into_iter().map(|error| error.message).collect();
            unfit(messages.join(" "))
        })?;
        let whole = self.layout.assemble(answer).map_err(unfit)?;
        serde_json::from_value(whole.value.into()).map_err(|error| {
            // What a type says of a value that it refuses may quote the value.
            let cause = if self.form.has_secret() {
                "one of its fields refuses its value".to_owned()
            } else {
                error.to_string()
            };
            unfit(match whole.undecided {
                Some(field) => format!(
                    "{cause}; the field {field:?} was left out, and no default can stand for what decides: make it an Option"
                ),
                None => cause,
            })
        })
    }
}

impl<T> Clone for TypedForm<T> {
    fn clone(&self) -> Self {
        Self {
            form: self.form.clone(),
            layout: self.layout.clone(),
            of: PhantomData,
        }
    }
}

impl<T> fmt::Debug for TypedForm<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedForm").field(&self.form).finish()
    }
}

impl Form {
    /// Makes the form that asks for a `T` whose answer is a `T` as it stands. [`TypedForm`] says what of a
    /// type becomes which field.
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
    /// Where [`TypedForm::new`] fails, and for lists of texts and structs, whose answers only
    /// [`TypedForm::read`] can read.
    pub fn from_type<T: JsonSchema>() -> Result<Self, TypedError> {
        let (form, layout) = parse::<T>()?;
        match layout.of_another_shape() {
            Some(field) => Err(TypedError::Field {
                field: field.to_owned(),
                why: "is not answered in the shape that it has: ask with a TypedForm, which reads it back"
                    .to_owned(),
            }),
            None => Ok(form),
        }
    }
}

fn parse<T: JsonSchema>() -> Result<(Form, Layout), TypedError> {
    let schema = TypeSchema::of::<T>();
    let own = schema.own_struct().ok_or_else(|| TypedError::NotAStruct {
        name: T::schema_name().into_owned(),
    })?;
    let (form, layout) = make_fields::make_fields(&schema, &own)?;
    form.check()?;
    Ok((form, layout))
}

#[cfg(test)]
mod tests;
