//! Where a count runs, and why no GPU was used.

use std::fmt;
use std::time::Duration;

use crate::gpu::{AdapterDescription, GpuError};
use crate::rules::name::written_as_its_name;

/// Where to compute.
///
/// ```
/// use dovemate::{Backend, Count};
///
/// // A GPU if there is one, otherwise the CPU.
/// let report = Count::mates().doves(2..=5).backend(Backend::Auto).report()?;
/// assert_eq!(report.tally.total().positions, 0);
/// # Ok::<(), dovemate::RunError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// A hardware GPU that passes its self-test, otherwise the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A GPU; an error if there is none.
    Gpu,
}

impl Backend {
    /// All three.
    pub const ALL: [Backend; 3] = [Backend::Auto, Backend::Cpu, Backend::Gpu];

    /// The name, as files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Auto => "auto",
            Backend::Cpu => "cpu",
            Backend::Gpu => "gpu",
        }
    }
}

written_as_its_name!(Backend, "backend");

/// Why no GPU was used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum NoGpu {
    /// No driver offers an adapter.
    NoAdapter,
    /// A driver crashed or hung while it listed its adapters.
    Crashed(&'static str),
    /// All adapters are software or not certified, and none of them was named.
    OnlyIfNamed(Vec<AdapterDescription>),
    /// The adapters that failed their self-tests, with the errors.
    Failed(Vec<(AdapterDescription, GpuError)>),
    /// The game has fewer doves than Tokyo Doves: such games are counted on the CPU only.
    FewerDoves,
    /// Counting all numbers of doves would take this long, and even the fewest longer than [`Backend::Auto`]
    /// may take.
    TooSlow(Box<AdapterDescription>, Duration),
}

impl fmt::Display for NoGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoGpu::NoAdapter if cfg!(feature = "gpu") => {
                f.write_str("no Vulkan, Metal or DX12 driver offers an adapter")
            }
            NoGpu::NoAdapter => f.write_str("this build has no GPU code; its feature `gpu` is switched off"),
            NoGpu::Crashed(what) => write!(f, "a driver {what} while listing its adapters"),
            NoGpu::OnlyIfNamed(adapters) => {
                let adapters: Vec<String> = adapters.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "only software or uncertified adapters, which are used only if named: {}",
                    adapters.join("; ")
                )
            }
            NoGpu::Failed(failures) => {
                let failures: Vec<String> =
                    failures.iter().map(|(adapter, error)| error.at_opening(adapter)).collect();
                f.write_str(&failures.join("; "))
            }
            NoGpu::FewerDoves => f.write_str("games with fewer doves are counted on the CPU only"),
            NoGpu::TooSlow(adapter, duration) => {
                write!(f, "{adapter} would take {:.0} s for the exhaustive method", duration.as_secs_f64())
            }
        }
    }
}
