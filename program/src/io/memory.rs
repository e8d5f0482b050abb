//! The memory that is free on the machine, and that this process uses.

/// What the system reports of its memory, and nothing else.
fn system() -> Option<sysinfo::System> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(memory)).ok()
}

/// The bytes that are free, if the system reports them: the machine's, or what the limit of this process's
/// control group leaves if that is less. Page cache counts as free.
pub fn available() -> Option<u64> {
    let available = system().map(|system| {
        let left =
            system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory.saturating_sub(limits.rss));
        system.available_memory().min(left)
    });
    available.filter(|&bytes| bytes > 0)
}

/// The bytes that this process uses; 0 if the system does not report them.
pub fn taken() -> u64 {
    let (Ok(process), Ok(mut system)) = (sysinfo::get_current_pid(), sysinfo::System::new()) else {
        return 0;
    };
    let memory = sysinfo::ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(sysinfo::ProcessesToUpdate::Some(&[process]), false, memory);
    system.process(process).map_or(0, sysinfo::Process::memory)
}
