//! Reading and writing a fixed set of values by their names, such as players, kinds and rulings; and serializing values
//! as their text.

/// Why a text is not one of a fixed set of names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{}' is not a valid {thing}; write one of {}", .text.escape_debug(), .names.join(", "))]
#[non_exhaustive]
pub struct NameError {
    /// The kind of thing that the text should name.
    pub thing: &'static str,
    /// The text.
    pub text: String,
    /// The valid names.
    pub names: Vec<&'static str>,
}

/// Serializes a value as the text that it displays.
macro_rules! serialized_as_text {
    ($($type:ident),+) => {
        $(impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        })+
    };
}

/// Writes and reads the values of a type, listed in its `ALL`, by their `name`.
macro_rules! written_as_its_name {
    ($type:ident, $thing:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::rules::NameError;

            fn from_str(text: &str) -> Result<$type, $crate::rules::NameError> {
                $crate::rules::find_by_name($thing, text, &$type::ALL, $type::name)
            }
        }

        $crate::rules::name::serialized_as_text!($type);
    };
}

pub(crate) use {serialized_as_text, written_as_its_name};

/// The member of `all` whose name is the text in [ASCII](super::ascii_forms), for the [`FromStr`](std::str::FromStr) of
/// a fixed set of values. `thing` says in the error what the text should name.
///
/// # Errors
/// If the text names none of them.
pub fn find_by_name<T: Copy>(
    thing: &'static str,
    text: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, NameError> {
    let written = super::ascii_forms(text);
    let member = all.iter().copied().find(|&member| name(member) == written);
    member.ok_or_else(|| {
        let names = all.iter().copied().map(name).collect();
        NameError { thing, text: text.to_owned(), names }
    })
}
