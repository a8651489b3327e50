//! The variants of an enum as options.

use crate::{TypedError, field::Pick, schema_property, typed_form::TypeSchema};
use schemars::JsonSchema;

/// Gives the variants of an enum as the options of a choice.
///
/// The value of each is what `serde` reads and writes, its label the variant's `#[schemars(title = …)]`, and
/// its description the doc comment. They come in the declared order, but behind those that have neither a
/// title nor a doc comment, which `schemars` puts first.
///
/// ```
/// use holdpoint_ask::{Ask, variants};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(JsonSchema, Deserialize, Debug, PartialEq)]
/// #[serde(rename_all = "kebab-case")]
/// enum Environment {
///     /// Nobody minds.
///     Staging,
///     /// Everybody sees it.
///     #[schemars(title = "Production!")]
///     ProductionEu,
/// }
///
/// let options = variants::<Environment>()?;
/// assert_eq!(options[0].value, "staging");
/// assert_eq!(options[1].shown(), "Production!");
/// assert_eq!(options[1].description.as_deref(), Some("Everybody sees it."));
///
/// let ask = Ask::choose("Where to?", options);
/// assert!(ask.check().is_ok());
///
/// let chosen: Environment = serde_json::from_value("production-eu".into()).unwrap();
/// assert_eq!(chosen, Environment::ProductionEu);
/// # Ok::<_, holdpoint_ask::TypedError>(())
/// ```
///
/// # Errors
/// When the type is anything but an enum whose variants hold nothing.
pub fn variants<T: JsonSchema>() -> Result<Vec<Pick>, TypedError> {
    let no_enum = || TypedError::NotAnEnum {
        name: T::schema_name().into_owned(),
    };
    let own = TypeSchema::of::<T>().own().map_err(|_| no_enum())?;
    let options = schema_property::parse_options(&own.keys).ok().flatten();
    match options {
        Some(options) if !own.nullable && !options.is_empty() => Ok(options),
        _ => Err(no_enum()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(dead_code)]

    use super::*;

    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Plain {
        BigRed,
        #[serde(rename = "grün")]
        Green,
        #[serde(skip)]
        Never,
    }

    #[derive(JsonSchema)]
    enum Documented {
        /// Sounds glad.
        Major,
        #[schemars(title = "Minor key")]
        Minor,
        Other,
    }

    /// How it is.
    #[derive(JsonSchema)]
    enum Single {
        Only,
    }

    #[derive(JsonSchema)]
    enum Titled {
        /// The only one.
        #[schemars(title = "Just this")]
        Only,
    }

    #[derive(JsonSchema)]
    enum Data {
        A(u8),
        B,
    }

    #[derive(JsonSchema)]
    #[serde(tag = "kind")]
    enum Tagged {
        A,
        B,
    }

    #[derive(JsonSchema)]
    struct Struct {
        it: bool,
    }

    #[track_caller]
    fn check<T: JsonSchema>(wanted: Vec<Pick>) {
        assert_eq!(variants::<T>(), Ok(wanted));
    }

    #[test]
    fn variants_are_options() {
        check::<Plain>(vec![Pick::new("big_red"), Pick::new("grün")]);
        check::<Box<Plain>>(vec![Pick::new("big_red"), Pick::new("grün")]);
        check::<Documented>(vec![
            Pick::new("Other"),
            Pick::new("Major").description("Sounds glad."),
            Pick::new("Minor").label("Minor key"),
        ]);
        check::<Titled>(vec![
            Pick::new("Only")
                .label("Just this")
                .description("The only one."),
        ]);
        let only = variants::<Single>().unwrap();
        assert_eq!((only.len(), only[0].shown()), (1, "Only"));
    }

    #[test]
    fn nothing_else_has_variants() {
        #[track_caller]
        fn refuse<T: JsonSchema>(name: &str) {
            let error = variants::<T>().unwrap_err();
            let wanted = format!(
                "{name} must be an enum whose variants hold nothing for its variants to be options"
            );
            assert_eq!(error.to_string(), wanted);
        }
        refuse::<Data>("Data");
        refuse::<Tagged>("Tagged");
        refuse::<Struct>("Struct");
        refuse::<bool>("boolean");
        refuse::<String>("string");
        refuse::<u8>("uint8");
        refuse::<Vec<Plain>>("Array_of_Plain");
        refuse::<Option<Plain>>("Nullable_Plain");
        refuse::<serde_json::Value>("AnyValue");
    }
}
