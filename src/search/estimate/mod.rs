//! The estimate: how good a position looks for the player to move, where nothing is proved.
//!
//! A sum of integer weights of [`features`], fitted to the values of solved games by `fit_estimate`, one of
//! the programs that make results. It suggests an order and proves nothing: no estimate is ever a value. Only
//! integers are added, so it is the same on every machine.
//!
//! # The file
//!
//! `model.bin`, which is part of the program; numbers are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 16 | `dovemate model\n\0` |
//! | 4 | the version of the format and of the features: 2 |
//! | 4 | the number of weights |
//! | 2 each | the weights, in 1,024ths of a logit of the expected points |
//! | 32 | the SHA-256 of all before |

pub mod features;
mod lookahead;
pub use lookahead::Estimate;

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::position::Position;
use features::WEIGHTS;

/// A weight of this much multiplies the odds by e.
pub const SCALE: i32 = 1024;
/// The version of the format and of the features.
const VERSION: u32 = 2;
const MAGIC: &[u8; 16] = b"dovemate model\n\0";
const HASH: usize = 32;

/// The weights of all features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    weights: Vec<i16>,
}

static EMBEDDED: LazyLock<Model> = LazyLock::new(|| {
    Model::read(include_bytes!("model.bin")).expect("the program's own model is whole: tests read it")
});

impl Model {
    /// The model that is part of the program.
    pub fn embedded() -> &'static Model {
        &EMBEDDED
    }

    /// A model of these weights, one for each feature.
    ///
    /// # Panics
    /// If there are not [`WEIGHTS`] of them.
    pub fn new(weights: Vec<i16>) -> Model {
        assert_eq!(weights.len(), WEIGHTS);
        Model { weights }
    }

    /// The model in a file's bytes; `None` if they are not a whole model of this version.
    pub fn read(bytes: &[u8]) -> Option<Model> {
        let weights = bytes.get(MAGIC.len() + 8..bytes.len().checked_sub(HASH)?)?;
        let (pairs, _) = weights.as_chunks();
        let model = Model { weights: pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect() };
        (model.weights.len() == WEIGHTS && model.bytes() == bytes).then_some(model)
    }

    /// The weights, by feature.
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// The bytes of a file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((WEIGHTS as u32).to_le_bytes());
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(checksum(&bytes));
        bytes
    }

    /// The estimate of a position for the player to move: the logit of the points expected, of 0 for a loss
    /// and 1 for a win, in units of 1 ÷ [`SCALE`].
    pub fn estimate(&self, position: &Position) -> i32 {
        let mut sum = 0;
        features::for_each(position, |feature| sum += i32::from(self.weights[feature]));
        sum
    }
}

fn checksum(bytes: &[u8]) -> [u8; HASH] {
    Sha256::digest(bytes).into()
}
