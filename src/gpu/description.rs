//! Descriptions of adapters, and how a user selects one. Nothing here needs a GPU.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The kind of a driver on the CPU.
pub(super) const SOFTWARE: &str = "software";

/// A description of an adapter for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdapterDescription {
    /// Its index among the adapters of this machine, by which it can be selected.
    pub index: usize,
    /// The driver's name for it, with the bus address, if known, when several adapters of the backend have this name.
    pub name: String,
    /// Vulkan, Metal or DX12.
    pub backend: String,
    /// Discrete, integrated, virtual or other GPU, or software: a driver on the CPU.
    pub kind: String,
    /// The driver and its version.
    pub driver: String,
    /// Whether its driver has passed the conformance tests of its API, by its own account.
    pub is_certified: bool,
    /// Bytes of the largest buffer that shaders may use.
    pub largest_buffer: u64,
    /// Bytes of its own memory, if the system reports them.
    pub memory: Option<u64>,
}

impl AdapterDescription {
    /// Whether the other is this GPU, listed by another backend. Two equal GPUs, in contrast, have the same backend.
    pub fn is_card_of(&self, other: &AdapterDescription) -> bool {
        self.name == other.name && self.backend != other.backend
    }

    /// Whether it is used only if the user names it.
    pub fn is_opt_in(&self) -> bool {
        self.kind == SOFTWARE || !self.is_certified
    }
}

/// The adapter that a user requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The adapter with this index; if there is none, the one whose name contains the number.
    Index(usize),
    /// The adapter whose name and backend, as in `RTX (Vulkan)`, contain this text, ignoring case.
    Name(String),
}

/// Why a selection names no single adapter, with the adapters to choose from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// The selection is empty.
    #[error("nothing is named; give an index or a part of a name")]
    Empty,
    /// There are no adapters at all.
    #[error("no adapter matches '{0}': this machine has no adapters")]
    NoAdapters(String),
    /// No adapter matches.
    #[error("no adapter matches '{wanted}'; the adapters are: {present}")]
    None {
        /// The request.
        wanted: String,
        /// The adapters of this machine.
        present: String,
    },
    /// Adapters of several GPUs match.
    #[error("'{wanted}' matches several adapters; name one of: {matching}")]
    Several {
        /// The request.
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

impl Selection {
    /// The selected one of these adapters; if several backends list that GPU, the first.
    pub(crate) fn among(&self, all: &[AdapterDescription]) -> Result<AdapterDescription, SelectionError> {
        let wanted = self.to_string();
        let matches = |adapter: &&AdapterDescription| match self {
            Selection::Index(index) if *index < all.len() => adapter.index == *index,
            Selection::Index(_) => adapter.name.contains(&wanted),
            Selection::Name(_) => {
                let listed = format!("{} ({})", adapter.name, adapter.backend);
                listed.to_lowercase().contains(&wanted.to_lowercase())
            }
        };
        let matching: Vec<&AdapterDescription> = all.iter().filter(matches).collect();
        match matching[..] {
            [adapter, ref others @ ..] if others.iter().all(|other| other.is_card_of(adapter)) => {
                Ok(adapter.clone())
            }
            [] if all.is_empty() => Err(SelectionError::NoAdapters(wanted)),
            [] => Err(SelectionError::None { wanted, present: in_a_row(all) }),
            _ => Err(SelectionError::Several { wanted, matching: in_a_row(&matching) }),
        }
    }
}

/// The texts of these values, joined.
pub(super) fn in_a_row(values: impl IntoIterator<Item: ToString>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join("; ")
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
        let certified = if self.is_certified { "" } else { ", not certified" };
        write!(f, "{} = {} ({}, {}{certified})", self.index, self.name, self.backend, self.kind)
    }
}
