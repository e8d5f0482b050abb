//! Deals: the ways to put the kinds of one player's dove set on that player's slots.
//!
//! A *deal* gives each of k slots a different one of n kinds; there are n · (n − 1) · … (k factors) of them,
//! numbered here in lexicographic order. An action maps the deals of the player who acts: it permutes the
//! indices (the slots are renumbered), drops an index (return) or inserts one (put).

use std::sync::OnceLock;

use crate::rules::DoveSet;
use crate::shapes::deals::sequences;

/// The most kinds a dove set has.
pub(crate) const MAX_KINDS: usize = 5;
/// One more than the most doves a player has on slots.
const SIZES: usize = MAX_KINDS + 1;

/// The number of a permutation of up to five indices.
pub(crate) type Permutation = u8;

/// The images of the indices 0, 1, …
pub(crate) type Sequence = [u8; MAX_KINDS];

/// All permutations of k indices, the identity first.
pub(crate) struct Permutations {
    list: Vec<Sequence>,
    /// By [`code`]; entries of other indices are never read.
    numbers: Vec<Permutation>,
    /// The inverse of each permutation.
    inverses: Vec<Permutation>,
    /// `shifts[i][j]`: index i goes to j, the others keep their order.
    shifts: [[Permutation; MAX_KINDS]; MAX_KINDS],
}

/// The images of the indices as a number, three bits each.
fn code(indices: &[u8]) -> usize {
    indices.iter().enumerate().fold(0, |code, (index, &image)| code | usize::from(image) << (3 * index))
}

#[allow(clippy::len_without_is_empty)] // there is always the identity
impl Permutations {
    fn new(k: usize) -> Permutations {
        let list: Vec<Sequence> = sequences(k, k).into_iter().map(|indices| padded(&indices)).collect();
        let mut numbers = vec![0; 1 << (3 * MAX_KINDS)];
        for (number, indices) in list.iter().enumerate() {
            numbers[code(&indices[..k])] = number as Permutation;
        }
        let mut shifts = [[0; MAX_KINDS]; MAX_KINDS];
        for (i, row) in shifts.iter_mut().enumerate().take(k) {
            for (j, shift) in row.iter_mut().enumerate().take(k) {
                let mut order: Vec<usize> = (0..k).filter(|&index| index != i).collect();
                order.insert(j, i);
                let mut indices = vec![0; k];
                for (target, &index) in order.iter().enumerate() {
                    indices[index] = target as u8;
                }
                *shift = numbers[code(&indices)];
            }
        }
        let inverse = |indices: &Sequence| {
            let mut inverse = [0; MAX_KINDS];
            (0..k).for_each(|index| inverse[usize::from(indices[index])] = index as u8);
            numbers[code(&inverse[..k])]
        };
        let inverses = list.iter().map(inverse).collect();
        Permutations { list, numbers, inverses, shifts }
    }

    /// The number of permutations: k!.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// The permutation that sends index i to the rank of `keys[i]` among the keys, which must be distinct.
    pub(crate) fn sorting(&self, keys: &[u8]) -> Permutation {
        let code = keys.iter().enumerate().fold(0, |code, (index, key)| {
            code | keys.iter().filter(|other| *other < key).count() << (3 * index)
        });
        self.numbers[code]
    }

    /// The inverse of a permutation.
    pub(crate) fn inverse(&self, permutation: Permutation) -> Permutation {
        self.inverses[usize::from(permutation)]
    }

    /// The permutation that sends index `from` to `to` and keeps the order of the others.
    pub(crate) fn shift(&self, from: usize, to: usize) -> Permutation {
        self.shifts[from][to]
    }
}

/// The deals of n kinds.
pub(crate) struct Deals {
    kinds: usize,
    sizes: [DealsOfSize; SIZES],
}

/// The deals of n kinds to k slots, and the maps from them.
struct DealsOfSize {
    deals: Vec<Sequence>,
    permutations: Permutations,
    /// `permuted[permutation · deals + deal]`: the deal with the kind of index i moved to the index that the
    /// permutation sends i to.
    permuted: Vec<u8>,
    /// `dropped[index · deals + deal]`, a deal to k − 1 slots.
    dropped: Vec<u8>,
    /// `put[(index · absent kinds + kind) · deals + deal]`, a deal to k + 1 slots.
    put: Vec<u8>,
    /// `with[index][kinds]`: the deals whose kind at the index is in the set, as a set of bits.
    with: Vec<[u128; 1 << MAX_KINDS]>,
}

fn padded(indices: &[u8]) -> Sequence {
    let mut all = [u8::MAX; MAX_KINDS];
    all[..indices.len()].copy_from_slice(indices);
    all
}

impl Deals {
    /// The deals of a set of kinds.
    pub(crate) fn of(kinds: DoveSet) -> &'static Deals {
        Deals::of_kinds(kinds.len() as usize)
    }

    /// The deals of `kinds` kinds, at most five.
    pub(crate) fn of_kinds(kinds: usize) -> &'static Deals {
        static ALL: [OnceLock<Deals>; MAX_KINDS + 1] = [const { OnceLock::new() }; MAX_KINDS + 1];
        ALL[kinds].get_or_init(|| Deals::new(kinds))
    }

    fn new(kinds: usize) -> Deals {
        let lists: Vec<Vec<Vec<u8>>> = (0..=kinds).map(|slots| sequences(kinds, slots)).collect();
        let number = |deal: &[u8]| {
            lists[deal.len()].binary_search(&deal.to_vec()).expect("a deal of these kinds") as u8
        };
        let sizes = std::array::from_fn(|slots| {
            let deals = lists.get(slots).map_or(&[][..], Vec::as_slice);
            let permutations = Permutations::new(slots);
            let mut permuted = Vec::new();
            for indices in &permutations.list {
                for deal in deals {
                    let mut image = vec![0; slots];
                    for (index, &kind) in deal.iter().enumerate() {
                        image[usize::from(indices[index])] = kind;
                    }
                    permuted.push(number(&image));
                }
            }
            let mut dropped = Vec::new();
            for index in 0..slots {
                for deal in deals {
                    dropped.push(number(&[&deal[..index], &deal[index + 1..]].concat()));
                }
            }
            let mut put = Vec::new();
            for index in 0..=slots {
                for absent in 0..kinds.saturating_sub(slots) {
                    for deal in deals {
                        let kind = (0..kinds as u8).filter(|kind| !deal.contains(kind)).nth(absent);
                        let kind = kind.expect("a kind that the deal lacks");
                        put.push(number(&[&deal[..index], &[kind], &deal[index..]].concat()));
                    }
                }
            }
            let with = |index: usize| {
                std::array::from_fn(|kinds| {
                    let has = |deal: &Vec<u8>| u128::from(kinds >> deal[index] & 1 == 1);
                    deals.iter().enumerate().fold(0, |set, (number, deal)| set | has(deal) << number)
                })
            };
            DealsOfSize {
                deals: deals.iter().map(|deal| padded(deal)).collect(),
                permuted,
                dropped,
                put,
                with: (0..slots).map(with).collect(),
                permutations,
            }
        });
        Deals { kinds, sizes }
    }

    /// The number of deals to `slots` slots.
    pub(crate) fn count(&self, slots: usize) -> usize {
        self.sizes[slots].deals.len()
    }

    /// The kinds on the slots of a deal.
    pub(crate) fn deal(&self, slots: usize, deal: usize) -> &[u8] {
        &self.sizes[slots].deals[deal][..slots]
    }

    /// The number of a deal.
    pub(crate) fn number(&self, deal: &[u8]) -> Option<usize> {
        self.sizes[deal.len()].deals.binary_search_by(|other| other[..deal.len()].cmp(deal)).ok()
    }

    /// The permutations of `slots` indices.
    pub(crate) fn permutations(&self, slots: usize) -> &Permutations {
        &self.sizes[slots].permutations
    }

    /// The image of each deal under a permutation of the indices.
    pub(crate) fn permuted(&self, slots: usize, permutation: Permutation) -> &[u8] {
        let count = self.count(slots);
        &self.sizes[slots].permuted[usize::from(permutation) * count..][..count]
    }

    /// The image of each deal when an index is dropped.
    pub(crate) fn dropped(&self, slots: usize, index: usize) -> &[u8] {
        let count = self.count(slots);
        &self.sizes[slots].dropped[index * count..][..count]
    }

    /// The number of kinds that a put can add to a deal.
    pub(crate) fn absent(&self, slots: usize) -> usize {
        self.kinds - slots
    }

    /// The image of each deal when the kind with the ordinal `absent` among those it lacks is inserted at an
    /// index.
    pub(crate) fn put(&self, slots: usize, index: usize, absent: usize) -> &[u8] {
        let count = self.count(slots);
        &self.sizes[slots].put[(index * self.absent(slots) + absent) * count..][..count]
    }

    /// By index and set of kinds, the deals whose kind at the index is in the set, as a set of bits.
    pub(crate) fn with(&self, slots: usize) -> &[[u128; 1 << MAX_KINDS]] {
        &self.sizes[slots].with
    }
}
