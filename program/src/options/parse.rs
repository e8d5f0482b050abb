//! Parsers of argument values that several commands share.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
pub use dovemate::count::read_doves as parse_doves;
use dovemate::rules::{Color, NameError};

/// A parser of one of these names, for a type that the library parses from its name.
pub fn named<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = NameError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// A parser of a player.
pub fn player() -> impl TypedValueParser<Value = Color> {
    named(Color::ALL.map(Color::name))
}

/// A parser of a whole number in a range; its error names the range.
pub fn number<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}
