//! What `dovemate serve` serves: the board page, and answers to its questions as JSON.
//!
//! [`serve`] answers on one address until the process ends or, if the operator wants that, no client has come for a
//! while. One thread reads requests. A fixed number of workers answer questions in turn, and give up a search when its
//! client is gone. `doc/interface.md` describes the questions and the answers.
//!
//! Only requests that name this machine, or the name that its operator gave it, as their host are answered, so that no
//! other web page can read the answers through the browser. Nothing that is received is written to disk.

mod address;
mod host;
mod http;
mod workers;

pub use address::{qr_code, read_listened, urls};
pub use host::read_name;
pub use http::{Operation, serve};
