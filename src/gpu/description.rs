//! An adapter in words, and which one is meant. Nothing here needs a GPU.

use std::fmt;
use std::str::FromStr;

/// What a person wants to know of an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterDescription {
    /// Its place among the adapters of this machine, by which it can be selected.
    pub index: usize,
    /// The driver's name for it.
    pub name: String,
    /// Vulkan, Metal or DX12.
    pub backend: String,
    /// Discrete, integrated, virtual, software or other.
    pub kind: &'static str,
    /// The driver and its version.
    pub driver: String,
    /// Whether it is a program on the CPU and no GPU.
    pub is_software: bool,
}

/// Which adapter a user asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The one with this index; if there is none, the one whose name has this number in it.
    Index(usize),
    /// The one whose name and backend, as they are listed, contain this text, in whatever case.
    Name(String),
}

/// Why a selection names no adapter. Each comes with the adapters that there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    /// Nothing is selected.
    #[error("nothing is named; give an index or a part of a name")]
    Empty,
    /// There are no adapters at all.
    #[error("no adapter matches '{0}': there is no adapter on this machine")]
    NoAdapters(String),
    /// None matches.
    #[error("no adapter matches '{wanted}'; there are: {present}")]
    None {
        /// What was asked for.
        wanted: String,
        /// The adapters there are.
        present: String,
    },
    /// Several match.
    #[error("'{wanted}' matches several adapters; name one of: {matching}")]
    Several {
        /// What was asked for.
        wanted: String,
        /// The adapters that match.
        matching: String,
    },
}

impl FromStr for Selection {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<Selection, Self::Err> {
        if text.trim().is_empty() {
            return Err(SelectionError::Empty);
        }
        Ok(text.parse().map_or_else(|_| Selection::Name(text.to_owned()), Selection::Index))
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::Index(index) => write!(f, "{index}"),
            Selection::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for AdapterDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} ({}, {})", self.index, self.name, self.backend, self.kind)
    }
}
