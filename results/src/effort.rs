//! What may be spent on an action, as an argument says it.

use std::str::FromStr;
use std::time::{Duration, Instant};

use dovemate_analysis::Limits;

/// What may be spent on an action: `300` positions that proofs look at, or `0.1s` by the clock.
#[derive(Clone, Copy)]
pub enum Effort {
    /// Positions, which give the same result on any machine, busy or not.
    Positions(u64),
    /// Time, on all cores.
    Time(Duration),
}

impl FromStr for Effort {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Effort> {
        Ok(match text.strip_suffix('s') {
            Some(seconds) => Effort::Time(Duration::try_from_secs_f64(seconds.parse()?)?),
            None => Effort::Positions(text.parse()?),
        })
    }
}

impl Effort {
    /// A tenth of it.
    pub fn tenth(self) -> Effort {
        match self {
            Effort::Positions(positions) => Effort::Positions(positions / 10),
            Effort::Time(time) => Effort::Time(time / 10),
        }
    }

    /// The limits of an action that is chosen now.
    pub fn limits(self) -> Limits {
        let limits = Limits::plies(Limits::LONGEST);
        match self {
            Effort::Positions(positions) => Limits { positions: Some(positions), ..limits },
            Effort::Time(time) => Limits { deadline: Some(Instant::now() + time), ..limits },
        }
    }
}
