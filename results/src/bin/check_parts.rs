//! Checks a game that is solved part by part, from its tables or its rounds. In every solved class, the
//! values of sampled positions are derived again from their successors by the literal rules. The sample comes
//! from few boss placements, so that the successors lie in few groups. On as many boss placements of
//! symmetric shapes, positions are compared with their images, which are stored separately.
//!
//! `cargo result check_parts -- tables 5 1000` checks the whole game without returns in the folder `tables`:
//! 1,000 positions on each of 5 boss placements of every class, and on each of 5 of symmetric shapes. Append
//! `returns` for the game with returns.

use anyhow::{Error, Result, bail};
use dovemate::internals::solve::Solved;
use dovemate::internals::solve::check::{check_places, places_of, sample};
use dovemate::internals::solve::files::tables::Tablebase;
use dovemate::internals::solve::space::layout::{Class, ClassId};
use dovemate_results::games;
use images::compare_images;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

#[path = "../../../tests/suite/common/images.rs"]
mod images;

/// Bytes of the cache of groups: enough for the groups that one boss placement leads to.
const CACHE_BYTES: usize = 3 << 30;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, placements, count, returns @ ..] = &arguments[..] else {
        bail!("name the folder given to --tables, the boss placements per class, and the positions on each");
    };
    let (placements, count) = (placements.parse::<usize>()?, count.parse::<u64>()?);
    let game = games::whole(returns)?;
    let stored = Tablebase::open(folder, game)?.with_cache(CACHE_BYTES);
    let mut random = ChaCha8Rng::seed_from_u64(2022);
    let ids: Vec<ClassId> = stored.layout().ids().filter(|&id| stored.knows(id)).collect();
    for (id, class) in ids.into_iter().rev().map(|id| (id, &stored.layout()[id])) {
        for _ in 0..placements {
            let placement = random.next_u64() as usize % class.placements;
            let places = sample(random.next_u64(), count, places_of(stored.layout(), id, placement));
            check_places(&stored, &places, &|| ())?;
        }
        let (mut images, mut symmetric) = (0, 0);
        while symmetric < placements {
            let placement = random.next_u64() as usize % class.placements;
            let compared =
                compare_images(&stored, id, placement, count, random.next_u64()).map_err(Error::msg)?;
            (images, symmetric) = (images + compared, symmetric + usize::from(compared > 0));
        }
        let Class { own, own_kinds, opposing, opposing_kinds, .. } = class;
        println!(
            "{own} of {own_kinds} against {opposing} of {opposing_kinds}: {count} positions on each of {placements} placements follow, \
             {images} images agree"
        );
    }
    Ok(())
}
