//! What a person can choose from.

use holdpoint_ask::{TypedError, field::Pick};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::{fmt, marker::PhantomData};

/// What a person can choose from: a list of texts or [`Pick`]s, or [`variants`](crate::variants) of an
/// enum.
///
#[doc = include_str!("../../docs/options.md")]
pub trait Options {
    /// What is given back.
    type Picked: DeserializeOwned + Send + 'static;

    /// The options, in order.
    ///
    /// # Errors
    /// When the type has none that can be chosen.
    fn into_picks(self) -> Result<Vec<Pick>, TypedError>;
}

impl<I, P> Options for I
where
    I: IntoIterator<Item = P>,
    P: Into<Pick>,
{
    type Picked = String;

    fn into_picks(self) -> Result<Vec<Pick>, TypedError> {
        Ok(self.into_iter().map(Into::into).collect())
    }
}

/// The variants of an enum, as options: see [`variants`].
///
#[doc = include_str!("../../docs/variants.md")]
pub struct Variants<T>(PhantomData<fn() -> T>);

/// The variants of an enum as options, of which one comes back: for
/// [`Elicitor::choose`](crate::Elicitor::choose).
///
#[doc = include_str!("../../docs/variants.md")]
pub fn variants<T: JsonSchema>() -> Variants<T> {
    Variants(PhantomData)
}

impl<T> Options for Variants<T>
where
    T: JsonSchema + DeserializeOwned + Send + 'static,
{
    type Picked = T;

    fn into_picks(self) -> Result<Vec<Pick>, TypedError> {
        holdpoint_ask::variants::<T>()
    }
}

impl<T> fmt::Debug for Variants<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Variants")
    }
}
