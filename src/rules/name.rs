//! Reading the names of a few things: players, kinds, rulings.

/// Why a text names none of a few things.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is no {thing}; write one of {}", .text.escape_debug(), .names.join(", "))]
#[non_exhaustive]
pub struct NameError {
    /// What should be named.
    pub thing: &'static str,
    /// The text.
    pub text: String,
    /// The names that there are.
    pub names: Vec<&'static str>,
}

/// The one of `all` whose name the text is.
///
/// # Errors
/// If it is the name of none.
pub(crate) fn find<T: Copy>(
    thing: &'static str,
    text: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, NameError> {
    let named = all.iter().copied().find(|&one| name(one) == text);
    named.ok_or_else(|| NameError { thing, text: text.to_owned(), names: all.iter().copied().map(name).collect() })
}
