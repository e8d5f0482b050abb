//! Values that several commands take.

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use dovemate::rules::NameError;
use dovemate::tally::ALL_DOVES;

/// A number of doves on the board, or a range of them with both ends.
pub fn parse_doves(text: &str) -> Result<RangeInclusive<u32>, String> {
    let form = "write one number from 2 to 12, as in 7, or a range with both ends, as in 2..12";
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("'{text}' is no number of doves; {form}"));
    let (first, last) =
        text.split_once("..").map_or((text, text), |(first, last)| (first, last.trim_start_matches('=')));
    let (first, last) = (number(first)?, number(last)?);
    if let Some(outside) = [first, last].into_iter().find(|doves| !ALL_DOVES.contains(doves)) {
        return Err(format!("there are never {outside} doves on the board; {form}"));
    }
    if first > last {
        return Err(format!("the range is empty; write {last}..{first}"));
    }
    Ok(first..=last)
}

/// Reads what the library has a name for, as one of these names.
pub fn named<T>(names: impl IntoIterator<Item = &'static str>) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = NameError> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| name.parse())
}
