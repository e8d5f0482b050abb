//! Outputs that are descriptors of this process, such as `-`, `/dev/stderr` and `/dev/fd/3`: they are duplicated, so that
//! what is written follows what was written there before.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use super::output::is_stream;
use super::streams;

/// The file of a path that names a descriptor; `None` for any other path.
pub fn named(path: &Path) -> Option<io::Result<File>> {
    if is_stream(path) {
        streams::leave_stdout_to_a_file();
        return Some(system::duplicate(1));
    }
    system::named(path)
}

/// Standard output or standard error, if it goes to the file with this metadata: to replace it would lose what is
/// written there.
#[cfg(unix)]
pub fn standard_output_to(metadata: &Metadata) -> Option<File> {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: &Metadata| (metadata.dev(), metadata.ino());
    let mut standard = [1, 2].into_iter().filter_map(|number| system::duplicate(number).ok());
    standard.find(|file| file.metadata().is_ok_and(|there| place(&there) == place(metadata)))
}

#[cfg(not(unix))]
pub fn standard_output_to(_: &Metadata) -> Option<File> {
    None
}

/// Opens a device or a pipe.
pub fn open_special(path: &Path, metadata: &Metadata) -> io::Result<File> {
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_socket(&metadata.file_type()) {
        return Err(io::Error::other("it is a socket; a program such as socat writes to it"));
    }
    let _ = metadata;
    File::options().write(true).open(path)
}

#[cfg(unix)]
mod system {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use dovemate::internals::files::{LINKS, folder_of};
    use filedescriptor::FileDescriptor;

    /// Folders that hold a process's own descriptors. On Linux they are links to the same place.
    const OWN: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];

    /// The file of a path that leads to a descriptor. Links are followed one by one, as the last leads to the file that
    /// the descriptor is open for.
    pub fn named(path: &Path) -> Option<io::Result<File>> {
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            let folder = folder_of(&path).canonicalize().ok()?;
            let name = path.file_name()?.to_owned();
            let number = name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
            if let Some(number) = number.and_then(|name| name.parse().ok())
                && OWN.iter().any(|own| Path::new(own).canonicalize().is_ok_and(|own| own == folder))
            {
                return Some(duplicate(number));
            }
            path = folder.join(path.read_link().ok()?);
        }
        None
    }

    /// A descriptor that this process was given, duplicated.
    pub fn duplicate(number: i32) -> io::Result<File> {
        /// The flag of files that the program has opened itself.
        const CLOSES_ON_EXEC: u32 = 0o2_000_000;
        const WRITES: u32 = 0o3;
        let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
        let flags = info.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok());
        let is_open = flags.is_none_or(|flags| flags & CLOSES_ON_EXEC == 0);
        let file = FileDescriptor::dup(&number).and_then(|descriptor| descriptor.as_file());
        match file {
            Ok(_) if flags.is_some_and(|flags| flags & WRITES == 0) => {
                Err(io::Error::other(format!("descriptor {number} is open for reading only")))
            }
            Ok(file) if is_open => Ok(file),
            _ => Err(io::Error::other(format!("descriptor {number} is not open"))),
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::File;
    use std::io;
    use std::os::windows::io::AsHandle;
    use std::path::Path;

    pub fn named(_: &Path) -> Option<io::Result<File>> {
        None
    }

    /// Standard output, the only descriptor that has a name here.
    pub fn duplicate(_: i32) -> io::Result<File> {
        Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
    }
}
