//! What may be spent on an action, as an argument says it.

use std::str::FromStr;
use std::time::Duration;

use dovemate::Limits;
use dovemate::clock::Instant;
use dovemate_analysis::Effort;

/// What may be spent on an action: `300` positions that proofs look at, or `0.1s` by the clock.
#[derive(Clone, Copy)]
pub enum Work {
    /// Positions, which give the same result on any machine, busy or not.
    Positions(u64),
    /// Time, on all cores.
    Time(Duration),
}

impl FromStr for Work {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Work> {
        Ok(match text.strip_suffix('s') {
            Some(seconds) => Work::Time(Duration::try_from_secs_f64(seconds.parse()?)?),
            None => Work::Positions(text.parse()?),
        })
    }
}

impl Work {
    /// A tenth of the positions or of the time.
    pub fn tenth(self) -> Work {
        match self {
            Work::Positions(positions) => Work::Positions(positions / 10),
            Work::Time(time) => Work::Time(time / 10),
        }
    }

    /// The effort for an action that is chosen now.
    pub fn effort(self) -> Effort {
        match self {
            Work::Positions(positions) => Effort {
                limits: Limits { positions: Some(positions), ..Limits::default() },
                ..Effort::plies(Effort::LONGEST)
            },
            Work::Time(time) => Effort::until(Instant::now() + time),
        }
    }
}
