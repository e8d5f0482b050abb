//! The results of a faultless GPU, computed on the CPU.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::count::{Category, Counter, Method, Question, Workload};
use crate::shapes::BossPlacement;

/// Computes the faultless results of batches about one question.
pub(crate) struct Calculator {
    pub counter: Counter,
    placements: &'static HashMap<u32, BossPlacement>,
}

impl Calculator {
    pub(crate) fn new(question: Question) -> Calculator {
        static ALL: [OnceLock<HashMap<u32, BossPlacement>>; Category::ALL.len()] =
            [const { OnceLock::new() }; Category::ALL.len()];
        let placements = || {
            let all = Workload::new(&(2..=12), question.category).placements;
            all.into_iter().map(|placement| (word(&placement), placement)).collect()
        };
        Calculator {
            counter: Counter::new(Question { method: Method::Factored, ..question }),
            placements: ALL[question.category as usize].get_or_init(placements),
        }
    }

    /// The boss placements in a batch.
    pub(crate) fn placements(&self, batch: &[u32]) -> Vec<BossPlacement> {
        assert_eq!(batch[0] as usize, batch.len() - 2);
        batch[2..].iter().map(|word| self.placements[word]).collect()
    }

    /// The count, the decided blocks and the batch's number for each boss placement in a batch.
    pub(crate) fn results(&mut self, batch: &[u32]) -> Vec<u32> {
        let placements = self.placements(batch);
        let result =
            |placement: &BossPlacement| [self.counter.count(placement) as u32, blocks(placement), batch[1]];
        placements.iter().flat_map(result).collect()
    }
}

/// A boss placement as a word of a batch.
pub(crate) fn word(placement: &BossPlacement) -> u32 {
    u32::from(placement.cells().0) | placement.own_boss() << 16 | placement.opposing_boss() << 20
}

/// The number of sets of slots that may be the opponent's: each player has at most five.
pub(crate) fn blocks(placement: &BossPlacement) -> u32 {
    let slots = placement.slots();
    (0..1_u32 << slots).filter(|set| set.count_ones() <= 5 && slots - set.count_ones() <= 5).count() as u32
}
