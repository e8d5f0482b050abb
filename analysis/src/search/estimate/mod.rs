//! The estimate: how good a position looks for the player to move, where nothing is proved.
//!
//! A small network of integers over [`features`], fitted by `results/fit-network` to known values and to the scores of
//! lookaheads. It suggests an order and proves nothing: no estimate is ever a value. Only integers are added and
//! multiplied, so it is the same on every machine.
//!
//! # The network
//!
//! Each player sees a set of features. The rows of these features in the first layer, which both players share, are
//! added up, which gives [`UNITS`] sums. The sums of both, bounded and squared, are the 2 · [`UNITS`] inputs of a
//! second layer, which has [`HIDDEN`] units; a third layer adds up their outputs. There are [`LAYERS`] second and third
//! layers; the number of doves on the board selects one of each.
//!
//! # The file
//!
//! `model.bin`, which is part of the program; numbers are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 16 | `dovemate model\n\0` |
//! | 4 | the version of the format and of the features: 3 |
//! | 4 each | the numbers of features, units, hidden units and layers |
//! | 1 each | the first layer by feature, in 128ths |
//! | 2 each | its biases, in 128ths |
//! | 1 each | a second layer by hidden unit, in 64ths |
//! | 4 each | its biases, in 8,192ths |
//! | 2 each | the third layer after it, in 128ths of a logit of the expected points |
//! | 4 | its bias, in 16,384ths |
//! | … | the other second and third layers likewise |
//! | 32 | the SHA-256 of everything before |

pub mod features;
mod lookahead;
pub use lookahead::Estimate;

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::position::Position;
use dovemate::rules::Rules;
use features::{FEATURES, Seen};

/// The unit of scores: a difference of this much multiplies the odds by e.
pub const SCALE: i32 = 1024;
/// The units of the first layer, for each player.
pub const UNITS: usize = 64;
/// The units of the second layer.
pub const HIDDEN: usize = 16;
/// The number of second and third layers.
pub const LAYERS: usize = 4;
/// The version of the format and of the features.
const VERSION: u32 = 3;
const MAGIC: &[u8; 16] = b"dovemate model\n\0";
const HASH_BYTES: usize = 32;
/// The greatest output of a unit, in 128ths.
const MAX_OUTPUT: i16 = 127;

/// The greatest biases allowed, each in its unit, so that no sum overflows.
const MAX_FIRST_BIAS: u16 = 1 << 14;
const MAX_SECOND_BIAS: u32 = 1 << 20;
const MAX_THIRD_BIAS: u32 = 1 << 24;

/// The weights of the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    first: Vec<[i16; UNITS]>,
    first_bias: [i16; UNITS],
    last: Vec<LastLayers>,
}

/// A second and a third layer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LastLayers {
    /// The weights by input, because many inputs are 0 and can be skipped.
    second: Vec<[i16; HIDDEN]>,
    second_bias: [i32; HIDDEN],
    third: [i16; HIDDEN],
    third_bias: i32,
}

static EMBEDDED: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("model.bin")).expect("the program's own model is whole: tests read it")
});

impl Model {
    /// The model that is part of the program.
    pub fn embedded() -> &'static Model {
        &EMBEDDED
    }

    /// The model in a file's bytes; `None` if they are not a whole model of this version.
    pub fn read(bytes: &[u8]) -> Option<Model> {
        let (bytes, hash) = bytes.split_last_chunk::<HASH_BYTES>()?;
        if Sha256::digest(bytes)[..] != hash[..] {
            return None;
        }
        let mut rest = bytes.strip_prefix(MAGIC)?;
        let bytes = &mut rest;
        let header = [VERSION as usize, FEATURES, UNITS, HIDDEN, LAYERS];
        if numbers(bytes, u32::from_le_bytes)?.map(|number| number as usize) != header {
            return None;
        }
        let first = (0..FEATURES).map(|_| numbers(bytes, widened)).collect::<Option<_>>()?;
        let first_bias = numbers(bytes, i16::from_le_bytes)?;
        let last = (0..LAYERS).map(|_| LastLayers::read(bytes)).collect::<Option<_>>()?;
        let is_bounded = first_bias.iter().all(|bias: &i16| bias.unsigned_abs() <= MAX_FIRST_BIAS);
        (rest.is_empty() && is_bounded).then_some(Model { first, first_bias, last })
    }

    /// The estimate of a position for the player to move: the logit of the points expected (0 for a loss, 1 for a win),
    /// in units of 1 ÷ [`SCALE`].
    pub fn estimate(&self, position: &Position, rules: Rules) -> i32 {
        let seen = Seen::of(position, rules);
        let mut inputs = [0; 2 * UNITS];
        for (player, inputs) in inputs.as_chunks_mut::<UNITS>().0.iter_mut().enumerate() {
            let mut sums = self.first_bias;
            for &feature in seen.by(player) {
                for (sum, weight) in sums.iter_mut().zip(&self.first[usize::from(feature)]) {
                    *sum += weight;
                }
            }
            for (input, sum) in inputs.iter_mut().zip(sums) {
                let output = sum.clamp(0, MAX_OUTPUT);
                *input = (output * output) >> 7;
            }
        }
        let layer = (position.count().saturating_sub(4) / 2).min(LAYERS as u32 - 1);
        self.last[layer as usize].output(&inputs)
    }
}

impl LastLayers {
    fn read(bytes: &mut &[u8]) -> Option<LastLayers> {
        let rows: Vec<[i16; 2 * UNITS]> =
            (0..HIDDEN).map(|_| numbers(bytes, widened)).collect::<Option<_>>()?;
        let second_bias = numbers(bytes, i32::from_le_bytes)?;
        let third = numbers(bytes, i16::from_le_bytes)?;
        let [third_bias] = numbers(bytes, i32::from_le_bytes)?;
        let is_bounded = second_bias.iter().all(|bias: &i32| bias.unsigned_abs() <= MAX_SECOND_BIAS)
            && third_bias.unsigned_abs() <= MAX_THIRD_BIAS;
        let second = (0..2 * UNITS).map(|input| std::array::from_fn(|unit| rows[unit][input])).collect();
        is_bounded.then_some(LastLayers { second, second_bias, third, third_bias })
    }

    /// The estimate for these inputs.
    fn output(&self, inputs: &[i16; 2 * UNITS]) -> i32 {
        let mut hidden = self.second_bias;
        for (&input, weights) in inputs.iter().zip(&self.second).filter(|(input, _)| **input != 0) {
            for (sum, &weight) in hidden.iter_mut().zip(weights) {
                // Both factors have 7 bits beside the sign.
                *sum += i32::from(input * weight);
            }
        }
        let mut output = self.third_bias;
        for (sum, weight) in hidden.into_iter().zip(self.third) {
            output += (sum >> 6).clamp(0, i32::from(MAX_OUTPUT)) * i32::from(weight);
        }
        output >> 4
    }
}

/// An 8-bit weight widened to 16 bits, the width of the first layer's sums: processors add equal widths fastest.
fn widened(byte: [u8; 1]) -> i16 {
    i16::from(i8::from_le_bytes(byte))
}

/// The next numbers of a file; `None` if it ends too soon.
fn numbers<const COUNT: usize, const BYTES: usize, T>(
    bytes: &mut &[u8],
    of: fn([u8; BYTES]) -> T,
) -> Option<[T; COUNT]> {
    let (taken, rest) = bytes.split_at_checked(COUNT * BYTES)?;
    *bytes = rest;
    let (chunks, _) = taken.as_chunks();
    Some(std::array::from_fn(|index| of(chunks[index])))
}
