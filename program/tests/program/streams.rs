//! Standard streams that do not block.

use std::path::Path;

use crate::common::program::{PROGRAM, command, dovemate};

/// Where standard streams do not block, the program waits for a slow reader or writer.
#[test]
fn streams_that_do_not_block_are_waited_for() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    use std::thread::sleep;
    use std::time::Duration;
    let not_blocking = || {
        let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
        theirs.set_nonblocking(true).expect("a socket");
        (ours, OwnedFd::from(theirs))
    };
    for arguments in ["list --doves 6", "list --doves 6 -o -", "list --doves 6 -o /dev/stdout --format csv"] {
        let expected = dovemate(arguments).succeeds().out;
        assert!(expected.len() > 250_000, "{arguments:?}: it fits into a buffer");
        let (ours, theirs) = not_blocking();
        let mut program = command(PROGRAM, Path::new("."))
            .args(arguments.split(' '))
            .stdout(theirs)
            .spawn()
            .expect("it starts");
        let mut ours = BufReader::new(ours);
        let mut text = String::new();
        ours.read_line(&mut text).expect("UTF-8");
        // It goes on writing, and soon nothing more fits.
        sleep(Duration::from_millis(300));
        ours.read_to_string(&mut text).expect("UTF-8");
        assert_eq!(program.wait().expect("it ends").code(), Some(0), "{arguments:?}");
        assert!(text == expected, "{arguments:?}: {} of {} bytes", text.len(), expected.len());
    }
    for arguments in ["show", "show -", "play --kinds A --depth 1"] {
        let is_play = arguments.starts_with("play");
        let (mut ours, theirs) = not_blocking();
        let mut program = command(PROGRAM, Path::new("."));
        let program =
            program.args(arguments.split(' ')).stdin(theirs).stdout(std::process::Stdio::piped()).spawn();
        let program = program.expect("it starts");
        for part in ["", "b;", "B\n", "mo", "ves\n"] {
            sleep(Duration::from_millis(50));
            if is_play || !part.contains(['m', 'v']) {
                ours.write_all(part.as_bytes()).expect("it reads");
            }
        }
        drop(ours);
        let out = String::from_utf8(program.wait_with_output().expect("it ends").stdout).expect("UTF-8");
        let has = if is_play { "no action has been taken yet" } else { "u64 0c00400000000000" };
        assert!(out.contains(has), "{arguments:?}: {out}");
    }
}
