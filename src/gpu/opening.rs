//! Opening a GPU for a count: adapters are opened and tested until one is usable.

#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
use std::sync::Once;
use std::time::Duration;

#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
use super::Adapters;
use super::count::{Card, Protocol};
use super::description::in_a_row;
use super::{AdapterDescription, GpuError, Selection, SelectionError};
use crate::count::Question;

/// An adapter that is open and has passed its self-test.
pub(crate) struct Gpu {
    pub adapter: AdapterDescription,
    pub card: Box<dyn Card + Send>,
    /// The protocol, which has passed the self-test.
    pub protocol: Protocol,
    /// The adapters that failed before this one, with the errors.
    pub failed: Vec<(AdapterDescription, GpuError)>,
}

/// Why no GPU was used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGpu {
    /// No driver offers an adapter, or this build has no GPU code.
    #[error("{}", NO_ADAPTER)]
    NoAdapter,
    /// The adapters could not be listed, and why: a driver crashed or hung, or its process cannot be started.
    #[error("{0}")]
    Unlisted(String),
    /// All adapters are software or not certified, and none of them was named.
    #[error("only software or uncertified adapters, which are used only if named: {}", in_a_row(.0))]
    OnlyIfNamed(Vec<AdapterDescription>),
    /// The adapters that could not be opened or failed their self-tests, with the errors.
    #[error("{}", in_a_row(.0.iter().map(|(adapter, error)| error.at_opening(adapter))))]
    Failed(Vec<(AdapterDescription, GpuError)>),
    /// The game has fewer doves than Tokyo Doves: such games are counted on the CPU only.
    #[error("games with fewer doves are counted on the CPU only")]
    FewerDoves,
    /// Even the fewest doves would take longer than a GPU may take to confirm a count. Contains the forecast for all
    /// numbers of doves.
    #[error("{} would take {:.0} s for the exhaustive method", .0, .1.as_secs_f64())]
    TooSlow(Box<AdapterDescription>, Duration),
}

const NO_ADAPTER: &str = if cfg!(feature = "gpu") {
    "no Vulkan, Metal or DX12 driver offers an adapter"
} else {
    "this build has no GPU code; its feature `gpu` is switched off"
};

/// The GPU, or why there is none.
pub(crate) type Opened = Result<Gpu, NoGpu>;

/// Opens the selected adapter, or the first hardware one that passes its self-test, for a question. `slow` is called
/// at most once, if a driver takes long to compile shaders.
///
/// # Errors
/// If the selection names no adapter.
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub(crate) fn open(
    question: Question,
    selection: Option<&Selection>,
    slow: &(dyn Fn() + Sync),
) -> Result<Opened, SelectionError> {
    let adapters = Adapters::find();
    if let Some(failure) = adapters.failure() {
        return Ok(Err(NoGpu::Unlisted(failure.to_owned())));
    }
    let candidates = match selection {
        Some(selection) => vec![adapters.select(selection)?],
        None => adapters.hardware(),
    };
    let said = Once::new();
    let slow = || said.call_once(slow);
    Ok(open_first(candidates, adapters.descriptions(), |index| adapters.open_card(index, question, &slow)))
}

/// Without the feature `gpu`, or in a page, there is no adapter to be found.
///
/// # Errors
/// If there is a selection.
#[cfg(not(all(feature = "gpu", not(target_family = "wasm"))))]
pub(crate) fn open(
    _: Question,
    selection: Option<&Selection>,
    _: &(dyn Fn() + Sync),
) -> Result<Opened, SelectionError> {
    selection.map(|selection| selection.among(&[])).transpose()?;
    Ok(Err(NoGpu::NoAdapter))
}

/// Opens and tests these candidates, out of all adapters, until one is usable.
#[cfg(all(feature = "gpu", not(target_family = "wasm")))]
pub(crate) fn open_first(
    candidates: Vec<AdapterDescription>,
    all: Vec<AdapterDescription>,
    open: impl Fn(usize) -> Result<(Box<dyn Card + Send>, Protocol), GpuError>,
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
