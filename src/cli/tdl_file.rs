//! `.tdl` files that a user names, held against their sidecars.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::path::Path;

use anyhow::{Context, anyhow};

use super::Failure;
use dovemate::rules::Board;
use dovemate::tdl::{Checked, Reader, Sidecar, TdlError, sidecar_of};

/// Reads the sidecar of a `.tdl` file, if it has one, and holds the file's bytes against it.
///
/// # Errors
/// If either cannot be read, or they do not match.
pub fn check(path: &Path) -> Result<Option<Sidecar>, Failure> {
    let name = sidecar_of(path);
    let sidecar = match File::open(&name) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(Failure::Failed(anyhow!(error).context(format!("{} cannot be read", name.display()))));
        }
        Ok(file) => serde_json::from_reader::<_, Sidecar>(BufReader::new(file))
            .map_err(|error| Failure::Usage(format!("{} is no sidecar of a .tdl file: {error}", name.display())))?,
    };
    let cannot = || format!("{} cannot be read", path.display());
    let mut file = File::open(path).with_context(cannot)?;
    let mut checked = Checked::new(io::sink());
    io::copy(&mut file, &mut checked).with_context(cannot)?;
    let (bytes, sha256) = checked.finish();
    let mismatch = |what: &str, has: &str, says: &str| {
        let (file, sidecar) = (path.display(), name.display());
        Failure::Contradiction(format!(
            "{file} has {what} {has}, but {sidecar} says {says}: one of them is damaged or stale"
        ))
    };
    if bytes != sidecar.bytes {
        return Err(mismatch("length in bytes", &bytes.to_string(), &sidecar.bytes.to_string()));
    }
    if sha256 != sidecar.sha256 {
        return Err(mismatch("SHA-256", &sha256, &sidecar.sha256));
    }
    Ok(Some(sidecar))
}

/// Calls `each` with the first `limit` positions of a `.tdl` file, red to move. The sidecar is what [`check`] found.
///
/// # Errors
/// If the file cannot be read, is no `.tdl` file, or has not as many positions as its sidecar says; or if `each` fails.
pub fn each(
    path: &Path,
    sidecar: Option<&Sidecar>,
    limit: u64,
    mut each: impl FnMut(&Board) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let wrong = |error: TdlError| match error {
        TdlError::Io(error) => Failure::Failed(anyhow!(error).context(format!("{} cannot be read", path.display()))),
        error => Failure::Usage(format!("{}: {error}", path.display())),
    };
    let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut positions = 0;
    let mut reader = Reader::new(BufReader::new(file));
    while positions < limit {
        let Some(code) = reader.next().transpose().map_err(wrong)? else {
            return match sidecar {
                Some(sidecar) if sidecar.positions != positions => Err(Failure::Contradiction(format!(
                    "{} has {positions} positions, but its sidecar says {}",
                    path.display(),
                    sidecar.positions
                ))),
                _ => Ok(()),
            };
        };
        positions += 1;
        each(&code.board().map_err(|error| Failure::Usage(error.to_string()))?)?;
    }
    Ok(())
}
