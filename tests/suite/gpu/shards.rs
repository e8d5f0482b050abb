//! Where the rows of blocks lie on a card.

use dovemate::internals::gpu::solve::shards::{self, Segment, Shards, block_words, ends_words};
use dovemate::internals::solve::space::index::Index;
use dovemate::rules::{Game, Rules};

/// For any size of shards, every block is in one segment, at the place given by the cut of its class, and no two
/// overlap.
#[test]
fn every_block_has_a_place_of_its_own() {
    for (red, green) in [("A", "A"), ("AY", "T"), ("AYM", "-"), ("AYM", "TH"), ("AYMTH", "-")] {
        let set = |text: &str| text.parse().expect("a dove set");
        let index = Index::new(Game { red: set(red), green: set(green), rules: Rules::default() });
        for most in [480, 1_000, 30_000, 1 << 20, 1 << 28] {
            let shards = Shards::new(&index.layout, most);
            let mut ends = vec![(0, 0); shards.count()];
            let mut next = vec![0; index.layout.classes.len()];
            for Segment { class, shard, blocks, at, ends_at, .. } in &shards.segments {
                let of_class = &index.layout[*class];
                assert_eq!((blocks.start, (*at, *ends_at)), (next[class.0], ends[*shard]));
                next[class.0] = blocks.end;
                ends[*shard].0 += blocks.len() as u32 * block_words(of_class);
                ends[*shard].1 += blocks.len() as u32 * ends_words(of_class);
                let cut = shards.cuts[class.0];
                for block in [blocks.start, blocks.end - 1] {
                    let found =
                        (cut.shard + block / cut.per_shard, cut.at + block % cut.per_shard * block_words(of_class));
                    assert_eq!(found, (*shard as u32, at + (block - blocks.start) * block_words(of_class)));
                }
            }
            let all: Vec<u32> = index.layout.classes.iter().map(shards::blocks).collect();
            assert_eq!(next, all);
            let sizes: Vec<(u32, u32)> = shards.words.iter().copied().zip(shards.ends_words.iter().copied()).collect();
            assert_eq!(sizes, ends);
            assert!(sizes.iter().all(|&(words, ends)| words.max(ends) <= most), "{most}: {sizes:?}");
            assert!(most < 1 << 20 || shards.count() < 20);
        }
    }
}
