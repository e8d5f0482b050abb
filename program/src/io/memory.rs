//! The memory that is free on the machine, and that this process uses.

use crate::io::{control_groups, slurm};

/// The system's memory figures, without its other facts.
fn system() -> Option<sysinfo::System> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(memory)).ok()
}

/// The bytes that are free for this process with `threads` threads, as far as the system reports them: the least of
/// what is free on the machine, what control groups and the limits of the process leave, and what Slurm grants. Page
/// cache counts as free.
pub fn available(threads: usize) -> Option<u64> {
    let machine = system().map(|system| system.available_memory()).filter(|&bytes| bytes > 0);
    let left = [machine, control_groups::left(), left_by_limits(threads), slurm::memory(whole_machine)];
    left.into_iter().flatten().min()
}

/// The memory of the machine in bytes, and its cores, if the system reports them.
fn whole_machine() -> Option<(u64, u64)> {
    let cores = sysinfo::RefreshKind::nothing().with_cpu(sysinfo::CpuRefreshKind::nothing());
    let cores = sysinfo::System::new_with_specifics(cores).ok()?.cpus().len() as u64;
    Some((system()?.total_memory(), cores)).filter(|_| cores > 0)
}

/// The bytes of address space that limits such as those of `ulimit -v` leave.
#[cfg(unix)]
fn left_by_limits(threads: usize) -> Option<u64> {
    use rlimit::Resource;
    // The address space that the allocator reserves for a thread, even if the thread uses little, plus the thread's
    // stack.
    const RESERVED_BYTES: u64 = (64 << 20) + (2 << 20);
    let limits = [Resource::AS, Resource::DATA].into_iter().filter_map(|resource| resource.get_soft().ok());
    let limit = limits.min().filter(|&limit| limit < rlimit::INFINITY)?;
    // Three more threads wait for signals, watch the clock, and make calls that may hang.
    let reserved = (threads as u64 + 3) * RESERVED_BYTES;
    let taken = with_process(sysinfo::Process::virtual_memory).saturating_add(reserved);
    Some(limit.saturating_sub(taken))
}

#[cfg(not(unix))]
fn left_by_limits(_: usize) -> Option<u64> {
    None
}

/// The bytes that this process uses; 0 if the system does not report them.
pub fn taken() -> u64 {
    with_process(sysinfo::Process::memory)
}

/// A memory figure of this process; 0 if the system does not report it.
fn with_process(bytes: impl FnOnce(&sysinfo::Process) -> u64) -> u64 {
    let (Ok(process), Ok(mut system)) = (sysinfo::get_current_pid(), sysinfo::System::new()) else {
        return 0;
    };
    let memory = sysinfo::ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(sysinfo::ProcessesToUpdate::Some(&[process]), false, memory);
    system.process(process).map_or(0, bytes)
}
