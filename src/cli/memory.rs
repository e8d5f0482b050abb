//! How much memory there is, so that what cannot fit is refused before it is begun.

use indicatif::BinaryBytes;

use super::Failure;

/// The system, asked about memory only.
fn system() -> Option<sysinfo::System> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(memory)).ok()
}

/// The bytes that this process may use: the machine's, or those of its control group if they are fewer.
fn total() -> u64 {
    system().map_or(u64::MAX, |system| {
        let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
        system.total_memory().min(limit)
    })
}

/// The bytes that are free, if the system says: the machine's, or what this process's control group has left if that is less. Its
/// page cache gives way.
pub fn available() -> Option<u64> {
    let available = system().map(|system| {
        let left = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
        system.available_memory().min(left)
    });
    available.filter(|&bytes| bytes > 0)
}

/// The bytes that this process takes; 0 if the system does not say.
pub fn taken() -> u64 {
    let (Ok(process), Ok(mut system)) = (sysinfo::get_current_pid(), sysinfo::System::new()) else { return 0 };
    let memory = sysinfo::ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(sysinfo::ProcessesToUpdate::Some(&[process]), false, memory);
    system.process(process).map_or(0, sysinfo::Process::memory)
}

/// Refuses what takes more memory than there is.
///
/// # Errors
/// If `bytes` are more, with both figures. `what` takes them, and `instead` says what would be right.
pub fn check(what: &str, bytes: u128, instead: &str) -> Result<(), Failure> {
    let total = total();
    if bytes <= u128::from(total) {
        return Ok(());
    }
    let needed = u64::try_from(bytes).map_or("more than 16 EiB".to_owned(), |bytes| BinaryBytes(bytes).to_string());
    let there = BinaryBytes(total);
    Err(Failure::Usage(format!("{what} would take about {needed} of memory, and there are {there}; {instead}")))
}
