//! Values that several commands take.

use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dovemate::count::Category;
use dovemate::rules::{Color, NameError};
pub use dovemate::tally::read_doves as parse_doves;

/// Reads what the library has a name for, as one of these names.
pub fn named<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = NameError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}

/// Reads a player.
pub fn player() -> impl TypedValueParser<Value = Color> {
    named(Color::ALL.map(Color::name))
}

/// Reads what can be listed; stuck positions there are none.
pub fn listed() -> impl TypedValueParser<Value = Category> {
    named([Category::Mates, Category::Wins].map(Category::name))
}
