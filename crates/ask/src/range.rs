//! Ranges of numbers, as code writes them: `1..=5`, `0.5..`, `..=10`, `..`.

use std::ops::{RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};

/// Which numbers a field takes. Made of a range of any type of number.
///
/// ```
/// use holdpoint_ask::{Form, NumberRange};
///
/// assert_eq!(NumberRange::from(1..=5), NumberRange { min: Some(1.0), max: Some(5.0) });
/// for form in [
///     Form::number_input(0.5..),
///     Form::number_input(..=10),
///     Form::number_input(..),
/// ] {
///     assert_eq!(form.check(), Ok(()));
/// }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NumberRange {
    /// The least; any where there is none.
    pub min: Option<f64>,
    /// The most; any where there is none.
    pub max: Option<f64>,
}

/// Which whole numbers a field takes. Made of a range of any type of whole number.
///
/// ```
/// use holdpoint_ask::{Form, IntegerRange};
///
/// assert_eq!(IntegerRange::from(1u8..), IntegerRange { min: Some(1), max: None });
/// let takes = ["first", "second"];
/// assert_eq!(Form::integer_input(1..=takes.len()).check(), Ok(()));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IntegerRange {
    /// The least; any where there is none.
    pub min: Option<i64>,
    /// The most; any where there is none.
    pub max: Option<i64>,
}

/// Makes a range of this type from ranges of these numbers.
macro_rules! from_ranges {
    ($range:ident of $($number:ty)+, by $convert:expr) => {
        $(
            impl From<RangeInclusive<$number>> for $range {
                fn from(range: RangeInclusive<$number>) -> Self {
                    let (min, max) = range.into_inner();
                    Self { min: Some($convert(min)), max: Some($convert(max)) }
                }
            }

            impl From<RangeFrom<$number>> for $range {
                fn from(range: RangeFrom<$number>) -> Self {
                    Self { min: Some($convert(range.start)), max: None }
                }
            }

            impl From<RangeToInclusive<$number>> for $range {
                fn from(range: RangeToInclusive<$number>) -> Self {
                    Self { min: None, max: Some($convert(range.end)) }
                }
            }
        )+
    };
}

from_ranges!(NumberRange of f64 i8 i16 i32 u8 u16 u32, by f64::from);
// Beyond 2^53 a bound is rounded, as the number that is compared with it is.
from_ranges!(NumberRange of i64 u64 isize usize, by |bound| bound as f64);
from_ranges!(NumberRange of f32, by as_written);
from_ranges!(IntegerRange of i64 i8 i16 i32 u8 u16 u32, by i64::from);
// What does not fit becomes a bound that is beyond what a form may have: its check refuses it.
from_ranges!(IntegerRange of isize, by |bound: isize| {
    i64::try_from(bound).unwrap_or(if bound < 0 { i64::MIN } else { i64::MAX })
});
from_ranges!(IntegerRange of u64 usize, by |bound| i64::try_from(bound).unwrap_or(i64::MAX));

impl From<RangeFull> for NumberRange {
    fn from(_: RangeFull) -> Self {
        Self::default()
    }
}

impl From<RangeFull> for IntegerRange {
    fn from(_: RangeFull) -> Self {
        Self::default()
    }
}

/// The number that a person would read: 0.1, and not the 0.10000000149011612 that it really is.
fn as_written(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(number.into())
}

#[cfg(test)]
mod tests {
    use crate::{
        Form, Kind,
        field::{Integer, Number},
    };

    #[test]
    fn a_number_takes_any_range() {
        let check = |form: Form, min: Option<f64>, max: Option<f64>| {
            let rules = Number {
                min,
                max,
                ..Number::default()
            };
            assert_eq!(form.fields[0].kind, Kind::Number(rules));
            assert_eq!(form.check(), Ok(()));
        };
        check(Form::number_input(1..=5), Some(1.0), Some(5.0));
        check(Form::number_input(0.5..), Some(0.5), None);
        check(Form::number_input(..=10), None, Some(10.0));
        check(Form::number_input(..), None, None);
        check(Form::number_input(20.0..=200.0), Some(20.0), Some(200.0));
        check(Form::number_input(-1..), Some(-1.0), None);
        check(Form::number_input(0.1f32..=0.3), Some(0.1), Some(0.3));
        check(Form::number_input(..=1e20f32), None, Some(1e20));
        check(Form::number_input(1u8..=9), Some(1.0), Some(9.0));
        check(Form::number_input(..=1u64 << 53), None, Some(2f64.powi(53)));
        check(Form::number_input(-3i64..), Some(-3.0), None);
        let most = 7;
        check(Form::number_input(1..=most), Some(1.0), Some(7.0));
    }

    #[test]
    fn a_whole_number_takes_any_range_of_whole_numbers() {
        let check = |form: Form, min: Option<i64>, max: Option<i64>| {
            let rules = Integer {
                min,
                max,
                ..Integer::default()
            };
            assert_eq!(form.fields[0].kind, Kind::Integer(rules));
        };
        check(Form::integer_input(1..=5), Some(1), Some(5));
        check(Form::integer_input(1..), Some(1), None);
        check(Form::integer_input(..=10), None, Some(10));
        check(Form::integer_input(..), None, None);
        check(Form::integer_input(-5i8..=5), Some(-5), Some(5));
        check(Form::integer_input(0u16..), Some(0), None);
        check(
            Form::integer_input(..=4_000_000_000u32),
            None,
            Some(4_000_000_000),
        );
        check(Form::integer_input(1..=[(); 3].len()), Some(1), Some(3));
        check(
            Form::integer_input(isize::MIN..=-1),
            Some(i64::MIN),
            Some(-1),
        );
    }

    #[test]
    fn a_bound_that_no_client_holds_is_refused_and_not_wrapped() {
        check_refused(Form::integer_input(..=u64::MAX));
        check_refused(Form::integer_input(i64::MIN..));
        check_refused(Form::number_input(f64::NAN..));
        check_refused(Form::number_input(..=f32::INFINITY));
        // The other way round there is no number at all.
        #[expect(clippy::reversed_empty_ranges)]
        check_refused(Form::number_input(5..=1));
    }

    #[track_caller]
    fn check_refused(form: Form) {
        assert!(form.check().is_err(), "{form:?}");
    }
}
