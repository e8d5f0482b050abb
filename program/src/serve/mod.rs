//! The board page in a browser, and its questions as JSON: what `dovemate serve` serves.
//!
//! [`serve`] answers on one address until the process ends. Requests are read by one thread; everything that
//! takes time is done by a fixed number of workers, in turn, for as long as the client waits.
//! `doc/interface.md` describes the questions and the answers.
//!
//! Only requests for this very host are answered, so that no other web page can read the answers through the
//! browser; nothing that arrives is written to disk.

mod address;
mod host;
mod http;
mod workers;

pub use address::{qr_code, read_listened, urls};
pub use http::serve;
