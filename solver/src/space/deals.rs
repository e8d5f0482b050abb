//! Deals: the ways to put the kinds of one player's dove set on that player's slots.
//!
//! A *deal* gives each of k slots a different one of n kinds; there are n · (n − 1) · … (k factors) of them,
//! numbered here in lexicographic order. An action maps the deals of the player who acts: it permutes the
//! indices, as the slots are renumbered, and may also drop an index (return) or insert one (put).

use std::sync::OnceLock;

use crate::space::word::Word;
use dovemate::rules::DoveSet;
use dovemate::shapes::deals::sequences;

/// Maximum number of kinds in a dove set.
pub(crate) const MAX_KINDS: usize = 5;

/// The number of a permutation of up to five indices; 0 is the identity.
pub(crate) type Permutation = u8;

/// For each byte of a row and each value of that byte, the bits that it becomes.
type ByteMaps = Vec<[u128; 256]>;

/// The deals of a dove set to a number of slots, and the maps from them.
#[derive(Debug)]
pub(crate) struct Deals {
    /// For each deal, the kinds on the slots, as ordinals in the dove set.
    pub list: Vec<Vec<u8>>,
    /// By permutation, the image of each deal: the kind at index i moves to the index that the permutation sends i to.
    pub permuted: Vec<Vec<u8>>,
    /// By index, the image of each deal when the index is dropped: a deal to one slot fewer.
    pub dropped: Vec<Vec<u8>>,
    /// By index, and by the ordinal of a kind among those that a deal lacks, the image of each deal when this
    /// kind is inserted there: a deal to one slot more.
    pub put: Vec<Vec<Vec<u8>>>,
    /// By index and set of kinds (bits as in [`DoveSet::bits`]), the deals whose kind at the index is in the
    /// set, as a set of bits.
    pub with: Vec<[u128; 1 << MAX_KINDS]>,
    /// The inverse of each permutation.
    pub inverses: Vec<Permutation>,
    byte_maps: OnceLock<Vec<ByteMaps>>,
}

/// The permutation that sends index i to the rank of `keys[i]` among the keys, which are distinct. Permutations are
/// numbered in lexicographic order of their images.
#[inline]
pub(crate) fn sorting(keys: &[u8]) -> Permutation {
    let mut number = 0;
    for (index, key) in keys.iter().enumerate() {
        let later = &keys[index + 1..];
        let less = later.iter().filter(|&other| other < key).count();
        number = number * (later.len() + 1) + less;
    }
    number as Permutation
}

/// The number of a sequence in a list in lexicographic order.
fn number(list: &[Vec<u8>], sequence: &[u8]) -> u8 {
    list.binary_search_by(|other| other[..].cmp(sequence)).expect("the list has all sequences") as u8
}

impl Deals {
    /// The deals of a dove set to `slots` slots; there must be at least as many kinds.
    pub(crate) fn of(kinds: DoveSet, slots: u32) -> &'static Deals {
        const SETS: usize = 1 << MAX_KINDS;
        static ALL: [[OnceLock<Deals>; MAX_KINDS + 1]; SETS] =
            [const { [const { OnceLock::new() }; MAX_KINDS + 1] }; SETS];
        let deals = &ALL[usize::from(kinds.bits())][slots as usize];
        deals.get_or_init(|| Deals::new(kinds, slots as usize))
    }

    fn new(kinds: DoveSet, slots: usize) -> Deals {
        let count = kinds.len() as usize;
        let list = sequences(count, slots);
        let images = |target: &[Vec<u8>], image: &dyn Fn(&[u8]) -> Vec<u8>| -> Vec<u8> {
            list.iter().map(|deal| number(target, &image(deal))).collect()
        };

        let orders = sequences(slots, slots);
        let inverse = |order: &[u8]| -> Vec<u8> {
            let index_of = |image| order.iter().position(|&other| other == image).expect("a permutation");
            (0..slots as u8).map(|image| index_of(image) as u8).collect()
        };
        let permuted = |order: &Vec<u8>| {
            let back = inverse(order);
            images(&list, &|deal| back.iter().map(|&index| deal[usize::from(index)]).collect())
        };

        let fewer = slots.checked_sub(1).map_or(Vec::new(), |fewer| sequences(count, fewer));
        let dropped = |index| images(&fewer, &|deal| [&deal[..index], &deal[index + 1..]].concat());
        let more = sequences(count, slots + 1);
        let put = |index, absent| {
            images(&more, &|deal| {
                let kind = (0..count as u8).filter(|kind| !deal.contains(kind)).nth(absent);
                [&deal[..index], &[kind.expect("a kind that the deal lacks")], &deal[index..]].concat()
            })
        };

        let bits: Vec<u32> = (0..MAX_KINDS as u32).filter(|bit| kinds.bits() >> bit & 1 == 1).collect();
        let with = |index: usize| {
            std::array::from_fn(|set| {
                let has = |deal: &Vec<u8>| set >> bits[usize::from(deal[index])] & 1 == 1;
                list.iter().enumerate().fold(0, |with, (deal, kinds)| with | u128::from(has(kinds)) << deal)
            })
        };
        Deals {
            permuted: orders.iter().map(permuted).collect(),
            dropped: (0..slots).map(dropped).collect(),
            put: (0..=slots)
                .map(|index| (0..count - slots).map(|absent| put(index, absent)).collect())
                .collect(),
            with: (0..slots).map(with).collect(),
            inverses: orders.iter().map(|order| sorting(&inverse(order))).collect(),
            byte_maps: OnceLock::new(),
            list,
        }
    }

    /// By permutation, for each byte of a row in permuted order and each value of that byte, the bits in the order of
    /// [`Deals::list`].
    pub(crate) fn byte_maps(&self) -> &[ByteMaps] {
        self.byte_maps.get_or_init(|| {
            let maps = |permuted: &Vec<u8>| {
                let mut bits = vec![0; permuted.len().next_multiple_of(8)];
                for (deal, &image) in permuted.iter().enumerate() {
                    bits[usize::from(image)] = u128::bit(deal);
                }
                let map = |bits: &[u128]| {
                    std::array::from_fn(|byte| (byte as u8).bits().fold(0, |all, bit| all | bits[bit]))
                };
                bits.chunks(8).map(map).collect()
            };
            self.permuted.iter().map(maps).collect()
        })
    }
}
