//! Opening a GPU for a count: adapters are opened and tested until one is usable.

use std::fmt;
#[cfg(feature = "gpu")]
use std::sync::Once;
use std::time::Duration;

#[cfg(feature = "gpu")]
use super::Adapters;
use super::count::{Card, Protocol};
use super::{AdapterDescription, GpuError, Selection, SelectionError};
use crate::count::Question;

/// An adapter that is open and has passed its self-test.
pub(crate) struct Gpu {
    /// The adapter.
    pub adapter: AdapterDescription,
    /// Its device.
    pub card: Box<dyn Card>,
    /// The protocol, which has passed the self-test.
    pub protocol: Protocol,
    /// The adapters that failed before this one, with the errors.
    pub failed: Vec<(AdapterDescription, GpuError)>,
}

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
    /// Even the fewest doves would take longer than a GPU may take to confirm a count. Has the forecast for all numbers
    /// of doves.
    TooSlow(Box<AdapterDescription>, Duration),
}

/// The GPU, or why there is none.
pub(crate) type Opened = Result<Gpu, NoGpu>;

/// Opens the selected adapter, or the first hardware one that passes its self-test, for a question. `slow` is called
/// once if a driver takes long to compile shaders.
///
/// # Errors
/// If the selection names no adapter.
#[cfg(feature = "gpu")]
pub(crate) fn open(
    question: Question,
    selection: Option<&Selection>,
    slow: &(dyn Fn() + Sync),
) -> Result<Opened, SelectionError> {
    let adapters = Adapters::find();
    if let Some(what) = adapters.failure() {
        return Ok(Err(NoGpu::Crashed(what)));
    }
    let candidates = match selection {
        Some(selection) => vec![adapters.select(selection)?],
        None => adapters.hardware(),
    };
    let said = Once::new();
    let slow = || said.call_once(slow);
    Ok(open_first(candidates, adapters.descriptions(), |index| adapters.open_card(index, question, &slow)))
}

/// Without the feature `gpu` there is no adapter.
///
/// # Errors
/// If the selection names an adapter.
#[cfg(not(feature = "gpu"))]
pub(crate) fn open(
    _: Question,
    selection: Option<&Selection>,
    _: &(dyn Fn() + Sync),
) -> Result<Opened, SelectionError> {
    selection.map(|selection| selection.among(&[])).transpose()?;
    Ok(Err(NoGpu::NoAdapter))
}

/// Opens and tests these candidates, out of all adapters, until one is usable.
pub(crate) fn open_first(
    candidates: Vec<AdapterDescription>,
    all: Vec<AdapterDescription>,
    open: impl Fn(usize) -> Result<(Box<dyn Card>, Protocol), GpuError>,
) -> Opened {
    let mut failed = Vec::new();
    for adapter in candidates {
        match open(adapter.index) {
            Ok((card, protocol)) => return Ok(Gpu { adapter, card, protocol, failed }),
            Err(error) => failed.push((adapter, error)),
        }
    }
    Err(match (failed.is_empty(), all.is_empty()) {
        (false, _) => NoGpu::Failed(failed),
        (true, true) => NoGpu::NoAdapter,
        (true, false) => NoGpu::OnlyIfNamed(all),
    })
}

impl fmt::Display for NoGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let join = |parts: Vec<String>| parts.join("; ");
        match self {
            NoGpu::NoAdapter if cfg!(feature = "gpu") => {
                f.write_str("no Vulkan, Metal or DX12 driver offers an adapter")
            }
            NoGpu::NoAdapter => f.write_str("this build has no GPU code; its feature `gpu` is switched off"),
            NoGpu::Crashed(what) => write!(f, "a driver {what} while listing its adapters"),
            NoGpu::OnlyIfNamed(adapters) => {
                let adapters = join(adapters.iter().map(ToString::to_string).collect());
                write!(f, "only software or uncertified adapters, which are used only if named: {adapters}")
            }
            NoGpu::Failed(failures) => {
                let at_opening = |(adapter, error): &(_, GpuError)| error.at_opening(adapter);
                f.write_str(&join(failures.iter().map(at_opening).collect()))
            }
            NoGpu::FewerDoves => f.write_str("games with fewer doves are counted on the CPU only"),
            NoGpu::TooSlow(adapter, duration) => {
                write!(f, "{adapter} would take {:.0} s for the exhaustive method", duration.as_secs_f64())
            }
        }
    }
}
