//! A share of a round, by which many processes solve a game together.

use std::path::Path;

use super::plan::Distances;
use super::progress::FileProgress;
use crate::io::failure::Failure;
use dovemate::internals::digits::counted;
use dovemate::internals::solve::files::journal::Shard;
use dovemate::internals::solve::files::tables::MANIFEST;
use dovemate::internals::solve::in_files::by_parts::ByParts;
use dovemate::internals::solve::space::layout::PartId;

/// A share of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The part of the game, counted from 1; by default the first that is not solved.
    part: Option<usize>,
    round: u32,
    shard: Shard,
}

impl Share {
    /// Reads the round and the share of it, with the part of the game before them if it is named: `7:2/8`,
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
            let part = part.map(str::parse).transpose().ok()?;
            let is_share = 1 <= number && number <= of;
            is_share.then_some(Share {
                part,
                round: round.parse().ok()?,
                shard: Shard { number: number - 1, of },
            })
        };
        let form = "write the round, the number of the share and the number of shares, as in 7:2/8, or the part of the \
                    game before them, as in 3:7:2/8";
        read().ok_or_else(|| form.to_owned())
    }

    /// Does the share; the last one of a round finishes the round. Returns the line that reports it.
    ///
    /// # Errors
    /// If the share does not exist, or its files cannot be written or trusted.
    pub fn execute(
        self,
        game: &ByParts,
        distances: Distances,
        of_game: &Path,
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
            Some(part) => PartId(part - 1),
            None => game.unsolved()?.unwrap_or(PartId(game.parts() - 1)),
        };
        let most = game.most_shards(part);
        if of > most {
            let message =
                format!("--share {}/{of}: the part can be cut into at most {most} shares", number + 1);
            return Err(Failure::Usage(message));
        }
        let show = |event| progress.show(event);
        if game.find(part, round, self.shard, &show)? {
            return Ok(format!("round {round}: share {} of {of} is done", number + 1));
        }
        if game.unsolved()?.is_some() {
            return Ok("the part is solved".to_owned());
        }
        // Several processes may get here; only one may write tables and remove the rounds.
        if number == 0 {
            match distances.in_tables() {
                true => game.write(&show)?,
                false => game.drop_unneeded_rounds()?,
            }
        }
        let is_solved = !distances.in_tables() || of_game.join(MANIFEST).exists();
        Ok(if is_solved { "the game is solved" } else { "the part is solved" }.to_owned())
    }
}
