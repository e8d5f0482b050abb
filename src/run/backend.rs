//! Where a count runs.

use crate::rules::name::written_as_its_name;

/// Where to compute.
///
/// ```
/// use dovemate::{Backend, Count};
///
/// // The CPU counts. A GPU confirms the count if there is one, otherwise the CPU does.
/// let report = Count::mates().doves(2..=5).backend(Backend::Auto).report()?;
/// assert_eq!(report.tally.total().positions, 0);
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// The CPU counts, and a hardware GPU that passes its self-test confirms the count. With the exhaustive method,
    /// such a GPU counts instead of the CPU.
    #[default]
    Auto,
    /// The CPU alone.
    Cpu,
    /// A GPU; it is an error if none can be used.
    Gpu,
}

impl Backend {
    /// All backends.
    pub const ALL: [Backend; 3] = [Backend::Auto, Backend::Cpu, Backend::Gpu];

    /// The name as written in files.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Auto => "auto",
            Backend::Cpu => "cpu",
            Backend::Gpu => "gpu",
        }
    }
}

written_as_its_name!(Backend, "backend");
