//! Files that were made to look right: any bytes, with checksums that fit. They are read or refused in one sentence,
//! without a panic. Checksums alone would keep nearly all of them from the code that reads what they protect.
//!
//! `PROPTEST_CASES=100000` draws other and more cases; else they are few, and the same in every run.

use std::fs;
use std::path::{Path, PathBuf};

use dovemate::ask::openings::Openings;
use dovemate::ask::{Draw, Lookup};
use dovemate::internals::search::Position;
use dovemate::internals::search::estimate::Model;
use dovemate::internals::solve::files::archive::{self, Archive, Frame};
use dovemate::internals::solve::files::game_folder::GameFolder;
use dovemate::internals::solve::files::keep::Keep;
use dovemate::internals::solve::files::tables::{self, SHARD, TableError, Tablebase};
use dovemate::internals::solve::in_files::by_parts::{ByParts, open_solved};
use dovemate::internals::solve::solve;
use dovemate::internals::solve::space::changes::{BlockForm, SparseBits};
use dovemate::internals::solve::space::layout::{ClassId, GroupId, Layout};
use dovemate::internals::solve::space::sets::GroupValues;
use dovemate::rules::{Board, Color, Game, Rules};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::RngSeed;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// This many cases, or as many as the variable says.
fn cases(usual: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: wanted.unwrap_or(usual),
        rng_seed: if wanted.is_some() { RngSeed::Random } else { RngSeed::Fixed(1) },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A change of bytes.
#[derive(Clone, Debug)]
enum Edit {
    Set(Index, u8),
    Flip(Index, u32),
    Number(Index, u32),
    Remove(Index, usize),
    Insert(Index, Vec<u8>),
}

fn edit() -> impl Strategy<Value = Edit> {
    let number = prop_oneof![Just(0), Just(1), Just(u32::MAX), Just(i32::MAX as u32), any::<u32>()];
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Edit::Set(at, byte)),
        (any::<Index>(), 0..8_u32).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        (any::<Index>(), number).prop_map(|(at, number)| Edit::Number(at, number)),
        (any::<Index>(), 1..20_usize).prop_map(|(at, length)| Edit::Remove(at, length)),
        (any::<Index>(), vec(any::<u8>(), 1..20)).prop_map(|(at, bytes)| Edit::Insert(at, bytes)),
    ]
}

fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = bytes.to_owned();
    for edit in edits {
        let at = |at: &Index, length: usize| at.index(length + 1);
        match edit {
            Edit::Set(index, byte) => {
                let at = at(index, bytes.len());
                bytes.splice(at..(at + 1).min(bytes.len()), [*byte]);
            }
            Edit::Flip(index, bit) if !bytes.is_empty() => {
                let at = index.index(bytes.len());
                bytes[at] ^= 1 << bit;
            }
            Edit::Flip(..) => {}
            Edit::Number(index, number) => {
                let at = at(index, bytes.len());
                bytes.splice(at..(at + 4).min(bytes.len()), number.to_le_bytes());
            }
            Edit::Remove(index, length) => {
                let at = at(index, bytes.len());
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Edit::Insert(index, more) => {
                let at = at(index, bytes.len());
                bytes.splice(at..at, more.iter().copied());
            }
        }
    }
    bytes
}

/// Bytes at the end of an archive, after its index.
const TRAILER: usize = 60;

/// Where the header of an archive ends: before its frames, after the checksum of itself.
fn header_bytes(file: &[u8]) -> usize {
    let ends_here = |end: &usize| crc32c::crc32c(&file[..end - 4]).to_le_bytes() == file[end - 4..*end];
    (20..file.len()).find(ends_here).expect("a header with a checksum")
}

/// An archive with checksums that fit what is in it.
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
fn with_content(path: &Path, game: &Game, frame: &Index, edits: &[Edit]) -> Vec<u8> {
    let file = fs::read(path).unwrap();
    let header = &file[..header_bytes(&file)];
    let archive = Archive::open(path.to_owned(), game, header, usize::MAX).unwrap();
    let changed = frame.index(archive.frames());
    let mut next = 0..archive.frames();
    let mut out = Vec::new();
    let frame = |number| {
        let content = archive.content(number).unwrap();
        Frame::new(&if number == changed { edited(&content, edits) } else { content }, 1)
    };
    archive::write(&mut out, header, &mut |_| next.next().map(frame).transpose()).unwrap();
    out
}

/// A document with a seal that fits.
fn sealed(mut document: Map<String, Value>) -> String {
    let text = |document: &Map<String, Value>| serde_json::to_string_pretty(document).unwrap() + "\n";
    document.insert("blake3".into(), "".into());
    let hash = blake3::hash(text(&document).as_bytes());
    document.insert("blake3".into(), hash.to_hex().as_str().into());
    text(&document)
}

/// Every value in a document that has no others in it.
fn leaves(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Array(values) => values.iter_mut().flat_map(leaves).collect(),
        Value::Object(values) => values.values_mut().flat_map(leaves).collect(),
        leaf => vec![leaf],
    }
}

/// A sealed document with another value in place of one of its leaves, by number; `None` if it has not so many.
fn with_leaf(text: &[u8], number: usize, value: &Value) -> Option<String> {
    let mut document: Value = serde_json::from_slice(text).unwrap();
    *leaves(&mut document).into_iter().nth(number)? = value.clone();
    let Value::Object(document) = document else { panic!("an object") };
    Some(sealed(document))
}

/// Makes the entries of a file in a document fit its content.
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

/// A change of a file in a folder.
#[derive(Clone, Debug)]
enum Change {
    /// Of the bytes of an archive.
    Bytes(Index, Vec<Edit>),
    /// Of the content of one of its frames.
    Content(Index, Index, Vec<Edit>),
    /// Of one value in a document.
    Document(Index, Index, Value),
}

fn change() -> impl Strategy<Value = Change> {
    let edits = || vec(edit(), 1..4);
    let value = prop_oneof![
        prop_oneof![Just(0), Just(1), Just(u64::from(u32::MAX)), Just(u64::MAX), 0..70_u64]
            .prop_map(Value::from),
        prop_oneof![Just(json!(null)), Just(json!(-1)), Just(json!(0.5)), Just(json!([])), Just(json!({}))],
        prop_oneof![Just("".to_owned()), Just("win".to_owned()), "[-BbAaYy;/.0-9]{1,9}"]
            .prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
    ];
    prop_oneof![
        (any::<Index>(), edits()).prop_map(|(file, edits)| Change::Bytes(file, edits)),
        (any::<Index>(), any::<Index>(), edits())
            .prop_map(|(file, frame, edits)| Change::Content(file, frame, edits)),
        (any::<Index>(), any::<Index>(), value)
            .prop_map(|(file, leaf, value)| Change::Document(file, leaf, value)),
    ]
}

/// A folder of a game with all its files.
struct Folder {
    game: Game,
    folder: TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Folder {
    fn new(game: Game, make: impl FnOnce(&Path)) -> Folder {
        let folder = TempDir::new().unwrap();
        make(folder.path());
        let mut folders = vec![folder.path().to_owned()];
        let mut files = Vec::new();
        while let Some(next) = folders.pop() {
            folders.extend(
                next.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()),
            );
            let here =
                next.read_dir().unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
            files.extend(here.map(|path| (path.clone(), fs::read(path).unwrap())));
        }
        files.sort();
        Folder { game, folder, files }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The files that are documents, and those that are not.
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

    /// Writes all files as they were, but for one change, and what must follow it elsewhere.
    fn write(&self, change: &Change) {
        self.restore();
        let (archives, documents) = (self.some(false), self.some(true));
        let (path, file) = match change {
            Change::Document(document, leaf, value) => {
                let (path, text) = document.get(&documents);
                let number = leaf.index(leaves(&mut serde_json::from_slice(text).unwrap()).len());
                return fs::write(path, with_leaf(text, number, value).unwrap()).unwrap();
            }
            Change::Bytes(archive, edits) => {
                let (path, file) = archive.get(&archives);
                (path, resealed(edited(file, edits), header_bytes(file)))
            }
            Change::Content(archive, frame, edits) => {
                let (path, _) = archive.get(&archives);
                (path, with_content(path, &self.game, frame, edits))
            }
        };
        fs::write(path, &file).unwrap();
        for (document, text) in documents {
            let mut content: Value = serde_json::from_slice(text).unwrap();
            update(&mut content, path.file_name().unwrap().to_str().unwrap(), &file);
            if let Value::Object(content) = content {
                fs::write(document, sealed(content)).unwrap();
            }
        }
    }
}

/// Reads everything that a tablebase has.
fn read_all(stored: &Tablebase) -> Result<(), String> {
    let boards = ["b;B", "bB;-A", "b-a;-BA", "bA;B", "BA;-b", "bY;-B"];
    for board in boards.map(|board| board.parse::<Board>().unwrap()) {
        for player in Color::ALL {
            stored.value(&board, player).map_err(|error| error.to_string())?;
        }
    }
    stored.verify(&|| {}).map_err(sentence)
}

fn sentence(error: TableError) -> String {
    error.to_string()
}

fn game(red: &str, green: &str, returns: bool) -> Game {
    let rules = Rules { returns, ..Rules::default() };
    Game { red: red.parse().unwrap(), green: green.parse().unwrap(), rules }
}

/// What was not changed is read, so that what is refused is refused for the change.
fn check(
    folder: &Folder,
    read: impl Fn() -> Result<(), String>,
    changes: impl Strategy<Value = Change>,
    usual: u32,
) {
    read().unwrap_or_else(|error| panic!("as it was made: {error}"));
    // The least and the greatest number in place of every value of every document.
    for (path, text) in folder.some(true) {
        for value in [json!(0), json!(u64::MAX)] {
            let changed = (0..).map_while(|number| with_leaf(text, number, &value));
            for changed in changed {
                folder.restore();
                fs::write(path, changed).unwrap();
                // It is read or refused.
                let _ = read();
            }
        }
    }
    folder.restore();
    let refused = std::cell::Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::new(cases(usual));
    let run = runner.run(&changes, |change| {
        folder.write(&change);
        if let Err(error) = read() {
            refused.set(refused.get() + 1);
            prop_assert!(!error.is_empty() && !error.contains('\n'), "{error}");
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(refused.get() > usual / 4, "only {} of the changes were noticed", refused.get());
}

#[test]
fn tables_of_any_content() {
    let game = game("A", "-", true);
    let folder = Folder::new(game, |path| {
        tables::write(&*solve(game, &|_| {}), &GameFolder::new(path), SHARD, &|| {}).unwrap();
    });
    let read = || read_all(&Tablebase::open_finished(folder.path(), game).map_err(sentence)?);
    check(&folder, read, change(), 1_000);
}

/// Rounds in files: all of them; and only the wins, in snapshots, with the rounds of boards with few doves.
#[test]
fn rounds_and_snapshots_of_any_content() {
    for (keep, memory) in [(Keep::Everything, None), (Keep::UpTo(2), Some(1 << 12))] {
        let game = game("A", "M", false);
        let layout = || Layout::in_parts(game, u64::MAX);
        let folder = Folder::new(game, |path| {
            let by_parts = ByParts::new(layout(), GameFolder::new(path), memory, keep).unwrap();
            by_parts.solve(Some(1), &|_| {}).unwrap();
        });
        assert!(!folder.some(false).is_empty() && !folder.some(true).is_empty(), "archives and documents");
        let read = || {
            if let Some(stored) = open_solved(layout(), folder.path()).map_err(sentence)? {
                read_all(&stored)?;
            }
            // The same command again finds what is there, or goes on from it.
            let by_parts =
                ByParts::new(layout(), GameFolder::new(folder.path()), memory, keep).map_err(sentence)?;
            by_parts.solve(Some(1), &|_| {}).map(drop).map_err(sentence)
        };
        check(&folder, read, change(), 400);
    }
}

/// What groups are encoded to in tables and snapshots: any bytes are none of a group, or one that is encoded and
/// decoded again as itself.
#[test]
fn groups_of_any_bytes() {
    let layouts = [game("AYMT", "AY", true), game("A", "YMTH", false)].map(Layout::new);
    let strategy =
        (any::<bool>(), any::<Index>(), any::<Index>(), vec(edit(), 0..6), vec(any::<u8>(), 0..60));
    let decoded = std::cell::Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::new(cases(3_000));
    let run = runner.run(&strategy, |(first, class, group, edits, bytes)| {
        let layout = &layouts[usize::from(first)];
        let ids: Vec<ClassId> = layout.ids().collect();
        let class = *class.get(&ids);
        let group = GroupId { class, number: group.index(layout[class].groups().min(1_000)) };
        let (class, form) = (&layout[class], BlockForm::of(&layout[class]));
        let blocks = class.group_blocks(group);
        // Some bits in some blocks, from the bytes.
        let mut bits = SparseBits::new(class, group);
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
        bits.finish();
        let content = bits.content(form, blocks);
        prop_assert!(SparseBits::from_content(form, blocks, &content).as_ref() == Some(&bits));
        if let Some(found) = SparseBits::from_content(form, blocks, &edited(&content, &edits)) {
            let again = SparseBits::from_content(form, blocks, &found.content(form, blocks));
            prop_assert!(again.as_ref() == Some(&found));
            decoded.set(decoded.get() + 1);
        }
        let mut values = GroupValues::default();
        values.push(dovemate::Worth::Exact(dovemate::Value::Win(bytes.len() as u32)), bits);
        let encoded = values.encode();
        prop_assert!(GroupValues::decode(class, group, &encoded).as_ref() == Some(&values));
        if let Some(found) = GroupValues::decode(class, group, &edited(&encoded, &edits)) {
            prop_assert!(GroupValues::decode(class, group, &found.encode()).as_ref() == Some(&found));
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(decoded.get() > 100, "only {} were decoded", decoded.get());
}

/// Appends the checksum of all before.
fn with_sha256(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

const SHA256: usize = 32;

proptest! {
    #![proptest_config(cases(1_000))]

    #[test]
    fn models_of_any_bytes(edits in vec(edit(), 0..4), is_sealed in any::<bool>()) {
        let file = include_bytes!("../../../src/search/estimate/model.bin");
        let changed = edited(&file[..file.len() - SHA256], &edits);
        let changed = if is_sealed { with_sha256(changed) } else { edited(file, &edits) };
        let Some(model) = Model::read(&changed) else {
            prop_assert!(changed != file);
            return Ok(());
        };
        prop_assert!(changed == file || model != *Model::embedded(), "what is read is all of it");
        // No sum overflows, whatever the weights.
        let game = Game::whole(Rules::default());
        let mut draw = Draw::new(game, 2..=12, 1);
        for _ in 0..100 {
            let (board, mover) = draw.position();
            model.estimate(&Position::of(&board, mover, &game).expect("a game"), game.rules);
        }
    }
}

#[test]
fn openings_of_any_bytes() {
    let game = game("A", "-", true);
    let solved = solve(game, &|_| {});
    let value = |board: &Board, mover| solved.value(board, mover).ok()??.exact();
    let file = Openings::write(game, 3, value).unwrap();
    assert!(Openings::read(&file, &game).is_some());
    let places = Openings::read(&file, &game).unwrap().positions().count();
    // Both what is compressed and what it is compressed to.
    let head = 20 + 2 + 2 * usize::from(u16::from_le_bytes([file[20], file[21]]));
    let content = miniz_oxide::inflate::decompress_to_vec(&file[head..file.len() - SHA256]).unwrap();
    assert_eq!(content.len(), places);
    let strategy = (vec(edit(), 0..4), vec(edit(), 0..3), any::<bool>());
    let mut runner = proptest::test_runner::TestRunner::new(cases(1_000));
    let run = runner.run(&strategy, |(edits, content_edits, is_sealed)| {
        let content = miniz_oxide::deflate::compress_to_vec(&edited(&content, &content_edits), 1);
        let mut changed = edited(&[&file[..head], &content].concat(), &edits);
        changed = if is_sealed { with_sha256(changed) } else { edited(&file, &edits) };
        if let Some(openings) = Openings::read(&changed, &game) {
            for (board, mover) in openings.positions() {
                prop_assert!(openings.value(&board, mover).unwrap().is_some(), "{board}");
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
