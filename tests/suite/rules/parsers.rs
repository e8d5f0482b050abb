//! Every parser on all kinds of text and bytes: it never panics, it accepts exactly what has the right form,
//! and what it accepts survives a round trip. The cases are the same in every run.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use crate::boards;
use dovemate::Shape;
use dovemate::count::Category;
use dovemate::count::read_doves;
use dovemate::rules::{
    Action, Board, BoardTextError, BothSurrounded, Code, CodeError, Color, Dove, DoveSet, Game, Kind, Rules,
    ascii_forms,
};
use dovemate::tdl::{self, Entries, Entry, TdlError};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// A configuration with the same cases in every run; failures are printed, not kept in files. `DOVEMATE_TEST_WITH`
/// may ask for all cases; the default is a tenth of them.
fn cases(all: u32) -> ProptestConfig {
    ProptestConfig {
        cases: crate::cases(all / 10, all),
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// All dove sets, each once, the smallest first.
#[test]
fn all_dove_sets() {
    let sets: Vec<String> = DoveSet::all().iter().map(ToString::to_string).collect();
    let expected = "- A Y M T H AY AM AT AH YM YT YH MT MH TH AYM AYT AYH AMT AMH ATH YMT YMH YTH MTH \
                    AYMT AYMH AYTH AMTH YMTH AYMTH";
    assert_eq!(sets.join(" "), expected);
}

/// A game's name has both dove sets and its differences from the default rules.
#[test]
fn names_of_games() {
    let (even, odd) = (Game::both("AYM").expect("kinds"), Game { green: DoveSet::NONE, ..Game::default() });
    let named = |game: Game, returns, both_surrounded| {
        Game { rules: Rules { returns, both_surrounded }, ..game }.to_string()
    };
    assert_eq!(named(even, true, BothSurrounded::MoverLoses), "AYM for both");
    assert_eq!(named(odd, false, BothSurrounded::MoverLoses), "AYMTH for red, - for green, no returns");
    assert_eq!(named(odd, true, BothSurrounded::Draw), "AYMTH for red, - for green, both surrounded: draw");
    let both = named(even, false, BothSurrounded::MoverWins);
    assert_eq!(both, "AYM for both, no returns, both surrounded: mover-wins");
}

/// Texts: some are boards, many nearly are, and most are rubbish.
fn board_texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[-. BbAaYyMmTtHhx;]{0,20}",
        // Rows of about the right length, with doves that need not touch.
        "[-bBaA]{0,4};[-BbyY]{0,5};[-mMtT]{0,4};[-hH]{0,4}",
        "[-bBaA]?(\t[-bBaA ]?){3,4};[-yY]?(\t[-yY]{0,2}){0,4}",
        (any::<u64>(), any::<u8>())
            .prop_map(|(seed, change)| damaged(random_board(seed).to_string(), change)),
    ]
}

/// A board of any number of doves.
fn random_board(seed: u64) -> Board {
    let mut rng = boards::random_numbers(seed as u8);
    boards::random_board(&mut rng, 2 + (seed >> 8) as usize % 11)
}

/// A text with at most one character changed, left out or doubled.
fn damaged(text: String, change: u8) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let place = usize::from(change >> 2) % letters.len();
    match change & 3 {
        0 => drop(letters.remove(place)),
        1 => letters.insert(place, letters[place]),
        2 => letters[place] = ['-', 'B', 'x', 'ハ'][place % 4],
        _ => {}
    }
    letters.into_iter().collect()
}

/// Whether a text is a board text, by a second implementation of the rules for its form.
fn is_board_text(text: &str) -> bool {
    let text = ascii_forms(text);
    let text = text.strip_suffix(';').unwrap_or(&text);
    let cell = |cell: &str| if cell.trim().is_empty() { " ".to_owned() } else { cell.trim().to_owned() };
    let joined = |row: &str| match row.contains('\t') {
        true => row.split('\t').map(cell).collect(),
        false => row.to_owned(),
    };
    let mut rows: Vec<Vec<char>> = text.split(';').map(|row| joined(row).chars().collect()).collect();
    for row in rows.iter_mut().filter(|row| row.iter().skip(4).all(|letter| letter.is_whitespace())) {
        row.truncate(4);
    }
    let mut doves = Vec::new();
    for (row, letters) in rows.iter().enumerate() {
        for (column, &letter) in letters.iter().enumerate() {
            match letter {
                '-' | '.' | ' ' => {}
                letter if "BAYMTHbaymth".contains(letter) => doves.push((letter, row, column)),
                _ => return false,
            }
        }
    }
    let letters: BTreeSet<char> = doves.iter().map(|dove| dove.0).collect();
    let touch = |a: &(char, usize, usize), b: &(char, usize, usize)| {
        a != b && a.1.abs_diff(b.1) <= 1 && a.2.abs_diff(b.2) <= 1
    };
    rows.len() <= 4
        && rows.iter().all(|row| row.len() <= 4)
        && letters.len() == doves.len()
        && letters.contains(&'B')
        && letters.contains(&'b')
        && doves.iter().all(|dove| doves.iter().any(|other| touch(dove, other)))
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn boards(text in board_texts()) {
        let read = text.parse::<Board>();
        prop_assert_eq!(read.is_ok(), is_board_text(&text), "'{}': {:?}", text, read);
        let code = Code::from_text(&text);
        match read {
            Ok(board) => {
                prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board.clone()));
                prop_assert_eq!(code.map(|code| code.board()), Ok(board));
            }
            Err(error) => {
                prop_assert!(is_one_line(&error), "{error}");
                prop_assert_eq!(code, Err::<Code, BoardTextError>(error));
            }
        }
    }

    #[test]
    fn codes(text in prop_oneof![any::<String>(), "[0-9a-fA-F]{14,18}", "0[0-9a-f]{15}", "0x[0-9a-f]{16}", "0[0-9a-f]{3}(_[0-9a-f]{3,4}){2,4}"]) {
        let digits = text.replace('_', "");
        let underscores: Vec<usize> = text.match_indices('_').map(|(at, _)| at).collect();
        let has_form = digits.len() == 16
            && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            && matches!(underscores[..], [] | [4, 9, 14]);
        match text.parse::<Code>() {
            Ok(code) => prop_assert_eq!(code.to_string().replace('_', ""), digits.to_lowercase()),
            Err(error) => {
                prop_assert_eq!(matches!(error, CodeError::Malformed(_)), !has_form, "'{}': {}", text, error);
                prop_assert!(is_one_line(&error), "{error}");
            }
        }
    }

    /// Numbers that are boards, and numbers that differ from one in one bit.
    #[test]
    fn numbers(seed in any::<u64>(), bit in 0_u32..128) {
        let code = random_board(seed).code();
        let changed = code.to_u64() ^ 1_u64.checked_shl(bit).unwrap_or(0);
        match Code::from_u64(changed) {
            // Each board has exactly one number in this window.
            Ok(read) => prop_assert_eq!(Code::from_text(&read.text()), Ok(read)),
            Err(error) => {
                prop_assert!(changed != code.to_u64(), "{code} is a board: {error}");
                prop_assert!(is_one_line(&error), "{error}");
            }
        }
    }

    #[test]
    fn actions(seed in any::<u64>(), text in prop_oneof![any::<String>(), "[-+]?[BbAaYyMmTtHh]([NS][0-9])?([EW][0-9])?", "[-+NSEWAat1-4]{0,8}"]) {
        let board = random_board(seed);
        match Action::from_text(&text, &board) {
            // A zero offset is not written, so an accepted text is the only one of its action.
            Ok(action) => prop_assert_eq!(action.text(&board), text),
            Err(error) => prop_assert!(is_one_line(&error), "{error}"),
        }
    }

    #[test]
    fn dove_sets(text in prop_oneof![any::<String>(), "[AYMTHaymth]{0,6}", "[AYMTHBaymthb]{0,6}", "[-AYMTHBbxaymth]{0,4}"]) {
        let text = ascii_forms(&text);
        let letters: Vec<char> = text.to_ascii_uppercase().chars().collect();
        let different: BTreeSet<&char> = letters.iter().collect();
        let is_set = text == "-"
            || !letters.is_empty() && different.len() == letters.len() && letters.iter().all(|&letter| "BAYMTH".contains(letter));
        match text.parse::<DoveSet>() {
            Ok(set) => {
                prop_assert!(is_set, "'{text}' is {set}");
                prop_assert_eq!(set.to_string().parse(), Ok(set));
                prop_assert_eq!(set.with_boss().parse(), Ok(set));
                let has_boss = usize::from(letters.contains(&'B'));
                prop_assert!(text == "-" || set.len() as usize + has_boss == letters.len());
                let has = |letter| set.contains(Dove::from_letter(letter).expect("a letter").kind);
                prop_assert!(text == "-" || letters.into_iter().all(has));
            }
            Err(error) => prop_assert!(!is_set && is_one_line(&error), "'{text}': {error}"),
        }
    }

    #[test]
    fn numbers_of_doves(text in prop_oneof![any::<String>(), "[0-9]{1,2}", "[0-9]{1,2}\\.\\.=?[0-9]{1,2}", "[0-9.=+-]{0,7}"]) {
        match read_doves(&text) {
            Ok(range) => {
                prop_assert!(2 <= *range.start() && range.start() <= range.end() && *range.end() <= 12);
                prop_assert_eq!(read_doves(&format!("{}..{}", range.start(), range.end())), Ok(range));
            }
            Err(error) => {
                prop_assert!(is_one_line(&error), "{error}");
                let numbers: Vec<Result<u32, _>> = text.replacen("..=", "..", 1).splitn(2, "..").map(str::parse).collect();
                let has_form = matches!(numbers[..], [Ok(2..=12)]) || matches!(numbers[..], [Ok(a @ 2..=12), Ok(b @ 2..=12)] if a <= b);
                prop_assert!(!has_form, "'{text}': {error}");
            }
        }
    }

    #[test]
    fn shapes(text in board_texts()) {
        match text.parse::<Shape>() {
            Ok(shape) => prop_assert!((2..=12).contains(&shape.doves())),
            Err(error) => {
                prop_assert!(!is_board_text(&text), "'{text}' is a board but no shape: {error}");
                prop_assert!(is_one_line(&error), "{error}");
            }
        }
    }

    #[test]
    fn names(text in prop_oneof![any::<String>(), "[a-z-]{0,11}", "red|green|boss|totsu|draw|mates|mover-wins"]) {
        named(&text, &Color::ALL, Color::name)?;
        named(&text, &Kind::ALL, Kind::name)?;
        named(&text, &BothSurrounded::ALL, BothSurrounded::name)?;
        named(&text, &Category::ALL, Category::name)?;
    }
}

proptest! {
    #![proptest_config(cases(3_000))]

    /// Any words, followed by a few more bytes, and files with one byte changed or some cut off.
    #[test]
    fn tdl_files(
        rest in prop::collection::vec(any::<u8>(), 0..4),
        words in prop::collection::vec(prop_oneof![any::<u32>(), Just(u32::MAX), Just(0x0c00_0001), Just(0)], 0..8),
        seeds in prop::collection::vec(any::<u64>(), 0..40),
        (place, value, is_cut) in any::<(usize, u8, bool)>(),
    ) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).chain(rest).collect();
        check_tdl(&bytes)?;

        let codes: BTreeSet<Code> = seeds.iter().map(|&seed| random_board(seed).code().canonical(Color::Red)).collect();
        let mut bytes = written(&codes);
        prop_assert_eq!(check_tdl(&bytes)?, Some(codes.clone()));
        if !bytes.is_empty() {
            let place = place % bytes.len();
            if is_cut {
                bytes.truncate(place);
            } else {
                bytes[place] ^= value.max(1);
            }
            prop_assert_ne!(check_tdl(&bytes)?, Some(codes), "damaged at byte {}", place);
        }
    }
}

/// The positions read from the bytes, if all are valid; writing and reading them again must give the same
/// set.
fn check_tdl(bytes: &[u8]) -> Result<Option<BTreeSet<Code>>, TestCaseError> {
    let read = |bytes: &[u8]| -> Result<BTreeSet<Code>, TdlError> {
        Entries::new(bytes).map(|entry| entry.and_then(Entry::code)).collect()
    };
    // Reading ends, at the latest with the first error.
    let entries: Vec<_> = Entries::new(bytes).take(bytes.len() / 4 + 2).collect();
    let first_error = entries.iter().position(Result::is_err).map_or(entries.len(), |place| place + 1);
    prop_assert!(entries.len() <= bytes.len() / 4 + 1 && entries.len() == first_error);
    for code in entries.into_iter().filter_map(|entry| entry.and_then(Entry::code).ok()) {
        prop_assert_eq!(code.canonical(Color::Red), code);
    }
    match read(bytes) {
        Ok(codes) => {
            prop_assert_eq!(read(&written(&codes)).expect("what is written is read back"), codes.clone());
            Ok(Some(codes))
        }
        Err(error) => {
            prop_assert!(is_one_line(&error), "{error}");
            Ok(None)
        }
    }
}

fn written(codes: &BTreeSet<Code>) -> Vec<u8> {
    let mut codes: Vec<Code> = codes.iter().copied().collect();
    let mut bytes = Vec::new();
    tdl::write(&mut codes, &mut bytes).expect("memory is written");
    bytes
}

/// A name parses as its item, and any other text fails.
fn named<T>(text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<(), TestCaseError>
where
    T: FromStr<Err = dovemate::rules::NameError> + Copy + PartialEq + std::fmt::Debug,
{
    for &one in all {
        prop_assert_eq!(name(one).parse::<T>().ok(), Some(one));
    }
    match text.parse::<T>() {
        Ok(one) => prop_assert_eq!(name(one), text),
        Err(error) => {
            prop_assert!(all.iter().all(|&one| name(one) != text), "'{text}': {error}");
            prop_assert!(is_one_line(&error), "{error}");
        }
    }
    Ok(())
}

/// A message for a user: one line, not empty.
fn is_one_line(error: &impl Display) -> bool {
    let message = error.to_string();
    !message.is_empty() && !message.chars().any(|letter| letter.is_control())
}
