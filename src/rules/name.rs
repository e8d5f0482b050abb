//! Parsing the names of a fixed set of values, such as players, kinds and rulings.

/// Why a text is not one of a fixed set of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no {thing}; write one of {}", .text.escape_debug(), .names.join(", "))]
#[non_exhaustive]
pub struct NameError {
    /// What the text should name.
    pub thing: &'static str,
    /// The text.
    pub text: String,
    /// The valid names.
    pub names: Vec<&'static str>,
}

/// The member of `all` whose name is the text.
///
/// # Errors
/// If the text names none of them.
pub(crate) fn find<T: Copy>(
    thing: &'static str,
    text: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, NameError> {
    let named = all.iter().copied().find(|&one| name(one) == text);
    named.ok_or_else(|| NameError { thing, text: text.to_owned(), names: all.iter().copied().map(name).collect() })
}
