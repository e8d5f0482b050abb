//! JSON documents that carry their own BLAKE3, so that a changed document is rejected rather than read as
//! another one.

use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::archive::{VERSION, WINS_VERSION};
use crate::solved::TableError;

/// The field with the hash.
const SEAL: &str = "blake3";

fn sealed(mut document: Map<String, Value>) -> String {
    let text = |document: &Map<String, Value>| {
        serde_json::to_string_pretty(document).expect("a document of texts and numbers") + "\n"
    };
    document.insert(SEAL.to_owned(), "".into());
    let hash = blake3::hash(text(&document).as_bytes());
    document.insert(SEAL.to_owned(), hash.to_hex().as_str().into());
    text(&document)
}

/// The text of a document, with its hash.
///
/// # Panics
/// If the document is not a JSON object.
pub(crate) fn text(document: &impl Serialize) -> String {
    match serde_json::to_value(document) {
        Ok(Value::Object(document)) => sealed(document),
        _ => panic!("a document has fields"),
    }
}

/// Reads a document; `None` if there is no such file. `belongs` checks that it is of the game, part and round in its
/// path.
///
/// # Errors
/// If the document cannot be read, has an unknown format, was changed, is of another kind, or does not belong there.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    belongs: impl FnOnce(&T) -> bool,
) -> Result<Option<T>, TableError> {
    let damaged = |what| TableError::Damaged(path.to_owned(), what);
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::Unreadable(path.to_owned(), error)),
    };
    let text = String::from_utf8(bytes).map_err(|_| damaged("it is not text"))?;
    let no_document = || damaged("it is not a manifest, or is cut off");
    let document: Map<String, Value> = serde_json::from_str(&text).map_err(|_| no_document())?;
    let format = document.get("format").and_then(Value::as_u64).ok_or_else(no_document)?;
    if ![VERSION, WINS_VERSION].map(u64::from).contains(&format) {
        let found = u32::try_from(format).unwrap_or(u32::MAX);
        return Err(TableError::Version { path: path.to_owned(), found });
    }
    if sealed(document.clone()) != text {
        return Err(TableError::Checksum(path.to_owned(), "it"));
    }
    let document = serde_json::from_value(Value::Object(document)).map_err(|_| no_document())?;
    match belongs(&document) {
        true => Ok(Some(document)),
        false => Err(damaged("its path is that of another game, part or round")),
    }
}
