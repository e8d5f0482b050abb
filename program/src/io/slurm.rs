//! The resources that Slurm grants a task, from its environment variables.

/// A number above 0 in a variable.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok().filter(|&number| number > 0)
}

/// The number of cores of the task, if it is set.
pub fn cores() -> Option<usize> {
    number("SLURM_CPUS_PER_TASK").and_then(|cores| usize::try_from(cores).ok())
}

/// The bytes of memory that Slurm grants the job on this node, or the task. Where Slurm manages cores but not memory,
/// this takes the task's share of the cores as its share of the memory; `machine` returns the machine's memory and its
/// number of cores.
pub fn memory(machine: impl FnOnce() -> Option<(u64, u64)>) -> Option<u64> {
    let cores = number("SLURM_CPUS_PER_TASK").or_else(|| number("SLURM_CPUS_ON_NODE"));
    let mebibytes = number("SLURM_MEM_PER_NODE")
        .or_else(|| Some(number("SLURM_MEM_PER_CPU")?.saturating_mul(cores.unwrap_or(1))));
    match mebibytes {
        Some(mebibytes) => Some(mebibytes.saturating_mul(1 << 20)),
        None => {
            let (cores, (memory, all)) = (cores?, machine()?);
            Some(memory / all * cores.min(all))
        }
    }
}
