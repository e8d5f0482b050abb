//! Where and with what the program runs, for exports that say how they came about.

use std::time::SystemTime;

/// The machine, the program's commit, and the date.
pub struct Host {
    /// Now, in UTC.
    pub date: String,
    /// The git commit that the program was built from, if known.
    pub commit: Option<&'static str>,
    /// The operating system.
    pub system: String,
    /// The CPU's name.
    pub cpu: String,
    /// How many cores it has.
    pub cores: usize,
}

impl Host {
    /// This machine, now.
    pub fn now() -> Host {
        let specifics = sysinfo::RefreshKind::nothing().with_cpu(sysinfo::CpuRefreshKind::nothing());
        let system = sysinfo::System::new_with_specifics(specifics).ok();
        let cpus = system.as_ref().map_or(&[][..], sysinfo::System::cpus);
        let unknown = || "unknown".to_owned();
        Host {
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            commit: option_env!("DOVEMATE_COMMIT"),
            system: sysinfo::System::long_os_version().unwrap_or_else(|_| unknown()),
            cpu: cpus.first().map_or_else(unknown, |cpu| cpu.brand().trim().to_owned()),
            cores: cpus.len(),
        }
    }
}

/// Memory that is free for this program, in bytes, if the system says.
pub fn available_memory() -> Option<u64> {
    let memory = sysinfo::MemoryRefreshKind::nothing().with_ram();
    let system = sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_memory(memory)).ok()?;
    Some(system.available_memory()).filter(|&bytes| bytes > 0)
}
