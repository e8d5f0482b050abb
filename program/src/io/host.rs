//! The machine, commit and date, for exports that record how they were made.

use std::time::SystemTime;

use serde::Serialize;

use dovemate_web::documents::{COMMIT, PROGRAM, VERSION};

/// The machine, the program's version and commit, and the date.
#[derive(Clone, Serialize)]
pub struct Host {
    /// Now, in UTC; 1970 if the clock is before that.
    pub date: String,
    pub version: &'static str,
    /// The git commit that the program was built from, if known.
    pub commit: Option<&'static str>,
    /// The operating system with its version.
    pub system: String,
    pub cpu: String,
    /// The number of cores, hyper-threads included.
    pub cores: usize,
}

impl Host {
    /// Describes this machine. The system and the CPU are `unknown` if they are not reported; an unknown CPU has 0
    /// cores.
    pub fn now() -> Host {
        let specifics = sysinfo::RefreshKind::nothing().with_cpu(sysinfo::CpuRefreshKind::nothing());
        let system = sysinfo::System::new_with_specifics(specifics).ok();
        let cpus = system.as_ref().map_or(&[][..], sysinfo::System::cpus);
        let unknown = || "unknown".to_owned();
        Host {
            date: humantime::format_rfc3339_seconds(SystemTime::now().max(SystemTime::UNIX_EPOCH))
                .to_string(),
            version: VERSION,
            commit: COMMIT.get().copied(),
            system: sysinfo::System::long_os_version().unwrap_or_else(|_| unknown()),
            cpu: cpus.first().map_or_else(unknown, |cpu| cpu.brand().trim().to_owned()),
            cores: cpus.len(),
        }
    }

    /// The program's name, version and commit.
    pub fn program(&self) -> String {
        let commit = self.commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
        format!("{PROGRAM} {}{commit}", self.version)
    }

    /// The machine, on one line.
    pub fn machine(&self) -> String {
        format!("{}, {} cores, {}", self.cpu, self.cores, self.system)
    }

    /// The share of all cores' time that other programs use, 0 to 1, if the system reports it. This program sleeps
    /// during the measurement, for a fifth of a second, so that it uses nothing itself.
    pub fn busy() -> Option<f64> {
        let usage = sysinfo::CpuRefreshKind::nothing().with_usage();
        let mut system =
            sysinfo::System::new_with_specifics(sysinfo::RefreshKind::nothing().with_cpu(usage)).ok()?;
        std::thread::sleep(sysinfo::MINIMUM_CPU_UPDATE_INTERVAL);
        system.refresh_cpu_usage();
        let cpus = system.cpus();
        let sum: f32 = cpus.iter().map(sysinfo::Cpu::usage).sum();
        (!cpus.is_empty()).then(|| f64::from(sum) / 100.0 / cpus.len() as f64)
    }
}
