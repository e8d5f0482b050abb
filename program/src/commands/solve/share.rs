//! A share of a round. Many processes solve a game together, each doing one share at a time; a scheduler such as Slurm
//! hands out the shares.

use super::progress::FileProgress;
use crate::io::{Failure, counted};
use dovemate_solver::in_files::{ByParts, Shard};

/// A share of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The part of the game, counted from 1; by default the first that is not solved.
    part: Option<usize>,
    round: u32,
    shard: Shard,
}

impl Share {
    /// Reads a round and a share of it, as in `7:2/8`, with the part of the game before them if it is given, as in
    /// `3:7:2/8`.
    ///
    /// # Errors
    /// If the text is not a valid share.
    pub fn parse(text: &str) -> Result<Share, String> {
        let read = || {
            let (rest, share) = text.rsplit_once(':')?;
            let (part, round) =
                rest.split_once(':').map_or((None, rest), |(part, round)| (Some(part), round));
            let (number, of) = share.split_once('/')?;
            let (number, of): (usize, usize) = (number.parse().ok()?, of.parse().ok()?);
            let (part, round) = (part.map(str::parse).transpose().ok()?, round.parse().ok()?);
            let is_share = 1 <= number && number <= of;
            is_share.then(|| Share { part, round, shard: Shard { number: number - 1, of } })
        };
        let form = "write ROUND:SHARE/SHARES, as in 7:2/8, or PART:ROUND:SHARE/SHARES, as in 3:7:2/8";
        read().ok_or_else(|| form.to_owned())
    }

    /// Computes the share; if all others of the round are done, also finishes the round. Once all parts are solved, one
    /// share writes the tables, if `in_tables`. Returns the line that reports the share.
    ///
    /// # Errors
    /// If the share does not exist, or its files cannot be written or trusted.
    pub fn execute(
        self,
        game: &ByParts,
        in_tables: bool,
        progress: &FileProgress,
    ) -> Result<String, Failure> {
        let Share { part, round, shard: Shard { number, of } } = self;
        let part = match part {
            Some(part) if part == 0 || part > game.parts() => {
                let parts = counted(game.parts() as u64, "part", "parts");
                return Err(Failure::Usage(format!(
                    "--share: there is no part {part}; this game has {parts}"
                )));
            }
            Some(part) => part - 1,
            None => game.unsolved()?.unwrap_or(game.parts() - 1),
        };
        let most = game.most_shards(part);
        if of > most {
            let message =
                format!("--share {}/{of}: the part can be cut into at most {most} shares", number + 1);
            return Err(Failure::Usage(message));
        }
        let show = |event| progress.show(event);
        if game.share(part, round, self.shard, &show)? {
            return Ok(format!("round {round}: share {} of {of} is done", number + 1));
        }
        // Only share 1 writes the tables. The others end here; if run again later, they find the tables.
        if game.unsolved()?.is_some() || in_tables && number > 0 {
            return Ok("the part is solved".to_owned());
        }
        if in_tables {
            game.write(&show)?;
        }
        Ok("the game is solved".to_owned())
    }
}
