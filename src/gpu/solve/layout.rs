//! The data that the host and the solver's shaders share: the batch, and the tables of a game. Twin of
//! `shaders/solve/layout.wgsl`.
//!
//! All of it is derived from the data of [`crate::solve`]: which deals have a kind at a place, what permutations, drops
//! and puts turn a deal into, which class an action leads to. Maps of deals are bytes, four to a word.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use super::new_blocks::row_words;
use super::shards::{Cut, Shards, block_words, blocks};
use crate::rules::Kind;
use crate::solve::actions::placement_actions::{Act, Actions, BlockAction};
use crate::solve::space::deals::Deals;
use crate::solve::space::deals::MAX_KINDS;
use crate::solve::space::index::Index;
use crate::solve::space::layout::{Class, Layout};
use crate::solve::space::placements::Nibbles;

/// The uniform parameters of a batch; those of a class are computed once. The twin says what each field is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[allow(missing_docs)]
pub struct SolveBatch {
    // The blocks: the first, how many, and whether a list has their numbers.
    pub first: u32,
    pub blocks: u32,
    pub listed: u32,
    // The run: its serial number, invocations per block as a shift, the ends that rows start from, chunks of actions,
    // and where results begin.
    pub serial: u32,
    pub team_shift: u32,
    pub start: u32,
    pub chunks: u32,
    pub found_at: u32,
    // The segment: its first block, where its rows, ends and marks begin, and its first boss placement.
    pub segment: u32,
    pub own_at: u32,
    pub ends_at: u32,
    pub marks_at: u32,
    pub first_placement: u32,
    // The class: its numbers of slots, rows, bits and words, and its kinds.
    pub slots: u32,
    pub rows: u32,
    pub width: u32,
    pub own_words: u32,
    pub read_words: u32,
    pub sets: u32,
    pub own_kinds: u32,
    pub puts: u32,
    // Where its tables begin in [`GameTables::words`]: sets of slots, deals, and the maps of deals with their strides.
    pub set_list: u32,
    pub places_same: u32,
    pub places_more: u32,
    pub places_less: u32,
    pub deal_kinds: u32,
    pub with_kinds: u32,
    pub permuted: u32,
    pub map_stride: u32,
    pub permuted_less: u32,
    pub less_stride: u32,
    pub dropped: u32,
    pub inserted: u32,
    pub reorders: u32,
    pub reorder_stride: u32,
    // Where the records of the classes begin that actions lead to.
    pub after_move: u32,
    pub after_return: u32,
    pub after_puts: u32,
    // A row with all bits set.
    pub all: [u32; 4],
}

/// The numbers of the acts in the shaders.
const BOSS_MOVE: u32 = 0;
pub(super) const MOVE: u32 = 1;
pub(super) const PUT: u32 = 2;
pub(super) const RETURN: u32 = 3;

/// The binary logarithm of the fewest invocations in a team: with fewer, the teams of a workgroup would need too much
/// workgroup memory.
pub(super) const MIN_TEAM_SHIFT: u32 = 3;

/// The tables of a game.
pub(super) struct GameTables {
    /// All tables.
    pub words: Vec<u32>,
    /// For each class, the fields that all its batches share.
    pub classes: Vec<SolveBatch>,
    /// Words of the marks of all blocks.
    pub marks_words: u32,
}

/// Bytes, four to a word.
fn packed(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks(4).map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
}

/// Words of a map from `deals` deals.
fn map_words(deals: usize) -> usize {
    deals.div_ceil(4)
}

/// A growing list of words.
struct Builder {
    words: Vec<u32>,
}

impl Builder {
    /// The index of the next word.
    fn here(&self) -> u32 {
        u32::try_from(self.words.len()).expect("tables have fewer than 2³² words")
    }

    fn map(&mut self, map: &[u8]) {
        self.words.extend(packed(map));
    }

    /// Appends the permutations of deals to `slots` slots; returns where they begin, and the words of each.
    fn permuted(&mut self, deals: &Deals, slots: usize) -> (u32, u32) {
        let here = self.here();
        for permutation in 0..deals.permutations(slots).len() {
            self.map(deals.permuted(slots, permutation as u8));
        }
        (here, map_words(deals.count(slots)) as u32)
    }

    /// Appends, for each permutation of `slots` slots and each byte of a row, what its bits become; returns where the
    /// tables begin, and the words of each permutation.
    fn reorders(&mut self, deals: &Deals, slots: usize) -> (u32, u32) {
        let here = self.here();
        let count = deals.count(slots);
        let (bytes, row_words) = (count.div_ceil(8), count.div_ceil(32));
        for permutation in 0..deals.permutations(slots).len() {
            let permuted = deals.permuted(slots, permutation as u8);
            let mut source = vec![0; 8 * bytes];
            for (deal, &image) in permuted.iter().enumerate() {
                source[usize::from(image)] = deal;
            }
            for byte in 0..bytes {
                let start = self.words.len();
                self.words.resize(start + 256 * row_words, 0);
                for value in 1..256usize {
                    let (rest, bit) = (value & (value - 1), 8 * byte + value.trailing_zeros() as usize);
                    for word in 0..row_words {
                        self.words[start + value * row_words + word] = self.words[start + rest * row_words + word];
                    }
                    if bit < count {
                        let deal = source[bit];
                        self.words[start + value * row_words + deal / 32] |= 1 << (deal % 32);
                    }
                }
            }
        }
        (here, (bytes * 256 * row_words) as u32)
    }
}

/// The bit number of a kind.
fn bit(kind: Kind) -> u32 {
    kind as u32 - 1
}

impl GameTables {
    /// The tables of a game whose blocks lie in these shards.
    pub fn new(index: &Index, shards: &Shards) -> GameTables {
        let layout = &index.layout;
        let most_slots = index.placements.most_slots();
        let mut builder = Builder { words: Vec::new() };
        let places: Vec<u32> = (0..=most_slots)
            .map(|slots| {
                let here = builder.here();
                builder.words.extend((0..1u32 << slots).map(|set| layout.place(slots, set) as u32));
                here
            })
            .collect();
        let mut marks_words = 0;
        let mut marks_at = Vec::new();
        for class in &layout.classes {
            marks_at.push(marks_words);
            marks_words += blocks(class).div_ceil(32);
        }
        let cuts = layout.classes.iter().zip(&shards.cuts).zip(&marks_at);
        let records: Vec<u32> =
            cuts.map(|((class, cut), &marks_at)| record(&mut builder, class, cut, marks_at)).collect();
        let classes = layout.classes.iter().zip(&marks_at).map(|(class, &marks_at)| SolveBatch {
            marks_at,
            ..class_tables(&mut builder, layout, class, &places, &records)
        });
        let classes = classes.collect();
        GameTables { words: builder.words, classes, marks_words }
    }
}

/// Appends the record of a class, which actions that lead to it read; returns where it begins.
fn record(builder: &mut Builder, class: &Class, cut: &Cut, marks_at: u32) -> u32 {
    let here = builder.here();
    builder.words.extend([cut.shard, cut.at, cut.per_shard, block_words(class), class.sets as u32, marks_at]);
    here
}

fn class_tables(builder: &mut Builder, layout: &Layout, class: &Class, places: &[u32], records: &[u32]) -> SolveBatch {
    let (own_deals, opposing_deals) = (Deals::of(class.own_kinds), Deals::of(class.opposing_kinds));
    let (own, slots) = (class.own as usize, class.slots as usize);
    let kinds: Vec<Kind> = class.own_kinds.kinds().collect();
    // For each kind that can be put: the record of the class that it leads to, and its maps of deals.
    let mut puts: Vec<(u32, Vec<&[u8]>)> = Vec::new();
    for after in &class.after_puts {
        let (record, images) = (records[after.class.0], layout.puts(after));
        let of_kind = |absent| (record, (0..=own).map(|place| images.images(place, absent)).collect());
        puts.extend((0..images.absent()).map(of_kind));
    }
    let widest = class.width.max(class.rows).next_power_of_two().trailing_zeros();
    let row = |word: usize| {
        let bits = class.rows.saturating_sub(32 * word).min(32) as u32;
        if bits == 0 { 0 } else { u32::MAX >> (32 - bits) }
    };

    let set_list = builder.here();
    builder.words.extend((0..class.sets).map(|set| layout.set(class, set)));
    let deal_kinds = builder.here();
    for deal in 0..class.width {
        let dealt = own_deals.deal(own, deal).iter().rev();
        builder.words.push(dealt.fold(0, |word, &kind| word << 4 | bit(kinds[usize::from(kind)])));
    }
    let with_kinds = builder.here();
    for place in 0..own {
        for set in 0..32u32 {
            let start = builder.words.len();
            builder.words.resize(start + row_words(class) as usize, 0);
            for deal in 0..class.width {
                let kind = kinds[usize::from(own_deals.deal(own, deal)[place])];
                if set >> bit(kind) & 1 == 1 {
                    builder.words[start + deal / 32] |= 1 << (deal % 32);
                }
            }
        }
    }
    let (permuted, map_stride) = builder.permuted(own_deals, own);
    let (permuted_less, less_stride) = if own > 0 { builder.permuted(own_deals, own - 1) } else { (0, 0) };
    let dropped = builder.here();
    (0..own).for_each(|place| builder.map(own_deals.dropped(own, place)));
    let inserted = builder.here();
    (0..=own).for_each(|place| puts.iter().for_each(|(_, maps)| builder.map(maps[place])));
    let (reorders, reorder_stride) = builder.reorders(opposing_deals, class.opposing as usize);
    let after_puts = builder.here();
    builder.words.extend(puts.iter().map(|(record, _)| record));
    SolveBatch {
        team_shift: widest.max(MIN_TEAM_SHIFT),
        slots: class.slots,
        rows: class.rows as u32,
        width: class.width as u32,
        own_words: row_words(class),
        read_words: class.rows.div_ceil(32) as u32,
        sets: class.sets as u32,
        own_kinds: kinds.iter().fold(0, |set, &kind| set | 1 << bit(kind)),
        puts: puts.len() as u32,
        set_list,
        places_same: places[slots],
        places_more: places.get(slots + 1).copied().unwrap_or(0),
        places_less: if slots > 0 { places[slots - 1] } else { 0 },
        deal_kinds,
        with_kinds,
        permuted,
        map_stride,
        permuted_less,
        less_stride,
        dropped,
        inserted,
        reorders,
        reorder_stride,
        after_move: records[class.after_move.0],
        after_return: class.after_return.map_or(0, |class| records[class.0]),
        after_puts,
        all: [0, 1, 2, 3].map(row),
        ..SolveBatch::default()
    }
}

/// Sixteen bytes.
pub(super) type Quad = [u32; 4];

/// Numbers of four bits each as two words: the first eight, and the rest.
fn halves(numbers: Nibbles) -> [u32; 2] {
    [numbers.0 as u32, (numbers.0 >> 32) as u32]
}

/// The boss placements with `slots` slots, cut into parts of at most `most_bytes` bytes (a single placement may exceed
/// them): the start of each part, and the end.
pub(super) fn action_parts(index: &Index, actions: &Actions, slots: u32, most_bytes: u64) -> Vec<usize> {
    let (mut starts, mut bytes) = (vec![0], 0);
    let placements = index.placements.with_slots(slots).len();
    for number in 0..placements {
        let (last, open) = actions.of(slots, number);
        let more = ((2 + last.len() + open.len()) * size_of::<Quad>()) as u64;
        if bytes + more > most_bytes {
            starts.push(number);
            bytes = 0;
        }
        bytes += more;
    }
    starts.push(placements);
    starts
}

/// A part of the boss placements with `slots` slots, with their actions, laid out as in `shaders/solve/block.wgsl`:
/// first the actions that end the game, then the open ones, puts last.
pub(super) fn action_quads(index: &Index, actions: &Actions, slots: u32, part: Range<usize>) -> Vec<Quad> {
    let placements = &index.placements.with_slots(slots)[part.clone()];
    let mut quads: Vec<Quad> = vec![[0; 4]; 2 * placements.len()];
    for (number, placement) in placements.iter().enumerate() {
        let (last, open) = actions.of(slots, part.start + number);
        let is_put = |action: &&BlockAction| matches!(action.act, Act::Put { .. });
        let first = quads.len() as u32;
        quads.extend(last.iter().map(action_quad));
        let first_open = quads.len() as u32;
        quads.extend(open.iter().filter(|action| !is_put(action)).map(action_quad));
        let first_put = quads.len() as u32;
        quads.extend(open.iter().filter(is_put).map(action_quad));
        let [low, high] = halves(placement.ranked);
        quads[2 * number] = [low, high, first, first_open];
        quads[2 * number + 1] = [quads.len() as u32, first_put, 0, 0];
    }
    quads
}

/// The most open actions of any boss placement in a part, by the number of kinds that can be put: each put counts once
/// for each such kind.
pub(super) fn most_open_actions(quads: &[Quad]) -> [u32; MAX_KINDS + 1] {
    // The first record says where the actions begin, and thereby how many records there are.
    let heads = quads.first().map_or(0, |head| head[2] as usize);
    let of_placement = |head: &[Quad], kinds: usize| {
        let (first_open, end, first_put) = (head[0][3], head[1][0], head[1][1]);
        first_put - first_open + (end - first_put) * kinds as u32
    };
    let most = |kinds| quads[..heads].chunks_exact(2).map(|head| of_placement(head, kinds)).max().unwrap_or(0);
    std::array::from_fn(most)
}

fn action_quad(action: &BlockAction) -> Quad {
    let ([own, own_high], [opposing, opposing_high]) = (halves(action.own), halves(action.opposing));
    let act = match action.act {
        Act::BossMove => BOSS_MOVE,
        Act::Move { slot, kinds } => MOVE | u32::from(slot) << 2 | u32::from(kinds) << 6,
        Act::Return { slot } => RETURN | u32::from(slot) << 2,
        Act::Put { touching, touches_boss } => PUT | u32::from(touching) << 11 | u32::from(touches_boss) << 21,
    };
    let act = act | (action.outcome as u32) << 22;
    [own, opposing, action.target | own_high << 16 | opposing_high << 24, act]
}
