//! Files that cannot be put in place, or are made at the same time.

use super::{Draft, WholeFile};

/// The computed content stays, under a name that the error states.
#[test]
fn complete_content_is_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("out.csv");
    let whole = WholeFile::open(&path).expect("it can be made");
    std::fs::create_dir(&path).expect("a folder in its place");
    let draft = Draft::in_folder(folder.path()).expect("a draft");
    let refused = || Err(std::io::Error::other("refused"));
    for error in [
        whole.finish(&mut |out| out.write_all(b"computed")),
        draft.finish(&mut |out| out.write_all(b"computed"), refused),
    ] {
        let error = error.expect_err("it cannot be put in place").to_string();
        let (_, kept) = error.split_once("; the complete content is in ").expect("the name of a file");
        assert_eq!(std::fs::read(kept).expect("a file"), b"computed", "{error}");
        std::fs::remove_file(kept).expect("it can be removed");
    }
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 1, "temporary files are left");
}

/// Files that are made at the same time are not taken for leftovers.
#[test]
fn nobody_removes_a_file_that_is_being_made() {
    const NUMBER: usize = 100;
    let folder = tempfile::tempdir().expect("a folder");
    let make = |thread: usize| {
        for number in 0..NUMBER {
            let path = folder.path().join(format!("{thread}-{number}"));
            let file = WholeFile::open(&path).expect("it can be made");
            file.finish(&mut |out| out.write_all(b"content")).expect("its temporary file is there");
        }
    };
    let make = &make;
    std::thread::scope(|scope| (0..4).for_each(|thread| drop(scope.spawn(move || make(thread)))));
    assert_eq!(folder.path().read_dir().expect("a folder").count(), 4 * NUMBER);
}
