//! The memory that the control groups of Linux leave to this process.
//!
//! A process is in a group, which is nested in others. Each group may limit the memory that all its processes use
//! together: in a container, below systemd, in a job of Slurm. The innermost groups may lack the files of a memory
//! controller. The crate sysinfo is no help here: it counts page cache as used, and finds no limit if the innermost
//! group has none.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a memory controller, in its first or second version.
struct Controller {
    /// The file system in which its groups are folders.
    file_system: &'static str,
    /// Limits: above the first, processes are killed; above the second, they are made to wait.
    limits: &'static [&'static str],
    used: &'static str,
    /// The lines of `memory.stat` that count page cache.
    cache: [&'static str; 2],
}

const FIRST: Controller = Controller {
    file_system: "cgroup",
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    cache: ["total_active_file", "total_inactive_file"],
};

const SECOND: Controller = Controller {
    file_system: "cgroup2",
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    cache: ["active_file", "inactive_file"],
};

/// The bytes that the groups of this process leave free; `None` if no group has a limit. Page cache counts as free.
pub fn left() -> Option<u64> {
    left_below(Path::new("/"))
}

/// The same, by the files below a folder, which may be copies of the system's.
fn left_below(root: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(root.join(name)).ok();
    let (groups, mounts) = (read("proc/self/cgroup")?, read("proc/self/mountinfo")?);
    groups.lines().filter_map(|group| left_in(group, &mounts, root)).min()
}

/// The bytes that a group, as in `4:memory:/a/b` or `0::/a/b`, and all groups around it leave free.
fn left_in(group: &str, mounts: &str, root: &Path) -> Option<u64> {
    let (_, group) = group.split_once(':')?;
    let (controllers, group) = group.split_once(':')?;
    let controller = match controllers {
        "" => &SECOND,
        _ if controllers.split(',').any(|name| name == "memory") => &FIRST,
        _ => return None,
    };
    let (mount, folder) =
        mounts.lines().find_map(|mount| controller.folder(mount, Path::new(group), root))?;
    let around = folder.ancestors().take_while(|folder| folder.starts_with(&mount));
    around.filter_map(|folder| controller.left(folder)).min()
}

impl Controller {
    /// The folder where the groups are mounted, and the folder of this group, if a line of `mountinfo` is of such a
    /// mount: `32 31 0:29 /a /sys/fs/cgroup rw - cgroup2 cgroup2 rw`, where /a is the mounted group. Groups outside of
    /// it are invisible.
    fn folder(&self, mount: &str, group: &Path, root: &Path) -> Option<(PathBuf, PathBuf)> {
        let (mount, kind) = mount.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let is_ours = kind.next() == Some(self.file_system)
            && (self.file_system == SECOND.file_system
                || kind.nth(1)?.split(',').any(|option| option == "memory"));
        let mut fields = mount.split(' ').skip(3);
        let (mounted, place) = (fields.next()?, fields.next()?);
        let place = root.join(place.strip_prefix('/')?);
        let below = group.strip_prefix(mounted).unwrap_or(Path::new(""));
        is_ours.then(|| (place.clone(), place.join(below)))
    }

    /// The bytes that one group leaves free; `None` if it has no limit.
    fn left(&self, folder: &Path) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let limit = self.limits.iter().filter_map(|name| number(name)).min()?;
        let stat = read("memory.stat").unwrap_or_default();
        let cache = stat.lines().filter_map(|line| line.split_once(' '));
        let cache = cache
            .filter(|(name, _)| self.cache.contains(name))
            .filter_map(|(_, bytes)| bytes.parse::<u64>().ok());
        let used = number(self.used)?.saturating_sub(cache.sum::<u64>());
        Some(limit.saturating_sub(used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine: what it says of groups and mounts, and files with their content.
    fn left(groups: &str, mounts: &str, files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().expect("a folder");
        for &(name, content) in
            [("proc/self/cgroup", groups), ("proc/self/mountinfo", mounts)].iter().chain(files)
        {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, content).expect("a file");
        }
        left_below(root.path())
    }

    const UNIFIED: &str = "24 22 0:22 / /proc rw - proc proc rw\n\
                           31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    /// systemd: the limit is that of a unit around the scope that the process lives in.
    #[test]
    fn a_user_slice() {
        let slice = "sys/fs/cgroup/user.slice/user-1000.slice";
        let (scope, groups) =
            (format!("{slice}/session-2.scope"), "0::/user.slice/user-1000.slice/session-2.scope\n");
        let file = |folder: &str, name: &str| format!("{folder}/{name}");
        let (max, current, stat) =
            (file(slice, "memory.max"), file(slice, "memory.current"), file(slice, "memory.stat"));
        let (scope_max, scope_current) = (file(&scope, "memory.max"), file(&scope, "memory.current"));
        let files = [
            ("sys/fs/cgroup/user.slice/memory.max", "max\n"),
            ("sys/fs/cgroup/user.slice/memory.current", "500000000\n"),
            (max.as_str(), "400000000\n"),
            (&current, "250000000\n"),
            (
                &stat,
                "anon 90000000\nfile 160000000\ninactive_file 100000000\nactive_file 50000000\nshmem 10000000\n",
            ),
        ];
        // The session's own group has no controller; then it has one, without a limit, with a larger, with a smaller.
        assert_eq!(left(groups, UNIFIED, &files), Some(300_000_000));
        for (limit, expected) in [("max", 300_000_000), ("390000000", 300_000_000), ("80000000", 50_000_000)]
        {
            let own = [(scope_max.as_str(), limit), (scope_current.as_str(), "30000000")];
            assert_eq!(left(groups, UNIFIED, &[&files[..], &own].concat()), Some(expected), "{limit}");
        }
        let high = file(slice, "memory.high");
        assert_eq!(left(groups, UNIFIED, &[&files[..], &[(&high, "150000000")]].concat()), Some(50_000_000));
    }

    /// Slurm with the first version: the job has the limit, and the step and the task are in it.
    #[test]
    fn a_job_with_the_first_version() {
        let groups = "9:name=systemd:/x\n5:cpu,cpuacct:/slurm/uid_7\n4:hugetlb,memory:/slurm/uid_7/job_1/step_0\n0::/x\n";
        let mounts = "33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                      35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,hugetlb,memory\n\
                      38 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let unlimited = ("sys/fs/cgroup/memory/slurm/memory.limit_in_bytes", "9223372036854771712");
        let files = [
            unlimited,
            ("sys/fs/cgroup/memory/slurm/memory.usage_in_bytes", "900000000"),
            ("sys/fs/cgroup/memory/slurm/uid_7/job_1/memory.limit_in_bytes", "400000000"),
            ("sys/fs/cgroup/memory/slurm/uid_7/job_1/memory.usage_in_bytes", "120000000"),
            (
                "sys/fs/cgroup/memory/slurm/uid_7/job_1/memory.stat",
                "inactive_file 1\ntotal_inactive_file 15000000\ntotal_active_file 5000000\n",
            ),
            ("sys/fs/cgroup/cpu/slurm/uid_7/memory.limit_in_bytes", "1"),
            ("sys/fs/cgroup/cpu/slurm/uid_7/memory.usage_in_bytes", "1"),
        ];
        assert_eq!(left(groups, mounts, &files), Some(300_000_000));
        // What is without a limit leaves more than any machine has.
        assert!(left(groups, mounts, &files[..2]).expect("it has a number") > 1 << 60);
    }

    /// Containers, whose own group is mounted as the outermost one: with a name space of their own, and without.
    #[test]
    fn a_container() {
        let files =
            [("sys/fs/cgroup/memory.max", "400000000"), ("sys/fs/cgroup/memory.current", "100000000")];
        assert_eq!(left("0::/\n", UNIFIED, &files), Some(300_000_000));
        let mounts = "31 23 0:28 /docker/ab1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(left("0::/docker/ab1\n", mounts, &files), Some(300_000_000));
        let inner = [("sys/fs/cgroup/x/memory.max", "200000000"), ("sys/fs/cgroup/x/memory.current", "0")];
        assert_eq!(left("0::/docker/ab1/x\n", mounts, &[files, inner].concat()), Some(200_000_000));
        // The group is outside of what is mounted.
        assert_eq!(left("0::/../other\n", UNIFIED, &files), Some(300_000_000));
    }

    #[test]
    fn no_limit() {
        assert_eq!(left("", "", &[]), None);
        assert_eq!(left("0::/a\n", UNIFIED, &[]), None);
        assert_eq!(left("0::/a\n", UNIFIED, &[("sys/fs/cgroup/a/memory.max", "max")]), None);
        assert_eq!(left("4:memory:/a\nnonsense\n0:\n", "nonsense\n - cgroup\n", &[]), None);
    }
}
