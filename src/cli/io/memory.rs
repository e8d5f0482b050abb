//! The memory of the machine and of this process: what cannot fit is refused up front.

use indicatif::BinaryBytes;

use super::failure::Failure;

/// The system's state, with memory figures only.
fn system() -> Option<sysinfo::System> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(memory)).ok()
}

/// The bytes that this process may use: the machine's memory, or its control group's limit if that is less.
fn total() -> u64 {
    system().map_or(u64::MAX, |system| {
        let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
        system.total_memory().min(limit)
    })
}

/// The bytes that are free, if the system reports them: the machine's, or what the limit of this process's control
/// group leaves if that is less. Page cache counts as free.
pub fn available() -> Option<u64> {
    let available = system().map(|system| {
        let left = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
        system.available_memory().min(left)
    });
    available.filter(|&bytes| bytes > 0)
}

/// The bytes that this process uses; 0 if the system does not report them.
pub fn taken() -> u64 {
    let (Ok(process), Ok(mut system)) = (sysinfo::get_current_pid(), sysinfo::System::new()) else { return 0 };
    let memory = sysinfo::ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(sysinfo::ProcessesToUpdate::Some(&[process]), false, memory);
    system.process(process).map_or(0, sysinfo::Process::memory)
}

/// Refuses work that takes more memory than there is.
///
/// # Errors
/// If `what` takes more `bytes` than this process may use, with both figures and what to do `instead`.
pub fn check(what: &str, bytes: u128, instead: &str) -> Result<(), Failure> {
    let total = total();
    if bytes <= u128::from(total) {
        return Ok(());
    }
    let needed =
        u64::try_from(bytes).map_or("more than 16 EiB".to_owned(), |bytes| format!("about {}", BinaryBytes(bytes)));
    let there = BinaryBytes(total);
    Err(Failure::Usage(format!("{what} would take {needed} of memory, but there are only {there}; {instead}")))
}
