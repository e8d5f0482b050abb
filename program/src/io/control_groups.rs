//! The memory that the control groups of Linux leave for this process.
//!
//! A process belongs to a group, which is nested in others. Each group may limit the memory that all its processes use
//! together, as in a container, below systemd, or in a Slurm job. The innermost groups may lack the files of a memory
//! controller. The crate sysinfo is no help here: it counts page cache as used, and finds no limit if the innermost
//! group has none.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

/// The bytes that the groups of this process leave free; `None` if no limit can be read. Page cache counts as free.
pub fn left() -> Option<u64> {
    left_below(Path::new("/"))
}

/// The result of [`left`] if `root` is the root of the file system; tests have a root of their own.
fn left_below(root: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(root.join(name)).ok();
    let (groups, mounts) = (read("proc/self/cgroup")?, read("proc/self/mountinfo")?);
    groups.lines().filter_map(|group| left_in(group, &mounts, root)).min()
}

/// The bytes that a group and all groups around it leave free. `group` is a line such as `4:memory:/a/b` or, of the
/// second version, `0::/a/b`.
fn left_in(group: &str, mounts: &str, root: &Path) -> Option<u64> {
    let (_, group) = group.split_once(':')?;
    let (controllers, group) = group.split_once(':')?;
    let is_second = controllers.is_empty();
    if !is_second && !controllers.split(',').any(|name| name == "memory") {
        return None;
    }
    let (mount, folder) =
        mounts.lines().find_map(|mount| folder(mount, is_second, Path::new(group), root))?;
    let around = folder.ancestors().take_while(|folder| folder.starts_with(&mount));
    around.filter_map(|folder| left_by(folder, is_second)).min()
}

/// Where the memory groups are mounted, of the second version if `is_second`; and the folder of `group` there. `None`
/// unless `mount` is the line of `mountinfo` for such a mount: `32 31 0:29 /a /sys/fs/cgroup rw - cgroup2 cgroup2 rw`,
/// where /a is the mounted group. A group outside it is invisible; the mount point then stands in for its folder.
fn folder(mount: &str, is_second: bool, group: &Path, root: &Path) -> Option<(PathBuf, PathBuf)> {
    let (mount, kind) = mount.split_once(" - ")?;
    let mut kind = kind.split(' ');
    let is_ours = match kind.next()? {
        "cgroup2" => is_second,
        "cgroup" => !is_second && kind.nth(1)?.split(',').any(|option| option == "memory"),
        _ => false,
    };
    let mut fields = mount.split(' ').skip(3);
    let (mounted, place) = (fields.next()?, fields.next()?);
    let place = root.join(place.strip_prefix('/')?);
    let below = group.strip_prefix(mounted).unwrap_or(Path::new(""));
    is_ours.then(|| (place.clone(), place.join(below)))
}

/// The bytes that one group leaves free; `None` if no limit can be read. The first version writes a huge number for no
/// limit.
fn left_by(folder: &Path, is_second: bool) -> Option<u64> {
    // Above the first limit, processes are killed; above the second, they are throttled.
    let (limits, used, cache): (&[&str], _, _) = match is_second {
        true => (&["memory.max", "memory.high"], "memory.current", ["active_file", "inactive_file"]),
        false => (
            &["memory.limit_in_bytes"],
            "memory.usage_in_bytes",
            ["total_active_file", "total_inactive_file"],
        ),
    };
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let limit = limits.iter().filter_map(|name| number(name)).min()?;
    let stat = read("memory.stat").unwrap_or_default();
    let lines = stat.lines().filter_map(|line| line.split_once(' '));
    let cached =
        lines.filter(|(name, _)| cache.contains(name)).filter_map(|(_, bytes)| bytes.parse::<u64>().ok());
    Some(limit.saturating_sub(number(used)?.saturating_sub(cached.sum())))
}
