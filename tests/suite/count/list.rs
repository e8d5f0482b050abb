//! Listings have the length of the count, equal the literal reference's set, and have every position once. Also ranks
//! and samples, and `.tdl` files that the crate can read.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use crate::cases;
use dovemate::Listing;
use dovemate::Verdict;
use dovemate::count::reference;
use dovemate::count::{Category, Method, decide};
use dovemate::random::Random;
use dovemate::rules::{Code, Color, Rules};
use dovemate::shapes::{BossPlacement, Shape};
use dovemate::tdl::{self, Entries, Entry, TdlError};
use dovemate::{Count, ShapeError};
use rayon::prelude::*;
use tokyodoves::collections::board_set::RawBoardSet;

fn codes(listing: &Listing) -> Vec<Code> {
    let mut positions = listing.iter();
    let codes = positions.by_ref().collect();
    assert_eq!(positions.examined(), listing.assignments());
    codes
}

fn listing(category: Category, doves: RangeInclusive<u32>) -> Listing {
    Listing::new(category, doves, Rules::default())
}

fn invariants(codes: &[Code]) -> HashSet<Code> {
    codes.iter().map(|code| code.canonical(Color::Red)).collect()
}

/// Every position on these shapes with this verdict by the reference, over all boss placements and all
/// images.
fn by_reference(shapes: &[Shape], wanted: Verdict) -> HashSet<Code> {
    let placements: Vec<BossPlacement> = shapes.iter().flat_map(BossPlacement::all).collect();
    placements
        .par_iter()
        .flat_map_iter(|placement| reference::boards(placement).collect::<Vec<_>>())
        .filter(|board| reference::verdict(board, Color::Red, Rules::default()) == wanted)
        .map(|board| board.code().canonical(Color::Red))
        .collect()
}

fn shapes_with(doves: u32) -> Vec<Shape> {
    Shape::all().into_iter().filter(|shape| shape.doves() == doves).collect()
}

/// Compares a listing of these shapes with the reference; returns the number of positions.
fn compare(category: Category, shapes: &[Shape]) -> usize {
    let listed = codes(&Listing::on(category, shapes.iter().copied(), Rules::default()));
    let verdict = if category == Category::Mates { Verdict::Mate } else { Verdict::WinInOne };
    let expected = by_reference(shapes, verdict);
    assert_eq!(listed.len(), expected.len(), "{category:?} on {shapes:?}: the listing (left)");
    assert!(invariants(&listed) == expected, "{category:?} on {shapes:?}");
    listed.len()
}

fn count(doves: u32, rules: Rules) -> u64 {
    dovemate::count(Count::mates().rules(rules).doves(doves..=doves).method(Method::Factored))
        .expect("the CPU counts")
        .total()
        .positions
}

#[test]
fn a_listing_is_as_long_as_the_count_and_has_every_position_once() {
    for (doves, published) in [(2, 0), (3, 0), (4, 0), (5, 0), (6, 14_310), (7, 842_656)] {
        let codes = codes(&listing(Category::Mates, doves..=doves));
        assert_eq!(codes.len() as u64, published, "{doves} doves");
        assert_eq!(codes.len() as u64, count(doves, Rules::default()), "{doves} doves");
        assert_eq!(invariants(&codes).len(), codes.len(), "{doves} doves: different ones (left)");
        assert!(codes.iter().all(|code| code.count() == doves));
        assert_eq!(listing(Category::Mates, doves..=doves).ranks().total(), published);
    }
}

#[test]
fn the_rank_totals_are_the_counts_under_every_rule_variant() {
    let most = cases(7, 8);
    for (rules, doves) in Rules::variants().flat_map(|rules| (6..=most).map(move |doves| (rules, doves))) {
        let total = Listing::new(Category::Mates, doves..=doves, rules).ranks().total();
        assert_eq!(total, count(doves, rules), "{rules:?}, {doves} doves");
    }
}

#[test]
fn all_ranks_add_up_to_the_published_figure() {
    assert_eq!(listing(Category::Mates, 2..=12).ranks().total(), 4_779_515_952);
}

/// The reference takes seconds for a shape with 6 doves, so only a few of the shapes with mates are compared.
#[test]
fn mates_are_those_of_the_reference() {
    for doves in 2..=cases(3, 4) {
        assert_eq!(compare(Category::Mates, &shapes_with(doves)), 0);
    }
    let holds_mates =
        |shape: &Shape| Listing::on(Category::Mates, [*shape], Rules::default()).ranks().total() != 0;
    let shapes: Vec<Shape> = shapes_with(6).into_iter().filter(holds_mates).step_by(cases(120, 60)).collect();
    let mates = compare(Category::Mates, &shapes);
    assert!(mates > 50, "only {mates} mates on {} shapes", shapes.len());
}

/// [`decide`] and the reference agree on mates with 6 doves and on the same boards with green to move;
/// on some, under all rules.
#[test]
fn single_positions_are_decided_as_by_the_reference() {
    let listed = codes(&listing(Category::Mates, 6..=6));
    let decided = |code: &Code, rules: Rules| {
        let board = code.board();
        Color::ALL.map(|mover| {
            let (decided, expected) =
                (decide(&board, mover, rules), reference::verdict(&board, mover, rules));
            assert_eq!(decided, expected, "{board}, {mover:?} to move, {rules:?}: decided (left)");
            expected
        })
    };
    let some = listed.par_iter().step_by(cases(9, 3));
    let verdicts: HashSet<Verdict> = some
        .flat_map_iter(|code| {
            let verdicts = decided(code, Rules::default());
            assert_eq!(verdicts[Color::Red as usize], Verdict::Mate, "{} is listed", code.board());
            verdicts
        })
        .collect();
    for verdict in [Verdict::Mate, Verdict::Escape, Verdict::WinInOne] {
        assert!(verdicts.contains(&verdict), "{verdict:?} is not among {verdicts:?}");
    }
    let some: Vec<Code> = listed.into_iter().step_by(47).collect();
    let under_all_rules =
        some.par_iter().flat_map_iter(|code| Rules::variants().flat_map(|rules| decided(code, rules)));
    assert_eq!(under_all_rules.count(), 2 * 6 * some.len());
}

#[test]
#[ignore = "half an hour: every assignment of 5 and 6 doves through the literal reference"]
fn all_mates_with_6_doves_are_those_of_the_reference() {
    assert_eq!(compare(Category::Mates, &shapes_with(5)), 0);
    assert_eq!(compare(Category::Mates, &shapes_with(6)), 14_310);
}

#[test]
fn wins_are_those_of_the_reference() {
    let some: Vec<Shape> = shapes_with(5).into_iter().step_by(30).collect();
    // There are no wins in one with fewer than 5 doves.
    for doves in 2..=cases(3, 4) {
        assert_eq!(compare(Category::Wins, &shapes_with(doves)), 0);
    }
    assert_ne!(compare(Category::Wins, &some), 0);
}

#[test]
fn every_listed_position_is_its_own_board_at_the_origin() {
    for code in codes(&listing(Category::Mates, 6..=6)) {
        let board = code.board();
        assert_eq!((board.code(), board.to_string()), (code, code.text()));
    }
}

#[test]
fn ranks_are_places_in_the_listing() {
    for doves in 6..=cases(6, 7) {
        let listing = listing(Category::Mates, doves..=doves);
        let codes = codes(&listing);
        let all: Vec<u64> = (0..codes.len() as u64).collect();
        assert!(listing.ranks().locate(&all) == codes, "{doves} doves: all ranks");
        for rank in [0, 1, 5_000, codes.len() as u64 - 1] {
            assert_eq!(listing.ranks().locate(&[rank]), [codes[rank as usize]]);
        }
        assert_eq!(listing.ranks().locate(&[]), []);
    }
}

#[test]
fn a_shape_has_its_part_of_the_listing() {
    let mates = codes(&listing(Category::Mates, 6..=6));
    for text in [mates[0].text(), mates[mates.len() - 1].text()] {
        let Ok(shape) = text.parse::<Shape>() else { panic!("{text} is a shape") };
        assert_eq!(shape.to_string().parse(), Ok(shape));
        let part = codes(&Listing::on(Category::Mates, [shape], Rules::default()));
        let is_there = |code: &&Code| code.text().parse::<Shape>() == Ok(shape);
        let there: Vec<Code> = mates.iter().filter(is_there).copied().collect();
        assert!(!part.is_empty() && part.len() < mates.len(), "{text}: {} mates", part.len());
        assert!(part == there, "{text}: {} mates, not {}", part.len(), there.len());
    }
    // Turned and shifted, this is the same shape.
    assert_eq!("x;x".parse::<Shape>(), "----;--xx".parse::<Shape>());
    assert_eq!("x".parse::<Shape>(), Err(ShapeError::Count(1)));
    assert_eq!("".parse::<Shape>(), Err(ShapeError::Count(0)));
    assert_eq!("xxxx;xxxx;xxxx;x".parse::<Shape>(), Err(ShapeError::Count(13)));
    assert_eq!("x-x".parse::<Shape>(), Err(ShapeError::Isolated));
    assert_eq!("xxxxx".parse::<Shape>(), Err(ShapeError::TooLarge(1, 5)));
    assert_eq!("x;x;x;x;x".parse::<Shape>(), Err(ShapeError::TooLarge(5, 1)));
    let unknown = ShapeError::UnknownLetter { row: 2, column: 3, letter: '?' };
    assert_eq!("xxx;xx?".parse::<Shape>(), Err(unknown));
}

/// A seed must give the same sample forever: these numbers may never change.
#[test]
fn samples_are_pinned() {
    assert_eq!(Random::sample(14_310, 5, 1), [922, 2562, 4995, 8346, 9370]);
    let pinned = [846_552_147, 860_500_152, 2_176_292_104];
    assert_eq!(Random::sample(4_779_515_952, 3, u64::MAX), pinned);
}

#[test]
fn a_sample_is_a_set_of_ranks() {
    for (total, k) in [(0, 0), (1, 1), (10, 10), (10, 0), (1000, 999), (u64::MAX, 50)] {
        let ranks = Random::sample(total, k, 7);
        assert_eq!(ranks.len() as u64, k);
        assert!(ranks.windows(2).all(|pair| pair[0] < pair[1]) && ranks.iter().all(|&rank| rank < total));
    }
    assert_eq!(Random::sample(10, 10, 0), (0..10).collect::<Vec<_>>());
    assert_ne!(Random::sample(14_310, 20, 1), Random::sample(14_310, 20, 2));
}

/// Each of 14,310 mates is drawn equally often: over samples with different seeds, the chi-square statistic of the
/// draws must be plausible for 14,309 degrees of freedom. (All mates in a sample differ, which lowers the statistic
/// by the share of the mates in a sample.)
#[test]
fn samples_are_uniform_over_all_mates_with_6_doves() {
    let listing = listing(Category::Mates, 6..=6);
    let ranks = listing.ranks();
    let mates = codes(&listing);
    let place: std::collections::HashMap<Code, usize> = mates.iter().copied().zip(0..).collect();
    let (samples, k) = (350, 286_u64);
    let mut drawn = vec![0_u64; mates.len()];
    for seed in 0..samples {
        for code in ranks.locate(&Random::sample(ranks.total(), k, seed)) {
            drawn[place[&code]] += 1;
        }
    }
    let expected = (samples * k) as f64 / mates.len() as f64;
    let chi_square: f64 = drawn.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let freedom = (mates.len() - 1) as f64 * (1.0 - k as f64 / mates.len() as f64);
    let deviation = (chi_square - freedom) / (2.0 * freedom).sqrt();
    assert!(deviation.abs() < 4.0, "chi-square {chi_square}, {deviation} standard deviations from {freedom}");
}

/// The `.tdl` file of these positions.
fn file_of(codes: &[Code]) -> Vec<u8> {
    let mut codes: Vec<Code> = codes.iter().map(|code| code.canonical(Color::Red)).collect();
    let mut bytes = Vec::new();
    let written = tdl::write(&mut codes, &mut bytes).expect("memory takes it");
    assert_eq!(written.positions as usize, codes.len());
    bytes
}

/// The positions of a file, each checked.
fn read(bytes: &[u8]) -> impl Iterator<Item = Result<Code, TdlError>> {
    Entries::new(bytes).map(|entry| entry.and_then(Entry::code))
}

#[test]
fn the_crate_reads_the_same_set() {
    let mates = codes(&listing(Category::Mates, 6..=6));
    let bytes = file_of(&mates);
    let mut theirs = RawBoardSet::new();
    theirs.load(&bytes[..]).expect("the crate reads it");
    let ours: HashSet<u64> = invariants(&mates).iter().map(|code| code.to_u64()).collect();
    assert_eq!(theirs.iter().collect::<HashSet<u64>>(), ours);

    let lazily: Vec<u64> = tokyodoves::collections::LazyRawBoardLoader::new(&bytes[..]).collect();
    assert_eq!(lazily.len(), ours.len());
    assert!(lazily.is_sorted(), "groups and what is in them ascend");
    assert_eq!(lazily.into_iter().collect::<HashSet<u64>>(), ours);
}

#[test]
fn we_read_what_the_crate_writes() {
    let ours = invariants(&codes(&listing(Category::Mates, 6..=6)));
    let mut theirs = RawBoardSet::new();
    ours.iter().for_each(|code| assert!(theirs.insert(code.to_u64())));
    let mut bytes = Vec::new();
    theirs.save(&mut bytes).expect("memory takes it");
    let read: Result<HashSet<Code>, TdlError> = read(&bytes).collect();
    assert_eq!(read.expect("it is a .tdl file"), ours);
}

/// Duplicates are written once, and the checksum is that of the bytes.
#[test]
fn any_order_gives_the_same_bytes() {
    let mates = codes(&listing(Category::Mates, 6..=6));
    let mut bytes = Vec::new();
    let mut twice: Vec<Code> =
        mates.iter().chain(&mates).rev().map(|code| code.canonical(Color::Red)).collect();
    let written = tdl::write(&mut twice, &mut bytes).expect("memory takes it");
    assert!(bytes == file_of(&mates));
    assert_eq!(written.positions, 14_310);
    assert_eq!(written.sha256, SHA256_OF_MATES_WITH_6_DOVES);
    assert_eq!(file_of(&[]), Vec::<u8>::new());
}

/// The checksum as `sha256sum` gives it.
const SHA256_OF_MATES_WITH_6_DOVES: &str = "32a973bd75d8d2e5ff878f8de3d4d085a1387b41c5edb5b0e59441d7859963d1";

#[test]
fn damaged_files_are_refused_with_the_byte() {
    let bytes = file_of(&codes(&listing(Category::Mates, 6..=6)));
    let error = |bytes: &[u8]| read(bytes).find_map(Result::err).expect("an error").to_string();
    let length = bytes.len();
    for cut in [1, 2, 3, 4, 5, 8] {
        let message = error(&bytes[..length - cut]);
        assert!(message.starts_with(&format!("it ends at byte {}", length - cut)), "{cut}: {message}");
    }
    let mut flipped = bytes.clone();
    flipped[5] ^= 0xff;
    assert!(error(&flipped).starts_with("byte 4: "), "{}", error(&flipped));
    assert!(error(&[0xff; 4]).starts_with("byte 0: a group without"), "{}", error(&[0xff; 4]));
    assert!(error(b"# Tokyo Doves\n\nA game").starts_with("byte 4: "));
    // A board that is not the least of its images.
    assert!(error(&[0x0c, 0, 0x40, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]).contains("0c00_0100_0000_0000"));
}
