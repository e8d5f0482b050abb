//! Positions to which the estimate is fitted, with what is known of them.
//!
//! A file has [`BYTES`] for each: the board's u64, with the player to move in bit 60, the points in halves in
//! bits 61 and 62 (3 if unknown) and whether doves return in bit 63; both players' kinds, five bits each; and
//! the score of a lookahead, or [`EXACT`] if the points are those of the value.

use anyhow::{Context, Result, ensure};
use dovemate::rules::{Code, Color, DoveSet, Game, Rules};
use dovemate_analysis::search::Position;
use dovemate_analysis::search::estimate::SCALE;
use dovemate_solver::Wdl;
use sha2::{Digest, Sha256};

/// The bytes of a position in a file.
pub const BYTES: usize = 12;
/// In place of a score, where the value is known.
const EXACT: i16 = i16::MIN;
/// The greatest score in a file.
const MOST: i32 = i16::MAX as i32;
/// How much the end of a game counts for its positions; the rest is what the lookahead says.
const END: f64 = 0.2;
/// One position in this many is put aside.
const ASIDE: u64 = 10;

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub enum Evidence {
    /// The value.
    Value(Wdl),
    /// The score of a lookahead, and how the game ended in which the position came up.
    Score(i32, Option<Wdl>),
}

/// A position of a game, with what is known of it.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    code: Code,
    mover: Color,
    pub game: Game,
    pub evidence: Evidence,
}

impl Example {
    pub fn of(position: &Position, game: Game, evidence: Evidence) -> Example {
        Example { code: position.board().code(), mover: position.mover(), game, evidence }
    }

    pub fn bytes(&self) -> [u8; BYTES] {
        let (result, score) = match self.evidence {
            Evidence::Value(value) => (Some(value), EXACT),
            Evidence::Score(score, end) => (end, score.clamp(-MOST, MOST) as i16),
        };
        let halves = result.map_or(3, half_points);
        let mut word = self.code.to_u64() | u64::from(halves) << 61;
        word |= u64::from(self.mover == Color::Green) << 60 | u64::from(self.game.rules.returns) << 63;
        let kinds = u16::from(self.game.red.bits()) | u16::from(self.game.green.bits()) << 5;
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&word.to_le_bytes());
        bytes[8..10].copy_from_slice(&kinds.to_le_bytes());
        bytes[10..].copy_from_slice(&score.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; BYTES], sets: &[DoveSet]) -> Result<Example> {
        let word = u64::from_le_bytes(*bytes.first_chunk().expect("twelve bytes"));
        let kinds = u16::from_le_bytes([bytes[8], bytes[9]]);
        let score = i16::from_le_bytes([bytes[10], bytes[11]]);
        let set =
            |bits: u16| sets.iter().copied().find(|set| u16::from(set.bits()) == bits & 31).context("kinds");
        let rules = Rules { returns: word >> 63 == 1, ..Rules::default() };
        let result = [Some(Wdl::Lose), Some(Wdl::Draw), Some(Wdl::Win), None][(word >> 61 & 3) as usize];
        Ok(Example {
            code: Code::from_u64(word & ((1 << 60) - 1))?,
            mover: if word >> 60 & 1 == 1 { Color::Green } else { Color::Red },
            game: Game { red: set(kinds)?, green: set(kinds >> 5)?, rules },
            evidence: match (score, result) {
                (EXACT, value) => Evidence::Value(value.context("a known value")?),
                (score, end) => Evidence::Score(i32::from(score), end),
            },
        })
    }

    pub fn position(&self) -> Position {
        Position::of(&self.code.board(), self.mover, &self.game).expect("a position of the game")
    }

    /// The number of doves on the board.
    pub fn doves(&self) -> u32 {
        self.code.count()
    }

    /// The points in halves, 0 to 2, if the value is known.
    pub fn half_points(&self) -> Option<u8> {
        match self.evidence {
            Evidence::Value(value) => Some(half_points(value)),
            Evidence::Score(..) => None,
        }
    }

    /// The points expected: those of the value, or what the lookahead and the end of the game say.
    pub fn expected(&self) -> f64 {
        let points = |value| f64::from(half_points(value)) / 2.0;
        match self.evidence {
            Evidence::Value(value) => points(value),
            Evidence::Score(score, end) => {
                let by_score = 1.0 / (1.0 + (-f64::from(score) / f64::from(SCALE)).exp());
                end.map_or(by_score, |end| by_score + END * (points(end) - by_score))
            }
        }
    }

    /// Whether the position is put aside, by a checksum that is the same for all its images.
    pub fn is_aside(&self) -> bool {
        let hash = Sha256::digest(self.code.canonical(self.mover).to_u64().to_le_bytes());
        u64::from(hash[0]) << 8 | u64::from(hash[1]) < 0x1_0000 / ASIDE
    }
}

fn half_points(value: Wdl) -> u8 {
    match value {
        Wdl::Lose => 0,
        Wdl::Draw => 1,
        Wdl::Win => 2,
    }
}

/// The positions of these files, whose digests are printed.
///
/// # Errors
/// If a file cannot be read or is damaged.
pub fn read(paths: &[&str]) -> Result<Vec<Example>> {
    let sets = DoveSet::all();
    let mut examples = Vec::new();
    for path in paths {
        let bytes = std::fs::read(path).with_context(|| (*path).to_owned())?;
        let (records, rest) = bytes.as_chunks();
        ensure!(rest.is_empty(), "{path} does not end with a whole position");
        let before = examples.len();
        for record in records {
            examples.push(Example::read(record, &sets)?);
        }
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        eprintln!("{path}: {} positions, SHA-256 {hash}", examples.len() - before);
    }
    Ok(examples)
}
