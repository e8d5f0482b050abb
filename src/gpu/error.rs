//! The errors of the GPU code. Every message is one line that a user can act on.

use super::AdapterDescription;

/// Why a GPU cannot be used, or cannot be used any longer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The adapter's limits are too low; for counting, that is less than WebGPU guarantees.
    #[error("the adapter offers {limit} = {offered}; {needed} is needed")]
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
    /// The driver crashed or hung when it was tried in a process of its own.
    #[error("its driver {0} when it was tried")]
    Crashed(&'static str),
    /// The device was lost.
    #[error("the device was lost: {0}")]
    Lost(String),
    /// An operation failed: validation, out of memory, an error inside the driver.
    #[error("the driver reports: {0}")]
    Driver(String),
    /// A batch was not finished in time.
    #[error("a batch was not finished after {0} seconds")]
    Timeout(u64),
    /// The shaders were not compiled in time.
    #[error("its shaders were not compiled within {0} seconds")]
    Compiling(u64),
    /// Slices of a batch have no done mark: the system or the driver killed the work, probably for taking too long.
    #[error("{undone} of {slices} slices of a batch were not done; the driver has ended the work early")]
    Undone {
        /// Slices without their mark.
        undone: usize,
        /// Slices of the batch.
        slices: usize,
    },
    /// A slice is marked as done, but not all of its items were decided.
    #[error("a slice with {items} items is marked as done with {decided} decided")]
    Undecided {
        /// The items of the slice.
        items: u32,
        /// The number reported as decided.
        decided: u32,
    },
    /// The count of a slice exceeds what the slice can hold.
    #[error("{count} were counted in a slice that has room for {most}")]
    Excess {
        /// What came back.
        count: u32,
        /// The most that the slice can hold.
        most: u64,
    },
    /// The count on a boss placement differs from the CPU's.
    #[error("boss placement {placement}: the GPU counts {found}, the CPU {expected}")]
    Differs {
        /// The boss placement, by its cells.
        placement: String,
        /// What came back.
        found: u64,
        /// What the CPU finds.
        expected: u64,
    },
    /// The counts on a shape do not add up to a whole number of positions.
    #[error("the counts on the shape {shape} add up to no whole number of positions")]
    Uneven {
        /// The shape, by its cells.
        shape: String,
    },
    /// The game does not fit on the GPU.
    #[error(
        "the game needs {bytes} bytes on the card, each plane in {buffers} buffers, and a largest buffer of {largest} bytes; {reason}"
    )]
    Room {
        /// Bytes of all buffers.
        bytes: u64,
        /// Shards of a plane.
        buffers: usize,
        /// Bytes of the game's largest buffer.
        largest: u64,
        /// What is missing.
        reason: String,
    },
    /// The game does not fit into the memory of the machine beside the driver.
    #[error("its driver leaves too little memory for the game")]
    Crowded,
    /// The result for a block is impossible.
    #[error("what came back for block {block} of class {class} cannot be: {reason}")]
    Garbled {
        /// The block, by its number in the class.
        block: u32,
        /// The class.
        class: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The result of a round differs from the CPU's.
    #[error("round {round}: the GPU finds {found}, the CPU {expected}")]
    Round {
        /// The round.
        round: u32,
        /// What came back.
        found: String,
        /// What the CPU finds.
        expected: String,
    },
    /// A loop with barriers computes a wrong result.
    #[error("its barriers do not hold: invocation {invocation} of workgroup {workgroup} has a wrong number")]
    Barriers {
        /// The invocation within its workgroup.
        invocation: u32,
        /// The workgroup.
        workgroup: u32,
    },
    /// A word of a buffer reads back differently from what was written.
    #[error("word {place} of a buffer of {bytes} bytes is read as {found:#010x}; {expected:#010x} is there")]
    Word {
        /// The index of the word in the buffer.
        place: u32,
        /// Bytes of the buffer.
        bytes: u64,
        /// What came back.
        found: u32,
        /// What was written.
        expected: u32,
    },
}

impl GpuError {
    /// [`GpuError::Differs`] unless the GPU's count on a boss placement is the one expected.
    #[cfg(feature = "gpu")]
    pub(crate) fn unless_equal(
        placement: &crate::shapes::BossPlacement,
        found: u64,
        expected: u64,
    ) -> Result<(), GpuError> {
        if found == expected {
            return Ok(());
        }
        Err(GpuError::Differs { placement: placement.to_string(), found, expected })
    }

    /// Why an adapter cannot be used.
    pub(crate) fn at_opening(&self, adapter: &AdapterDescription) -> String {
        match self {
            GpuError::Crashed(what) => format!("the driver of {adapter} {what}"),
            _ => format!("adapter {adapter} failed its self-test: {self}"),
        }
    }

    /// A sentence that says whether `who` failed or gave a wrong answer, with the error.
    pub fn told_of(&self, who: &str) -> String {
        if self.is_loss() { format!("{who} failed: {self}") } else { format!("{who} gave a wrong answer: {self}") }
    }

    /// Whether work was only lost, so that earlier results are still good: the device is gone, or the driver refused,
    /// killed or never finished the work. Any other error is a wrong answer, after which no result of the device is
    /// believed.
    pub fn is_loss(&self) -> bool {
        match self {
            GpuError::Lost(_)
            | GpuError::Crashed(_)
            | GpuError::Driver(_)
            | GpuError::Timeout(_)
            | GpuError::Compiling(_)
            | GpuError::Undone { .. }
            | GpuError::Limit { .. }
            | GpuError::Open(_)
            | GpuError::Room { .. }
            | GpuError::Crowded => true,
            GpuError::Undecided { .. }
            | GpuError::Excess { .. }
            | GpuError::Differs { .. }
            | GpuError::Uneven { .. }
            | GpuError::Garbled { .. }
            | GpuError::Round { .. }
            | GpuError::Barriers { .. }
            | GpuError::Word { .. } => false,
        }
    }
}
