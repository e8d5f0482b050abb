//! JSON documents that end with the BLAKE3 of themselves, so that a changed one is no other document, but none.

use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::archive::{FORMAT_WITH_GAPS, TableError, VERSION};

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

/// A document as it is written.
///
/// # Panics
/// If it is no JSON object.
pub fn text(document: &impl Serialize) -> String {
    match serde_json::to_value(document) {
        Ok(Value::Object(document)) => sealed(document),
        _ => panic!("a document has fields"),
    }
}

/// Reads a document; `None` if there is no such file.
///
/// # Errors
/// If it cannot be read, has another format, is changed or is another kind of document.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, TableError> {
    let damaged = |what| TableError::Damaged(path.to_owned(), what);
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TableError::Unreadable(path.to_owned(), error)),
    };
    let text = String::from_utf8(bytes).map_err(|_| damaged("it is no text"))?;
    let no_document = |_| damaged("it is no manifest, or cut off");
    let document: Map<String, Value> = serde_json::from_str(&text).map_err(no_document)?;
    match document.get("format").and_then(Value::as_u64) {
        Some(format) if [VERSION, FORMAT_WITH_GAPS].map(u64::from).contains(&format) => {}
        Some(format) => {
            let found = u32::try_from(format).unwrap_or(u32::MAX);
            return Err(TableError::Version { path: path.to_owned(), found });
        }
        None => return Err(damaged("it is no manifest, or cut off")),
    }
    if sealed(document.clone()) != text {
        return Err(TableError::Checksum(path.to_owned(), "it"));
    }
    serde_json::from_value(Value::Object(document)).map(Some).map_err(no_document)
}
