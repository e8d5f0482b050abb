//! The stand-in for the GPU code when the crate is built without its feature `gpu`: no adapter is ever found or opened.
//!
//! It offers the names that [`crate::run`] and its callers use, so that they compile unchanged either way.

#[path = "description.rs"]
mod description;
#[path = "error.rs"]
mod error;

pub use description::{AdapterDescription, Selection, SelectionError};
pub use error::GpuError;

/// The adapters of this machine: none, because nothing looks for them.
pub struct Adapters;

impl Adapters {
    /// Finds nothing.
    pub fn find() -> Adapters {
        Adapters
    }

    /// No adapters.
    pub fn descriptions(&self) -> Vec<AdapterDescription> {
        Vec::new()
    }

    /// No GPUs.
    pub fn hardware(&self) -> Vec<AdapterDescription> {
        Vec::new()
    }

    /// Always `None`: nothing is compiled.
    pub fn compiling(&self) -> Option<std::time::Duration> {
        None
    }

    /// Selects nothing.
    ///
    /// # Errors
    /// Always.
    pub fn select(&self, selection: &Selection) -> Result<AdapterDescription, SelectionError> {
        selection.among(&[])
    }
}

/// Counting without a GPU.
pub mod count {
    use std::time::Duration;

    use super::{Adapters, GpuError};
    use crate::count::Question;
    use crate::shapes::BossPlacement;

    /// An adapter that has passed its self-test; never constructed.
    pub struct TestedEngine {
        /// The engine, ready to count.
        pub engine: Engine,
    }

    /// An engine on a device. It has no values, so its methods are never called.
    pub enum Engine {}

    impl Engine {
        /// Never called.
        pub fn question(&self) -> Question {
            match *self {}
        }

        /// Never called.
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

        /// Never called.
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

        /// Never called.
        pub fn device_time(&self) -> Option<Duration> {
            match *self {}
        }
    }

    /// Fails: there is no GPU code.
    ///
    /// # Errors
    /// Always.
    pub fn open_tested(_: &Adapters, _: usize, _: Question) -> Result<TestedEngine, GpuError> {
        Err(GpuError::Open("this build has no GPU code; its feature `gpu` is switched off".to_owned()))
    }
}

/// Solving without a GPU; the parts that run on the CPU are here all the same.
pub mod solve {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Adapters, GpuError};
    use crate::solve::actions::block_actions::CompiledGame;
    use crate::solve::driver::{Contradiction, Found, RoundEngine, RoundsInMemory};

    /// A game on a card. It has no values, so its methods are never called.
    pub enum Engine {}

    impl Engine {
        /// Never called.
        ///
        /// # Errors
        /// None.
        pub fn confirm(&mut self, _: &RoundsInMemory) -> Result<(), GpuError> {
            match *self {}
        }

        /// Never called.
        ///
        /// # Errors
        /// None.
        pub fn copying(&self) -> Result<f64, GpuError> {
            match *self {}
        }

        /// Never called.
        pub fn bytes(&self) -> u64 {
            match *self {}
        }

        /// Never called.
        pub fn looked_at(&self) -> &[u64] {
            match *self {}
        }

        /// Never called.
        pub fn device_time(&self) -> Option<Duration> {
            match *self {}
        }
    }

    /// Fails: there is no GPU code.
    ///
    /// # Errors
    /// Always.
    pub fn open_tested(_: &Adapters, _: usize, _: &Arc<CompiledGame>) -> Result<Engine, GpuError> {
        Err(GpuError::Open("this build has no GPU code; its feature `gpu` is switched off".to_owned()))
    }
}
