//! The estimate: how good a position looks for the player to move, where nothing is proved.
//!
//! A sum of integer weights of [`features`], fitted to the values of solved games by `fit_estimate`, one of the
//! programs that make results. It suggests an order and proves nothing: no estimate is ever a value. Only integers are
//! added, so it is the same on every machine.
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
pub const VERSION: u32 = 2;
const MAGIC: &[u8; 16] = b"dovemate model\n\0";
const HASH: usize = 32;

/// The weights of all features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    weights: Vec<i16>,
}

/// Why bytes are no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// They do not begin as a model does.
    #[error("this is no model: it does not begin with 'dovemate model'")]
    Foreign,
    /// The version is another.
    #[error("the model has version {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// The length or the checksum is wrong.
    #[error("the model is damaged: its length or checksum is wrong")]
    Damaged,
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

    /// The model in a file's bytes.
    ///
    /// # Errors
    /// If they are not a whole model of this version.
    pub fn read(bytes: &[u8]) -> Result<Model, ModelError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(ModelError::Foreign)?;
        let (version, rest) = rest.split_first_chunk().ok_or(ModelError::Damaged)?;
        match u32::from_le_bytes(*version) {
            VERSION => {}
            other => return Err(ModelError::Version(other)),
        }
        let (count, rest) = rest.split_first_chunk().ok_or(ModelError::Damaged)?;
        let (weights, hash) = rest.split_last_chunk::<HASH>().ok_or(ModelError::Damaged)?;
        let is_whole = u32::from_le_bytes(*count) as usize == WEIGHTS
            && weights.len() == 2 * WEIGHTS
            && *hash == checksum(&bytes[..bytes.len() - HASH]);
        if !is_whole {
            return Err(ModelError::Damaged);
        }
        let (pairs, _) = weights.as_chunks();
        Ok(Model { weights: pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect() })
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

    /// The estimate of a position for the player to move: the logit of the points expected, of 0 for a loss and 1 for a
    /// win, in units of 1 ÷ [`SCALE`].
    pub fn estimate(&self, position: &Position) -> i32 {
        let mut sum = 0;
        features::each(position, |feature| sum += i32::from(self.weights[feature]));
        sum
    }
}

fn checksum(bytes: &[u8]) -> [u8; HASH] {
    Sha256::digest(bytes).into()
}
