//! The claims of an article, printed with what was found, and whether all hold.

use std::fmt::Display;
use std::process::ExitCode;

/// The claims so far.
#[derive(Default)]
pub struct Claims {
    failed: usize,
}

impl Claims {
    /// Prints whether a claim holds.
    pub fn holds(&mut self, claim: &str, holds: bool) {
        println!("{} {claim}", if holds { "holds:" } else { "FAILS:" });
        self.failed += usize::from(!holds);
    }

    /// Prints what was found, which must be `claimed`: what the article says or, where that is known to be wrong, what
    /// is right.
    pub fn finds(&mut self, what: &str, found: impl Display, claimed: impl Display) {
        let (found, claimed) = (found.to_string(), claimed.to_string());
        if found == claimed {
            println!("found: {what}: {found}");
        } else {
            println!("FAILS: {what}: {found}, not {claimed}");
            self.failed += 1;
        }
    }

    /// The exit status: 1 if a claim fails.
    pub fn exit(self) -> ExitCode {
        ExitCode::from(u8::from(self.failed > 0))
    }
}
