//! Damaged files, and forged ones: any bytes, with matching checksums. They are read or refused in one sentence,
//! without a panic. Without matching checksums, hardly any would reach the code that reads the content.
//!
//! Cases are few, and the same in every run, unless `DOVEMATE_TEST_WITH` asks for `cases`: then there are many, which
//! differ from run to run.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::check::check;
use crate::files::archive::{self, Archive, Frame};
use crate::files::game_folder::{GameFolder, MANIFEST};
use crate::files::part_folder::Keep;
use crate::files::parts::Parts;
use crate::files::tables::tablebase::Tablebase;
use crate::files::tables::writer::{self, MAX_FILE_BYTES};
use crate::in_files::by_parts::ByParts;
use crate::openings::Openings;
use crate::solved::{Lookup, TableError};
use crate::space::layout::{ClassId, GroupId, Layout};
use crate::space::sets::GroupValues;
use crate::space::sparse::{BlockForm, SparseGroup};
use crate::testing::edits::{Edit, SHA256, cases, edit, edited, with_sha256};
use crate::testing::folders::below;
use crate::testing::{self, game, solve, within};
use dovemate::rules::{Board, BothSurrounded, Color, Game, Rules};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// Bytes at the end of an archive, after its index.
const TRAILER: usize = 60;

/// Where the header of an archive ends: before its frames, after its own checksum.
fn header_bytes(file: &[u8]) -> usize {
    let ends_here = |end: &usize| crc32c::crc32c(&file[..end - 4]).to_le_bytes() == file[end - 4..*end];
    (20..file.len()).find(ends_here).expect("a header with a checksum")
}

/// An archive with checksums that match its content.
fn resealed(mut file: Vec<u8>, header: usize) -> Vec<u8> {
    if file.len() < header + TRAILER {
        return file;
    }
    let put =
        |file: &mut [u8], at: usize, number: u32| file[at..at + 4].copy_from_slice(&number.to_le_bytes());
    let number = |file: &[u8], at: usize| {
        u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize
    };
    let crc = crc32c::crc32c(&file[..header - 4]);
    put(&mut file, header - 4, crc);
    let end = file.len() - TRAILER;
    let start = number(&file, end);
    if (header..=end).contains(&start) {
        let mut frame = header;
        for entry in (start..end - end % 12).step_by(12).filter(|entry| entry + 12 <= end) {
            let next = frame + number(&file, entry);
            if let Some(bytes) = file.get(frame..next) {
                let crc = crc32c::crc32c(bytes);
                put(&mut file, entry + 8, crc);
            }
            frame = next;
        }
        let crc = crc32c::crc32c(&file[start..end]);
        put(&mut file, end + 12, crc);
    }
    let hash = blake3::hash(&file[..end + 16]);
    file[end + 16..end + 48].copy_from_slice(hash.as_bytes());
    let crc = crc32c::crc32c(&file[end..end + 48]);
    put(&mut file, end + 48, crc);
    file
}

/// An archive with other content in one of its frames.
fn with_content(path: &Path, game: &Game, frame: usize, edit: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let file = fs::read(path).unwrap();
    let header = &file[..header_bytes(&file)];
    let archive = Archive::open(path.to_owned(), game, header, usize::MAX).unwrap();
    let mut numbers = 0..archive.frames.len();
    let mut next = || {
        let number = numbers.next()?;
        let content = archive.content(number).unwrap();
        Some(Frame::new(&if number == frame % archive.frames.len() { edit(&content) } else { content }, 1))
    };
    let mut out = Vec::new();
    archive::write(&mut out, header, &mut |_| next().transpose()).unwrap();
    out
}

/// A document with a matching seal.
fn sealed(mut document: Map<String, Value>) -> String {
    let text = |document: &Map<String, Value>| serde_json::to_string_pretty(document).unwrap() + "\n";
    document.insert("blake3".into(), "".into());
    let hash = blake3::hash(text(&document).as_bytes());
    document.insert("blake3".into(), hash.to_hex().as_str().into());
    text(&document)
}

/// All leaf values of a document.
fn leaves(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Array(values) => values.iter_mut().flat_map(leaves).collect(),
        Value::Object(values) => values.values_mut().flat_map(leaves).collect(),
        leaf => vec![leaf],
    }
}

/// A sealed document with another value in place of one of its leaves, by number; `None` if it has fewer.
fn with_leaf(text: &[u8], number: usize, value: &Value) -> Option<String> {
    let mut document: Value = serde_json::from_slice(text).unwrap();
    *leaves(&mut document).into_iter().nth(number)? = value.clone();
    let Value::Object(document) = document else { panic!("an object") };
    Some(sealed(document))
}

/// Changes what a document says about a file to fit its content.
fn update(value: &mut Value, name: &str, file: &[u8]) {
    if value["name"] == name {
        value["bytes"] = file.len().into();
        let hash = &file[file.len().saturating_sub(44)..file.len().saturating_sub(12)];
        value["blake3"] = hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into();
    }
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| update(value, name, file)),
        Value::Object(values) => values.values_mut().for_each(|value| update(value, name, file)),
        _ => {}
    }
}

/// A change of an archive: of its bytes, or of the content of a frame.
type Change = (Index, Option<usize>, Vec<Edit>);

fn change() -> impl Strategy<Value = Change> {
    (any::<Index>(), proptest::option::of(0..1_000_usize), vec(edit(), 1..4))
}

const NO_RETURNS: Rules = Rules { returns: false, both_surrounded: BothSurrounded::MoverLoses };

/// The error if all files that are there are whole, but not all of the game is solved.
const UNSOLVED: &str = "not all is solved";

/// A folder of a game with all its files.
struct Folder {
    game: Game,
    /// What is kept of a game solved in files; `None` for one in tables.
    keep: Option<Keep>,
    folder: TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
}

/// Folders with tables, with all rounds, and with the wins alone, solved with too little memory to hold them.
fn folders() -> [Folder; 3] {
    [None, Some(Keep::Rounds), Some(Keep::Wins)].map(|keep| {
        let game = if keep.is_none() { game("A", "-", Rules::default()) } else { game("A", "M", NO_RETURNS) };
        let mut folder = Folder { game, keep, folder: TempDir::new().unwrap(), files: Vec::new() };
        folder.write_or_solve().expect("an empty folder");
        let path = folder.folder.path();
        folder.files = below(path).into_iter().map(|(name, bytes)| (path.join(name), bytes)).collect();
        // This lock is not part of the solved game.
        folder.files.retain(|(path, _)| !path.ends_with("finishing"));
        folder
    })
}

impl Folder {
    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Continues from the files, as the command that made them does.
    fn write_or_solve(&self) -> Result<(), TableError> {
        let Some(keep) = self.keep else {
            let solved = solve(self.game, &|_| {});
            return writer::write(&*solved, &GameFolder::new(self.path()), MAX_FILE_BYTES, &|| {});
        };
        let memory = (keep == Keep::Wins).then_some(1 << 12);
        ByParts::with(self.parts()?, within(memory), keep)?.solve_in_shards(Some(1), &|_| {})
    }

    fn parts(&self) -> Result<Arc<Parts>, TableError> {
        Parts::new(self.game, u64::MAX, GameFolder::new(self.path()))
    }

    /// Opens the solved game, probes a few positions, and verifies all files.
    fn read(&self) -> Result<(), String> {
        let opened = match self.keep {
            None => Tablebase::open_finished(self.path(), self.game).map(Some),
            Some(_) => self.parts().and_then(|parts| Tablebase::of_parts(&parts)),
        };
        let stored = opened.map_err(|error| error.to_string())?;
        let stored = stored.filter(Tablebase::is_whole).ok_or(UNSOLVED)?;
        let boards = ["b;B", "bB;-A", "b-a;-BA", "bA;B", "BA;-b", "bY;-B"];
        for board in boards.map(|board| board.parse::<Board>().unwrap()) {
            for player in Color::ALL {
                stored.probe(&board, player).map_err(|error| error.to_string())?;
            }
        }
        stored.verify(&|| {}).map_err(|error| error.to_string())
    }

    /// The files that are documents, or those that are not.
    fn some(&self, are_documents: bool) -> Vec<&(PathBuf, Vec<u8>)> {
        let is_document = |path: &Path| path.extension().is_some_and(|kind| kind == "json");
        self.files.iter().filter(|(path, _)| is_document(path) == are_documents).collect()
    }

    /// Writes all files as they were.
    fn restore(&self) {
        fs::remove_dir_all(self.path()).unwrap();
        for (path, bytes) in &self.files {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// Writes other content of an archive, and updates the documents that depend on it.
    fn put(&self, path: &Path, file: &[u8]) {
        fs::write(path, file).unwrap();
        for (document, text) in self.some(true) {
            let mut content: Value = serde_json::from_slice(text).unwrap();
            update(&mut content, path.file_name().unwrap().to_str().unwrap(), file);
            let Value::Object(content) = content else { panic!("an object") };
            fs::write(document, sealed(content)).unwrap();
        }
    }
}

fn is_sentence(error: &str) -> bool {
    !error.is_empty() && !error.contains('\n')
}

/// A file with a changed byte, cut, too long, missing, or with the content of another one is not accepted.
#[test]
fn damage_is_found() {
    let step = testing::cases(290, 29);
    for folder in folders() {
        folder.read().expect("as it was made");
        for (path, bytes) in &folder.files {
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_document = name.ends_with(".json");
            let check = |what: &str, content: Option<&[u8]>| {
                match content {
                    Some(content) => fs::write(path, content).unwrap(),
                    None => fs::remove_file(path).unwrap(),
                }
                let error = folder.read().expect_err(&format!("{what} of {name}"));
                let is_named =
                    error.contains(name) || error.contains(".json") || is_document && content.is_none();
                assert!(is_sentence(&error) && is_named, "{what} of {name}: {error}");
                fs::write(path, bytes).unwrap();
            };
            // Every byte near both ends, where the fixed fields are; a sample elsewhere.
            for at in (0..bytes.len()).filter(|at| at % step == 0 || *at < 50 || at + 70 > bytes.len()) {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << (at % 8);
                check(&format!("byte {at}"), Some(&changed));
                check(&format!("{at} bytes"), Some(&bytes[..at]));
            }
            check("more", Some(&[&bytes[..], b"\0"].concat()));
            check("nothing", None);
            let (_, other) =
                folder.files.iter().find(|(other, content)| other != path && content != bytes).unwrap();
            check("the content of another", Some(other));
        }
        folder.read().expect("everything is as it was");
    }
    // Damaged files are not overwritten.
    let [tables, ..] = folders();
    fs::remove_file(tables.path().join(MANIFEST)).unwrap();
    let (path, bytes) = tables.some(false)[0];
    let mut changed = bytes.clone();
    changed[60] ^= 1;
    fs::write(path, &changed).unwrap();
    assert!(tables.write_or_solve().unwrap_err().to_string().contains(path.to_str().unwrap()));
    assert_eq!(fs::read(path).unwrap(), changed);
}

/// Files of another game, or of another format, are refused even if all checksums fit.
#[test]
fn other_games_and_formats() {
    let [one, ..] = folders();
    let wanted = game("Y", "-", Rules::default());
    assert!(matches!(Tablebase::open_finished(one.path(), wanted), Err(TableError::Foreign { .. })));
    let (path, bytes) = one.some(false)[0];
    let header = header_bytes(bytes);
    let refused = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        fs::write(path, resealed(changed, header)).unwrap();
        let error = one.read().unwrap_err();
        fs::write(path, bytes).unwrap();
        error
    };
    assert!(refused(8, 3).contains("has format 3, which this version no longer reads"));
    assert!(refused(8, 9).contains("has format 9, which this version does not read"));
    assert!(refused(14, 0).contains("is of another game"), "without returns");
    let manifest = one.path().join(MANIFEST);
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"format\": 4", "\"format\": 7")).unwrap();
    assert!(one.read().unwrap_err().contains("manifest.json has format 7, which this version does not read"));
}

/// If all checksums match but the values are wrong, because a group has lost its wins and losses, reading reports it,
/// and with tables so do checking and continuing.
#[test]
fn wrong_values_are_counted() {
    for folder in folders() {
        let mut emptied = 0;
        for (path, bytes) in folder.some(false) {
            let (frames, end) = (bytes.len() - TRAILER + 8, bytes.len() - TRAILER + 12);
            for frame in 0..u32::from_le_bytes(bytes[frames..end].try_into().unwrap()) as usize {
                folder.restore();
                let file = with_content(path, &folder.game, frame, |_| Vec::new());
                folder.put(path, &file);
                let error = folder.read();
                if file == *bytes {
                    continue;
                }
                let error = error.unwrap_err();
                assert!(error.contains("contradicts") || error.contains("does not have the size"), "{error}");
                emptied += 1;
                if folder.keep.is_none() {
                    let stored = Tablebase::open_finished(folder.path(), folder.game).unwrap();
                    let wrong = check(&stored, 1, &|| {}).unwrap_err().to_string();
                    assert!(wrong.contains("its successors make it"), "{wrong}");
                    fs::remove_file(folder.path().join(MANIFEST)).unwrap();
                    let error = folder.write_or_solve().unwrap_err();
                    assert!(matches!(error, TableError::Contradiction(..)), "{error}");
                }
            }
        }
        assert!(emptied > 0, "no group has a win or loss");
    }
}

/// Files of any content with matching checksums are read or refused, also by a run that continues from them.
#[test]
fn files_of_any_content() {
    let values = [json!(0), json!(u64::MAX), json!(-1), json!(null), json!([]), json!("win"), json!("b;B")];
    let few = 60;
    for folder in folders() {
        let read = || folder.read().and_then(|()| folder.write_or_solve().map_err(|error| error.to_string()));
        read().unwrap_or_else(|error| panic!("as it was made: {error}"));
        for (path, text) in folder.some(true) {
            for (first, value) in values.iter().enumerate() {
                // Each leaf gets one of the values, or if `cases` are asked for, all of them.
                let (first, step) = testing::cases((first, values.len()), (0, 1));
                let numbers = (first..).step_by(step);
                for changed in numbers.map_while(|number| with_leaf(text, number, value)) {
                    folder.restore();
                    fs::write(path, changed).unwrap();
                    for said in [read(), folder.write_or_solve().map_err(|error| error.to_string())] {
                        if let Err(said) = said {
                            assert!(is_sentence(&said), "{said}");
                        }
                    }
                }
            }
        }
        let refused = Cell::new(0);
        let mut runner = proptest::test_runner::TestRunner::new(cases(few));
        let run = runner.run(&change(), |(archive, frame, edits)| {
            folder.restore();
            let archives = folder.some(false);
            let (path, file) = archive.get(&archives);
            folder.put(
                path,
                &match frame {
                    Some(frame) => with_content(path, &folder.game, frame, |content| edited(content, &edits)),
                    None => resealed(edited(file, &edits), header_bytes(file)),
                },
            );
            if let Err(error) = read() {
                refused.set(refused.get() + 1);
                prop_assert!(is_sentence(&error), "{error}");
            }
            Ok(())
        });
        run.unwrap_or_else(|error| panic!("{error}"));
        assert!(refused.get() > few / 4, "only {} of the changes were noticed", refused.get());
    }
}

/// The encodings of groups in tables and snapshots: any bytes are refused, or decode to a group that is the same after
/// it is encoded and decoded again.
#[test]
fn groups_of_any_bytes() {
    let layouts = [game("AYMT", "AY", Rules::default()), game("A", "YMTH", NO_RETURNS)].map(Layout::new);
    let strategy =
        (any::<bool>(), any::<Index>(), any::<Index>(), vec(edit(), 0..6), vec(any::<u8>(), 0..60));
    let decoded = Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::new(cases(600));
    let run = runner.run(&strategy, |(first, class, group, edits, bytes)| {
        let layout = &layouts[usize::from(first)];
        let ids: Vec<ClassId> = layout.ids().collect();
        let class = *class.get(&ids);
        let group = GroupId { class, number: group.index(layout[class].groups().min(1_000)) };
        let (class, form) = (&layout[class], BlockForm::of(&layout[class]));
        let blocks = class.group_blocks(group);
        // Some bits in some blocks, from the bytes.
        let mut bits = SparseGroup::new(class, group);
        for block in 0..blocks.min(bytes.len()) {
            let mut rows = vec![0; form.block_bytes()];
            let at = usize::from(bytes[block]) % rows.len();
            let padding = if class.width % 8 == 0 { u8::MAX } else { !(u8::MAX << (class.width % 8)) };
            let is_last = at % form.row_bytes == form.row_bytes - 1;
            rows[at] = bytes[(block + 1) % bytes.len()] & if is_last { padding } else { u8::MAX };
            if rows[at] != 0 {
                bits.push(block, &rows);
            }
        }
        let bits = bits.finished();
        let content = bits.content(form, blocks);
        prop_assert!(SparseGroup::from_content(form, blocks, &content).as_ref() == Some(&bits));
        if let Some(found) = SparseGroup::from_content(form, blocks, &edited(&content, &edits)) {
            let again = SparseGroup::from_content(form, blocks, &found.content(form, blocks));
            prop_assert!(again.as_ref() == Some(&found));
            decoded.set(decoded.get() + 1);
        }
        let mut values = GroupValues::default();
        values.push(crate::Worth::Exact(crate::Value::Win(bytes.len() as u32)), bits);
        let encoded = values.encode();
        prop_assert!(GroupValues::decode(class, group, &encoded).as_ref() == Some(&values));
        if let Some(found) = GroupValues::decode(class, group, &edited(&encoded, &edits)) {
            prop_assert!(GroupValues::decode(class, group, &found.encode()).as_ref() == Some(&found));
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(decoded.get() > 50, "only {} were decoded", decoded.get());
}

#[test]
fn openings_of_any_bytes() {
    let game = game("A", "-", Rules::default());
    let solved = solve(game, &|_| {});
    let value = |board: &Board, mover| solved.probe(board, mover).ok()??.exact();
    let file = Openings::write(game, 3, value).unwrap();
    assert!(Openings::read(&file, &game).is_some());
    let places = Openings::read(&file, &game).unwrap().positions().count();
    // Edits change both the content and its compressed form.
    let head = 20 + 2 + 2 * usize::from(u16::from_le_bytes([file[20], file[21]]));
    let content = miniz_oxide::inflate::decompress_to_vec(&file[head..file.len() - SHA256]).unwrap();
    assert_eq!(content.len(), places);
    let strategy = (vec(edit(), 0..4), vec(edit(), 0..3), any::<bool>());
    let mut runner = proptest::test_runner::TestRunner::new(cases(200));
    let run = runner.run(&strategy, |(edits, content_edits, is_sealed)| {
        let content = miniz_oxide::deflate::compress_to_vec(&edited(&content, &content_edits), 1);
        let mut changed = edited(&[&file[..head], &content].concat(), &edits);
        changed = if is_sealed { with_sha256(changed) } else { edited(&file, &edits) };
        if let Some(openings) = Openings::read(&changed, &game) {
            for (board, mover) in openings.positions() {
                prop_assert!(openings.probe(&board, mover).unwrap().is_some(), "{board}");
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
