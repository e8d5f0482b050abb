//! What can go wrong with a GPU. Every message is one line that a user can act upon.

/// Why a GPU cannot be used, or no longer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// The adapter does not offer what WebGPU guarantees.
    #[error("the adapter offers {limit} = {offered}; {needed} is needed (WebGPU's default)")]
    Limit {
        /// Name of the limit, as in the WebGPU specification.
        limit: &'static str,
        /// What is needed.
        needed: u64,
        /// What the adapter offers.
        offered: u64,
    },
    /// The device could not be opened.
    #[error("the device cannot be opened: {0}")]
    Open(String),
    /// The device was lost.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// An operation failed: validation, out of memory, an error inside the driver.
    #[error("the driver reports: {0}")]
    Driver(String),
    /// A batch was not finished in time.
    #[error("a batch was not finished within {0} seconds")]
    Timeout(u64),
    /// Slices of a batch have no done mark.
    #[error("{undone} of {slices} slices of a batch were not done")]
    Undone {
        /// Slices without their mark.
        undone: usize,
        /// Slices of the batch.
        slices: usize,
    },
    /// More is counted in a slice than it has.
    #[error("{count} were counted in a slice of a boss placement with {most} assignments")]
    Excess {
        /// What came back.
        count: u32,
        /// The number of assignments on the boss placement.
        most: u64,
    },
    /// A boss placement's count is not what the CPU finds.
    #[error("boss placement {placement}: the GPU counts {found}, the CPU {expected}")]
    Differs {
        /// The boss placement, by its cells.
        placement: String,
        /// What came back.
        found: u64,
        /// What the CPU finds.
        expected: u64,
    },
    /// The adapter's loops stop too early even for the smallest slice, or compute wrongly.
    #[error("{0}")]
    Loops(String),
}
