//! The errors of the GPU code. Every message is one line that a user can act on.

use serde::{Deserialize, Serialize};

use super::AdapterDescription;

/// Why a GPU cannot be used, or can no longer be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GpuError {
    /// The adapter's limits are too low: lower than WebGPU guarantees.
    #[error("the adapter offers {limit} = {offered}; {needed} is needed")]
    Limit {
        /// Name of the limit, as in the WebGPU specification.
        limit: String,
        /// Minimum value that is needed.
        needed: u64,
        /// The value that the adapter offers.
        offered: u64,
    },
    /// The device could not be opened.
    #[error("the device cannot be opened: {0}")]
    Open(String),
    /// The driver crashed or hung, in a process of its own.
    #[error("its driver {0}")]
    Crashed(String),
    /// The device was lost.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// An operation failed: validation, out of memory, an error inside the driver.
    #[error("the driver reports: {0}")]
    Driver(String),
    /// A batch was not finished in time.
    #[error("a batch was not finished after {0} seconds")]
    Timeout(u64),
    /// The shaders did not compile in time.
    #[error("its shaders did not compile within {0} seconds")]
    Compiling(u64),
    /// Boss placements of a batch are not marked as done with its serial number: the system or the driver killed the
    /// work, probably because it took too long.
    #[error(
        "{undone} of {placements} boss placements of a batch were not done; the driver has ended the work early"
    )]
    Undone {
        /// Boss placements without their mark.
        undone: usize,
        /// Boss placements of the batch.
        placements: usize,
    },
    /// A boss placement is marked as done, but not all of its blocks are decided.
    #[error("a boss placement is marked as done, but only {decided} of its {blocks} blocks are decided")]
    Undecided {
        /// The blocks of the boss placement.
        blocks: u32,
        /// The number of blocks decided.
        decided: u32,
    },
    /// The count on a boss placement is not the CPU's.
    #[error("boss placement {placement}: the GPU counts {found}, the CPU {expected}")]
    Differs {
        /// The boss placement.
        placement: String,
        /// The GPU's count.
        found: u64,
        /// The CPU's.
        expected: u64,
    },
    /// A kernel of the self-test does not compute its known answer.
    #[error("its self-test \"{test}\" computes {found:#010x} as word {word}; {expected:#010x} is right")]
    SelfTest {
        /// The name of the test.
        test: String,
        /// The index of the first wrong word.
        word: usize,
        /// The word that the GPU computes.
        found: u32,
        /// The right one.
        expected: u32,
    },
    /// A result is impossible.
    #[error("{0}")]
    Wrong(String),
}

impl GpuError {
    /// Why an adapter cannot be used.
    pub(crate) fn at_opening(&self, adapter: &AdapterDescription) -> String {
        match self {
            GpuError::Crashed(what) => format!("the driver of {adapter} {what}"),
            _ => format!("adapter {adapter} failed its self-test: {self}"),
        }
    }

    /// The error as a sentence, which says whether the GPU of this name failed or gave a wrong answer.
    pub fn describe(&self, name: &str) -> String {
        let what = if self.is_loss() { "failed" } else { "gave a wrong answer" };
        format!("{name} {what}: {self}")
    }

    /// Whether work was only lost, so that earlier results stay valid: the device is gone, or the driver refused,
    /// killed or never finished the work. After a wrong answer all results of the device are discarded.
    pub fn is_loss(&self) -> bool {
        let is_wrong = matches!(
            self,
            GpuError::Undecided { .. }
                | GpuError::Differs { .. }
                | GpuError::SelfTest { .. }
                | GpuError::Wrong(_)
        );
        !is_wrong
    }
}
