//! Tests of the memory that control groups leave.

use super::*;

/// The bytes left on a machine with these groups, mounts and files.
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
    // The session's own group has no controller; then it has no limit, then leaves more than the slice, then less.
    assert_eq!(left(groups, UNIFIED, &files), Some(300_000_000));
    for (limit, expected) in [("max", 300_000_000), ("390000000", 300_000_000), ("80000000", 50_000_000)] {
        let own = [(scope_max.as_str(), limit), (scope_current.as_str(), "30000000")];
        assert_eq!(left(groups, UNIFIED, &[&files[..], &own].concat()), Some(expected), "{limit}");
    }
    let high = file(slice, "memory.high");
    assert_eq!(left(groups, UNIFIED, &[&files[..], &[(&high, "150000000")]].concat()), Some(50_000_000));
}

/// Slurm with the first version: the job has the limit, and the step and the task are in it.
#[test]
fn a_job_with_the_first_version() {
    let groups =
        "9:name=systemd:/x\n5:cpu,cpuacct:/slurm/uid_7\n4:hugetlb,memory:/slurm/uid_7/job_1/step_0\n0::/x\n";
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
    // Groups without a limit leave more than any machine has.
    assert!(left(groups, mounts, &files[..2]).expect("it has a number") > 1 << 60);
}

/// Containers, whose own group is mounted as the outermost one: with a name space of their own, and without.
#[test]
fn a_container() {
    let files = [("sys/fs/cgroup/memory.max", "400000000"), ("sys/fs/cgroup/memory.current", "100000000")];
    assert_eq!(left("0::/\n", UNIFIED, &files), Some(300_000_000));
    let mounts = "31 23 0:28 /docker/ab1 /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
    assert_eq!(left("0::/docker/ab1\n", mounts, &files), Some(300_000_000));
    let inner = [("sys/fs/cgroup/x/memory.max", "200000000"), ("sys/fs/cgroup/x/memory.current", "0")];
    assert_eq!(left("0::/docker/ab1/x\n", mounts, &[files, inner].concat()), Some(200_000_000));
    // The group is outside of the mounted one.
    assert_eq!(left("0::/../other\n", UNIFIED, &files), Some(300_000_000));
}

#[test]
fn no_limit() {
    assert_eq!(left("", "", &[]), None);
    assert_eq!(left("0::/a\n", UNIFIED, &[]), None);
    assert_eq!(left("0::/a\n", UNIFIED, &[("sys/fs/cgroup/a/memory.max", "max")]), None);
    assert_eq!(left("4:memory:/a\nnonsense\n0:\n", "nonsense\n - cgroup\n", &[]), None);
}
