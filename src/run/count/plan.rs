//! Who counts, and who confirms it.

use super::job::Count;
use crate::count::Method;
use crate::gpu::NoGpu;
use crate::run::backend::Backend;
use crate::run::error::RunError;

/// How a count is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// The CPU counts by one method.
    Cpu(Method),
    /// The CPU counts by the factored method, then confirms that by the exhaustive one.
    CpuConfirmedByItself,
    /// The CPU counts by the factored method; then a GPU, if there is one, confirms that by the exhaustive one.
    CpuConfirmedByGpu,
    /// A GPU counts by the exhaustive method, and is compared with the CPU's factored count.
    Gpu,
}

impl Plan {
    /// The plan for a count. If a GPU might have taken part and does not, also the reason.
    ///
    /// # Errors
    /// If a GPU is required for a count that only the CPU can make.
    pub(super) fn of(count: &Count) -> Result<(Plan, Option<NoGpu>), RunError> {
        use Backend::{Auto, Cpu, Gpu};
        use Method::{Exhaustive, Factored};
        let needs_gpu = count.needs_gpu();
        let few = (count.backend == Auto).then_some(NoGpu::FewerDoves);
        Ok(match (count.game.is_whole(), count.method, count.backend) {
            (false, ..) if needs_gpu => return Err(RunError::NoGpu(NoGpu::FewerDoves)),
            (false, None, _) => (Plan::CpuConfirmedByItself, few),
            (false, Some(method), _) => (Plan::Cpu(method), few),
            (true, Some(Factored), _) if needs_gpu => return Err(RunError::FactoredOnGpu),
            (true, Some(Factored), _) => (Plan::Cpu(Factored), None),
            (true, Some(_), Cpu) => (Plan::Cpu(Exhaustive), None),
            (true, Some(_), _) | (true, None, Gpu) => (Plan::Gpu, None),
            (true, None, Cpu) => (Plan::CpuConfirmedByItself, None),
            (true, None, Auto) => (Plan::CpuConfirmedByGpu, None),
        })
    }

    /// The same plan without a GPU.
    pub(super) fn without_gpu(self) -> Plan {
        match self {
            Plan::Gpu => Plan::Cpu(Method::Exhaustive),
            Plan::CpuConfirmedByGpu => Plan::CpuConfirmedByItself,
            plan => plan,
        }
    }
}
