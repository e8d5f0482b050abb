//! Questions about Tokyo Doves and their answers as JSON, in English and Japanese.
//!
//! `dovemate serve` answers the questions to `/api/` with this library, and the board page uses it as WebAssembly, so
//! that both give the same answers. `doc/interface.md` describes every question and answer.
#![warn(missing_docs)]
#![forbid(unsafe_code)]

mod answer;
mod arrangement;
#[cfg(target_family = "wasm")]
mod border;
pub mod count;
pub mod documents;
mod game;
mod gpu;
#[cfg(target_family = "wasm")]
mod gpu_count;
#[cfg(not(target_family = "wasm"))]
pub mod page;
mod picture;
mod question;
mod reply;
mod review;
mod sheet;
mod solve;
pub mod texts;

pub use answer::{Asking, Brain};
pub use question::{Allowance, Place, Question, Work};
pub use reply::{Refused, Reply};
pub use sheet::Sheet;
