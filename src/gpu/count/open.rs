//! Opening an adapter for a count.

use super::child_card::ChildCard;
use super::device_card::DeviceCard;
use super::driver::{Card, drive};
use super::protocol::{Phase, Protocol};
use super::setup::Setup;
use crate::count::{Category, Method, Question};
use crate::gpu::{Adapters, GpuError};
use crate::join::join;
use crate::rules::Rules;

/// Opens the adapter with this index for a question, and tests it: small kernels, large buffers, and known counts. The
/// protocol is then ready for boss placements to count.
///
/// # Errors
/// If it cannot be opened, or gives a wrong answer.
pub(crate) fn open(
    adapters: &Adapters,
    index: usize,
    question: Question,
) -> Result<(Box<dyn Card>, Protocol), GpuError> {
    // The CPU counts the known answers while the driver opens the device and compiles.
    let (mut protocol, card) = join(|| Protocol::new(question), || card(adapters, index, question));
    let mut card = card?;
    drive(card.as_mut(), &mut protocol, Phase::Sample, |_| true)?;
    Ok((card, protocol))
}

/// The device in a process of its own, or in this one if no other can be started.
fn card(
    adapters: &Adapters,
    index: usize,
    Question { category, rules, .. }: Question,
) -> Result<Box<dyn Card>, GpuError> {
    match ChildCard::open(index, category, rules, adapters.is_slow()) {
        Some(card) => Ok(Box::new(card?)),
        None => {
            let device = adapters.open(index)?;
            Ok(Box::new(DeviceCard::new(device, &Setup::new(category, rules))?))
        }
    }
}

impl Adapters {
    /// Opens the adapter with this index for counting mates, and tests it: small kernels, large buffers, and known
    /// counts.
    ///
    /// # Errors
    /// If it cannot be opened, or gives a wrong answer.
    pub fn test(&self, index: usize) -> Result<(), GpuError> {
        let (category, rules) = (Category::Mates, Rules::default());
        open(self, index, Question { category, rules, method: Method::Exhaustive }).map(drop)
    }
}
