//! In place of the GPU side where the crate is built without its feature `gpu`: no adapter is found, so none is ever opened.
//!
//! It has what [`crate::run`] and those after it need, so that they read the same with and without.

#[path = "description.rs"]
mod description;
#[path = "error.rs"]
mod error;

pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;

/// The adapters of this machine: none, as nothing looks for them.
pub struct Adapters;

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

    /// Nothing is compiled.
    pub fn compiling(&self) -> Option<std::time::Duration> {
        None
    }

    /// Nothing is selected.
    ///
    /// # Errors
    /// Always.
    pub fn select(&self, selection: &Selection) -> Result<AdapterDescription, SelectionError> {
        selection.among(&[])
    }
}

/// Counting on a GPU that is not there.
pub mod mates {
    use std::time::Duration;

    use super::{Adapters, GpuError};
    use crate::count::Question;
    use crate::shapes::BossPlacement;

    /// An adapter that has passed its self-test; there is none.
    pub struct TestedEngine {
        /// Ready to count.
        pub engine: Engine,
    }

    /// A device made ready; there is none, and so nothing of it is ever called.
    pub enum Engine {}

    impl Engine {
        /// Is never called.
        pub fn question(&self) -> Question {
            match *self {}
        }

        /// Is never called.
        ///
        /// # Errors
        /// None.
        pub fn count(
            &mut self,
            _: &[BossPlacement],
            _: impl FnMut(usize, u64) -> Result<(), GpuError>,
        ) -> Result<(), GpuError> {
            match *self {}
        }

        /// Is never called.
        ///
        /// # Errors
        /// None.
        pub fn forecast(
            &mut self,
            _: &[BossPlacement],
            _: impl FnMut(usize, u64) -> Result<(), GpuError>,
        ) -> Result<Duration, GpuError> {
            match *self {}
        }

        /// Is never called.
        pub fn device_time(&self) -> Option<Duration> {
            match *self {}
        }
    }

    /// Opens nothing.
    ///
    /// # Errors
    /// Always.
    pub fn open_tested(_: &Adapters, _: usize, _: Question) -> Result<TestedEngine, GpuError> {
        Err(GpuError::Open("this build has no GPU code; its feature `gpu` is switched off".to_owned()))
    }
}

/// Solving on a GPU that is not there; the CPU's side of it is.
pub mod solve {
    use std::time::Duration;

    use super::{Adapters, GpuError};

    #[path = "found.rs"]
    mod found;
    #[path = "reference.rs"]
    pub mod reference;

    pub use found::{Found, Ground, Plane, row_words};

    /// A game on a card; there is none, and so nothing of it is ever called.
    pub enum Engine {}

    impl Engine {
        /// Is never called.
        ///
        /// # Errors
        /// None.
        pub fn round(
            &mut self,
            _: &Ground,
            _: u32,
            _: &mut dyn FnMut(Found) -> Result<(), GpuError>,
        ) -> Result<(), GpuError> {
            match *self {}
        }

        /// Is never called.
        ///
        /// # Errors
        /// None.
        pub fn plane(&mut self, _: Plane, _: usize) -> Result<Vec<u32>, GpuError> {
            match *self {}
        }

        /// Is never called.
        ///
        /// # Errors
        /// None.
        pub fn copying(&self) -> Result<f64, GpuError> {
            match *self {}
        }

        /// Is never called.
        pub fn bytes(&self) -> u64 {
            match *self {}
        }

        /// Is never called.
        pub fn looked_at(&self) -> &[u64] {
            match *self {}
        }

        /// Is never called.
        pub fn device_time(&self) -> Option<Duration> {
            match *self {}
        }
    }

    /// Opens nothing.
    ///
    /// # Errors
    /// Always.
    pub fn open_tested(_: &Adapters, _: usize, _: &Ground) -> Result<Engine, GpuError> {
        Err(GpuError::Open("this build has no GPU code; its feature `gpu` is switched off".to_owned()))
    }
}
