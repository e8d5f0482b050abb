//! In place of the GPU side where the crate is built without its feature `gpu`: no adapter is found, so none is ever opened.
//!
//! It has what [`crate::run`] and those after it need, so that they read the same with and without.

#[path = "description.rs"]
mod description;
#[path = "error.rs"]
mod error;

use std::time::Duration;

pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;

use crate::mates::Question;
use crate::shapes::BossPlacement;

/// The adapters of this machine: none, as nothing looks for them.
pub struct Adapters;

/// An adapter that has passed its self-test; there is none.
pub struct Vetted {
    /// Ready to count.
    pub engine: Engine,
}

/// A device made ready; there is none.
pub enum Engine {}

/// A failure to be played on a GPU; there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {}

impl Adapters {
    /// Finds nothing.
    pub fn find() -> Adapters {
        Adapters
    }

    /// Nothing.
    pub fn descriptions(&self) -> Vec<AdapterDescription> {
        Vec::new()
    }

    /// Nothing.
    pub fn hardware(&self) -> Vec<AdapterDescription> {
        Vec::new()
    }

    /// Nothing is selected.
    ///
    /// # Errors
    /// Always.
    pub fn select(&self, selection: &Selection) -> Result<AdapterDescription, SelectionError> {
        Err(SelectionError::NoAdapters(selection.to_string()))
    }
}

impl Engine {
    /// Is never called: there is no engine.
    ///
    /// # Errors
    /// As there is no engine, none.
    pub fn count(&mut self, _: &[BossPlacement], _: Option<Fault>, _: impl FnMut(usize, u64)) -> Result<(), GpuError> {
        match *self {}
    }

    /// Is never called: there is no engine.
    pub fn device_time(&self) -> Option<Duration> {
        match *self {}
    }
}

/// Opens nothing.
///
/// # Errors
/// Always.
pub fn vet(_: &Adapters, _: usize, _: Question) -> Result<Vetted, GpuError> {
    Err(GpuError::Open("this build has no GPU code; its feature `gpu` is switched off".to_owned()))
}
