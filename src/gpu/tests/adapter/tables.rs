//! The refutation tables that a GPU builds, clause by clause.

use crate::count::clause::{Clause, GROUPS};
use crate::count::table::Table;
use crate::gpu::count::Setup;
use crate::gpu::count::layout::TABLE_SIZE;
use crate::gpu::count::shaders::TABLES_PER_WORKGROUP;
use crate::gpu::dispatch::Download;
use crate::gpu::{Device, Module};
use crate::rules::Rules;
use crate::shapes::{BossPlacement, Shape};
use crate::testing::calculator::word;
use pollster::block_on;
use wgpu::BufferUsages as Usage;

use super::on_gpu;

/// The tables of stage 1 equal those of the CPU: on every 97th boss placement, pruned ones included, under
/// all rule variants.
#[test]
fn tables_are_those_of_the_cpu() {
    on_gpu(|gpu| {
        let all: Vec<BossPlacement> = Shape::all().iter().flat_map(BossPlacement::all).collect();
        let sample: Vec<BossPlacement> = all.into_iter().step_by(97).collect();
        let device = gpu.device();
        let mut clauses = 0;
        let modules: Vec<Module> =
            Setup::modules().into_iter().filter(|module| module.entry_point == "build_tables").collect();
        assert_eq!(modules.len(), Rules::variants().count());
        for (rules, module) in Rules::variants().zip(modules) {
            let pipeline = block_on(device.pipeline(&module, &|| ())).expect("the shader compiles");
            for placements in sample.chunks(1024) {
                let words = tables(&device, &pipeline, placements);
                let mut expected = Table::default();
                for (placement, words) in placements.iter().zip(words.chunks_exact(TABLE_SIZE as usize / 4)) {
                    expected.build(None, placement, rules);
                    for (group, found) in read_table(words).into_iter().enumerate() {
                        // A clause without actors has no effect; the shader leaves it out.
                        let theirs = expected.group(group).iter().filter(|clause| !clause.actors.is_empty());
                        let parts = |clause: &Clause| {
                            let Clause { actors, refuters } = clause;
                            (actors.0, refuters.putters.0, refuters.movers.0)
                        };
                        let mut theirs: Vec<_> = theirs.map(parts).collect();
                        let mut ours = found.clauses;
                        // The two sides order the clauses of a group differently.
                        theirs.sort_unstable();
                        ours.sort_unstable();
                        clauses += ours.len();
                        assert_eq!(ours, theirs, "{placement}, {rules:?}, group {group}");
                        assert_eq!(
                            [found.safe, found.wins],
                            [expected.safe[group].0, expected.wins[group].0],
                            "{placement}, {rules:?}, group {group}: who is safe, who wins"
                        );
                    }
                }
            }
        }
        assert!(clauses > 0, "no clause was compared");
    })
}

/// The tables that the stage builds for some boss placements.
fn tables(device: &Device, pipeline: &wgpu::ComputePipeline, placements: &[BossPlacement]) -> Vec<u32> {
    // Only the other stage reads the serial number.
    let batch = device.filled("batch", &[placements.len() as u32, 0], Usage::UNIFORM);
    let words: Vec<u32> = placements.iter().map(word).collect();
    let words = device.filled("placements", &words, Usage::STORAGE);
    let size = placements.len() as u64 * TABLE_SIZE;
    let tables = device.buffer("tables", size, Usage::STORAGE | Usage::COPY_SRC);
    let stage = device.stage(pipeline, &[&batch, &words, &tables]);
    let workgroups = (placements.len() as u32).div_ceil(TABLES_PER_WORKGROUP);
    let download = Download::new(device, size);
    let sent = download.send(device, &[(&stage, workgroups)], &tables, size);
    block_on(download.receive(device, sent)).expect("the tables come back").0
}

struct Group {
    clauses: Vec<(u32, u32, u64)>,
    safe: u32,
    wins: u32,
}

/// Reads a table in the layout of `shaders/layout.wgsl`.
fn read_table(words: &[u32]) -> Vec<Group> {
    let (heads, clauses) = words.split_at(2 * GROUPS);
    let per_group = clauses.len() / GROUPS;
    let group = |group: usize| {
        let clauses = clauses[per_group * group..].chunks_exact(4).take((heads[group] & 0xffff) as usize);
        let clause = |c: &[u32]| (c[0] & 0xffff, c[0] >> 16, u64::from(c[1]) | u64::from(c[2]) << 32);
        Group {
            clauses: clauses.map(clause).collect(),
            safe: heads[group] >> 16,
            wins: heads[GROUPS + group],
        }
    };
    (0..GROUPS).map(group).collect()
}
