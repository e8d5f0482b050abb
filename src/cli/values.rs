//! Values that several commands take.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dovemate::rules::NameError;
pub use dovemate::tally::read_doves as parse_doves;

/// Reads what the library has a name for, as one of these names.
pub fn named<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = NameError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}
